package javacall_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/javacall"
)

func TestConvert(t *testing.T) {
	for _, c := range []struct{ value, typ, nested, want string }{
		{"-12", "integer", "", "-12"}, {"+12", "integer", "", "'+12'"}, {"12.0", "short", "", "'12.0'"},
		{"१२", "byte", "", "12"}, {"40L", "long", "", "40"}, {"40", "long", "", "'40'"},
		{"2.5f", "float", "", "2.5"}, {"2.5", "float", "", "'2.5'"}, {"2.5e3", "double", "", "2500.0"},
		{"true", "boolean", "", "True"}, {"True", "boolean", "", "'True'"}, {"x", "char", "", "'x'"},
		{"new int[]{4, 5,}", "Array", "", "[4, 5]"}, {"new int[]{4, 5}", "Array", "double", "[4.0, 5.0]"},
		{`new String[]{"oak"}`, "Array", "String", `['"oak"']`}, {"[4]", "Array", "", "'[4]'"},
		{`new ArrayList<>(Arrays.asList("oak", 7, -0.5))`, "ArrayList", "", "['oak', 7, -0.5]"},
		{`new ArrayList<Tree>() {{ add("oak"); add("elm"); }}`, "ArrayList", "String", "['oak', 'elm']"},
		{"new ArrayList<>()", "ArrayList", "", "[]"}, {"List.of(1)", "ArrayList", "", "'List.of(1)'"},
		{`new HashMap<String, Integer>() {{ put("oak", 3); put("elm", +1_0); }}`, "HashMap", "", "{'oak': 3, 'elm': 10}"},
		{"new HashMap<>()", "HashMap", "", "{}"}, {"garden", "HashMap", "", "'garden'"},
		{`new Object[]{"`, "Array", "", `'new Object[]{"'`}, {`new Object[]{"}`, "Array", "", "['']"},
		{`new Object[]{nan, -Infinity, 1__0, 0x1, ५.५f}`, "Array", "", "[nan, -inf, '1__0', '0x1', 5.5]"},
	} {
		got, err := javacall.Convert(c.value, c.typ, c.nested)
		require.NoError(t, err, "%q", c.value)
		assert.Equal(t, c.want, pyval.Repr(got), "%q %s %s", c.value, c.typ, c.nested)
	}
}

func TestConvertRefuses(t *testing.T) {
	for typ, class := range map[string]string{
		"int": "ValueError", "": "ValueError", "Set": "NotImplementedError", "Hashtable": "NotImplementedError",
		"Queue": "NotImplementedError", "Stack": "NotImplementedError",
	} {
		_, err := javacall.Convert("5", typ, "")
		var raised *grammar.Error
		require.ErrorAs(t, err, &raised, typ)
		assert.Equal(t, class, raised.Class)
	}
	_, err := javacall.Convert("new int[]{1}", "Array", "tree")
	assert.Error(t, err, "elements of an unknown type")
}
