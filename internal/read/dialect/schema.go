package dialect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// schemas are the parameters of functions, by the functions' names. Marks do
// not say whether 5 is a number or a text: the schema does. Where there is none,
// what looks like a number, an object and so on is one.
type schemas map[string]schema

// A schema describes a value, in JSON Schema or in the dataset's form of it; nil
// if it is not known.
type schema = *pyval.Dict

// schemasOf returns the parameters of function documents, bare or within
// "function".
func schemasOf(tools []*pyval.Dict) schemas {
	out := make(schemas, len(tools))
	for _, tool := range tools {
		tool = cmp.Or(tool.Child("function"), tool)
		out[undotted(pyval.Text(get(tool, "name", pyval.None)))] = tool.Child("parameters")
	}
	return out
}

// parameter returns the schema of a function's parameter.
func (s schemas) parameter(function, name string) schema {
	return property(s[undotted(function)], name)
}

// property returns the schema of an object's member.
func property(of schema, name string) schema { return of.Child("properties").Child(name) }

// types returns the types that a schema allows; none if it is not known.
func types(of schema) []string {
	if of == nil {
		return nil
	}
	var out []string
	for _, key := range []string{"anyOf", "oneOf"} {
		for _, item := range of.List(key) {
			if one, ok := item.(*pyval.Dict); ok {
				out = append(out, words(get(one, "type", nil))...)
			}
		}
	}
	return append(out, words(get(of, "type", nil))...)
}

// words returns a text, or the texts of a list, in lower case.
func words(v pyval.Value) (out []string) {
	switch v := v.(type) {
	case pyval.Str:
		return []string{strings.ToLower(string(v))}
	case *pyval.List:
		for _, item := range v.Items {
			if s, ok := item.(pyval.Str); ok {
				out = append(out, strings.ToLower(string(s)))
			}
		}
	}
	return out
}

// value returns what a text between marks means. A text stays one if the schema
// wants one, unless it is null and may be.
func value(text string, of schema) pyval.Value {
	allowed := types(of)
	trimmed := strings.TrimSpace(text)
	if slices.Contains(allowed, "string") && !(slices.Contains(allowed, "null") && trimmed == "null") {
		return pyval.Str(text)
	}
	switch trimmed {
	case "true", "True":
		return pyval.Bool(true)
	case "false", "False":
		return pyval.Bool(false)
	case "null", "None":
		return pyval.None
	}
	if v, err := decode.LoadJSON(trimmed); err == nil && v.Kind() != pyval.KindStr {
		return v
	}
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		if v, err := pycall.Literal(trimmed); err == nil {
			return v
		}
	}
	return pyval.Str(text)
}

// typed returns arguments in which texts are what the schema wants.
func (s schemas) typed(function string, args *pyval.Dict) *pyval.Dict {
	out := pyval.NewDict(args.Len())
	for key, v := range args.All() {
		of := s.parameter(function, pyval.Text(key))
		if text, ok := v.(pyval.Str); ok && of != nil {
			v = value(string(text), of)
		}
		out.SetStr(pyval.Text(key), v)
	}
	return out
}
