package read_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// result is the repr of a value, or the class of the exception.
func result(t testing.TB, v pyval.Value, err error) string {
	t.Helper()
	if err == nil {
		return pyval.Repr(v)
	}
	var e *decode.Error
	require.ErrorAs(t, err, &e)
	require.NotEmpty(t, e.Class)
	require.NotEmpty(t, e.Error())
	return e.Class
}

func TestDecodeAST(t *testing.T) {
	const call = "[{'ring': {'times': 3}}]"
	for _, c := range []struct {
		f         decode.Format
		tag       bool
		src, want string
	}{
		{decode.Python, false, "ring(times=3)", call},
		{decode.Python, true, "so: <TOOLCALL>[ring(times=3)]</TOOLCALL> <TOOLCALL>[]</TOOLCALL>", call},
		{decode.Python, true, "ring(times=3)", "ValueError"},
		{decode.Python, true, "<TOOLCALL>ring(times=3)", "ValueError"},
		{decode.Java, false, "[ring(times=3)]", "[{'ring': {'times': '3'}}]"},
		{decode.Java, false, "[ring(times=3)\xed\xa0\x80", "[{'ring': {'times': '3'}}]"},
		{decode.Java, false, "[\xed\xa0\x80", "{}"},
		{decode.Java, false, "[", "{}"},
		{decode.Java, false, "", "{}"},
		{decode.JavaScript, false, "éring(times=3)é", "[{'ring': {'times': '3'}}]"},
		{decode.JSON, false, `text [ {"function": "ring", "parameters": {"times": 3}} ] text`, call},
		{decode.JSON, false, `[{"function": "ring", "parameters": {"times": 3}}] [{"function": "stop", "parameters": {}}]`, call},
		{decode.JSON, false, `[7, "x", {"function": "ring", "parameters": {"times": 3}}]`, call},
		{decode.JSON, false, `{"function": "ring", "parameters": {"times": 3}}`, "[]"},
		{decode.JSON, false, `[{"function": "ring"}]`, "KeyError"},
		{decode.JSON, false, `[{"parameters": {}}]`, "KeyError"},
		{decode.JSON, false, `[{"function": [], "parameters": {}}]`, "TypeError"},
		{decode.JSON, false, `[{"function": "ring", "parameters": {"n": ` + strings.Repeat("9", 5000) + `}}]`, "ValueError"},
		{decode.JSON, false, strings.Repeat("[", 5000), "RecursionError"},
		{decode.JSON, false, `[{"function": "ring", "parameters": {"times": 3}}, 2]`, call},
		{decode.JSON, false, `[] a [[ {"function": "ring", "parameters": {"times": 3} }
] ]`, call},
		{decode.JSON, false, "[0 [{\"function\": \"ring\", \"parameters\": {\"times\": 3}}] ", call},
		{decode.JSON, false, "[{}] text", "KeyError"},
		{decode.JSON, false, "[", "[]"},
		{decode.JSON, false, "[{", "[]"},
		{decode.JSON, false, "7", "TypeError"},
		{decode.JSON, false, `"seven"`, "[]"},
		{decode.JSON, false, "no call", "[]"},
		{decode.VerboseXML, false, `<functions><function name="ring"><params><param name="times" value="3" type="integer"/></params></function></functions>`, call},
		{decode.ConciseXML, false, `<functions><function name="ring"><param name="times" type="integer"> 3 </param></function></functions>`, call},
		{"cobol", false, "ring", "NotImplementedError"},
	} {
		v, err := decode.AST(c.src, c.f, c.tag)
		assert.Equal(t, c.want, result(t, v, err), "%s %.80q", c.f, c.src)
	}
}

// promptExecute returns the texts of the calls of a prompt model's answer.
func promptExecute(text string, tag bool) ([]string, error) {
	return dialect.Find("prompt").Execute(pyval.Str(text), dialect.V4Tagged(decode.Python, tag))
}

