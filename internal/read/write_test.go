package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/write"
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
		call := write.Call{Name: "a.f", Args: args, Types: map[string]*pyval.Dict{"x": doc.(*pyval.Dict)}}
		got := write.Calls([]write.Call{call}, row.language, eval.Prompt, prompt.Config{})
		assert.Equal(t, eval.TextResult("[a.f(x="+row.want+")]"), got)
	}
}
