package heuristic

import (
	"regexp"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A dialect is the language in which values are written: Python calls carry
// values, Java and JavaScript calls carry source text.
type dialect uint8

const (
	python dialect = iota
	java
	javascript
)

// types are type names that only one language's documents use. Java and
// JavaScript share String.
var types = map[string]dialect{
	"HashMap": java, "ArrayList": java, "Array": java, "long": java, "double": java, "char": java, "byte": java, "short": java,
	"Hashtable": java, "Queue": java, "Stack": java, "Set": java, "Boolean": javascript, "Bigint": javascript,
}

// Names as programmers of the two languages write them, with the dot that
// some models see as an underscore.
var (
	javaName       = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*[._][a-z]`)
	javascriptName = regexp.MustCompile(`^([a-z]+[._])?[a-z]+[A-Z][A-Za-z0-9]*$`)
)

// dialectOf tells the language from what the documents say of it, else from
// their spelling of types, else from their names.
func dialectOf(tools []*tool) dialect {
	source := false
	for _, t := range tools {
		switch description := textField(t.doc, "description"); {
		case strings.Contains(description, "JavaScript"):
			return javascript
		case strings.Contains(description, "Java "):
			return java
		}
		for _, val := range t.params.All() {
			doc, ok := val.(*pyval.Dict)
			if !ok {
				continue
			}
			typ := textField(doc, "type")
			if d, ok := types[typ]; ok {
				return d
			}
			if typ == "string" {
				return python
			}
			source = source || typ == "String"
		}
	}
	switch {
	case len(tools) > 0 && javaName.MatchString(tools[0].name):
		return java
	case source || len(tools) > 0 && javascriptName.MatchString(tools[0].name):
		return javascript
	}
	return python
}

// write is the calls as a model's result in a mode.
func write(calls []call, d dialect, mode eval.Mode) pyval.Value {
	if mode == eval.Prompt {
		return eval.TextResult(writeText(calls, d))
	}
	out := make([]eval.ToolCall, len(calls))
	for i, c := range calls {
		args := pyval.NewDict(len(c.params))
		for _, p := range c.params {
			if v, ok := c.args.GetStr(p.name); ok {
				args.SetStr(p.name, d.argument(p, v))
			}
		}
		text, err := pyval.JSON(args, pyval.JSONUnicode)
		if err != nil {
			text = "{}"
		}
		out[i] = eval.ToolCall{Name: c.tool.name, Arguments: text}
	}
	return eval.CallsResult(out)
}

// argument is a value as it stands in JSON.
func (d dialect) argument(p *param, v pyval.Value) pyval.Value {
	if d == python {
		return v
	}
	return pyval.Str(d.source(p, v))
}

func writeText(calls []call, d dialect) string {
	var out strings.Builder
	for i, c := range calls {
		out.WriteString([]string{"[", ", "}[min(i, 1)])
		out.WriteString(c.tool.name + "(")
		n := 0
		for _, p := range c.params {
			v, ok := c.args.GetStr(p.name)
			if !ok {
				continue
			}
			if n++; n > 1 {
				out.WriteString(", ")
			}
			out.WriteString(p.name + "=" + d.literal(p, v))
		}
		out.WriteString(")")
	}
	return out.String() + "]"
}

// literal is a value as it stands in call text.
func (d dialect) literal(p *param, v pyval.Value) string {
	if d == python {
		return pyval.Repr(v)
	}
	if s, ok := v.(pyval.Str); ok && p.form != anything {
		return quote(string(s))
	}
	return d.source(p, v)
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// source is a value as Java or JavaScript source of the parameter's type.
func (d dialect) source(p *param, v pyval.Value) string {
	switch v := v.(type) {
	case pyval.Bool:
		return strings.ToLower(pyval.Repr(v))
	case pyval.NoneType:
		return "null"
	case pyval.Int:
		return v.String() + suffixes[p.source]
	case pyval.Float:
		if d == java {
			return pyval.Repr(v) + suffixes[p.source]
		}
	case *pyval.List:
		if d == java {
			return javaList(p, v)
		}
		return compact(v)
	case *pyval.Dict:
		if d == java {
			return javaMap(v)
		}
		return compact(v)
	}
	return pyval.Text(v)
}

// suffixes end the literals of some types.
var suffixes = map[string]string{"long": "L", "float": "f", "Bigint": "n"}

func compact(v pyval.Value) string {
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil {
		return pyval.Repr(v)
	}
	return text
}

// boxes are the element types of Java arrays and lists.
var boxes = map[string][2]string{
	"integer": {"int", "Integer"}, "long": {"long", "Long"}, "double": {"double", "Double"}, "float": {"float", "Float"}, "boolean": {"boolean", "Boolean"},
}

func javaList(p *param, v *pyval.List) string {
	box := [2]string{"String", "String"}
	if p.items != nil && boxes[p.items.source][0] != "" {
		box = boxes[p.items.source]
	}
	items := make([]string, len(v.Items))
	for i, item := range v.Items {
		items[i] = javaElement(p.items, item)
	}
	text := strings.Join(items, ", ")
	if p.source == "ArrayList" {
		return "new ArrayList<" + box[1] + ">(Arrays.asList(" + text + "))"
	}
	return "new " + box[0] + "[]{" + text + "}"
}

func javaElement(p *param, v pyval.Value) string {
	if s, ok := v.(pyval.Str); ok {
		return quote(string(s))
	}
	if p == nil {
		p = &param{}
	}
	return java.source(p, v)
}

func javaMap(v *pyval.Dict) string {
	var puts strings.Builder
	for key, val := range v.All() {
		puts.WriteString("put(" + quote(pyval.Text(key)) + ", " + javaElement(nil, val) + "); ")
	}
	return "new HashMap<String, Object>() {{ " + puts.String() + "}}"
}
