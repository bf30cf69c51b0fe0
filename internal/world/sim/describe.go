package sim

import "github.com/gobfcl/bfcl/internal/python/pyval"

// A Describer is an instance whose public attributes are not all plain values.
type Describer interface {
	// Describe is State with Python's text in place of such attributes.
	Describe() *pyval.Dict
}

// Describe returns an instance's state as upstream writes it into its files:
// what JSON cannot hold is Python's text of it.
func Describe(i Instance) *pyval.Dict {
	state := i.State()
	if d, ok := i.(Describer); ok {
		state = d.Describe()
	}
	if plain, ok := plain(state).(*pyval.Dict); ok {
		return plain
	}
	return state
}

// plain is upstream's make_json_serializable. Dicts and lists that can be
// written as they are stay the same.
func plain(v pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.Dict:
		return plainDict(v)
	case *pyval.List:
		return plainList(v)
	case pyval.NoneType, pyval.Bool, pyval.Int, pyval.Float, pyval.Str:
		return v
	}
	if _, err := pyval.AppendJSON(nil, v, 0); err == nil {
		return v
	}
	text, err := pyval.Try(func() string { return str(v) })
	if err != nil {
		text = pyval.TypeName(v)
	}
	return pyval.Str(text)
}

func plainDict(d *pyval.Dict) pyval.Value {
	out := d
	for key, v := range d.All() {
		p := plain(v)
		if unchanged(p, v) {
			continue
		}
		if out == d {
			out = d.Clone()
		}
		_ = out.Set(key, p) // the key is there already
	}
	return out
}

func plainList(l *pyval.List) pyval.Value {
	out := l
	for i, v := range l.Items {
		p := plain(v)
		if unchanged(p, v) {
			continue
		}
		if out == l {
			out = pyval.NewList(append([]pyval.Value(nil), l.Items...)...)
		}
		out.Items[i] = p
	}
	return out
}

// unchanged reports whether plain left a value as it was: a container is the
// same one, and anything else changes only into text.
func unchanged(p, v pyval.Value) bool {
	switch v.(type) {
	case *pyval.Dict, *pyval.List:
		return p == v
	}
	return pyval.SameType(p, v)
}
