package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/near"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A place is the place of a tool, for its problems.
type place struct {
	file, id string
	line     int
}

// suiteTools checks the tools of a suite, whether a case shows them or not.
func (c *checker) suiteTools(s *ownsuite.Suite) {
	for _, t := range s.Tools {
		c.document(eval.Python, t.Doc, place{t.File, "", t.Line})
	}
}

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
		c.document(cat.Language, of.Tools[i], place{of.File, of.ID, of.Line})
	}
}

// A document is a tool that is checked.
type document struct {
	*checker
	language eval.Language
	name     string
	at       place
}

func (c *checker) document(l eval.Language, doc *pyval.Dict, at place) {
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
	if c.own && l == eval.Python {
		var names []string
		if properties, ok := get(parameters, "properties").(*pyval.Dict); ok {
			for _, key := range properties.Keys() {
				names = append(names, pyval.Text(key))
			}
		}
		d.names(names)
	}
	d.object("parameters", parameters, 0)
}

// say adds a problem of a tool. A warning that is the same for several tools of
// a suite is added once.
func (d document) say(s Severity, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if first := d.once[text]; first != nil && s == Warning && d.own {
		first.others++
		d.Problems[first.at].Message = fmt.Sprintf("tool %s and %s: %s", quote(first.name), count.Of(first.others, "other", "others"), text)
		return
	}
	d.once[text] = &repeated{len(d.Problems), 0, d.name}
	d.add(Problem{File: d.at.file, Line: d.at.line, Case: d.at.id, Severity: s, Kind: Tool, Message: "tool " + quote(d.name) + ": " + text})
}

// A repeated is a problem that several tools have.
type repeated struct {
	at, others int
	name       string // of the first
}

const maxDepth = 64

// object checks the properties of the parameters, or of a parameter with
// fields.
func (d document) object(where string, schema *pyval.Dict, depth int) {
	properties, ok := get(schema, "properties").(*pyval.Dict)
	if !ok {
		d.say(Error, `%s: "properties" is missing or not an object`, where)
		return
	}
	if required, ok := schema.GetStr("required"); ok {
		list, ok := required.(*pyval.List)
		if !ok {
			d.say(Error, `%s: "required" is not a list of names`, where)
			list = pyval.NewList()
		}
		for _, name := range list.Items {
			if _, there := properties.Get(name); pyval.Hashable(name) != nil || !there {
				d.say(Error, "%s: %s is required but not among the properties: add it, or remove it from required%s", where, quote(pyval.Text(name)), hint(pyval.Text(name), properties))
			}
		}
	}
	for name, field := range properties.All() {
		d.property(where+"."+pyval.Text(name), field, depth+1)
	}
}

func (d document) property(where string, v pyval.Value, depth int) {
	schema, ok := v.(*pyval.Dict)
	switch {
	case depth > maxDepth:
		d.say(Error, "%s: nested deeper than %d levels", quote(where), maxDepth)
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
	if !isText || !known {
		d.say(Error, "%s: the judge does not know the type %s: use one of %s", quote(where), quote(pyval.Text(get(schema, "type"))), strings.Join(judge.TypeNames(d.language), ", "))
		return
	}
	if d.language == eval.Python {
		d.values(where, schema, typ, kind)
	}
	d.inside(where, schema, typ, depth)
}

// inside checks the items of a list and the fields of an object.
func (d document) inside(where string, schema *pyval.Dict, typ string, depth int) {
	switch {
	case judge.Nested(d.language, typ) && !schema.Has("items"):
		d.say(Error, `%s: "items" is missing: the judge refuses every list without the type of its items`, quote(where))
	case judge.Nested(d.language, typ):
		d.property(where+"[]", get(schema, "items"), depth+1)
	case schema.Has("properties"):
		d.object(where, schema, depth)
	}
}

// values checks enum and default, which are written in JSON's types.
func (d document) values(where string, schema *pyval.Dict, typ string, kind pyval.Kind) {
	if typ == "any" {
		return
	}
	fits := func(v pyval.Value) bool {
		return v.Kind() == kind || v.Kind() == pyval.KindNone || kind == pyval.KindFloat && v.Kind() == pyval.KindInt
	}
	if v, ok := schema.GetStr("enum"); ok {
		list, ok := v.(*pyval.List)
		if !ok || len(list.Items) == 0 {
			d.say(Error, "%s: enum is not a list of values", quote(where))
			list = pyval.NewList()
		}
		for _, item := range list.Items {
			if !fits(item) && typ != "array" {
				d.say(Error, "%s: the enum value %s is %s, but the type is %s: one of them is wrong", quote(where), quote(pyval.Repr(item)), pyval.ATypeName(item), typ)
			}
		}
	}
	given, hasDefault := schema.GetStr("default")
	enum, _ := get(schema, "enum").(*pyval.List)
	switch {
	case hasDefault && !fits(given):
		d.say(Warning, "%s: the default %s is %s, but the type is %s", quote(where), quote(pyval.Repr(given)), pyval.ATypeName(given), typ)
	case hasDefault && given.Kind() != pyval.KindNone && enum != nil && typ != "array" && !slices.ContainsFunc(enum.Items, func(v pyval.Value) bool { return pyval.Equal(v, given) }):
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
	return safe.Quote(s, longest)
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
	return near.Hint(name, keys)
}