func TestDecodePromptExecute(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"ring(times=3, who='it\\'s'), stop()", `ring(times=3, who="it's"); stop()`},
		{"ring(at=time(h=5, m=6))", "ring(at=time(h=5, m=6))"},
		{"ring(at={'h': {'m': 1}, 'x': {}})", "ring(at=h(m=1))"},
		{"ring(at={'h': 1, 2: {'m': [None]}})", "ring(at={'h': 1, '2': {'m': [None]}})"},
		{"ring(at={})", "IndexError"},
		{"ring(at=[{}])", "ring(at=[{}])"},
		{"ring(**more)", "ring(None='more')"},
		{"ring(at={'h': 1, 'm': {}})", "IndexError"},
		{"ring(at={'h': {}})", "ring(at=h())"},
		{"ring(at={'a': 1, 'b': 2, 'c': 3}, to=4)", "ring(at={'a': 1, 'b': 2, 'c': 3}, to=4)"},
		{"ring", "AssertionError"},
	} {
		calls, err := promptExecute(c.src, false)
		got := strings.Join(calls, "; ")
		if err != nil {
			got = result(t, nil, err)
		}
		assert.Equal(t, c.want, got, "%q", c.src)
	}
}

// TestDecodeHostile: long and deep texts are decoded or refused quickly.
func TestDecodeHostile(t *testing.T) {
	const many = 1 << 18
	for _, part := range []string{"(", "[", "{", "'", `"""`, "f(", "[{", "}", "} ", "<a>", "<!---->x", "&amp;", "-", "\\", "\xff", "f'{", "a.", "1,", "<functions>", "[\u00a0"} {
		text := strings.Repeat(part, many/len(part))
		for _, f := range []decode.Format{decode.Python, decode.JSON, decode.VerboseXML, decode.ConciseXML} {
			for _, src := range []string{text, "[f(x=" + text, "<functions>" + text + "</functions>", `<functions><p a="` + text + `"/></functions>`} {
				_, _ = decode.Prompt(src, f, false)
			}
		}
	}
	var wide strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&wide, ` a%d="x" xmlns:b%d="u"`, i, i)
	}
	assert.Error(t, testkit.Err(decode.AST("<functions><function"+wide.String()+"/></functions>", decode.VerboseXML, false)))
}

func FuzzDecodeText(f *testing.F) {
	for _, format := range []decode.Format{decode.Python, decode.Java, decode.JavaScript, decode.JSON, decode.VerboseXML, decode.ConciseXML} {
		for _, s := range []string{
			"[ring(times=3, at=[1, 'x'])]", `[{"function": "ring", "parameters": {"n": [1.5, null]}}]`,
			`<functions><function name="ring"><params><param name="n" value="[1]" type="array"/></params></function></functions>`,
			`<functions><function name="ring"><param name="n" type="float">1_0.5</param></function></functions>`,
		} {
			f.Add(string(format), s, false)
			f.Add(string(format), "<TOOLCALL>"+s+"</TOOLCALL>", true)
		}
	}
	f.Fuzz(func(t *testing.T, format, text string, tag bool) {
		v, err := decode.Prompt(text, decode.Format(format), tag)
		if err == nil {
			_, _ = decode.IsCalls(v), decode.IsEmpty(v)
			_ = pyval.Repr(v)
		}
		_ = result(t, v, err)
		_, _ = promptExecute(text, tag)
	})
}

// FuzzDecodeFunctionCalling checks that arguments written as Python text are read
// back as they were: decode(repr(calls)) == calls.
func FuzzDecodeFunctionCalling(f *testing.F) {
	f.Add(`{"n": 3, "of": [1.5, "it's", null, true, {"a": [], "b": {"c": "\u00e9\n\ud800"}}]}`)
	f.Add(`{"big": 123456789012345678901234567890, "small": 1e-7, "zero": 0.0, "deep": [[[]]]}`)
	f.Fuzz(func(t *testing.T, args string) {
		v, err := decode.FC(pyval.NewList(dictOf("go", pyval.Str(args))))
		if err != nil || !decode.IsCalls(v) {
			return
		}
		_, given := v.(*pyval.List).Items[0].(*pyval.Dict).At(0)
		if !writable(given, 0) {
			return
		}
		want := pyval.NewList(dictOf("go", dictOf("x", given)))
		got, err := decode.AST("[go(x="+pyval.Repr(given)+")]", decode.Python, false)
		if err != nil || pyval.Repr(got) != pyval.Repr(want) {
			t.Fatalf("%q: %v, %v", pyval.Repr(want), got, err)
		}
	})
}

