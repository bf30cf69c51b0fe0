package validate

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// tools checks the tools of a case, each document once.
func (c *checker) tools(cat *eval.Category, of *eval.Case) {
	if len(of.Tools) == 0 && cat.Rule != eval.Irrelevance {
		c.say(Error, Tool, of, "the case shows no tool, so no call can be right: give it tools, or a category of kind irrelevance")
	}
	names := map[string]bool{}
	for i, name := range of.ToolNames() {
		if names[name] {
			c.say(Error, Tool, of, "two tools are called %s, so a call would be ambiguous: rename one", quote(name))
		}
		names[name] = true
		c.document(cat.Language, of.Tools[i], Problem{File: of.File, Line: of.Line, Case: of.ID})
	}
}

// A document is a tool that is checked.
type document struct {
	*checker
	language eval.Language
	name     string
	at       Problem // without its severity and text
}

func (c *checker) document(l eval.Language, doc *pyval.Dict, at Problem) {
	if c.docs[doc] {
		return
	}
	c.docs[doc] = true
	c.Tools++
	name, _ := doc.Text("name")
	d := document{c, l, name, at}
	if !ownsuite.Callable().MatchString(name) {
		d.say(Warning, "providers refuse the name: use letters, digits, _ and -, at most 64; `names:` in suite.yaml can give others")
	}
	parameters, ok := get(doc, "parameters").(*pyval.Dict)
	if !ok {
		d.say(Error, `"parameters" is missing or not an object: give {"type": "dict", "properties": {}, "required": []}`)
		return
	}
	d.object("parameters", parameters, 0)
}

// say adds a problem of a tool.
func (d document) say(s Severity, format string, args ...any) {
	p := d.at
	p.Severity, p.Kind, p.Message = s, Tool, "tool "+quote(d.name)+": "+fmt.Sprintf(format, args...)
	d.add(p)
}

// object checks the properties of the parameters, or of a parameter with
// fields.
func (d document) object(where string, schema *pyval.Dict, depth int) {
	properties, ok := get(schema, "properties").(*pyval.Dict)
	if !ok {
		d.say(Error, `%s: "properties" is missing or not an object`, where)
		return
	}
	if _, ok := get(schema, "required").(*pyval.List); schema.Has("required") && !ok {
		d.say(Error, `%s: "required" is not a list of names`, where)
	}
	for _, name := range schema.List("required") {
		if _, there := properties.Get(name); pyval.Hashable(name) != nil || !there {
			d.say(Error, "%s: %s is required but not among the properties: add it, or remove it from required%s", where, quote(pyval.Text(name)), hint(pyval.Text(name), properties))
		}
	}
	for name, field := range properties.All() {
		d.property(where+"."+pyval.Text(name), field, depth+1)
	}
}

func (d document) property(where string, v pyval.Value, depth int) {
	const deepest = 64
	schema, ok := v.(*pyval.Dict)
	switch {
	case depth > deepest:
		d.say(Error, "%s: nested deeper than %d levels", quote(where), deepest)
		return
	case !ok:
		d.say(Error, "%s: a schema must be an object, not %s", quote(where), pyval.ATypeName(v))
		return
	case schema.Has("$ref"):
		d.say(Error, "%s: a reference is not followed here: write out what it points to", quote(where))
		return
	}
	typ, isText := schema.Text("type")
	kind, known := judge.TypeKind(d.language, typ)
	nested := judge.Nested(d.language, typ)
	switch {
	case !isText || !known:
		d.say(Error, "%s: the judge does not know the type %s: use one of %s", quote(where), quote(pyval.Text(get(schema, "type"))), strings.Join(judge.TypeNames(d.language), ", "))
	case nested && !schema.Has("items"):
		d.say(Error, `%s: "items" is missing: the judge refuses every list without the type of its items`, quote(where))
	case nested:
		if schema.Has("enum") {
			d.say(Warning, "%s: the enum stands at the list, so a server that constrains calls by it lets a model write one of its values and no list: write it at the items", quote(where))
		}
		d.property(where+"[]", get(schema, "items"), depth+1)
	case schema.Has("properties"):
		d.object(where, schema, depth)
	}
	if known && !nested && typ != "any" && d.language == eval.Python {
		d.values(where, schema, typ, kind)
	}
}

// values checks enum and default, which are written in JSON's types.
func (d document) values(where string, schema *pyval.Dict, typ string, kind pyval.Kind) {
	check := func(s Severity, what string, v pyval.Value) {
		if v.Kind() != kind && v.Kind() != pyval.KindNone && (kind != pyval.KindFloat || v.Kind() != pyval.KindInt) {
			d.say(s, "%s: the %s %s is %s, but the type is %s: one of them is wrong", quote(where), what, quote(pyval.Repr(v)), pyval.ATypeName(v), typ)
		}
	}
	enum, given := schema.List("enum"), get(schema, "default")
	if schema.Has("enum") && len(enum) == 0 {
		d.say(Error, "%s: enum is not a list of values", quote(where))
	}
	listed := false
	for _, item := range enum {
		check(Error, "enum value", item)
		listed = listed || pyval.Equal(item, given)
	}
	check(Warning, "default", given)
	if given.Kind() != pyval.KindNone && len(enum) > 0 && !listed {
		d.say(Warning, "%s: the default %s is not in the enum", quote(where), quote(pyval.Repr(given)))
	}
}

func get(d *pyval.Dict, key string) pyval.Value {
	v, ok := d.GetStr(key)
	if !ok {
		return pyval.None
	}
	return v
}

func quote(s string) string {
	const longest = 80
	return say.Quote(s, longest)
}

// hint suggests known names that are like an unknown one.
func hint(name string, known *pyval.Dict) string {
	const most = 1000
	if known == nil || known.Len() > most {
		return ""
	}
	keys := make([]string, 0, known.Len())
	for _, key := range known.Keys() {
		keys = append(keys, pyval.Text(key))
	}
	return say.Hint(name, keys)
}
