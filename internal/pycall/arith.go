package pycall

import (
	"math"
	"math/big"
	"strings"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// maxBits bounds a computed int.
const maxBits = 1 << 18

func intOf(v pyval.Value) (pyval.Int, bool) {
	switch v := v.(type) {
	case pyval.Int:
		return v, true
	case pyval.Bool:
		if v {
			return pyval.MakeInt(1), true
		}
		return pyval.MakeInt(0), true
	}
	return pyval.Int{}, false
}

// floatOf is the value of an int, bool or float; false also for an int that
// no float holds.
func floatOf(v pyval.Value) (float64, bool) {
	if f, ok := v.(pyval.Float); ok {
		return float64(f), true
	}
	if n, ok := intOf(v); ok {
		return n.Float64()
	}
	return 0, false
}

// binaryValue computes left op right as Python does.
func (p *parser) binaryValue(n *node, op token, left, right pyval.Value) pyval.Value {
	if p.err != nil {
		return pyval.None
	}
	a, aok := intOf(left)
	b, bok := intOf(right)
	switch {
	case aok && bok:
		if x, ok := left.(pyval.Bool); ok {
			if y, ok := right.(pyval.Bool); ok && (op == tOr || op == tXor || op == tAnd) {
				return boolOperation(op, bool(x), bool(y))
			}
		}
		return p.intOperation(n, op, a, b)
	case left.Kind() == pyval.KindComplex || right.Kind() == pyval.KindComplex:
		return p.complexOperation(n, op, left, right)
	case (aok || left.Kind() == pyval.KindFloat) && (bok || right.Kind() == pyval.KindFloat):
		x, xok := floatOf(left)
		y, yok := floatOf(right)
		if !xok || !yok {
			return p.wrong(n, "OverflowError", "int too large to convert to float")
		}
		return p.floatOperation(n, op, x, y)
	}
	return p.sequenceOperation(n, op, left, right)
}

func (p *parser) unsupported(n *node, op token, left, right pyval.Value) pyval.Value {
	return p.wrong(n, "TypeError", "unsupported operand type(s) for "+spellings[op]+": '"+
		pyval.TypeName(left)+"' and '"+pyval.TypeName(right)+"'")
}

func boolOperation(op token, x, y bool) pyval.Value {
	switch op {
	case tOr:
		return pyval.Bool(x || y)
	case tAnd:
		return pyval.Bool(x && y)
	}
	return pyval.Bool(x != y)
}

func (p *parser) intOperation(n *node, op token, a, b pyval.Int) pyval.Value {
	x, y := a.Big(), b.Big()
	if !p.spend(n, 16+(x.BitLen()+y.BitLen())/8) {
		return pyval.None
	}
	if y.Sign() == 0 && (op == tSlash || op == tDoubleSlash || op == tPercent) {
		return p.wrong(n, "ZeroDivisionError", "division by zero")
	}
	switch op {
	case tPlus:
		x.Add(x, y)
	case tMinus:
		x.Sub(x, y)
	case tStar:
		if x.BitLen()+y.BitLen() > maxBits {
			return p.wrong(n, "OverflowError", "int too large")
		}
		x.Mul(x, y)
	case tDoubleSlash:
		x, _ = floorDivMod(x, y)
	case tPercent:
		_, x = floorDivMod(x, y)
	case tAnd:
		x.And(x, y)
	case tOr:
		x.Or(x, y)
	case tXor:
		x.Xor(x, y)
	case tSlash:
		return p.trueDivision(n, x, y)
	case tDoubleStar:
		return p.intPower(n, x, y)
	case tLeftShift, tRightShift:
		return p.shift(n, op, x, y)
	default:
		return p.unsupported(n, op, a, b)
	}
	return pyval.MakeBigInt(x)
}

func floorDivMod(x, y *big.Int) (q, r *big.Int) {
	q, r = new(big.Int).QuoRem(x, y, new(big.Int))
	if r.Sign() != 0 && r.Sign() != y.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, y)
	}
	return q, r
}

func (p *parser) trueDivision(n *node, x, y *big.Int) pyval.Value {
	if x.Sign() == 0 {
		if y.Sign() < 0 {
			return pyval.Float(math.Copysign(0, -1))
		}
		return pyval.Float(0)
	}
	f, _ := new(big.Rat).SetFrac(x, y).Float64()
	if math.IsInf(f, 0) {
		return p.wrong(n, "OverflowError", "integer division result too large for a float")
	}
	return pyval.Float(f)
}

func (p *parser) intPower(n *node, x, y *big.Int) pyval.Value {
	if y.Sign() < 0 {
		a, aok := pyval.MakeBigInt(x).Float64()
		b, bok := pyval.MakeBigInt(y).Float64()
		if !aok || !bok {
			return p.wrong(n, "OverflowError", "int too large to convert to float")
		}
		return p.floatOperation(n, tDoubleStar, a, b)
	}
	if x.BitLen() > 1 && (!y.IsInt64() || y.Int64() > maxBits/int64(x.BitLen())) {
		return p.wrong(n, "OverflowError", "int too large")
	}
	if x.BitLen() <= 1 && y.BitLen() > 1 { // -1, 0 or 1: only the exponent's parity counts
		y = new(big.Int).SetUint64(2 + uint64(y.Bit(0)))
	}
	if !p.spend(n, x.BitLen()*int(y.Int64())/8) {
		return pyval.None
	}
	return pyval.MakeBigInt(x.Exp(x, y, nil))
}

