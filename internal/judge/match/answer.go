package match

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// benchmark returns a matcher as an accepted value of a possible answer, which
// upstream's rule compares with a parameter of that document; false if that
// rule would judge differently.
func benchmark(m Matcher, doc pyval.Value) (pyval.Value, bool) {
	switch m := m.(type) {
	case *Literal:
		_, several := m.Value.(*pyval.List)
		return m.Value, !several || !unions(doc)
	case *Object:
		if typeOf(doc) != "dict" {
			return nil, false
		}
		return fields(m)
	case *List:
		d, _ := doc.(*pyval.Dict)
		if d == nil || typeOf(doc) != "array" || unions(doc) {
			return nil, false
		}
		items, _ := d.GetStr("items")
		return listForm(m, typeOf(items) == "dict")
	}
	return nil, false
}

// unions reports whether a list's items have one of several types, of which
// upstream's rule knows only texts.
func unions(doc pyval.Value) bool {
	d, _ := doc.(*pyval.Dict)
	return d != nil && typeOf(d.Child("items")) == "any"
}

func typeOf(doc pyval.Value) string {
	d, _ := doc.(*pyval.Dict)
	name, _ := d.Text("type")
	return name
}

// fields returns an object in which each field has a list of accepted values.
func fields(o *Object) (pyval.Value, bool) {
	out := pyval.NewDict(len(o.Fields))
	for _, f := range o.Fields {
		list, ok := acceptedOf(f, bare)
		if !ok {
			return nil, false
		}
		out.SetStr(f.Name, list)
	}
	return out, true
}

func listForm(l *List, dicts bool) (pyval.Value, bool) {
	return each(l.Items, func(item *Choice) (pyval.Value, bool) {
		if len(item.Options) == 1 && !item.Optional && dicts {
			if o, isObject := item.Options[0].Matcher.(*Object); isObject {
				return fields(o)
			}
		}
		return only(item)
	})
}

// each returns the list of what f makes of items; false if f refuses one.
func each[T any](items []T, f func(T) (pyval.Value, bool)) (pyval.Value, bool) {
	out := &pyval.List{Items: make([]pyval.Value, len(items))}
	for i, item := range items {
		v, ok := f(item)
		if !ok {
			return nil, false
		}
		out.Items[i] = v
	}
	return out, true
}

// bare returns the only value that a matcher accepts.
func bare(m Matcher) (pyval.Value, bool) {
	switch m := m.(type) {
	case *Literal:
		return m.Value, true
	case *Object:
		out := pyval.NewDict(len(m.Fields))
		for _, f := range m.Fields {
			v, ok := only(f.Choice)
			if !ok {
				return nil, false
			}
			out.SetStr(f.Name, v)
		}
		return out, true
	case *List:
		return each(m.Items, only)
	}
	return nil, false
}

func only(c *Choice) (pyval.Value, bool) {
	if len(c.Options) != 1 || c.Optional {
		return nil, false
	}
	return bare(c.Options[0].Matcher)
}

// Answer returns the benchmark's form of the expected calls; false if
// upstream's rules cannot judge them. docs are the functions' documents by
// name.
func (w *Whole) Answer(docs map[string]*pyval.Dict) (*pyval.List, bool) {
	out := &pyval.List{}
	if w.Mode != AnyOrder || len(w.NoneOf) > 0 {
		return nil, false
	}
	for _, call := range w.Calls {
		args := pyval.NewDict(len(call.Args))
		for _, a := range call.Args {
			doc := documentOf(docs, call.Function, a.Name)
			accepted, ok := acceptedOf(a, func(m Matcher) (pyval.Value, bool) {
				v, ok := benchmark(m, doc)
				if !ok && doc == nil { // an unknown parameter, which validate reports
					v, ok = bare(m)
				}
				return v, ok
			})
			if !ok {
				return nil, false
			}
			args.SetStr(a.Name, accepted)
		}
		out.Items = append(out.Items, pyval.Object(call.Function, args))
	}
	return out, true
}

