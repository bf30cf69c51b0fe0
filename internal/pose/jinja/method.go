package jinja

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// method returns a method of a Python value, nil if the value has none of that
// name. Methods that would change a value are refused, as in transformers.
func method(line int, of object, name string) object {
	bind := func(call func(f *frame, line int, a args) object) object { return &function{name: name, call: call} }
	switch v := of.(type) {
	case pyval.Str:
		if m := textMethods[name]; m != nil {
			return bind(func(f *frame, line int, a args) object {
				f.r.spend(line, len(v))
				return m(f, line, string(v), a)
			})
		}
	case *pyval.Dict:
		if slices.Contains([]string{"clear", "pop", "popitem", "setdefault", "update", "fromkeys"}, name) {
			return unsafeMethod(name, "dict")
		}
		if m := dictMethods[name]; m != nil {
			return bind(func(f *frame, line int, a args) object { return m(f, line, v, a) })
		}
	case *pyval.List:
		if slices.Contains([]string{"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}, name) {
			return unsafeMethod(name, "list")
		}
		return listMethod(name, v)
	case *pyval.Tuple:
		if name != "copy" {
			return listMethod(name, pyval.NewList(v.Items...))
		}
	}
	return nil
}

func unsafeMethod(name, of string) object {
	return &undefined{hint: "access to attribute '" + name + "' of '" + of + "' object is unsafe."}
}

var dictMethods = map[string]func(f *frame, line int, d *pyval.Dict, a args) object{
	"items": func(f *frame, line int, d *pyval.Dict, a args) object {
		a.bind(line, "items()", 0)
		return &generator{items: f.pairs(line, d), view: true}
	},
	"keys": func(f *frame, line int, d *pyval.Dict, a args) object {
		a.bind(line, "keys()", 0)
		return &generator{items: f.iterate(line, d), view: true}
	},
	"values": func(f *frame, line int, d *pyval.Dict, a args) object {
		a.bind(line, "values()", 0)
		out := &generator{view: true}
		for _, val := range d.All() {
			out.items = append(out.items, val)
		}
		f.r.spend(line, stepCost*len(out.items))
		return out
	},
	"get": func(_ *frame, line int, d *pyval.Dict, a args) object {
		got := a.bind(line, "get()", 1, "key", "default")
		key := plain(line, got[0])
		must(line, 0, pyval.Hashable(key))
		if v, ok := d.Get(key); ok {
			return v
		}
		if got[1] != nil {
			return got[1]
		}
		return pyval.None
	},
	"copy": func(f *frame, line int, d *pyval.Dict, a args) object {
		a.bind(line, "copy()", 0)
		f.r.spend(line, stepCost*d.Len())
		return d.Clone()
	},
}

func listMethod(name string, l *pyval.List) object {
	var call func(f *frame, line int, a args) object
	switch name {
	case "copy":
		call = func(f *frame, line int, _ args) object { return f.list(line, objects(l.Items)) }
	case "count":
		call = func(f *frame, line int, a args) object {
			n, want := 0, a.bind(line, "count()", 1, "value")[0]
			for _, item := range l.Items {
				if f.equal(line, item, want) {
					n++
				}
			}
			return pyval.MakeInt(int64(n))
		}
	case "index":
		call = func(f *frame, line int, a args) object {
			want := a.bind(line, "index()", 1, "value")[0]
			for i, item := range l.Items {
				if f.equal(line, item, want) {
					return pyval.MakeInt(int64(i))
				}
			}
			fail(line, "ValueError: %s is not in list", typeName(want))
			return nil
		}
	default:
		return nil
	}
	return &function{name: name, call: call}
}