func (p *parser) shift(n *node, op token, x, y *big.Int) pyval.Value {
	if y.Sign() < 0 {
		return p.wrong(n, "ValueError", "negative shift count")
	}
	if op == tRightShift {
		if !y.IsInt64() || y.Int64() > int64(x.BitLen()) {
			y = big.NewInt(int64(x.BitLen()))
		}
		return pyval.MakeBigInt(x.Rsh(x, uint(y.Int64())))
	}
	if x.Sign() == 0 {
		return pyval.MakeInt(0)
	}
	if !y.IsInt64() || y.Int64() > maxBits || !p.spend(n, int(y.Int64()/8)) {
		return p.wrong(n, "OverflowError", "int too large")
	}
	return pyval.MakeBigInt(x.Lsh(x, uint(y.Int64())))
}

// sequenceOperation computes on texts, sequences, sets and dicts.
func (p *parser) sequenceOperation(n *node, op token, left, right pyval.Value) pyval.Value {
	if op == tPercent && left.Kind() == pyval.KindStr {
		return p.percent(n, string(left.(pyval.Str)), right)
	}
	if op == tStar {
		if times, ok := intOf(right); ok {
			return p.repeated(n, left, times, right)
		}
		if times, ok := intOf(left); ok {
			return p.repeated(n, right, times, left)
		}
	}
	if left.Kind() != right.Kind() {
		return p.unsupported(n, op, left, right)
	}
	switch a := left.(type) {
	case *pyval.Set:
		return p.setOperation(n, op, a, right.(*pyval.Set))
	case *pyval.Dict:
		if op == tOr {
			return p.merged(n, a, right.(*pyval.Dict))
		}
	case pyval.Str, pyval.Bytes, *pyval.List, *pyval.Tuple:
		if op == tPlus {
			return p.concatenated(n, left, right)
		}
	}
	return p.unsupported(n, op, left, right)
}

func (p *parser) concatenated(n *node, left, right pyval.Value) pyval.Value {
	if !p.spend(n, sizeOf(left)+sizeOf(right)) {
		return pyval.None
	}
	switch a := left.(type) {
	case pyval.Str:
		return a + right.(pyval.Str)
	case pyval.Bytes:
		return a + right.(pyval.Bytes)
	case *pyval.List:
		return pyval.NewList(joined(a.Items, right.(*pyval.List).Items)...)
	case *pyval.Tuple:
		return pyval.NewTuple(joined(a.Items, right.(*pyval.Tuple).Items)...)
	}
	return pyval.None
}

func joined(a, b []pyval.Value) []pyval.Value {
	return append(append(make([]pyval.Value, 0, len(a)+len(b)), a...), b...)
}

// sizeOf is about the memory that a copy of a sequence takes.
func sizeOf(v pyval.Value) int {
	switch v := v.(type) {
	case pyval.Str:
		return len(v)
	case pyval.Bytes:
		return len(v)
	}
	size, _ := pyval.Len(v)
	return 16 * size
}

func (p *parser) repeated(n *node, v pyval.Value, times pyval.Int, factor pyval.Value) pyval.Value {
	count, small := times.Int64()
	size := sizeOf(v)
	switch {
	case !small:
		return p.wrong(n, "OverflowError", "cannot fit 'int' into an index-sized integer")
	case times.Sign() < 0:
		count = 0
	case size > 0 && count > maxWork/int64(size):
		return p.wrong(n, "MemoryError", "result too large")
	case size == 0:
		count = min(count, 1)
	}
	if !p.spend(n, size*int(count)) {
		return pyval.None
	}
	switch v := v.(type) {
	case pyval.Str:
		return pyval.Str(strings.Repeat(string(v), int(count)))
	case pyval.Bytes:
		return pyval.Bytes(strings.Repeat(string(v), int(count)))
	case *pyval.List:
		return &pyval.List{Items: repeatedItems(v.Items, int(count))}
	case *pyval.Tuple:
		return &pyval.Tuple{Items: repeatedItems(v.Items, int(count))}
	}
	return p.unsupported(n, tStar, v, factor)
}

func repeatedItems(items []pyval.Value, count int) []pyval.Value {
	out := make([]pyval.Value, 0, count*len(items))
	for range count {
		out = append(out, items...)
	}
	return out
}

func (p *parser) merged(n *node, a, b *pyval.Dict) pyval.Value {
	if !p.spend(n, sizeOf(a)+sizeOf(b)) {
		return pyval.None
	}
	out := a.Clone()
	for key, val := range b.All() {
		_ = out.Set(key, val) // keys of a dict are hashable
	}
	return out
}

func (p *parser) setOperation(n *node, op token, a, b *pyval.Set) pyval.Value {
	if op != tOr && op != tAnd && op != tMinus && op != tXor {
		return p.unsupported(n, op, a, b)
	}
	if !p.spend(n, sizeOf(a)+sizeOf(b)) {
		return pyval.None
	}
	out := &pyval.Set{}
	for v := range a.All() {
		if in := b.Has(v); op == tOr || in == (op == tAnd) {
			_ = out.Add(v)
		}
	}
	if op == tOr || op == tXor {
		for v := range b.All() {
			if !a.Has(v) {
				_ = out.Add(v)
			}
		}
	}
	return out
}
