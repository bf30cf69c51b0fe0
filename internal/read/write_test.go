package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// TestWriteValues: a value is written as source of its parameter's type.
func TestWriteValues(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		language   eval.Language
		value, doc string
		want       string
	}{
		{eval.Java, `[1, 2]`, `{"type": "Array", "items": {"type": "integer"}}`, "new int[]{1, 2}"},
		{eval.Java, `[1]`, `{"type": "Array", "items": {"type": "long"}}`, "new long[]{1L}"},
		{eval.Java, `[1.5]`, `{"type": "Array", "items": {"type": "float"}}`, "new float[]{1.5f}"},
		{eval.Java, `["a"]`, `{"type": "Array", "items": {"type": "String"}}`, "new String[]{a}"},
		{eval.Java, `[true]`, `{"type": "ArrayList", "items": {"type": "boolean"}}`, "new ArrayList<Boolean>(Arrays.asList(true))"},
		{eval.Java, `["a", "b"]`, `{"type": "ArrayList", "items": {"type": "String"}}`, `new ArrayList<String>(Arrays.asList("a", "b"))`},
		{eval.Java, `{"a": 1, "b": "c"}`, `{"type": "HashMap"}`, `new HashMap<String, Object>() {{ put("a", 1); put("b", "c"); }}`},
		{eval.Java, `"a\"\n"`, `{"type": "String"}`, `"a\"\n"`},
		{eval.Java, `null`, `{"type": "any"}`, "null"},
		{eval.Java, `5`, `{"type": "long"}`, "5L"},
		{eval.Java, `5`, `{"type": "integer"}`, "5"},
		{eval.Java, `2.5`, `{"type": "double"}`, "2.5"},
		{eval.Java, `2.5`, `{"type": "float"}`, "2.5f"},
		{eval.Java, `5`, `{"type": "float"}`, "5"},
		{eval.Java, `false`, `{}`, "false"},
		{eval.Java, `[5]`, `{"type": "Array"}`, "new String[]{5}"},
		{eval.Java, `["a"]`, `{"type": "Array", "items": {"type": "char"}}`, `new char[]{"a"}`},
		{eval.Java, `[5, null]`, `{"type": "ArrayList"}`, "new ArrayList<String>(Arrays.asList(5, null))"},
		{eval.Java, `[5]`, `{"type": "ArrayList", "items": {"type": "long"}}`, "new ArrayList<Long>(Arrays.asList(5L))"},
		{eval.Java, `{"a": 5, "b": {"c": 1}}`, `{"type": "HashMap"}`, `new HashMap<String, Object>() {{ put("a", 5); put("b", {'c': 1}); }}`},
		{eval.JavaScript, `{"é": 1}`, `{"type": "dict"}`, `{"é": 1}`},
		{eval.JavaScript, `"a\\b"`, `{"type": "String"}`, `"a\\b"`},
		{eval.JavaScript, `2.5`, `{"type": "Bigint"}`, "2.5"},
		{eval.JavaScript, `5`, `{"type": "Bigint"}`, "5n"},
		{eval.JavaScript, `5`, `{"type": "integer"}`, "5"},
		{eval.JavaScript, `[1, "a"]`, `{"type": "array"}`, `[1, "a"]`},
		{eval.JavaScript, `true`, `{"type": "Boolean"}`, "true"},
		{eval.JavaScript, `null`, `{"type": "any"}`, "null"},
		{eval.Python, `[true, null, "a"]`, `{"type": "array"}`, "[True, None, 'a']"},
	} {
		value, err := pyval.ParseJSON(row.value)
		require.NoError(t, err)
		doc, err := pyval.ParseJSON(row.doc)
		require.NoError(t, err)
		args := pyval.NewDict(1)
		args.SetStr("x", value)
		call := decode.Call{Name: "a.f", Args: args, Types: map[string]*pyval.Dict{"x": doc.(*pyval.Dict)}}
		got := decode.Calls([]decode.Call{call}, row.language, eval.Prompt, prompt.Config{})
		assert.Equal(t, eval.TextResult("[a.f(x="+row.want+")]"), got)
	}
}

// TestWriteFormats: what is written in a format reads as the calls that it was, also
// between tags; tool calls have no dots, and source text for Java.
func TestWriteFormats(t *testing.T) {
	t.Parallel()
	args := parsed(`{"s": "<a & \"b\">", "i": -5, "f": 2.5, "yes": true, "no": null, "list": [1, "x"], "dict": {"é": [1.5]}}`).(*pyval.Dict)
	calls := []decode.Call{{Name: "a.f", Args: args}, {Name: "g", Args: pyval.NewDict(0)}}
	want := "[{'a.f': " + pyval.Repr(args) + "}, {'g': {}}]"
	for format, read := range map[prompt.ReturnFormat]decode.Format{
		prompt.ReturnPython: decode.Python, prompt.ReturnJSON: decode.JSON, prompt.ReturnVerboseXML: decode.VerboseXML, prompt.ReturnConciseXML: decode.ConciseXML,
	} {
		for _, tag := range []bool{false, true} {
			got := decode.Calls(calls, eval.Python, eval.Prompt, prompt.Config{Return: format, Tag: tag})
			v, err := decode.AST(pyval.Text(got), read, tag)
			require.NoError(t, err, "%s %v", read, got)
			assert.Equal(t, want, pyval.Repr(v), "%s %v", read, got)
		}
	}
	for language, want := range map[eval.Language]string{
		eval.Python: `[{'a_f': '{"é": 5}'}]`, eval.Java: `[{'a_f': '{"é": "5L"}'}]`, eval.JavaScript: `[{'a_f': '{"é": "5"}'}]`,
	} {
		call := decode.Call{Name: "a.f", Args: parsed(`{"é": 5}`).(*pyval.Dict), Types: map[string]*pyval.Dict{"é": parsed(`{"type": "long"}`).(*pyval.Dict)}}
		assert.Equal(t, want, pyval.Repr(decode.Calls([]decode.Call{call}, language, eval.FC, prompt.Config{})))
	}
	set, err := pyval.NewSet(pyval.MakeInt(1))
	require.NoError(t, err)
	odd := []decode.Call{{Name: "f", Args: dictOf("x", pyval.NewList(set))}}
	assert.Equal(t, "[{'f': '{}'}]", pyval.Repr(decode.Calls(odd, eval.Python, eval.FC, prompt.Config{})), "what JSON cannot hold")
	assert.Equal(t, "[]", pyval.Text(decode.Calls(odd, eval.Python, eval.Prompt, prompt.Config{Return: prompt.ReturnJSON})))
	assert.Equal(t, "[f(x=[{1}])]", pyval.Text(decode.Calls(odd, eval.JavaScript, eval.Prompt, prompt.Config{})))
}
