package match

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Literal accepts one value: texts ignoring case and some punctuation, numbers
// by their value, like upstream's comparison inside an object.
type Literal struct{ Value pyval.Value }

// Name returns "value".
func (l *Literal) Name() string { return "value" }

func (l *Literal) String() string { return short(l.Value) }

// Refuse names the wanted value.
func (l *Literal) Refuse(v pyval.Value) string {
	if judge.Alike(v, l.Value) {
		return ""
	}
	return fmt.Sprintf("%s is not %s", short(v), l)
}

// Example returns the value.
func (l *Literal) Example() (pyval.Value, bool) { return l.Value, true }

// A Field is a field of an Object, or an argument of a Call.
type Field struct {
	Name string
	*Choice
}

// Object accepts objects that have these fields and no others.
type Object struct{ Fields []Field }

// Name returns "object".
func (o *Object) Name() string { return "object" }

// Fits reports whether the kind is a dict.
func (o *Object) Fits(k pyval.Kind) bool { return k == pyval.KindDict }

func (o *Object) String() string {
	texts := make([]string, len(o.Fields))
	for i, f := range o.Fields {
		texts[i] = f.Name + ": " + f.Choice.String()
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

// Refuse names the first field that is wrong.
func (o *Object) Refuse(v pyval.Value) string {
	got, ok := v.(*pyval.Dict)
	if !ok {
		return fmt.Sprintf("%s is %s, not an object", short(v), pyval.ATypeName(v))
	}
	known := map[string]bool{}
	for _, f := range o.Fields {
		known[f.Name] = true
		value, given := got.GetStr(f.Name)
		switch {
		case given:
			if _, why := f.refuse(value); why != "" {
				return fmt.Sprintf("field %s: %s", f.Name, why)
			}
		case !f.Optional:
			return fmt.Sprintf("field %s is missing, but %s is expected", f.Name, f.Choice)
		}
	}
	for key := range got.All() {
		if !known[pyval.Text(key)] {
			return fmt.Sprintf("field %s is not expected", short(key))
		}
	}
	return ""
}

// Example has an example for each field.
func (o *Object) Example() (pyval.Value, bool) {
	out := pyval.NewDict(len(o.Fields))
	for _, f := range o.Fields {
		v, ok := f.example()
		if !ok {
			return nil, false
		}
		out.SetStr(f.Name, v)
	}
	return out, true
}
