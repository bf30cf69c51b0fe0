package pycall

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A runner evaluates a tree in Python's order. Its calls go to a scope; without
// a scope a call is an error.
type runner struct {
	*parser
	scope Scope
}

// arithmetic does what upstream's eval does with a binary operation on
// literals.
func (p *parser) arithmetic(n *node) pyval.Value {
	if n.depth > maxUnparse {
		return p.wrong(n, "RecursionError", "nested too deeply to be computed")
	}
	r := runner{parser: p}
	return r.run(n)
}

func (r *runner) run(n *node) pyval.Value {
	if r.err != nil {
		return pyval.None
	}
	switch n.kind {
	case kConst:
		return n.val
	case kList:
		return &pyval.List{Items: r.all(n)}
	case kTuple:
		return &pyval.Tuple{Items: r.all(n)}
	case kSet:
		return r.setOf(n, r.all(n))
	case kDict:
		return r.dict(n)
	case kFString:
		return r.formatString(n)
	}
	if r.scope != nil {
		switch n.kind {
		case kCall:
			return r.call(n)
		case kName, kAttribute:
			// Fails for a name that is not called, because no name has a value. The
			// error of an unknown name comes first.
			name, ok := r.dotted(n)
			if !ok {
				return r.wrong(n, "AttributeError", "attributes are not evaluated")
			}
			if _, err := r.scope(name); err != nil {
				return r.raised(err)
			}
			return r.wrong(n, "TypeError", "a function cannot be used as a value here")
		}
	}
	return r.operation(n)
}

func (r *runner) operation(n *node) pyval.Value {
	switch n.kind {
	case kUnary:
		return r.unaryValue(n, r.run(n.first))
	case kBinary:
		left := r.run(n.first)
		return r.binaryValue(n, n.op, left, r.run(n.second()))
	case kBool:
		var v pyval.Value = pyval.None
		for e := n.first; e != nil && r.err == nil; e = e.next {
			if v = r.run(e); pyval.Truth(v) == (n.op == tBoolOr) {
				break
			}
		}
		return v
	case kCompare:
		return r.comparison(n)
	case kIf:
		if test := n.second(); !pyval.Truth(r.run(test)) {
			return r.run(test.next)
		}
		return r.run(n.first)
	case kSubscript:
		container := r.run(n.first)
		index := r.run(n.second())
		if r.err != nil {
			return pyval.None
		}
		v, err := pyval.Subscript(container, index)
		if err != nil {
			return r.raise(n, err)
		}
		return v
	}
	return r.wrong(n, "NameError", "names and calls are not evaluated ("+kindNames[n.kind]+")")
}

func (r *runner) comparison(n *node) pyval.Value {
	left := r.run(n.first)
	for e := n.second(); e != nil && r.err == nil; e = e.next {
		right := r.run(e.first)
		if r.err != nil {
			break
		}
		holds, err := pyval.Compare(spellings[e.op], left, right)
		switch {
		case err != nil:
			return r.raise(n, err)
		case !holds:
			return pyval.Bool(false)
		}
		left = right
	}
	return pyval.Bool(true)
}

func (r *runner) all(n *node) []pyval.Value {
	if n.first == nil {
		return nil
	}
	out := make([]pyval.Value, 0, count(n.first))
	for e := n.first; e != nil && r.err == nil; e = e.next {
		out = r.element(out, e)
	}
	return out
}

// element appends an element, or all elements of a starred one.
func (r *runner) element(out []pyval.Value, e *node) []pyval.Value {
	if e.kind != kStarred {
		return append(out, r.run(e))
	}
	v := r.run(e.first)
	if r.err != nil {
		return out
	}
	items, err := pyval.Iterate(v)
	if err != nil {
		r.wrong(e, "TypeError", "Value after * must be an iterable, not "+pyval.TypeName(v))
		return out
	}
	return append(out, items...)
}

func (r *runner) dict(n *node) pyval.Value {
	d := pyval.NewDict(count(n.first))
	for e := n.first; e != nil && r.err == nil; e = e.next {
		if e.kind == kUnpack {
			r.unpacked(e, d)
			continue
		}
		key := r.run(e.first)
		if err := d.Set(key, r.run(e.second())); err != nil {
			return r.wrong(e, "TypeError", err.Error())
		}
	}
	return d
}

// unpacked puts the entries of a ** in a dict display into the dict.
func (r *runner) unpacked(e *node, into *pyval.Dict) {
	v := r.run(e.first)
	d, ok := v.(*pyval.Dict)
	if !ok {
		r.wrong(e, "TypeError", "'"+pyval.TypeName(v)+"' object is not a mapping")
		return
	}
	for key, val := range d.All() {
		_ = into.Set(key, val) // keys of a dict are hashable
	}
}

// formatString is the value of an f-string without format specs.
func (r *runner) formatString(n *node) pyval.Value {
	var out []byte
	for e := n.first; e != nil && r.err == nil; e = e.next {
		switch {
		case e.kind == kConst:
			out = append(out, pyval.Text(e.val)...)
		case e.second() != nil:
			return r.wrong(e, "NameError", "format specs are not evaluated")
		default:
			out = append(out, converted(r.run(e.first), e.op)...)
		}
	}
	return r.computed(n, pyval.Str(out), nil)
}

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