// acceptedOf returns the list of accepted values, with "" if none is needed.
func acceptedOf(a Field, form func(Matcher) (pyval.Value, bool)) (pyval.Value, bool) {
	list, ok := each(a.Options, func(o Option) (pyval.Value, bool) { return form(o.Matcher) })
	if ok && a.Optional {
		list = pyval.NewList(append(list.(*pyval.List).Items, pyval.Str(""))...)
	}
	return list, ok
}

// Sample returns a possible answer with one accepted value for each argument,
// in the benchmark's form: for the oracle, and for people.
func (w *Whole) Sample(docs map[string]*pyval.Dict) *pyval.List {
	out := &pyval.List{}
	for _, call := range w.Calls {
		args := call.sample(docs)
		for name, v := range args.All() {
			args.SetStr(pyval.Text(name), pyval.NewList(wrapped(v, documentOf(docs, call.Function, pyval.Text(name)))))
		}
		out.Items = append(out.Items, pyval.Object(call.Function, args))
	}
	return out
}

// Texts returns the sample of a turn's calls as the texts that a conversation's
// possible answer has.
func (w *Whole) Texts(docs map[string]*pyval.Dict) *pyval.List {
	out := &pyval.List{}
	for _, call := range w.Calls {
		out.Items = append(out.Items, pyval.Str(made{call.Function, call.sample(docs)}.text()))
	}
	return out
}

// sample returns an accepted value of each argument.
func (c *Call) sample(docs map[string]*pyval.Dict) *pyval.Dict {
	args := pyval.NewDict(len(c.Args))
	for _, a := range c.Args {
		v, ok := a.example()
		if !ok {
			v = ofType(documentOf(docs, c.Function, a.Name), 0)
		}
		args.SetStr(a.Name, v)
	}
	return args
}

// Guessed returns the first argument of which no accepted value is known, so
// that the Sample has one of its type; nil if there is none.
func (w *Whole) Guessed() *Field {
	for _, call := range w.Calls {
		for i, a := range call.Args {
			if _, known := a.example(); !known {
				return &call.Args[i]
			}
		}
	}
	return nil
}

// wrapped returns a value in the form of possible answers: fields of objects
// have lists of accepted values.
func wrapped(v, doc pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.Dict:
		if typeOf(doc) != "dict" && typeOf(doc) != "any" && typeOf(doc) != "" {
			return v
		}
		out := pyval.NewDict(v.Len())
		for key, field := range v.All() {
			out.SetStr(pyval.Text(key), pyval.NewList(field))
		}
		return out
	case *pyval.List:
		out := &pyval.List{}
		for _, item := range v.Items {
			if _, ok := item.(*pyval.Dict); ok {
				item = wrapped(item, nil)
			}
			out.Items = append(out.Items, item)
		}
		return out
	}
	return v
}

// ofType returns a value of a parameter's type.
func ofType(doc pyval.Value, depth int) pyval.Value {
	d, _ := doc.(*pyval.Dict)
	const deepest = 8
	if d == nil || depth > deepest {
		return pyval.Str("x")
	}
	if v, ok := d.GetStr("default"); ok && v.Kind() != pyval.KindNone {
		return v
	}
	if list := d.List("enum"); len(list) > 0 {
		return list[0]
	}
	switch typeOf(doc) {
	case "integer":
		return pyval.MakeInt(1)
	case "float":
		return pyval.Float(1)
	case "boolean":
		return pyval.Bool(true)
	case "array", "tuple":
		items, _ := d.GetStr("items")
		return pyval.NewList(ofType(items, depth+1))
	case "dict":
		out := pyval.NewDict(2)
		if properties := d.Child("properties"); properties != nil {
			for name, field := range properties.All() {
				out.SetStr(pyval.Text(name), ofType(field, depth+1))
			}
		}
		return out
	}
	return pyval.Str("x")
}
