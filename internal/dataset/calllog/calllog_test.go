package calllog_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/dataset/calllog"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit" // the suite's flags
)

const (
	tools    = `"tools": [{"type": "function", "function": {"name": "f", "description": "F.", "parameters": {"type": "object", "properties": {"x": {"type": "integer"}, "o": {"type": "object"}}, "required": ["x"]}}}]`
	answered = `{"choices": [{"message": {"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1, \"o\": {\"value\": [1, {\"k\": 2.0}]}}"}}]}}]}`
)

func request(question string) string {
	return `{"model": "m", "messages": [{"role": "user", "content": "` + question + `"}], ` + tools + `}`
}

// load reads what a log's suite is.
func load(t testing.TB, log *calllog.Log) *ownsuite.Suite {
	t.Helper()
	_, files, err := log.Files("s")
	require.NoError(t, err)
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: text}
	}
	s, err := ownsuite.Load(folder, "")
	require.NoError(t, err)
	return s
}

// TestForms reads halves that are objects or their JSON texts.
func TestForms(t *testing.T) {
	quoted := string(pyval.AppendJSONString(nil, request("hi"), pyval.JSONUnicode))
	for _, line := range []string{
		`{"request": ` + request("hi") + `, "response": ` + answered + `}`,
		`{"request": ` + quoted + `, "response": ` + answered + `}`,
	} {
		log, err := calllog.Read(strings.NewReader(line), calllog.Any)
		require.NoError(t, err)
		require.Len(t, log.Cases, 1, "%s: %v", line, log.Skipped)
		s := load(t, log)
		require.Len(t, s.Categories, 1)
		assert.Equal(t, "logged_single", s.Categories[0].Name)
		entry := s.Categories[0].Entries[0]
		assert.Equal(t, "[{'f': {'x': [1], 'o': [{'value': [[1, {'k': 2.0}]]}]}}]", pyval.Repr(entry.Answer))
		question, _ := entry.Row.GetStr("question")
		assert.Equal(t, "[[{'role': 'user', 'content': 'hi'}]]", pyval.Repr(question))
	}
}

func TestSkipped(t *testing.T) {
	pair := func(request, response string) string {
		return `{"request": ` + request + `, "response": ` + response + `}`
	}
	for _, c := range []struct{ line, want string }{
		{"", "the line is empty"},
		{"{", "not JSON"},
		{"[]", "expected a JSON object with a request and a response"},
		{`{"response": {}}`, `no "request"`},
		{`{"request": ` + request("hi") + `}`, `no "response"`},
		{pair(`{"messages": []}`, answered), `no "messages"`},
		{pair(`{"messages": [{"role": "user", "content": "hi"}]}`, answered), "the request shows no tools"},
		{pair(`{"messages": [{"role": "tool", "content": "1"}]}`, answered), "the request shows no tools"},
		{pair(`{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}`, answered), "more than text"},
		{pair(request("hi"), `{"error": {"message": "no"}}`), "the response is an error"},
		{pair(request("hi"), `{"choices": []}`), "no choices"},
		{pair(request("hi"), `{"choices": [{"finish_reason": "length", "message": {"content": "x"}}]}`), "cut short"},
		{pair(request("hi"), strings.Replace(answered, `"name": "f"`, `"name": "g"`, 1)), `calls "g", which is not among`},
		{pair(request("hi"), strings.Replace(answered, `{\"x\"`, `{\"x`, 1)), "are not a JSON object"},
		{pair(request("a \\ud83d b"), answered), "half of a surrogate pair"},
		{pair(request("hi"), strings.Replace(answered, `{\"x\"`, `{\"`+strings.Repeat("x", 1001)+`\"`, 1)), "a key of 1003 characters"},
		{pair(request("hi"), strings.Replace(answered, `{\"k\"`, `{\"`+strings.Repeat("k", 1001)+`\"`, 1)), "a key of 1003 characters"},
	} {
		log, err := calllog.Read(strings.NewReader(c.line+"\n"), calllog.Any)
		require.NoError(t, err)
		require.Len(t, log.Skipped, 1, c.line)
		assert.Equal(t, 1, log.Skipped[0].Line)
		assert.Contains(t, log.Skipped[0].Reason, c.want)
	}
}

// TestTools: the same tool is written once, another of the same name beside it,
// and calls follow.
func TestTools(t *testing.T) {
	one := `{"request": ` + request("one") + `, "response": ` + answered + `}`
	two := strings.Replace(strings.Replace(one, `"one"`, `"two"`, 1), `"F."`, `"Another F."`, 1)
	again := strings.Replace(one, `"one"`, `"three"`, 1)
	log, err := calllog.Read(strings.NewReader(one+"\n"+two+"\n"+again+"\n"+one), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Cases, 3)
	require.Len(t, log.Tools, 2)
	assert.Equal(t, 1, log.Renamed)
	assert.Equal(t, []string{"f_2"}, log.Cases[1].Tools)
	assert.True(t, log.Cases[1].Calls[0].Has("f_2"))
	require.Len(t, log.Skipped, 1)
	assert.Equal(t, calllog.Skip{Line: 4, Reason: "the same question with the same tools is already in line 1"}, log.Skipped[0])
	load(t, log)
}

