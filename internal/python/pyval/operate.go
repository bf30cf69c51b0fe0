package pyval

import (
	"math"
	"math/big"
	"strings"
)

// maxBits bounds a computed int and maxItems a repeated sequence; Python has no
// such limit and would continue until it runs out of memory.
const (
	maxBits  = 1 << 18
	maxItems = 1 << 22
)

// tooLarge is the error of a result beyond the bounds of this package.
func tooLarge(what string) *Exception {
	return Raise("MemoryError", "%s too large to be computed here", what)
}

// Operate returns Python's a op b for the arithmetic and the bitwise operators;
// an augmented operator such as "+=" differs in its error text. Errors are
// *Exception with CPython 3.11's texts. Formatting with % is not included; see
// pycall.Operate.
func Operate(op string, a, b Value) (Value, error) {
	plain := op
	if n := len(op); n > 1 && op[n-1] == '=' {
		plain = op[:n-1]
	}
	var v Value
	var err *Exception
	ai, aInt := IntOf(a)
	bi, bInt := IntOf(b)
	switch {
	case aInt && bInt:
		v, err = operateBools(plain, a, b, ai, bi)
	case isNumber(a) && isNumber(b):
		v, err = operateNumbers(plain, a, b)
	default:
		v, err = operateContainers(plain, a, b)
	}
	switch {
	case err != nil:
		return nil, err
	case v == nil:
		return nil, unsupported(op, a, b)
	}
	return v, nil
}

func unsupported(op string, a, b Value) *Exception {
	if op == "**" {
		op = "** or pow()"
	}
	return typeError("unsupported operand type(s) for %s: '%s' and '%s'", op, TypeName(a), TypeName(b))
}

func isNumber(v Value) bool {
	switch v.Kind() {
	case KindBool, KindInt, KindFloat, KindComplex:
		return true
	}
	return false
}

// Unary returns Python's -v, +v or ~v.
func Unary(op string, v Value) (Value, error) {
	if n, ok := IntOf(v); ok {
		switch op {
		case "-":
			return n.negated(), nil
		case "+":
			return n, nil
		}
		return MakeBigInt(new(big.Int).Not(n.Big())), nil
	}
	switch v := v.(type) {
	case Float:
		switch op {
		case "-":
			return -v, nil
		case "+":
			return v, nil
		}
	case Complex:
		switch op {
		case "-":
			return -v, nil
		case "+":
			return v, nil
		}
	}
	return nil, typeError("bad operand type for unary %s: '%s'", op, TypeName(v))
}

// Abs returns Python's abs(v).
func Abs(v Value) (Value, error) {
	if n, ok := IntOf(v); ok {
		if n.Sign() < 0 {
			n = n.negated()
		}
		return n, nil
	}
	switch v := v.(type) {
	case Float:
		return Float(math.Abs(float64(v))), nil
	case Complex:
		return Float(Hypot(real(v), imag(v))), nil
	}
	return nil, typeError("bad operand type for abs(): '%s'", TypeName(v))
}

func (n Int) negated() Int {
	if n.big == nil && n.small != math.MinInt64 {
		return Int{small: -n.small}
	}
	return MakeBigInt(new(big.Int).Neg(n.Big()))
}

func operateBools(op string, a, b Value, ai, bi Int) (Value, *Exception) {
	x, ok := a.(Bool)
	y, both := b.(Bool)
	if ok && both {
		switch op {
		case "&":
			return x && y, nil
		case "|":
			return x || y, nil
		case "^":
			return Bool(x != y), nil
		}
	}
	return operateInts(op, ai, bi)
}

