package sim

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"time"
	"unicode"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// RoundValue is Python's round(x, places); places may be None.
func RoundValue(x, places pyval.Value) pyval.Value {
	whole := places == pyval.Value(pyval.None)
	n, ok := pyval.IntOf(places)
	if !IsNumber(x) || !whole && !ok {
		panic(Raise("TypeError", "cannot be rounded"))
	}
	f, isFloat := x.(pyval.Float)
	switch {
	case !isFloat:
		i, _ := pyval.IntOf(x)
		return RoundInt(i, clipped(n))
	case !whole:
		return pyval.Float(Round(float64(f), clipped(n)))
	}
	return pyval.Must(pyval.ToInt(pyval.Float(Round(float64(f), 0))))
}

// clipped is a number of decimal places; beyond these nothing changes.
func clipped(n pyval.Int) int {
	const far = 1 << 24
	switch v, small := n.Int64(); {
	case small && v > -far && v < far:
		return int(v)
	case n.Sign() < 0:
		return -far
	}
	return far
}

// Round is Python's round(x, places) for a float: half to even on the exact
// binary value. It handles extreme places too, at which nothing changes or
// nothing is left.
func Round(x float64, places int) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0) || places > 323:
		return x
	case places < -308:
		return math.Copysign(0, x)
	case places >= 0:
		f, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64)
		return f
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-places)), nil)
	exact := new(big.Rat).SetFloat64(x)
	n := roundHalfEven(exact.Quo(exact, new(big.Rat).SetInt(scale)))
	f, _ := new(big.Rat).SetInt(n.Mul(n, scale)).Float64()
	if f == 0 {
		return math.Copysign(0, x)
	}
	return f
}

func roundHalfEven(r *big.Rat) *big.Int {
	q, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	switch rest.Lsh(rest, 1).Cmp(r.Denom()) {
	case 1:
		q.Add(q, big.NewInt(1))
	case 0:
		if q.Bit(0) == 1 {
			q.Add(q, big.NewInt(1))
		}
	}
	return q
}

// RoundInt is Python's round(n, places) for an int.
func RoundInt(n pyval.Int, places int) pyval.Int {
	if places >= 0 {
		return n
	}
	x := n.Big()
	if -places > x.BitLen()/3+2 {
		return pyval.MakeInt(0)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-places)), nil)
	q := roundHalfEven(new(big.Rat).SetFrac(x, scale))
	return pyval.MakeBigInt(q.Mul(q, scale))
}

// Sum is Python's sum(items) since 3.12: floats are added with Neumaier's
// compensation, which changes the last digits. Ints among them are only added,
// and anything else ends the compensation.
func Sum(items []pyval.Value) pyval.Value {
	var total pyval.Value = pyval.MakeInt(0)
	for i, item := range items {
		if f, ok := total.(pyval.Float); ok {
			return sumFrom(float64(f), items[i:])
		}
		next, err := pyval.Operate("+", total, item)
		if err != nil {
			panic(Raise("TypeError", "unsupported operand type(s) for +: '"+
				pyval.TypeName(total)+"' and '"+pyval.TypeName(item)+"'"))
		}
		total = next
	}
	return total
}

func sumFrom(s float64, items []pyval.Value) pyval.Value {
	c := 0.0
	for len(items) > 0 {
		n, isInt := pyval.IntOf(items[0])
		f, isFloat := items[0].(pyval.Float)
		if !isInt && !isFloat {
			break
		}
		x := float64(f)
		if isInt {
			x = Float(n)
		}
		t := s + x
		switch {
		case isInt:
		case math.Abs(s) >= math.Abs(x):
			c += (s - t) + x
		default:
			c += (x - t) + s
		}
		s, items = t, items[1:]
	}
	if c != 0 && !math.IsInf(c, 0) && !math.IsNaN(c) {
		s += c
	}
	var total pyval.Value = pyval.Float(s)
	for _, item := range items {
		total = Calc(total, "+", item)
	}
	return total
}

