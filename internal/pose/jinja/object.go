package jinja

import (
	"fmt"
	"html"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An object is the value of an expression: a pyval.Value, or one of the
// language's own objects, which no list or dict can hold.
type object interface {
	Kind() pyval.Kind
}

// own is embedded in objects that are not Python values.
type own struct{}

// Kind returns a kind that is none of Python's types.
func (own) Kind() pyval.Kind { return pyval.Kind(0xff) }

type (
	// An undefined is the value of a missing variable or member.
	undefined struct {
		own
		hint string
	}
	// A namespace has attributes that may be set.
	namespace struct {
		own
		attrs map[string]object
	}
	// A function is a global or a method, which templates can call.
	function struct {
		own
		name    string
		routine routine
		of      object // a method's owner
	}
	// A generator is the result of map, select and similar filters: it can only
	// be iterated over. A view also has a length.
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
)

// typeName returns type(v).__name__.
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
	case markup:
		return "Markup"
	case pyval.Value:
		return pyval.TypeName(v)
	}
	return "object"
}

// missing returns the undefined member of an object.
func missing(of object, key string) *undefined {
	if of.Kind() == pyval.KindNone {
		return &undefined{hint: fmt.Sprintf("'None' has no attribute %s", key)}
	}
	return &undefined{hint: fmt.Sprintf("'%s object' has no attribute %s", typeName(of), key)}
}

// check fails if v is undefined.
func check(line int, v object) object {
	if u, ok := v.(*undefined); ok {
		fail(line, "%s", u.hint)
	}
	return v
}

// plain returns an object as a Python value.
func plain(line int, v object) pyval.Value {
	if p, ok := bare(check(line, v)).(pyval.Value); ok {
		return p
	}
	fail(line, "a %s cannot be used as a value here", typeName(v))
	return nil
}

// must returns v, or fails with the error of a Python operation.
func must[T any](line int, v T, err error) T {
	if err != nil {
		fail(line, "%s", message(err))
	}
	return v
}

// message returns a Python exception's text.
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
	case markup:
		return v != ""
	case pyval.Value:
		return pyval.Truth(v)
	}
	return true
}

// str returns str(v), which is what is written for v.
func (f *frame) str(line int, v object) string {
	switch v := v.(type) {
	case *undefined:
		return ""
	case pyval.Str:
		return string(v)
	case markup:
		return string(v)
	case pyval.Value:
		f.weigh(line, v)
		return pyval.Text(v)
	}
	fail(line, "a %s cannot be written", typeName(v))
	return ""
}

// iterate returns list(v).
func (f *frame) iterate(line int, v object) []object {
	switch v := bare(v).(type) {
	case *undefined:
		return nil
	case *generator:
		return v.items
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

// list returns objects as a list; it fails for one that is not a Python value.
func (f *frame) list(line int, items []object) *pyval.List {
	f.r.spend(line, stepCost*len(items))
	out := pyval.MakeList(len(items))
	for i, item := range items {
		out.Items[i] = plain(line, item)
	}
	return out
}

// equal reports whether a == b.
func (f *frame) equal(line int, a, b object) bool {
	a, b = bare(a), bare(b)
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

// length returns len(v).
func (f *frame) length(line int, v object) int {
	switch v := bare(v).(type) {
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

// A markup is a text that the filters safe and escape made: it is HTML, so what
// is added to it is escaped. Everything else takes it for a text.
type markup string

// Kind is a text's.
func (markup) Kind() pyval.Kind { return pyval.KindStr }

// bare returns a markup as the text it is, and any other object unchanged.
func bare(v object) object {
	if m, ok := v.(markup); ok {
		return pyval.Str(m)
	}
	return v
}

// escaped returns s with the entities that MarkupSafe writes, which are those of
// html.EscapeString.
func escaped(s string) string { return html.EscapeString(s) }

// added returns a + b if one of them is markup.
func (f *frame) added(line int, a, b object) (object, bool) {
	_, first := a.(markup)
	_, second := b.(markup)
	if !first && !second || a.Kind() != pyval.KindStr || b.Kind() != pyval.KindStr {
		return nil, false
	}
	var out strings.Builder
	for _, v := range []object{a, b} {
		s := f.str(line, v)
		if _, safe := v.(markup); !safe {
			s = escaped(s)
		}
		f.r.spend(line, len(s))
		out.WriteString(s)
	}
	return markup(out.String()), true
}

// like returns s as markup if v is markup.
func like(v object, s string) object {
	if _, ok := v.(markup); ok {
		return markup(s)
	}
	return pyval.Str(s)
}

func filterSafe(c *call) object { return markup(c.subject()) }

// filterEscape leaves markup as it is.
func filterEscape(c *call) object {
	if m, ok := c.of.(markup); ok {
		return m
	}
	s := escaped(c.subject())
	c.r.spend(c.line, len(s))
	return markup(s)
}