// operateInts returns nil for an operator that ints do not have.
func operateInts(op string, a, b Int) (Value, *Exception) {
	if v, ok := operateSmall(op, a, b); ok {
		return v, nil
	}
	x, y := a.Big(), b.Big()
	z := new(big.Int)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		if x.BitLen()+y.BitLen() > maxBits {
			return nil, tooLarge("int")
		}
		z.Mul(x, y)
	case "&":
		z.And(x, y)
	case "|":
		z.Or(x, y)
	case "^":
		z.Xor(x, y)
	case "/":
		return divideInts(x, y)
	case "//", "%":
		return floorDivide(op, x, y)
	case "**":
		return powerInts(x, y)
	case "<<", ">>":
		return shift(op, x, y)
	default:
		return nil, nil
	}
	if z.BitLen() > maxBits {
		return nil, tooLarge("int")
	}
	return MakeBigInt(z), nil
}

// operateSmall is the fast path for ints that cannot overflow.
func operateSmall(op string, a, b Int) (Value, bool) {
	const half = 1 << 31
	x, xok := a.Int64()
	y, yok := b.Int64()
	if !xok || !yok || x >= half || x <= -half || y >= half || y <= -half {
		return nil, false
	}
	switch op {
	case "+":
		return MakeInt(x + y), true
	case "-":
		return MakeInt(x - y), true
	case "*":
		return MakeInt(x * y), true
	case "/":
		if y != 0 { // also for 0/-5, which is -0.0
			return Float(float64(x) / float64(y)), true
		}
	}
	return nil, false
}

// divideInts is the exact quotient, rounded once.
func divideInts(x, y *big.Int) (Value, *Exception) {
	if y.Sign() == 0 {
		return nil, Raise("ZeroDivisionError", "division by zero")
	}
	if x.Sign() == 0 { // Python keeps the divisor's sign
		return Float(math.Copysign(0, float64(y.Sign()))), nil
	}
	wideX, wideY := new(big.Float).SetInt(x), new(big.Float).SetInt(y)
	q := new(big.Float).SetPrec(53).Quo(wideX, wideY)
	f, _ := q.Float64()
	if math.Abs(f) < 0x1p-1021 { // a subnormal has fewer digits: round from the exact value
		f, _ = new(big.Rat).SetFrac(x, y).Float64()
	}
	if math.IsInf(f, 0) {
		return nil, Raise("OverflowError", "integer division result too large for a float")
	}
	return Float(f), nil
}

func floorDivide(op string, x, y *big.Int) (Value, *Exception) {
	if y.Sign() == 0 {
		if op == "%" {
			return nil, Raise("ZeroDivisionError", "integer modulo by zero")
		}
		return nil, Raise("ZeroDivisionError", "integer division or modulo by zero")
	}
	q, r := new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && r.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	if op == "%" {
		return MakeBigInt(r), nil
	}
	return MakeBigInt(q), nil
}

func powerInts(x, y *big.Int) (Value, *Exception) {
	if y.Sign() < 0 {
		a, err := toFloat(MakeBigInt(x))
		if err != nil {
			return nil, err
		}
		b, err := toFloat(MakeBigInt(y))
		if err != nil {
			return nil, err
		}
		return powerFloats(a, b)
	}
	if x.BitLen() <= 1 { // -1, 0 or 1: only zero and the exponent's parity count
		if y.BitLen() > 1 {
			y = big.NewInt(2 + int64(y.Bit(0)))
		}
	} else if !y.IsInt64() || y.Int64() > int64(maxBits/x.BitLen()) {
		return nil, tooLarge("int")
	}
	return MakeBigInt(new(big.Int).Exp(x, y, nil)), nil
}

func shift(op string, x, y *big.Int) (Value, *Exception) {
	switch {
	case y.Sign() < 0:
		return nil, Raise("ValueError", "negative shift count")
	case op == ">>":
		if !y.IsInt64() || y.Int64() > int64(x.BitLen()) {
			y = big.NewInt(int64(x.BitLen()))
		}
		return MakeBigInt(new(big.Int).Rsh(x, uint(y.Int64()))), nil
	case x.Sign() == 0:
		return MakeInt(0), nil
	case !y.IsInt64() || y.Int64() > maxBits:
		return nil, tooLarge("int")
	}
	return MakeBigInt(new(big.Int).Lsh(x, uint(y.Int64()))), nil
}

