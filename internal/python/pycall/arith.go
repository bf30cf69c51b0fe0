package pycall

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxWork bounds the weight of all results computed for one text.
const maxWork = 1 << 24

// powerCost is the size that one power counts as in spend, because of the time
// it takes.
const powerCost = 1 << 12

// spend accounts for a result of size bytes. It returns false once maxWork is
// exceeded.
func (p *parser) spend(n *node, size int) bool {
	if p.work += size; size < 0 || p.work > maxWork {
		p.fail("MemoryError", int(n.pos), "result too large")
	}
	return p.err == nil
}

// computed accounts for the result of an operation, or fails with its error.
func (p *parser) computed(n *node, v pyval.Value, err error) pyval.Value {
	switch {
	case err != nil:
		return p.raise(n, err)
	case !p.spend(n, pyval.Weight(v, maxWork-p.work)):
		return pyval.None
	}
	return v
}

// raise fails with a *pyval.Exception.
func (p *parser) raise(n *node, err error) pyval.Value {
	if e, ok := errors.AsType[*pyval.Exception](err); ok {
		return p.wrong(n, e.Class, e.Msg)
	}
	return p.wrong(n, "Exception", err.Error())
}

// binaryValue computes left op right as Python does.
func (p *parser) binaryValue(n *node, op token, left, right pyval.Value) pyval.Value {
	if p.err != nil || op == tDoubleStar && !p.spend(n, powerCost) {
		return pyval.None
	}
	v, err := Operate(spellings[op], left, right)
	return p.computed(n, v, err)
}

// Operate is pyval.Operate, with formatting by %.
func Operate(op string, left, right pyval.Value) (pyval.Value, error) {
	if format, ok := left.(pyval.Str); ok && op == "%" {
		text, err := Format(string(format), right)
		return pyval.Str(text), err
	}
	return pyval.Operate(op, left, right)
}

func (p *parser) unaryValue(n *node, v pyval.Value) pyval.Value {
	if p.err != nil {
		return pyval.None
	}
	if n.op == tNot {
		return pyval.Bool(!pyval.Truth(v))
	}
	v, err := pyval.Unary(spellings[n.op], v)
	return p.computed(n, v, err)
}
