package test_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// reports are situations that users of other projects reported, each with an input
// of ours: what was read before they were tried, and what is read now.
var reports = []struct{ about, of, in, before, now string }{
	{"the head of the second call at index 0, its arguments at 1", "stream",
		`[0,"a","go",""] [0,null,null,"{\"n\":1}"] [0,"b","go",""] [1,null,null,"{\"n\":2}"]`, `go{"n":1} go {"n":2}`, `go{"n":1} go{"n":2}`},
	{"the last brace at the next index", "stream", `[0,"a","go","{\"n\":1"] [1,null,null,"}"]`, `go{"n":1 }`, `go{"n":1}`},
	{"index 0 and no ids", "stream", `[0,"","go","{\"n\":1}"] [0,"","go","{\"n\":2}"]`, `go{"n":1}{"n":2}`, `go{"n":1} go{"n":2}`},
	{"a second object without a name", "stream", `[0,"a","go","{\"n\":1}"] [0,"","","{\"n\":2}"]`, `go{"n":1}{"n":2}`, "several calls"},
	{"index 0, ids", "stream", `[0,"a","go","{}"] [0,"b","go","{}"]`, `go{} go{}`, `go{} go{}`},
	{"no index", "stream", `[null,"a","go","{"] [null,null,null,"}"] [null,"b","go","{}"]`, `go{} go{}`, `go{} go{}`},
	{"the name again with each piece", "stream", `[0,"a","go","{\"n\""] [0,"a","go",":1}"]`, `go{"n":1}`, `go{"n":1}`},
	{"a name in pieces", "stream", `[0,"a","go_",""] [0,null,"far","{}"]`, `go_far{}`, `go_far{}`},
	{"{} before the arguments", "stream", `[0,"a","go","{}"] [0,null,null,"{\"n\":1}"]`, `go{}{"n":1}`, `go{"n":1}`},
	{"lists as JSON, = for :", "gemma-4", `<|tool_call>call:go{to:<|"|>a = b<|"|>,by=["x"],why="y"}<tool_call|>`, "[{'go': {'to': 'a = b'}}]", "[{'go': {'to': 'a = b', 'by': ['x'], 'why': 'y'}}]"},
	{"quotes within lists", "gemma-4", `<|tool_call>call:go{by:["x",'y']}<tool_call|>`, `[{'go': {'by': ['"x"', "'y'"]}}]`, "[{'go': {'by': ['x', 'y']}}]"},
	{"single quotes around commas", "gemma-4", `<|tool_call>call:go{to:'a, b: c'}<tool_call|>`, `[{'go': {'to': "'a", 'b': "c'"}}]`, "[{'go': {'to': 'a, b: c'}}]"},
	{"delimited keys", "gemma-4", `<|tool_call>call:go{in:{<|"|>n<|"|>:1}}<tool_call|>`, "[{'go': {'in': {}}}]", "[{'go': {'in': {'n': 1}}}]"},
	{"braces in texts", "gemma-4", `<|tool_call>call:go{to:<|"|>{"a": 1}<|"|>,n:-2}<tool_call|>`, `[{'go': {'to': '{"a": 1}', 'n': -2}}]`, `[{'go': {'to': '{"a": 1}', 'n': -2}}]`},
	{"the analysis channel and another content type", "harmony", `<|start|>assistant<|channel|>analysis to=functions.go code<|message|>{"n":1}<|call|>`, "error", "[{'go': {'n': 1}}]"},
	{"a line break in a text", "lfm2", "<|tool_call_start|>[go(to='a\nb')]<|tool_call_end|>", "error", `[{'go': {'to': 'a\nb'}}]`},
	{"a parameter called from", "lfm2", "<|tool_call_start|>[go(from=1)]<|tool_call_end|>", "error", "[{'go': {'from': 1}}]"},
	{"white space of a value", "minimax-m2", "<minimax:tool_call><invoke name=\"go\"><parameter name=\"to\"> a\n</parameter></invoke></minimax:tool_call>", "[{'go': {'to': ' a'}}]", `[{'go': {'to': ' a\n'}}]`},
	{"Olmo 3", "olmo-3", "<function_calls>go(n=1, to=null)\ngo(to=\"a\")</function_calls>", "no dialect", "[{'go': {'n': 1, 'to': None}}, {'go': {'to': 'a'}}]"},
	{"Olmo 3, as Ollama leaves it", "olmo-3", "I go.<function_calls>\ngo(to='…', by=[true])\n</function_calls>\n", "no dialect", "[{'go': {'to': '…', 'by': [True]}}]"},
	{"a close tag in a value", "function", "<function=go>\n<parameter=to>\na </parameter> b\n</parameter>\n</function>", "[{'go': {'to': 'a </parameter> b'}}]", "[{'go': {'to': 'a </parameter> b'}}]"},
	{"no layout, and no arguments", "glm-4.5", "<tool_call>go</tool_call>", "[{'go': {}}]", "[{'go': {}}]"},
	{"an id without functions.", "kimi-k2", `<|tool_calls_section_begin|><|tool_call_begin|>go:0<|tool_call_argument_begin|>{"n": 1}<|tool_call_end|>`, "[{'go': {'n': 1}}]", "[{'go': {'n': 1}}]"},
	{"DSML without a section, cut", "deepseek-v3.2", `<｜DSML｜invoke name="go"><｜DSML｜parameter name="n" string="false">1</｜DSML｜parameter>`, "error", "malformed call"},
	{"prose behind parallel calls", "mistral-v11", `[TOOL_CALLS]go[ARGS]{"n": 1}[TOOL_CALLS]go[ARGS]{} Done.`, "[{'go': {'n': 1}}, {'go': {}}]", "[{'go': {'n': 1}}, {'go': {}}]"},
	{"parameters that are no names", "minimax-m3", `<invoke name="go"><-A>1</-A></invoke><invoke name="go"></invoke>`, "[{'go': {'-A': 1}}, {'go': {}}]", "[{'go': {'-A': 1}}, {'go': {}}]"},
	{"an apostrophe and a lone brace", "tool-call", `<tool_call>{"name": "go", "arguments": {"to": "it's {"}}</tool_call>`, `[{'go': {'to': "it's {"}}]`, `[{'go': {'to': "it's {"}}]`},
	{"null beside an enum", "schema", "{anyOf: [{type: string, enum: [up, down]}, {type: 'null'}]} null", "error", "fits"},
	{"a union within a list", "schema", "{type: array, items: {anyOf: [{type: string}, {type: integer}]}} [a, 3]", "error", "fits"},
	{"a byte order mark", "file", "\uFEFF{\"id\": \"a\", \"result\": 1}\n", "value expected", "read"},
	{"UTF-16", "file", "\xff\xfe{\x00", "value expected", "UTF-16"},
}