// operateContainers returns nil for an operator that the containers do not
// have.
func operateContainers(op string, a, b Value) (Value, *Exception) {
	switch x := a.(type) {
	case *Set:
		if y, ok := b.(*Set); ok {
			return operateSets(op, x, y), nil
		}
	case *Dict:
		if y, ok := b.(*Dict); ok && op == "|" {
			out := x.Clone()
			for key, val := range y.All() {
				_ = out.Set(key, val) // keys of a dict are hashable
			}
			return out, nil
		}
	}
	switch {
	case op == "*" && isSequence(a):
		return repeat(a, b)
	case op == "*" && isSequence(b):
		return repeat(b, a)
	case op == "+" && isSequence(a):
		return concatenate(a, b)
	}
	return nil, nil
}

// operateSets returns nil for an operator that sets do not have.
func operateSets(op string, a, b *Set) Value {
	switch op {
	case "|", "&", "-", "^":
	default:
		return nil
	}
	out := &Set{}
	for v := range a.All() {
		if in := b.Has(v); op == "|" || in == (op == "&") {
			_ = out.Add(v) // what is in a set is hashable
		}
	}
	if op == "|" || op == "^" {
		for v := range b.All() {
			if !a.Has(v) {
				_ = out.Add(v)
			}
		}
	}
	return out
}

func isSequence(v Value) bool {
	switch v.Kind() {
	case KindStr, KindBytes, KindList, KindTuple:
		return true
	}
	return false
}

func repeat(seq, times Value) (Value, *Exception) {
	count, ok := IntOf(times)
	if !ok {
		return nil, typeError("can't multiply sequence by non-int of type '%s'", TypeName(times))
	}
	n, small := count.Int64()
	if !small {
		return nil, Raise("OverflowError", "cannot fit 'int' into an index-sized integer")
	}
	size := sequenceSize(seq)
	if n = max(n, 0); size > 0 && n > maxItems/int64(size) {
		return nil, tooLarge("sequence")
	}
	if size == 0 || count.Sign() < 0 {
		n = 0
	}
	switch s := seq.(type) {
	case Str:
		return Str(strings.Repeat(string(s), int(n))), nil
	case Bytes:
		return Bytes(strings.Repeat(string(s), int(n))), nil
	case *List:
		return NewList(repeatItems(s.Items, int(n))...), nil
	}
	return NewTuple(repeatItems(seq.(*Tuple).Items, int(n))...), nil
}

func sequenceSize(v Value) int {
	switch v := v.(type) {
	case Str:
		return len(v)
	case Bytes:
		return len(v)
	}
	n, _ := Len(v)
	return n
}

func repeatItems(items []Value, n int) []Value {
	out := make([]Value, 0, n*len(items))
	for range n {
		out = append(out, items...)
	}
	return out
}

func concatenate(a, b Value) (Value, *Exception) {
	if SameType(a, b) && sequenceSize(a)+sequenceSize(b) > maxItems {
		return nil, tooLarge("sequence")
	}
	switch x := a.(type) {
	case Str:
		if y, ok := b.(Str); ok {
			return x + y, nil
		}
	case Bytes:
		if y, ok := b.(Bytes); ok {
			return x + y, nil
		}
		return nil, typeError("can't concat %s to bytes", TypeName(b))
	case *List:
		if y, ok := b.(*List); ok {
			return NewList(joinItems(x.Items, y.Items)...), nil
		}
	case *Tuple:
		if y, ok := b.(*Tuple); ok {
			return NewTuple(joinItems(x.Items, y.Items)...), nil
		}
	}
	return nil, typeError("can only concatenate %s (not \"%s\") to %[1]s", TypeName(a), TypeName(b))
}

func joinItems(a, b []Value) []Value {
	return append(append(make([]Value, 0, len(a)+len(b)), a...), b...)
}