func dictOf(key string, v pyval.Value) *pyval.Dict {
	d := pyval.NewDict(1)
	d.SetStr(key, v)
	return d
}

// writable holds for values whose repr is a literal that gives them back:
// not for nan and inf, and not for more brackets than Python takes.
func writable(v pyval.Value, depth int) bool {
	switch v := v.(type) {
	case pyval.Float:
		return v-v == 0
	case *pyval.List:
		for _, item := range v.Items {
			if !writable(item, depth+1) {
				return false
			}
		}
	case *pyval.Dict:
		for _, item := range v.All() {
			if !writable(item, depth+1) {
				return false
			}
		}
	}
	return depth < 190
}

func TestDecodeErrorUnwraps(t *testing.T) {
	_, err := decode.AST("f(", decode.Python, false)
	assert.NotNil(t, errors.Unwrap(err))
	assert.Contains(t, err.Error(), "SyntaxError at byte 2")
}

// TestAttempted tells broken calls from texts that only talk about functions.
func TestAttempted(t *testing.T) {
	names := []string{"lamp.set", "", "on", "lamp-off"}
	for text, want := range map[string]bool{
		"": false, "The lamp is set.": false, "I would use lamp.set to do that.": false, "on": false, "upon (a hill)": false,
		"lamp_set(": true, "I call lamp.set(level=": true, "I call lamp_set(level=": true, `{"name": "lamp`: true, "<tool_call>": true,
		"f(": true, " f.g2_H(a": true, "(a)": false, "f (a)": false, "9(": true, "f-g(": false, "f": false, "a\nf(": false,
		"[f(": true, "`f(": true, "[ {": true, "```python\nf(": true, "```json\n[{": true, "```\nf(": true, "```": false, "```python": false,
		`the "lamp.set" function`: true, `the 'lamp_set' function`: true, `the "lamp.set' function`: false, `the lamp.set" function`: false,
		`lamp.set"`: false, `so lamp.set then lamp.set(`: true, "so lamp.setter(": false, "on(": true,
		"lamp-off(": true, `"lamp.set"`: true, `'on'`: true, `"on`: false, "```json```xml f(": false,
		"a(": true, "z(": true, "A(": true, "Z(": true, "0(": true, "_(": true, ".(": true, "@(": false, "[[{(": true,
	} {
		assert.Equal(t, want, decode.Attempted(names, pyval.Str(text)), "%q", text)
	}
	for text, want := range map[string]bool{`[]`: false, `[{"f": 5}]`: true, `null`: false, `5`: false, `{"a": 1}`: true} {
		v := testkit.Must(pyval.ParseJSON(text))(t)
		assert.Equal(t, want, decode.Attempted(names, v), text)
	}
	assert.False(t, decode.Attempted(nil, pyval.Str("I call lamp.set")))
}

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
		value := testkit.Must(pyval.ParseJSON(row.value))(t)
		doc := testkit.Must(pyval.ParseJSON(row.doc))(t)
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
	set := testkit.Must(pyval.NewSet(pyval.MakeInt(1)))(t)
	odd := []decode.Call{{Name: "f", Args: dictOf("x", pyval.NewList(set))}}
	assert.Equal(t, "[{'f': '{}'}]", pyval.Repr(decode.Calls(odd, eval.Python, eval.FC, prompt.Config{})), "what JSON cannot hold")
	assert.Equal(t, "[]", pyval.Text(decode.Calls(odd, eval.Python, eval.Prompt, prompt.Config{Return: prompt.ReturnJSON})))
	assert.Equal(t, "[f(x=[{1}])]", pyval.Text(decode.Calls(odd, eval.JavaScript, eval.Prompt, prompt.Config{})))
}