// otherDigits are the characters, such as a superscript, that Python's
// isdigit knows and int() refuses.
var otherDigits = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0xb2, Hi: 0xb3, Stride: 1}, {Lo: 0xb9, Hi: 0xb9, Stride: 1}, {Lo: 0x1369, Hi: 0x1371, Stride: 1},
		{Lo: 0x19da, Hi: 0x19da, Stride: 1}, {Lo: 0x2070, Hi: 0x2070, Stride: 1}, {Lo: 0x2074, Hi: 0x2079, Stride: 1},
		{Lo: 0x2080, Hi: 0x2089, Stride: 1}, {Lo: 0x2460, Hi: 0x2468, Stride: 1}, {Lo: 0x2474, Hi: 0x247c, Stride: 1},
		{Lo: 0x2488, Hi: 0x2490, Stride: 1}, {Lo: 0x24ea, Hi: 0x24ea, Stride: 1}, {Lo: 0x24f5, Hi: 0x24fd, Stride: 1},
		{Lo: 0x24ff, Hi: 0x24ff, Stride: 1}, {Lo: 0x2776, Hi: 0x277e, Stride: 1}, {Lo: 0x2780, Hi: 0x2788, Stride: 1},
		{Lo: 0x278a, Hi: 0x2792, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x10a40, Hi: 0x10a43, Stride: 1}, {Lo: 0x10e60, Hi: 0x10e68, Stride: 1},
		{Lo: 0x11052, Hi: 0x1105a, Stride: 1}, {Lo: 0x1f100, Hi: 0x1f10a, Stride: 1},
	},
	LatinOffset: 2,
}

// IsDigit is Python's s.isdigit(): not empty, and nothing but digits.
func IsDigit(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.Nd, otherDigits) {
			return false
		}
	}
	return s != ""
}

// A DateFormat is one format of Python's datetime.strptime.
type DateFormat struct {
	format  string
	pattern *regexp.Regexp
}

// The patterns are those of Python's _strptime: \d and white space are
// Unicode's, and the first alternative that lets the rest match wins.
const (
	datePattern = `(\p{Nd}{4})-(1[0-2]|0[1-9]|[1-9])-(3[0-1]|[1-2]\p{Nd}|0[1-9]|[1-9]| [1-9])`
	timePattern = `(2[0-3]|[0-1]\p{Nd}|\p{Nd}):([0-5]\p{Nd}|\p{Nd}):(6[0-1]|[0-5]\p{Nd}|\p{Nd})`
)

// The formats that upstream reads.
var (
	Day    = DateFormat{"%Y-%m-%d", regexp.MustCompile(`^` + datePattern)}
	Moment = DateFormat{"%Y-%m-%d %H:%M:%S", regexp.MustCompile(`^` + datePattern + pyval.Blank + `+` + timePattern)}
)

// Parse is Python's datetime.strptime(v, format), without a time zone.
func (f DateFormat) Parse(v pyval.Value) time.Time {
	s, ok := v.(pyval.Str)
	if !ok {
		panic(Raise("TypeError", "strptime() argument 1 must be str, not "+pyval.TypeName(v)))
	}
	text := string(s)
	at := f.pattern.FindStringSubmatchIndex(text)
	if at == nil {
		panic(Raise("ValueError", "time data "+pyval.Repr(s)+" does not match format '"+f.format+"'"))
	}
	if at[1] != len(text) {
		panic(Raise("ValueError", "unconverted data remains: "+text[at[1]:]))
	}
	var field [6]int
	for i := 1; i < len(at)/2; i++ {
		field[i-1] = decimal(text[at[2*i]:at[2*i+1]])
	}
	if field[0] == 0 {
		panic(Raise("ValueError", "year 0 is out of range"))
	}
	t := time.Date(field[0], time.Month(field[1]), field[2], field[3], field[4], 0, 0, time.UTC)
	if t.Day() != field[2] {
		panic(Raise("ValueError", "day is out of range for month"))
	}
	if field[5] > 59 {
		panic(Raise("ValueError", "second must be in 0..59"))
	}
	return t.Add(time.Duration(field[5]) * time.Second)
}

// decimal reads digits, and skips the blank that a day may begin with.
func decimal(s string) int {
	n := 0
	for _, r := range s {
		if digit, ok := pyval.Decimal(r); ok {
			n = 10*n + digit
		}
	}
	return n
}