// TestSecrets: neither headers nor keys in texts reach the files.
func TestSecrets(t *testing.T) {
	const key = "sk-abcdefghijklmnop0123456789"
	line := `{"headers": {"Authorization": "Bearer ` + key + `"}, "api_key": "` + key + `", "request": ` +
		strings.Replace(request("use `+key+` or password: hunter2hunter2"), "`+key+`", key, 1) + `, "response": ` + strings.Replace(answered, `\"x\": 1`, `\"x\": \"Bearer `+key+`\"`, 1) + `}`
	log, err := calllog.Read(strings.NewReader(line), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Cases, 1, "%v", log.Skipped)
	assert.Equal(t, 3, log.Masked)
	_, files, err := log.Files("s")
	require.NoError(t, err)
	for name, text := range files {
		assert.NotContains(t, string(text), key, name)
		assert.NotContains(t, string(text), "hunter2", name)
	}
}

func TestWriteNothingOver(t *testing.T) {
	dir := t.TempDir()
	log, err := calllog.Read(strings.NewReader(`{"request": `+request("hi")+`, "response": `+answered+`}`), calllog.Any)
	require.NoError(t, err)
	names, files, err := log.Files("s")
	require.NoError(t, err)
	require.NoError(t, ownsuite.WriteNew(dir, names, files))
	require.ErrorContains(t, ownsuite.WriteNew(dir, names, files), "nothing was written")
	s, err := ownsuite.Load(os.DirFS(dir), "")
	require.NoError(t, err)
	assert.Len(t, s.Tools, 1)
}

func FuzzRead(f *testing.F) {
	f.Add(`{"request": ` + request("hi") + `, "response": ` + answered + `}`)
	f.Add(`{"request": {"messages": [{"role": "user", "content": "a: *b # c\n- d"}], "tools": [{"name": "x y: &z"}]}, "response": {"choices": [{"message": {"content": "no"}}]}}`)
	f.Add("{\n[]\n\n")
	f.Add(`{"request": ` + request("\\ud800") + `, "response": ` + answered + `}`)
	f.Add(`{"request": ` + request("\\u0085 \\u2028 \\ufffe \\ufeff \U0001F600") + `, "response": ` + answered + `}`)
	f.Fuzz(func(t *testing.T, text string) {
		log, err := calllog.Read(strings.NewReader(text), calllog.Any)
		if err != nil || len(log.Cases) == 0 {
			return
		}
		cases := 0
		for _, c := range load(t, log).Categories {
			cases += len(c.Entries)
		}
		if cases != len(log.Cases) {
			t.Fatalf("%d cases were read, the suite has %d", len(log.Cases), cases)
		}
	})
}

