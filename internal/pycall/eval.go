package pycall

import (
	"github.com/gobfcl/bfcl/internal/pyval"
)

// maxWork bounds the bytes of all results computed for one text.
const maxWork = 1 << 24

// spend accounts for a result of so many bytes; false when there is no more
// to spend.
func (p *parser) spend(n *node, size int) bool {
	if p.work += size; size < 0 || p.work > maxWork {
		p.fail("MemoryError", int(n.pos), "result too large")
	}
	return p.err == nil
}

// arithmetic stands for upstream's eval of a binary operation, on literals.
func (p *parser) arithmetic(n *node) pyval.Value {
	if n.depth > maxUnparse {
		return p.wrong(n, "RecursionError", "nested too deeply to be computed")
	}
	return p.compute(n)
}

func (p *parser) compute(n *node) pyval.Value {
	if p.err != nil {
		return pyval.None
	}
	switch n.kind {
	case kConst:
		return n.val
	case kUnary:
		return p.unaryValue(n, p.compute(n.first))
	case kBinary:
		left := p.compute(n.first)
		return p.binaryValue(n, n.op, left, p.compute(n.second()))
	case kBool:
		return p.boolValue(n)
	case kCompare:
		return p.compareValue(n)
	case kIf:
		test := n.second()
		if pyval.Truth(p.compute(test)) {
			return p.compute(n.first)
		}
		return p.compute(test.next)
	case kList:
		return &pyval.List{Items: p.computeAll(n)}
	case kTuple:
		return &pyval.Tuple{Items: p.computeAll(n)}
	case kSet:
		return p.setOf(n, p.computeAll(n))
	case kDict:
		return p.computeDict(n)
	case kSubscript:
		return p.indexed(n, p.compute(n.first), p.compute(n.second()))
	case kFString:
		return p.formatString(n)
	}
	return p.wrong(n, "NameError", "names and calls are not evaluated ("+kindNames[n.kind]+")")
}

func (p *parser) computeAll(n *node) []pyval.Value {
	var out []pyval.Value
	for e := n.first; e != nil && p.err == nil; e = e.next {
		out = append(out, p.compute(e))
	}
	return out
}

func (p *parser) computeDict(n *node) pyval.Value {
	d := pyval.NewDict(count(n.first))
	for e := n.first; e != nil && p.err == nil; e = e.next {
		if e.kind == kUnpack {
			return p.wrong(e, "NameError", "unpacking is not evaluated")
		}
		key := p.compute(e.first)
		if err := d.Set(key, p.compute(e.second())); err != nil {
			return p.wrong(e, "TypeError", err.Error())
		}
	}
	return d
}

func (p *parser) unaryValue(n *node, v pyval.Value) pyval.Value {
	if n.op == tNot {
		return pyval.Bool(!pyval.Truth(v))
	}
	if minus, ok := negate(v); ok && p.err == nil {
		switch {
		case n.op == tMinus:
			return minus
		case n.op == tPlus:
			plus, _ := negate(minus)
			return plus
		case minus.Kind() == pyval.KindInt: // ~x is -x-1
			return p.binaryValue(n, tMinus, minus, pyval.MakeInt(1))
		}
	}
	return p.wrong(n, "TypeError", "bad operand type for unary "+spellings[n.op]+": '"+pyval.TypeName(v)+"'")
}

func (p *parser) boolValue(n *node) pyval.Value {
	var v pyval.Value = pyval.None
	for e := n.first; e != nil && p.err == nil; e = e.next {
		if v = p.compute(e); pyval.Truth(v) == (n.op == tBoolOr) {
			break
		}
	}
	return v
}

func (p *parser) compareValue(n *node) pyval.Value {
	left := p.compute(n.first)
	for e := n.second(); e != nil && p.err == nil; e = e.next {
		right := p.compute(e.first)
		holds, ok := compare(e.op, left, right)
		if !ok {
			return p.wrong(n, "TypeError", "comparison not supported")
		}
		if !holds {
			return pyval.Bool(false)
		}
		left = right
	}
	return pyval.Bool(true)
}

func compare(op token, a, b pyval.Value) (holds, ok bool) {
	switch op {
	case tEqual:
		return pyval.Equal(a, b), true
	case tNotEqual:
		return !pyval.Equal(a, b), true
	}
	as, aok := a.(pyval.Str)
	bs, bok := b.(pyval.Str)
	if aok && bok {
		return ordered(op, as < bs, as == bs)
	}
	af, aok := floatOf(a)
	bf, bok := floatOf(b)
	if !aok || !bok {
		return false, false
	}
	return ordered(op, af < bf, af == bf)
}

func ordered(op token, less, equal bool) (holds, ok bool) {
	switch op {
	case tLess:
		return less, true
	case tLessEqual:
		return less || equal, true
	case tGreater:
		return !less && !equal, true
	case tGreaterEqual:
		return !less, true
	}
	return false, false
}

// indexed is container[index] for an int index or a dict's key.
func (p *parser) indexed(n *node, container, index pyval.Value) pyval.Value {
	if d, ok := container.(*pyval.Dict); ok {
		if v, ok := d.Get(index); ok {
			return v
		}
		return p.wrong(n, "KeyError", pyval.Repr(index))
	}
	i, ok := intOf(index)
	if !ok {
		return p.wrong(n, "TypeError", "index not supported")
	}
	items, ok := itemsOf(container)
	if !ok {
		return p.wrong(n, "TypeError", "'"+pyval.TypeName(container)+"' object is not subscriptable")
	}
	at, small := i.Int64()
	if at < 0 {
		at += int64(len(items))
	}
	if !small || at < 0 || at >= int64(len(items)) {
		return p.wrong(n, "IndexError", "index out of range")
	}
	return items[at]
}

func itemsOf(v pyval.Value) ([]pyval.Value, bool) {
	switch v := v.(type) {
	case *pyval.List:
		return v.Items, true
	case *pyval.Tuple:
		return v.Items, true
	case pyval.Str:
		var out []pyval.Value
		for i := 0; i < len(v); {
			_, size := pyval.DecodeRune(string(v[i:]))
			out = append(out, v[i:i+size])
			i += size
		}
		return out, true
	case pyval.Bytes:
		out := make([]pyval.Value, len(v))
		for i := range len(v) {
			out[i] = pyval.MakeInt(int64(v[i]))
		}
		return out, true
	}
	return nil, false
}
