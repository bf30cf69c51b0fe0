package jinja

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An object is what an expression gives: a pyval.Value, or one of the
// language's own, which no list or dict can hold.
type object interface {
	Kind() pyval.Kind
}

// own is the kind of objects that are no Python values.
type own struct{}

// Kind says that it is none of Python's types.
func (own) Kind() pyval.Kind { return pyval.Kind(0xff) }

type (
	// An undefined is what stands for what is not there.
	undefined struct {
		own
		hint string
	}
	// A namespace has attributes that may be set.
	namespace struct {
		own
		attrs map[string]object
	}
	// A function is called by templates: a global or a method.
	function struct {
		own
		name string
		call func(f *frame, line int, a args) object
	}
	// A generator is what map, select and their like give: it can only be
	// gone through. A view has a length, too.
	generator struct {
		own
		items []object
		view  bool
	}
	// A macro is a macroDef with the scope it was defined in.
	macro struct {
		own
		def  *macroDef
		home *frame
	}
	// A group is what groupby gives: a pair whose members have names.
	group struct {
		own
		pair *pyval.Tuple
	}
	// A cycler gives one of its items after the other.
	cycler struct {
		own
		items []object
		at    int
	}
)

func undefinedName(name string) *undefined { return &undefined{hint: "'" + name + "' is undefined"} }

// typeName is type(v).__name__.
func typeName(v object) string {
	switch v := v.(type) {
	case *undefined:
		return "Undefined"
	case *namespace:
		return "Namespace"
	case *generator:
		return "generator"
	case *macro:
		return "Macro"
	case *loop:
		return "LoopContext"
	case *function:
		return "function"
	case pyval.Value:
		return pyval.TypeName(v)
	}
	return "object"
}

// missing is the undefined member of an object.
func missing(of object, key string) *undefined {
	if of.Kind() == pyval.KindNone {
		return &undefined{hint: fmt.Sprintf("'None' has no attribute %s", key)}
	}
	return &undefined{hint: fmt.Sprintf("'%s object' has no attribute %s", typeName(of), key)}
}

// check fails where an undefined object is used.
func check(line int, v object) object {
	if u, ok := v.(*undefined); ok {
		fail(line, "%s", u.hint)
	}
	return v
}

// plain is an object as Python's value.
func plain(line int, v object) pyval.Value {
	if p, ok := check(line, v).(pyval.Value); ok {
		return p
	}
	fail(line, "a %s cannot be used as a value here", typeName(v))
	return nil
}

// must fails with the error of a Python operation.
func must[T any](line int, v T, err error) T {
	if err != nil {
		fail(line, "%s", message(err))
	}
	return v
}

// message is a Python exception's text.
func message(err error) string {
	if e, ok := err.(*pyval.Exception); ok { //nolint:errorlint // pyval's errors are not wrapped
		return e.Class + ": " + e.Msg
	}
	return err.Error()
}

func truth(v object) bool {
	switch v := v.(type) {
	case *undefined:
		return false
	case *generator:
		return !v.view || len(v.items) > 0
	case pyval.Value:
		return pyval.Truth(v)
	}
	return true
}

// str is str(v), what is written for v.
func (f *frame) str(line int, v object) string {
	switch v := v.(type) {
	case *undefined:
		return ""
	case pyval.Str:
		return string(v)
	case pyval.Value:
		f.weigh(line, v)
		return pyval.Text(v)
	}
	fail(line, "a %s cannot be written", typeName(v))
	return ""
}

// iterate is list(v).
func (f *frame) iterate(line int, v object) []object {
	switch v := v.(type) {
	case *undefined:
		return nil
	case *generator:
		return v.items
	case *group:
		return objects(v.pair.Items)
	case pyval.Value:
		if s, ok := v.(pyval.Str); ok {
			f.r.spend(line, stepCost*len(s))
		}
		items, err := pyval.Iterate(v)
		return objects(must(line, items, err))
	}
	fail(line, "TypeError: '%s' object is not iterable", typeName(v))
	return nil
}

func objects(items []pyval.Value) []object {
	out := make([]object, len(items))
	for i, item := range items {
		out[i] = item
	}
	return out
}

// list is objects as a list; one that is not Python value cannot be in it.
func (f *frame) list(line int, items []object) *pyval.List {
	f.r.spend(line, stepCost*len(items))
	out := pyval.MakeList(len(items))
	for i, item := range items {
		out.Items[i] = plain(line, item)
	}
	return out
}

// equal is a == b.
func (f *frame) equal(line int, a, b object) bool {
	x, ok := a.(pyval.Value)
	y, both := b.(pyval.Value)
	if ok && both {
		f.weigh(line, a)
		return pyval.Equal(x, y)
	}
	_, ok = a.(*undefined)
	_, both = b.(*undefined)
	return ok && both || !ok && !both && a == b
}

// length is len(v).
func (f *frame) length(line int, v object) int {
	switch v := v.(type) {
	case *undefined:
		return 0
	case *generator:
		if v.view {
			return len(v.items)
		}
	case pyval.Value:
		n, err := pyval.Length(v)
		return must(line, n, err)
	}
	fail(line, "TypeError: object of type '%s' has no len()", typeName(v))
	return 0
}