// TestAnyText: whatever a user or a model wrote comes back as it was, in a suite
// that can be loaded.
func TestAnyText(t *testing.T) {
	for _, char := range []string{
		"\x00", "\x1b", "\x7f", "\u0080", "\u0085", "\u009b", "\u2028", "\u2029", "\u202e", "\ufeff", "\ufffe", "\ufffd", "\ue000",
		"\U0001f600", "\U000e0041", "\U0010ffff", `"`, `\`, ": ", " #", "\n- ", "<<", "é",
	} {
		text := "a" + char + "b"
		quoted := string(pyval.AppendJSONString(nil, text, 0))
		log, err := calllog.Read(strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(`{"request": {"messages": [{"role": "user", "content": X}],
			"tools": [{"name": "f", "description": X, "parameters": {"type": "object", "properties": {X: {"type": "string"}}}}]},
			"response": {"choices": [{"message": {"tool_calls": [{"function": {"name": "f", "arguments": {X: X}}}]}}]}}`, "\n", ""), "X", quoted)), calllog.Any)
		require.NoError(t, err)
		names, made, err := log.Files(text)
		require.NoError(t, err)
		files := fstest.MapFS{}
		for _, name := range names {
			files[name] = &fstest.MapFile{Data: made[name]}
		}
		suite, err := ownsuite.Load(files, "")
		require.NoError(t, err, "%q", text)
		assert.Equal(t, text, suite.Name)
		entry := suite.Categories[0].Entries[0]
		assert.Equal(t, 5, strings.Count(pyval.Repr(entry.Row)+pyval.Repr(entry.Answer), pyval.Repr(pyval.Str(text))), "%q", text)
	}
}

// TestLargeTools: references in a schema unfold, in each line's tools anew.
func TestLargeTools(t *testing.T) {
	schemas := `"s0": {"type": "string"}`
	for i := range 11 {
		schemas += fmt.Sprintf(`, "s%d": {"properties": {"a": {"$ref": "#/$defs/s%d"}, "b": {"$ref": "#/$defs/s%d"}}}`, i+1, i, i)
	}
	var lines strings.Builder
	for i := range 80 {
		fmt.Fprintf(&lines, `{"request": {"messages": [{"role": "user", "content": "x"}], "tools": [{"name": "f%d", "parameters": {"$defs": {%s}, "$ref": "#/$defs/s11"}}]}, "response": {"choices": [{"message": {"content": "no"}}]}}`+"\n", i, schemas)
	}
	log, err := calllog.Read(strings.NewReader(lines.String()), calllog.Any)
	require.NoError(t, err)
	require.NotEmpty(t, log.Skipped)
	assert.Contains(t, log.Skipped[len(log.Skipped)-1].Reason, "unfold to more than")
	assert.NotEmpty(t, log.Cases)
	load(t, log)

	lines.Reset()
	for i := range 20 {
		fmt.Fprintf(&lines, `{"request": {"messages": [{"role": "user", "content": "x"}], "tools": [{"name": "f%d", "description": %q}]}, "response": {"choices": [{"message": {"content": "no"}}]}}`+"\n", i, strings.Repeat("x", 1<<19))
	}
	log, err = calllog.Read(strings.NewReader(lines.String()), calllog.Any)
	require.NoError(t, err)
	require.NotEmpty(t, log.Skipped)
	assert.Contains(t, log.Skipped[len(log.Skipped)-1].Reason, "larger than 8 MB")
	assert.NotEmpty(t, log.Cases)
}

// TestAsSent: a suite made of a log sends tools as the requests had them. One
// that is in the benchmark's form keeps that form for all.
func TestAsSent(t *testing.T) {
	const schema = `{"type": "object", "properties": {"to": {"oneOf": [{"type": "string", "format": "email"}, {"type": "integer"}]}, "share": {"type": "number"}}, "required": ["to"], "additionalProperties": false}`
	line := func(tools string) string {
		return `{"request": {"messages": [{"role": "user", "content": "hi"}], "tools": [` + tools + `]}, "response": {"choices": [{"message": {"content": "no"}}]}}` + "\n"
	}
	const framed = `{"type": "function", "function": {"name": "pay", "description": "Pays.", "strict": true, "parameters": ` + schema + `}}`
	const mcp = `{"name": "pay", "description": "Pays.", "inputSchema": ` + schema + `}`
	log, err := calllog.Read(strings.NewReader(line(framed)+line(mcp)), calllog.Any)
	require.NoError(t, err)
	suite := load(t, log)
	assert.Equal(t, ownsuite.Verbatim, suite.Send)
	require.Len(t, suite.Tools, 2)
	for i, want := range []string{
		`{"name": "pay", "description": "Pays.", "parameters": ` + schema + `, "strict": true}`,
		`{"name": "pay_2", "description": "Pays.", "parameters": ` + schema + `}`,
	} {
		sent, err := pyval.AppendJSON(nil, suite.Tools[i].Written, pyval.JSONUnicode)
		require.NoError(t, err)
		assert.Equal(t, want, string(sent))
	}
	log, err = calllog.Read(strings.NewReader(line(framed)+line(`{"name": "f", "parameters": {"type": "dict", "properties": {"x": {"type": "float"}}}}`)), calllog.Any)
	require.NoError(t, err)
	assert.Equal(t, ownsuite.AsBFCL, load(t, log).Send)
}

// TestHistories: earlier calls and their results are kept, secrets in them masked,
// and the suite that is written can be read.
func TestHistories(t *testing.T) {
	const line = `{"request": {"messages": [{"role": "user", "content": "Order a kettle."}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{\"q\": \"sk-abcdefghijklmnopqrst\"}"}}]}, {"role": "tool", "tool_call_id": "c1", "content": "[17]"}], "tools": [{"name": "find", "parameters": {"type": "object", "properties": {"q": {"type": "string"}}}}, {"name": "order", "parameters": {"type": "object", "properties": {"id": {"type": "integer"}}}}]}, "response": {"choices": [{"message": {"tool_calls": [{"function": {"name": "order", "arguments": "{\"id\": 17}"}}]}}]}}`
	log, err := calllog.Read(strings.NewReader(line+"\n"), calllog.Any)
	require.NoError(t, err)
	require.Len(t, log.Cases, 1, log.Skipped)
	assert.Equal(t, 1, log.Masked)
	s := load(t, log)
	question, _ := s.Categories[0].Entries[0].Row.GetStr("question")
	assert.Equal(t, `[[{'role': 'user', 'content': 'Order a kettle.'}, {'role': 'assistant', 'content': '', 'tool_calls': [{'id': 'c1', 'name': 'find', 'arguments': '{"q": "***"}'}]}, {'role': 'tool', 'content': '[17]', 'tool_call_id': 'c1', 'name': 'find'}]]`, pyval.Repr(question))
}
