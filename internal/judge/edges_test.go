package judge_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestTypes: all type names of the languages, with the Python type of each; "+" if
// the judge also looks at the items.
func TestTypes(t *testing.T) {
	for l, want := range map[eval.Language]map[string]string{
		eval.Python: {"string": "str", "integer": "int", "float": "float", "boolean": "bool", "array": "list+", "dict": "dict", "tuple": "list+", "any": "str"},
		eval.Java: {
			"String": "str", "integer": "int", "boolean": "bool", "any": "str", "long": "int", "float": "float", "double": "float", "char": "str", "byte": "int",
			"short": "int", "Array": "list+", "ArrayList": "list+", "HashMap": "dict", "Queue": "list", "Stack": "list", "Set": "set", "Hashtable": "dict",
		},
		eval.JavaScript: {"String": "str", "integer": "int", "float": "float", "Bigint": "int", "Boolean": "bool", "dict": "dict", "array": "list+", "any": "str"},
	} {
		got := map[string]string{}
		for _, name := range judge.TypeNames(l) {
			kind, known := judge.TypeKind(l, name)
			require.True(t, known, name)
			if got[name] = kind.String(); judge.Nested(l, name) {
				got[name] += "+"
			}
		}
		assert.Equal(t, want, got)
		assert.IsIncreasing(t, judge.TypeNames(l))
	}
	for l, name := range map[eval.Language]string{eval.Python: "String", eval.Java: "dict", eval.JavaScript: "string"} {
		_, known := judge.TypeKind(l, name)
		assert.False(t, known || judge.Nested(l, name), name)
	}
	kind, known := judge.TypeKind(eval.JavaScript+1, "string")
	assert.True(t, known, "a number that is no language means Python")
	assert.Equal(t, pyval.KindStr, kind)
}

// TestUnusableTexts: what cannot be judged is named.
func TestUnusableTexts(t *testing.T) {
	const p, known = `{"properties": {"p": {"type": "integer"}}, "required": []}`, `{"p": {"type": "integer"}}`
	for _, c := range []struct{ name, parameters, answer, arguments, typ, text string }{
		{`"f"`, p, `["p"]`, `{"p": 1}`, judge.Unusable, "possible answer for 'p': TypeError: list indices must be integers or slices, not str"},
		{`"f"`, `{"properties": ["p"], "required": []}`, `{"p": [1]}`, `{"p": 1}`, judge.Unusable, "parameter 'p': TypeError: list indices must be integers or slices, not str"},
		{`5`, p, `{"p": [1]}`, `{"p": 1}`, judge.Unusable, "key 'name' is missing"},
		{`"f"`, p, `[]`, `{}`, "", ""}, {`"f"`, p, `""`, `{}`, "", ""},
		{`"f"`, p, `["p"]`, `{}`, judge.Unusable, "a dict was expected, not list"},
		{`"f"`, p, `5`, `{}`, judge.Unusable, "a dict was expected, not int"},
		{`"f"`, p, `{"p": []}`, `{"p": 1}`, "value_error:others", "Expected one of []"},
		{`"f"`, `{"properties": {"p": {"type": "string"}}, "required": []}`, `{"p": []}`, `{"p": "a"}`, "value_error:string", "Expected one of []"},
	} {
		docs := documents(t, pyval.NewList(parse(t, `{"name": `+c.name+`, "parameters": `+c.parameters+`}`)))
		got := judge.AST(docs, parse(t, `[{"f": `+c.arguments+`}]`), parse(t, `[{"f": `+c.answer+`}]`).(*pyval.List), judge.Options{Rule: eval.Simple})
		assert.Equal(t, c.typ, got.ErrorType, "%s %s", c.answer, c.arguments)
		assert.Equal(t, c.typ == "", got.Passed())
		if c.text != "" {
			assert.Contains(t, show(got), pyval.Repr(pyval.Str(c.text))[1:len(c.text)+1])
		}
	}
}

// TestInspectFirst: the first of the gravest faults is named, and all missing
// parameters are.
func TestInspectFirst(t *testing.T) {
	docs := documents(t, pyval.NewList(parse(t, `{"name": "f", "parameters": {"properties": {
		"a": {"type": "integer"}, "b": {"type": "integer"}, "c": {"type": "integer"}}, "required": ["c"]}}`)))
	for arguments, first := range map[string]string{
		`{"a": "1", "b": "1", "c": 1}`: "a", `{"a": 2, "b": 2, "c": 1}`: "a", `{"a": "1", "b": 2, "c": 1}`: "a", `{"a": 2, "b": "1", "c": 1}`: "b",
		`{"a": "1", "x": 2, "c": 1}`: "x", `{"x": 2, "a": "1", "c": 1}`: "x", `{"x": 2, "a": 2, "c": 1}`: "x", `{"x": 1, "y": 1, "c": 1}`: "x",
		`{"a": "1", "b": 2}`: "c", `{"a": 2, "b": 2}`: "c", `{"a": 1, "x": 2}`: "c",
	} {
		answer := parse(t, `[{"f": {"a": [1, ""], "b": [1, ""], "c": [1]}}]`).(*pyval.List)
		n, ok := judge.Inspect(docs, pyval.NewList(parse(t, `{"f": `+arguments+`}`)), answer, judge.Options{Rule: eval.Simple})
		require.True(t, ok)
		assert.Equal(t, first, n.Faults(0, 0).First.Name, arguments)
	}
	for answer, missing := range map[string][]string{`{"f": {"a": [1]}}`: {"a", "c"}, `{"f": {"c": [1], "b": [1]}}`: {"b", "c"}, `{"f": {}}`: {"c"}, `{"f": {"c": [""]}}`: {"c"}, `{"f": []}`: {"c"}} {
		n, _ := judge.Inspect(docs, parse(t, `[{"f": {}}]`), pyval.NewList(parse(t, answer)), judge.Options{Rule: eval.Simple})
		at, ok := n.Parameters(0, 0)
		require.True(t, ok)
		for _, name := range missing {
			assert.Equal(t, judge.Faults{Missing: true, First: judge.Parameter{Name: name}}, at[name], answer)
		}
		assert.Len(t, at, len(missing), answer)
	}
	for _, answer := range []string{`{}`, `5`} {
		for _, rule := range []eval.Rule{eval.Simple, eval.Multiple, eval.Parallel} {
			n, _ := judge.Inspect(docs, parse(t, `[{"f": {"c": 1}}]`), pyval.NewList(parse(t, answer)), judge.Options{Rule: rule})
			assert.Equal(t, judge.Faults{Function: true}, n.Faults(0, 0), answer)
			_, ok := n.Parameters(0, 0)
			assert.False(t, ok, answer)
		}
	}
}
