package pycall

import "github.com/gobfcl/bfcl/internal/pyval"

// method calls a method of a value that the text computes, such as
// `f(x=g()["a"].get("b"))`. Of all methods of Python's values only dict.get is
// known: it has no effect, and its result is a value it was given.
func (r *runner) method(n *node) pyval.Value {
	f := n.first
	if f.kind != kAttribute {
		return r.wrong(n, "TypeError", "only functions can be called")
	}
	self := r.run(f.first)
	if r.err != nil {
		return pyval.None
	}
	d, ok := self.(*pyval.Dict)
	if !ok || f.text != "get" {
		return r.wrong(n, "AttributeError", "'"+pyval.TypeName(self)+"' object has no attribute '"+f.text+"'")
	}
	args := r.arguments(n)
	if r.err != nil {
		return pyval.None
	}
	return r.dictGet(n, d, args)
}

// dictGet is Python's d.get(key, default).
func (r *runner) dictGet(n *node, d *pyval.Dict, args []Arg) pyval.Value {
	if len(args) == 0 || len(args) > 2 {
		return r.wrong(n, "TypeError", "get expected 1 or 2 arguments")
	}
	for _, arg := range args {
		if arg.Name != "" {
			return r.wrong(n, "TypeError", "dict.get() takes no keyword arguments")
		}
	}
	if err := pyval.Hashable(args[0].Value); err != nil {
		return r.wrong(n, "TypeError", err.Error())
	}
	if v, ok := d.Get(args[0].Value); ok {
		return v
	}
	if len(args) == 2 {
		return args[1].Value
	}
	return pyval.None
}
