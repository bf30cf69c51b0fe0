package decode

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A dialect writes values in the language of a category: Python calls carry
// values, Java and JavaScript calls carry source text.
type dialect struct {
	native bool
	source func(v pyval.Value, doc *pyval.Dict) string
}

var dialects = map[eval.Language]dialect{
	eval.Python:     {native: true},
	eval.Java:       {source: javaSource},
	eval.JavaScript: {source: javascriptSource},
}

// A Call is a call with the values of its arguments.
type Call struct {
	Name string
	Args *pyval.Dict
	// Types are the documents of the parameters, which only Java and JavaScript
	// need.
	Types map[string]*pyval.Dict
}

// Calls returns calls as a model's result in a mode; config has the format for
// prompt mode. Tool calls have "_" in place of each "." in a function's name.
func Calls(calls []Call, language eval.Language, mode eval.Mode, config prompt.Config) pyval.Value {
	d := dialects[language]
	if mode == eval.Prompt {
		text := writeAs(calls, d, config.Return)
		if config.Tag {
			text = "<TOOLCALL>" + text + "</TOOLCALL>"
		}
		return eval.TextResult(text)
	}
	out := make([]eval.ToolCall, len(calls))
	for i, c := range calls {
		args, err := pyval.JSON(d.arguments(c), pyval.JSONUnicode)
		if err != nil {
			args = "{}" // JSON cannot hold this possible answer; its judge will say so
		}
		out[i] = eval.ToolCall{Name: strings.ReplaceAll(c.Name, ".", "_"), Arguments: args}
	}
	return eval.CallsResult(out)
}

func (d dialect) arguments(c Call) *pyval.Dict {
	if d.native {
		return c.Args
	}
	out := pyval.NewDict(c.Args.Len())
	for key, v := range c.Args.All() {
		out.SetStr(pyval.Text(key), pyval.Str(d.source(v, c.Types[pyval.Text(key)])))
	}
	return out
}

// literal returns a value as it is written in call text.
func (d dialect) literal(v pyval.Value, doc *pyval.Dict) string {
	if d.native {
		return pyval.Repr(v)
	}
	if text, ok := v.(pyval.Str); ok {
		return quoted(string(text))
	}
	return d.source(v, doc)
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func typeOf(doc *pyval.Dict) string {
	if doc == nil {
		return ""
	}
	v, ok := doc.GetStr("type")
	if !ok {
		return ""
	}
	return pyval.Text(v)
}

// javaSource returns a value as Java source of the parameter's type.
func javaSource(v pyval.Value, doc *pyval.Dict) string {
	switch v := v.(type) {
	case *pyval.List:
		return javaList(v, doc)
	case *pyval.Dict:
		var puts strings.Builder
		for key, val := range v.All() {
			fmt.Fprintf(&puts, "put(%s, %s); ", quoted(pyval.Text(key)), javaElement(val, ""))
		}
		return "new HashMap<String, Object>() {{ " + puts.String() + "}}"
	}
	return javaScalar(v, typeOf(doc))
}

var javaBoxes = map[string]string{"integer": "Integer", "long": "Long", "double": "Double", "float": "Float", "boolean": "Boolean", "char": "Character"}

func javaList(v *pyval.List, doc *pyval.Dict) string {
	elem := typeOf(doc.Child("items"))
	items := make([]string, len(v.Items))
	for i, item := range v.Items {
		items[i] = javaElement(item, elem)
	}
	box := javaBoxes[elem]
	if box == "" {
		box = "String"
	}
	if typeOf(doc) == "ArrayList" {
		return "new ArrayList<" + box + ">(Arrays.asList(" + strings.Join(items, ", ") + "))"
	}
	primitive := elem
	if elem == "integer" {
		primitive = "int"
	}
	if javaBoxes[elem] == "" {
		primitive = "String"
		for i, item := range v.Items {
			items[i] = javaScalar(item, elem) // upstream keeps quotes inside array literals
		}
	}
	return "new " + primitive + "[]{" + strings.Join(items, ", ") + "}"
}

func javaElement(v pyval.Value, typ string) string {
	if text, ok := v.(pyval.Str); ok {
		return quoted(string(text))
	}
	return javaScalar(v, typ)
}

func javaScalar(v pyval.Value, typ string) string {
	switch v := v.(type) {
	case pyval.Bool:
		return strings.ToLower(pyval.Repr(v))
	case pyval.NoneType:
		return "null"
	case pyval.Int:
		if typ == "long" {
			return v.String() + "L"
		}
	case pyval.Float:
		if typ == "float" {
			return pyval.Repr(v) + "f"
		}
	}
	return pyval.Text(v)
}

// javascriptSource returns a value as JavaScript source of the parameter's
// type.
func javascriptSource(v pyval.Value, doc *pyval.Dict) string {
	switch v := v.(type) {
	case *pyval.List, *pyval.Dict:
		text, err := pyval.JSON(v, pyval.JSONUnicode)
		if err != nil {
			return pyval.Repr(v)
		}
		return text
	case pyval.Bool:
		return strings.ToLower(pyval.Repr(v))
	case pyval.NoneType:
		return "null"
	case pyval.Int:
		if typeOf(doc) == "Bigint" {
			return v.String() + "n"
		}
	}
	return pyval.Text(v)
}
