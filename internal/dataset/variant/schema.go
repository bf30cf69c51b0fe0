package variant

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// schema writes parameters like frameworks that generate schemas from classes:
// an optional parameter may be null, an object is moved to $defs, and an enum
// becomes anyOf with constants. An argument that is null only because this
// schema allows it counts as left out.
func (m *maker) schema() string {
	accepted := map[string]bool{}
	if m.c.Answer != nil {
		nullsSaid(m.c.Answer, "", accepted)
	}
	docs, nulls, changed := make([]*pyval.Dict, len(m.c.Tools)), map[string]map[string]bool{}, false
	for i, doc := range m.c.Tools {
		d := dresser{nullable: nullable(doc, accepted), defs: pyval.NewDict(0)}
		docs[i] = d.document(doc)
		nulls[text(doc, "name")], nulls[flatName(doc)] = d.nullable, d.nullable
		changed = changed || d.changed
	}
	if !changed {
		return "nothing in the schema can be written in another way"
	}
	m.pose = append(m.pose, func(c *eval.Case) { c.Tools = docs })
	m.back = func(calls pyval.Value) pyval.Value {
		return eachCall(calls, func(name string, args *pyval.Dict) (string, *pyval.Dict) {
			kept := pyval.NewDict(args.Len())
			for key, value := range args.All() {
				if value != pyval.None || !nulls[name][pyval.Text(key)] {
					_ = kept.Set(key, value) // a dict's key is hashable
				}
			}
			return name, kept
		})
	}
	return ""
}

// nullable returns the parameters of a document that may be null: the optional
// ones for which no possible answer accepts null itself.
func nullable(doc *pyval.Dict, accepted map[string]bool) map[string]bool {
	out := map[string]bool{}
	required := doc.Child("parameters").List("required")
	for key, param := range properties(doc).All() {
		isRequired := slices.ContainsFunc(required, func(item pyval.Value) bool { return pyval.Text(item) == pyval.Text(key) })
		if d, ok := param.(*pyval.Dict); ok && !isRequired && !accepted[pyval.Text(key)] && d.Has("type") {
			out[pyval.Text(key)] = true
		}
	}
	return out
}

// nullsSaid collects the keys under which null is accepted.
func nullsSaid(v pyval.Value, key string, said map[string]bool) {
	switch v := v.(type) {
	case *pyval.List:
		for _, item := range v.Items {
			said[key] = said[key] || item == pyval.None
			nullsSaid(item, key, said)
		}
	case *pyval.Dict:
		for k, item := range v.All() {
			nullsSaid(item, pyval.Text(k), said)
		}
	}
}

// A dresser rewrites the parameters of one document.
type dresser struct {
	nullable map[string]bool
	defs     *pyval.Dict
	changed  bool
}

func (d *dresser) document(doc *pyval.Dict) *pyval.Dict {
	props := properties(doc)
	if props == nil {
		return doc
	}
	other := pyval.NewDict(props.Len())
	for key, value := range props.All() {
		if param, ok := value.(*pyval.Dict); ok {
			value = d.param(pyval.Text(key), param)
		}
		_ = other.Set(key, value) // a dict's key is hashable
	}
	out := withProperties(doc, other)
	if d.defs.Len() > 0 {
		out.Child("parameters").SetStr("$defs", d.defs)
	}
	return out
}

// param returns a parameter in its dress: its description stays beside it, its
// type goes into the schema of its value.
func (d *dresser) param(name string, param *pyval.Dict) *pyval.Dict {
	value, beside := pyval.NewDict(param.Len()), pyval.NewDict(param.Len())
	for key, v := range param.All() {
		in := value
		if slices.Contains([]string{"description", "default", "title"}, pyval.Text(key)) {
			in = beside
		}
		_ = in.Set(key, v) // a dict's key is hashable
	}
	choices := d.value(name, value)
	if d.nullable[name] {
		choices = append(choices, pyval.Pair(pyval.Str("type"), pyval.Str("null")))
		if !beside.Has("default") {
			beside.SetStr("default", pyval.None)
		}
	}
	out := pyval.NewDict(1)
	switch first, _ := choices[0].(*pyval.Dict); {
	case len(choices) > 1:
		out.SetStr("anyOf", &pyval.List{Items: choices})
	case first == value:
		return param
	default:
		out = first.Clone()
	}
	d.changed = true
	for key, v := range beside.All() {
		_ = out.Set(key, v) // a dict's key is hashable
	}
	return out
}

// value returns the schemas of which a value must fit one.
func (d *dresser) value(name string, value *pyval.Dict) (out []pyval.Value) {
	if enum := value.List("enum"); len(enum) > 0 && text(value, "type") != "array" {
		for _, item := range enum {
			one := value.Clone()
			one.Delete(pyval.Str("enum"))
			one.SetStr("const", item)
			out = append(out, one)
		}
		return out
	}
	isObject := func(v *pyval.Dict) bool { return text(v, "type") == "dict" && v.Child("properties") != nil }
	if isObject(value) {
		return []pyval.Value{d.reference(name, value)}
	}
	if items := value.Child("items"); items != nil && isObject(items) {
		list := value.Clone()
		list.SetStr("items", d.reference(name+"_item", items))
		return []pyval.Value{list}
	}
	return []pyval.Value{value}
}

// reference puts a schema among the definitions and returns a reference to it.
func (d *dresser) reference(name string, schema *pyval.Dict) *pyval.Dict {
	title := ""
	for _, word := range words(name) {
		title += strings.ToUpper(word[:1]) + word[1:]
	}
	for d.defs.Has(title) || title == "" {
		title += "Model"
	}
	d.defs.SetStr(title, schema)
	return pyval.Pair(pyval.Str("$ref"), pyval.Str("#/$defs/"+title))
}
