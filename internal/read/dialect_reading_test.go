package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

// readings are completions: what is kept, the message for the history but for
// its role, and what the model thought.
var readings = []struct{ dialect, in, kept, message, reasoning string }{
	{"prompt", "[f()]", "'[f()]'", "{'content': '[f()]'}", ""},
	{"qwen", "<think>\nHm.\n</think>\n\n[f()]", "'[f()]'", "{'content': '[f()]', 'reasoning_content': 'Hm.'}", "Hm."},
	{"qwen", "[f()]", "'[f()]'", "{'content': '[f()]', 'reasoning_content': ''}", ""},
	{"qwen-fc", "Hm.</think>I call.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>",
		`'I call.\n<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'`,
		"{'content': '', 'tool_calls': [{'name': 'f', 'arguments': {}}], 'reasoning_content': 'Hm.'}", "Hm."},
	{"granite-4", "talk", "'talk'", "{'content': 'talk'}", ""},
	{"deepseek-r1", "Hm.</think>\n[f()]", `'\n[f()]'`, `{'content': 'Hm.</think>\n[f()]'}`, "\n[f()]"},
	{"deepseek-r1", "[f()]", "'[f()]'", "{'content': '[f()]'}", ""},
	{"arch", "<tool_call>\n{'name': 'f', 'arguments': {'a': None}}\n</tool_call>", "[{'f': {'a': None}}]",
		`{'content': None, 'tool_calls': ["{'name': 'f', 'arguments': {'a': None}}"]}`, ""},
	{"arch", "talk", "'talk'", "{'content': 'talk'}", ""},
	{"granite-3", "<|tool_call|>[{\"name\": \"f\", \"arguments\": {}}, \"{'name': 'g', 'arguments': {}}\"]", "[{'f': {}}, {'g': {}}]",
		`{'content': '<|tool_call|>[{"name": "f", "arguments": {}}, "{\'name\': \'g\', \'arguments\': {}}"]'}`, ""},
	{"granite-3", "<|tool_call|>[]", "'<|tool_call|>[]'", "{'content': '<|tool_call|>[]'}", ""},
	{"granite-3", "<tool_call>\n{\"name\":\"f\",\"arguments\":[1]}\n</tool_call>", "[{'f': [1]}]",
		`{'content': '<tool_call>\n{"name":"f","arguments":[1]}\n</tool_call>'}`, ""},
	{"phi-fc", "<|tool_call|>[{\"name\": \"f\", \"arguments\": [1]}]<|/tool_call|>", "[{'f': [1]}]",
		`{'content': '<|tool_call|>[{"name": "f", "arguments": [1]}]<|/tool_call|>'}`, ""},
	{"phi-fc", "<|tool_call|>{\"name\": \"f\", \"arguments\": {}}<|/tool_call|>", "[{'f': {}}]",
		`{'content': '<|tool_call|>{"name": "f", "arguments": {}}<|/tool_call|>'}`, ""},
	{"mistral-fc", "[{\"name\": \"f\", \"arguments\": {}}]", "[{'f': {}}]",
		`{'content': '[TOOL_CALLS][{"name": "f", "arguments": {}, "id": "c00000001"}]'}`, ""},
}

func TestDialectRead(t *testing.T) {
	for _, c := range readings {
		r, err := dialect.Find(c.dialect).Read(c.in, nil, nil)
		require.NoError(t, err, "%s: %q", c.dialect, c.in)
		assert.Equal(t, c.kept, pyval.Repr(r.Kept), "%s: %q", c.dialect, c.in)
		assert.Equal(t, c.reasoning, r.Reasoning, "%s: %q", c.dialect, c.in)
		role, _ := r.Message.GetStr("role")
		assert.Equal(t, pyval.Value(pyval.Str("assistant")), role)
		m := r.Message.Clone()
		m.Delete(pyval.Str("role"))
		assert.Equal(t, c.message, pyval.Repr(m), "%s: %q", c.dialect, c.in)
	}
}

// TestDialectReadFails: what a handler of upstream's raises at is kept as text.
func TestDialectReadFails(t *testing.T) {
	for _, c := range []struct{ dialect, in string }{
		{"arch", "<tool_call>\nopen('x')\n</tool_call>"},
		{"granite-3", `<|tool_call|>["open('x')"]`},
		{"phi-fc", `<|tool_call|>["f"]`},
		{"mistral-fc", "[1]"},
		{"mistral-fc", "3"},
	} {
		r, err := dialect.Find(c.dialect).Read(c.in, nil, nil)
		assert.Error(t, err, "%s: %q", c.dialect, c.in)
		assert.Equal(t, pyval.Value(pyval.Str(c.in)), r.Kept, c.dialect)
		require.NotNil(t, r.Message, c.dialect)
		_, err = dialect.Find(c.dialect).Execute(r.Kept, dialect.V4(decode.Python))
		assert.Error(t, err, "%s: %q has no calls", c.dialect, c.in)
	}
}

func FuzzDialectRead(f *testing.F) {
	for _, c := range readings {
		f.Add(c.dialect, c.in)
	}
	for _, r := range rows {
		if s, ok := parsed(r.in).(pyval.Str); ok {
			f.Add(r.dialect, string(s))
		}
	}
	for _, c := range completions {
		f.Add(c.dialect, c.in)
	}
	for _, d := range dialect.All() {
		f.Add(d.Name, d.Example())
	}
	tools := lampTools(f)
	f.Fuzz(func(t *testing.T, name, in string) {
		d := dialect.Find(name)
		if d == nil {
			return
		}
		r, err := d.Read(in, tools, nil)
		if r.Kept == nil || r.Message == nil {
			t.Fatalf("nothing is kept: %v", err)
		}
		got, err := d.Decode(r.Kept, dialect.V4(decode.Python))
		if err == nil && got == nil {
			t.Fatal("neither a value nor an error")
		}
		_, _ = d.Execute(r.Kept, dialect.V4(decode.Python))
	})
}
