package pyval

import (
	"math"
	"math/big"
	"strconv"
)

// An Int is Python's int, of any size. The zero Int is 0.
type Int struct {
	small int64
	big   *big.Int // set only when the value does not fit small
}

// MakeInt returns n as an Int.
func MakeInt(n int64) Int { return Int{small: n} }

// MakeBigInt returns n as an Int; it keeps a copy of n.
func MakeBigInt(n *big.Int) Int {
	if n.IsInt64() {
		return Int{small: n.Int64()}
	}
	return Int{big: new(big.Int).Set(n)}
}

// ParseInt reads digits of the given base with an optional sign. It accepts no
// underscores, blanks or prefixes.
func ParseInt(s string, base int) (Int, bool) {
	if n, err := strconv.ParseInt(s, base, 64); err == nil {
		return Int{small: n}, true
	}
	n, ok := new(big.Int).SetString(s, base)
	if !ok {
		return Int{}, false
	}
	return MakeBigInt(n), true
}

// ReadInt returns the value of one or more decimal digits with an optional
// minus.
func ReadInt(text string) Value {
	n, ok := smallInt(text)
	if !ok {
		large, _ := ParseInt(text, 10)
		return large
	}
	if n >= 0 && n < int64(len(fewInts)) {
		return fewInts[n]
	}
	return MakeInt(n)
}

// fewInts are the most frequent ints, as values.
var fewInts = func() (vals [128]Value) {
	for i := range vals {
		vals[i] = MakeInt(int64(i))
	}
	return vals
}()

// smallInt reads digits with an optional minus; ok is false if they may not
// fit.
func smallInt(text string) (n int64, ok bool) {
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	const most = 18
	if len(digits) > most {
		return 0, false
	}
	for _, c := range []byte(digits) {
		n = 10*n + int64(c-'0')
	}
	if len(digits) < len(text) {
		n = -n
	}
	return n, true
}

// Int64 returns the value; ok is false if it does not fit.
func (n Int) Int64() (v int64, ok bool) { return n.small, n.big == nil }

// Big returns the value as a new big.Int.
func (n Int) Big() *big.Int {
	if n.big != nil {
		return new(big.Int).Set(n.big)
	}
	return big.NewInt(n.small)
}

// Sign returns -1, 0 or 1.
func (n Int) Sign() int {
	switch {
	case n.big != nil:
		return n.big.Sign()
	case n.small > 0:
		return 1
	case n.small < 0:
		return -1
	}
	return 0
}

// Cmp compares two ints and returns -1, 0 or 1.
func (n Int) Cmp(m Int) int {
	if n.big == nil && m.big == nil {
		switch {
		case n.small < m.small:
			return -1
		case n.small > m.small:
			return 1
		}
		return 0
	}
	return n.Big().Cmp(m.Big())
}

// Float64 returns the nearest float, ties to even; ok is false if Python
// raises OverflowError.
func (n Int) Float64() (f float64, ok bool) {
	if n.big == nil {
		return float64(n.small), true
	}
	f, _ = new(big.Float).SetInt(n.big).Float64()
	return f, !math.IsInf(f, 0)
}

func (n Int) append(dst []byte) []byte {
	if n.big != nil {
		return n.big.Append(dst, 10)
	}
	return strconv.AppendInt(dst, n.small, 10)
}

// String returns the value in decimal.
func (n Int) String() string {
	if n.big != nil {
		return n.big.String()
	}
	return strconv.FormatInt(n.small, 10)
}