// TestReports tries each situation. Those of the server's part, of commands and of
// runs are held by the packages that answer for them.
func TestReports(t *testing.T) {
	changed := 0
	for _, r := range reports {
		got := map[string]func(*testing.T, string) string{"stream": streamed, "schema": validated, "file": recorded}[r.of]
		said := ""
		if got == nil {
			said = readIn(r.of, r.in)
		} else {
			said = got(t, r.in)
		}
		assert.Contains(t, said, r.now, "%s: before %s", r.about, r.before)
		if r.before != r.now {
			changed++
		}
	}
	t.Logf("%d situations tried; %d were read otherwise before", len(reports), changed)
}

// streamed assembles pieces: index, id, name and arguments.
func streamed(t *testing.T, in string) string {
	var calls provider.Calls
	dec := json.NewDecoder(strings.NewReader(in))
	for dec.More() {
		var raw json.RawMessage
		require.NoError(t, dec.Decode(&raw))
		v := testkit.Must(pyval.ParseJSON(string(raw)))(t)
		text := func(i int) string { s, _ := v.(*pyval.List).Items[i].(pyval.Str); return string(s) }
		calls.Add(provider.Piece{Index: v.(*pyval.List).Items[0], ID: text(1), Name: text(2), Arguments: text(3)})
	}
	made, err := calls.Finish()
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, c := range made {
		out = append(out, c.Name+provider.Arguments(c.Arguments()))
	}
	return strings.Join(out, " ")
}

func readIn(name, in string) string {
	d := dialect.Find(name)
	r, err := d.Read(in, nil, nil)
	if err != nil {
		return err.Error()
	}
	v, err := d.Decode(r.Kept, dialect.V4(decode.Python))
	if err != nil {
		return err.Error()
	}
	return pyval.Repr(v)
}

// validated checks a suite of one tool whose parameter has a schema, and of one
// case that wants a value.
func validated(t *testing.T, in string) string {
	at := strings.LastIndex(in, "} ") + 1
	dir := t.TempDir()
	for name, text := range map[string]string{
		"suite.yaml": "name: s\ntools: [{functions: t.yaml}]\ncategories: [{name: one, kind: simple, cases: c.yaml}]\n",
		"t.yaml":     "- {name: go, parameters: {type: object, required: [p], properties: {p: " + in[:at] + "}}}\n",
		"c.yaml":     "- {id: a, question: Go, expect: {go: {p: " + in[at:] + "}}}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	r := testkit.Must(validate.Folder(dir, ""))(t)
	if len(r.Problems) > 0 {
		return r.Problems[0].Message
	}
	return "fits"
}

func recorded(t *testing.T, in string) string {
	path := filepath.Join(t.TempDir(), "r.json")
	require.NoError(t, os.WriteFile(path, []byte(in), 0o600))
	if _, err := record.Read(path, false); err != nil {
		return err.Error()
	}
	return "read"
}
