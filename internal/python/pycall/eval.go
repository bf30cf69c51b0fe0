package pycall

import (
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
			return r.name(n)
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
		return r.boolean(n)
	case kCompare:
		return r.comparison(n)
	case kIf:
		if test := n.second(); !pyval.Truth(r.run(test)) {
			return r.run(test.next)
		}
		return r.run(n.first)
	case kSubscript:
		return r.subscript(n)
	}
	return r.wrong(n, "NameError", "names and calls are not evaluated ("+kindNames[n.kind]+")")
}

func (r *runner) boolean(n *node) pyval.Value {
	var v pyval.Value = pyval.None
	for e := n.first; e != nil && r.err == nil; e = e.next {
		if v = r.run(e); pyval.Truth(v) == (n.op == tBoolOr) {
			break
		}
	}
	return v
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

func (r *runner) subscript(n *node) pyval.Value {
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
