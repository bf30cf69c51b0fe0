package read_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"

	"github.com/gobfcl/bfcl/internal/test/testkit"
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
	{"mistral-fc", "[{\"name\": \"f\", \"arguments\": {\"a\": \"é\"}}, {\"name\": \"g\", \"arguments\": 5}]", "[{'f': {'a': 'é'}}, {'g': 5}]",
		`{'content': '[TOOL_CALLS][{"name": "f", "arguments": {"a": "\\u00e9"}, "id": "c00000001"}, {"name": "g", "arguments": 5, "id": "c00000002"}]'}`, ""},
	{"mistral-fc", "talk", "'talk'", "{'content': 'talk'}", ""},
	{"nanbeige", "Hm.</think>I call.", "'I call.'", "{'content': 'I call.', 'reasoning_content': 'Hm.'}", "Hm."},
	{"pelican", "Hm.</think>I call.", "'I call.'", "{'content': 'I call.', 'reasoning_content': 'Hm.'}", "Hm."},
	{"qwen", "\na</think>\nb</think>\n\nc\n", `'c\n'`, `{'content': 'c\n', 'reasoning_content': 'a'}`, "a"},
	{"qwen", "Well <think>\n\nHm.\n\n</think>c", "'c'", "{'content': 'c', 'reasoning_content': 'Hm.'}", "Hm."},
	{"deepseek-r1", "</think>[f()]</think>[g()]", "'[g()]'", "{'content': '</think>[f()]</think>[g()]'}", "[g()]"},
	{"deepseek-r1", "</think>[f()]", "'[f()]'", "{'content': '</think>[f()]'}", "[f()]"},
	{"granite-4", "I call.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call><tool_call>\n5\n</tool_call>",
		`'I call.\n<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call><tool_call>\n5\n</tool_call>'`, "{'content': '', 'tool_calls': [{'name': 'f', 'arguments': {}}, 5]}", ""},
	{"arch", "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call><tool_call>\n{'name': 'g', 'arguments': ()}\n</tool_call>", "[{'f': {}}, {'g': ()}]",
		`{'content': None, 'tool_calls': [{'name': 'f', 'arguments': {}}, "{'name': 'g', 'arguments': ()}"]}`, ""},
	{"granite-3", "talk", "'talk'", "{'content': 'talk'}", ""},
	{"granite-3", "<|tool_call|>talk", "'<|tool_call|>talk'", "{'content': '<|tool_call|>talk'}", ""},
	{"granite-3", "<|tool_call|>[{\"name\": \"f\", \"arguments\": {}, \"id\": 1}]", `'<|tool_call|>[{"name": "f", "arguments": {}, "id": 1}]'`,
		`{'content': '<|tool_call|>[{"name": "f", "arguments": {}, "id": 1}]'}`, ""},
	{"granite-3", "<|tool_call|>[{\"name\": \"f\"}]", `'<|tool_call|>[{"name": "f"}]'`, `{'content': '<|tool_call|>[{"name": "f"}]'}`, ""},
	{"granite-3", "<|tool_call|>[{\"name\": \"f\", \"args\": {}}]", `'<|tool_call|>[{"name": "f", "args": {}}]'`, `{'content': '<|tool_call|>[{"name": "f", "args": {}}]'}`, ""},
	{"granite-3", "<|tool_call|>[5]", "'<|tool_call|>[5]'", "{'content': '<|tool_call|>[5]'}", ""},
	{"phi-fc", "<|tool_call|>[{\"name\": \"f\", \"arguments\": {}}]", "[{'f': {}}]", `{'content': '<|tool_call|>[{"name": "f", "arguments": {}}]'}`, ""},
	{"phi-fc", "<|tool_call|> {\"name\": \"f\", \"arguments\": {}} <|/tool_call|><|tool_call|>[{\"name\": \"g\", \"arguments\": {}}]<|/tool_call|>", "[{'f': {}}, {'g': {}}]",
		`{'content': '<|tool_call|> {"name": "f", "arguments": {}} <|/tool_call|><|tool_call|>[{"name": "g", "arguments": {}}]<|/tool_call|>'}`, ""},
	{"phi-fc", "talk", "'talk'", "{'content': 'talk'}", ""},
	{"tool-call", "<think>a</think>\n<think>b</think>I look.\n<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"é\"}}</tool_call> More.<tool_call>{\"name\": \"g\"}</tool_call>", `[{'f': '{"a": "é"}'}, {'g': '{}'}]`,
		"{'content': 'I look.', 'tool_calls': [{'name': 'f', 'arguments': {'a': 'é'}}, {'name': 'g', 'arguments': {}}], 'reasoning_content': 'a\\nb'}", "a\nb"},
	{"tool-call", "a</think>b</think>c", "'b</think>c'", "{'content': 'b</think>c', 'reasoning_content': 'a'}", "a"},
	{"harmony", "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|>", "[{'f': '{}'}]",
		"{'content': 'I look.', 'tool_calls': [{'name': 'f', 'arguments': {}}], 'reasoning_content': 'Hm.'}", "Hm."},
	{"apriel", "Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nNo lamp.", "'No lamp.'", "{'content': 'No lamp.', 'reasoning_content': 'Hm.'}", "Hm."},
}

// reasoning are the dialects that separate reasoning, beside those with an example.
var reasoning = []string{"deepseek-r1", "nanbeige", "pelican", "qwen", "qwen-fc"}

func TestDialectRead(t *testing.T) {
	for _, c := range readings {
		r, err := dialect.Find(c.dialect).Read(c.in, nil, nil)
		require.NoError(t, err, "%s: %q", c.dialect, c.in)
		assert.Equal(t, c.kept, pyval.Repr(r.Kept), "%s: %q", c.dialect, c.in)
		assert.Equal(t, c.reasoning, r.Reasoning, "%s: %q", c.dialect, c.in)
		assert.Equal(t, slices.Contains(reasoning, c.dialect) || dialect.Find(c.dialect).Example() != "", r.Reasons, c.dialect)
		role, _ := r.Message.GetStr("role")
		assert.Equal(t, pyval.Value(pyval.Str("assistant")), role)
		m := r.Message.Clone()
		m.Delete(pyval.Str("role"))
		assert.Equal(t, c.message, pyval.Repr(m), "%s: %q", c.dialect, c.in)
	}
}

// TestDialectCallIDs: calls get the ids that are given, or count.
func TestDialectCallIDs(t *testing.T) {
	made := ""
	id := func() string { made += "x"; return made }
	for _, c := range []struct {
		id   func() string
		want []string
	}{{id, []string{"x", "xx"}}, {nil, []string{"c00000001", "c00000002"}}} {
		r := testkit.Must(dialect.Find("mistral-fc").Read(`[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]`, nil, c.id))(t)
		assert.Equal(t, c.want, r.CallIDs)
	}
}

// TestDialectDepths: values within values, and lines of a statement, are read up to
// a bound and not beyond.
func TestDialectDepths(t *testing.T) {
	within := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	for _, c := range []struct {
		dialect, open, end, head, foot string
		most                           int
		beyond                         string
	}{
		{"functiongemma", "[", "]", "<start_function_call>call:f{a:", "}<end_function_call>", 200, within("[", "None", "]", 200)},
		{"functiongemma", "{a:", "}", "<start_function_call>call:f{a:", "}<end_function_call>", 200, within("{'a': ", "None", "}", 200)},
		{"minimax-m3", "<a>", "</a>", `<invoke name="f">`, "</invoke>", 100, ""},
		{"minicpm-fc", "\n", "", "<|tool_call_start|>f(a=", ")<|tool_call_end|>", 199, ""},
	} {
		for _, n := range []int{c.most, c.most + 1} {
			v, err := dialect.Find(c.dialect).Decode(pyval.Str(c.head+within(c.open, "1", c.end, n)+c.foot), dialect.V4(decode.Python))
			want := map[string]string{"[": within("[", "1", "]", n), "{a:": within("{'a': ", "1", "}", n), "<a>": within("{'a': ", "1", "}", n-1), "\n": "1"}[c.open]
			if n > c.most && c.beyond == "" {
				assert.True(t, err != nil || decode.IsEmpty(v), "%s %q: %v", c.dialect, c.open, v)
				continue
			}
			if n > c.most {
				want = c.beyond
			}
			require.NoError(t, err, "%s %q %d", c.dialect, c.open, n)
			assert.Equal(t, "[{'f': {'a': "+want+"}}]", pyval.Repr(v), "%s %q %d", c.dialect, c.open, n)
		}
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
		assert.Error(t, testkit.Err(dialect.Find(c.dialect).Execute(r.Kept, dialect.V4(decode.Python))), "%s: %q has no calls", c.dialect, c.in)
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

// Where nothing may be called, an answer from which no call was read is right;
// these hold one, or do not.
var answersWithout = []struct {
	in   string
	want bool
}{
	// In fields of their own.
	{`[{"": ""}]`, true}, // of tool_calls: [null]
	{`[null]`, true},
	{`[{"area": "{\"side\": 1"}]`, true},
	{`[{"python": "print(1)"}]`, true},
	{`["Nothing fits.", {"area": "{}"}]`, true},
	{`["[area(side=1)]"]`, true},
	{`["Nothing fits."]`, false},
	{`[]`, false},
	{`null`, false},

	// Marks, whatever stands between them and whatever they name.
	{`"<tool_call>\n{\"name\": \"area\", \"arguments\": {\"side\": 1}}\n</tool_call>"`, true},
	{`"<tool_call>\n{\"name\": \"other\", \"arguments\": {}}\n</tool_call>"`, true},
	{`"<tool_call>\n{\"name\": \"area\", \"arguments\": {\"side\": I}}\n</tool_call>"`, true},
	{`"I look.\n<tool_call>\n<function=area>\n</function>\n</tool_call>\nDone."`, true},
	{`"[TOOL_CALLS]area[ARGS]{\"side\": 1}"`, true},
	{`"<think>Hm.</think>\n\nNothing fits."`, false},
	{`"<tool_calls>[]</tool_calls>"`, false},
	{`"<tool_call>[]</tool_call>"`, false},
	{`"<|START_ACTION|>[{\"tool_name\": \"directly_answer\", \"parameters\": {}}]<|END_ACTION|>"`, false},
	{`"<function_call> {\"name\": \"no_function\", \"arguments\": {}}"`, false},
	{`"Thought: no.\nAction: ask for the side.\nAction Input: side"`, false},

	// Texts that are a call.
	{`"[area(side=1)]"`, true},
	{`"area(side=1)"`, true},
	{`"[area(1)]"`, true},
	{`"[other(1), sqrt(2)]"`, true},
	{`"[area(side=?)]"`, true},
	{`"[\"area(side=1, unit='cm')\"]"`, true},
	{"\"```python\\narea(side=1)\\n```\"", true},
	{`"{\"name\": \"area\", \"parameters\": {\"side\": 1}}"`, true},
	{`"{\"name\": \"shape.area\", \"parameters\": {\"side\": \"a\"b\"}}"`, true},
	{`"{\"name\": \"other\", \"parameters\": {\"side\": 1}}"`, true},
	{`"[{'name': 'area', 'parameters': {'side': True}}]"`, true},
	{`"[area(side=1)]\n\nThis gives the area, which is not what you want."`, true},
	{`"Nothing fits, but:\n\n[area(side=1)]"`, true},
	{"\"The call is:\\n```json\\n{\\\"name\\\": \\\"area\\\", \\\"arguments\\\": {\\\"side\\\": 1}}\\n```\"", true},

	// Words, examples and documents.
	{`""`, false},
	{`"Nothing fits (I looked)."`, false},
	{`"area(side) gives the area of a square, so nothing fits."`, false},
	{`"The function 'area' needs a side; {\"side\": 1} is one."`, false},
	{"\"You may call it so:\\n```json\\n{\\\"name\\\": \\\"area\\\", \\\"arguments\\\": {\\\"side\\\": 1}}\\n```\\nbut nothing is to be called.\"", false},
	{"\"A function in Python:\\n```python\\ndef f(x):\\n    return round(x)\\n```\"", false},
	{"\"It is\\n```python\\nround(3.4)\\n```\"", false},
	{`"[{'name': 'None', 'description': 'nothing fits'}]"`, false},
	{`"{\"content\": \"I cannot.\", \"role\": \"assistant\"}"`, false},
	{`"{\"error\": \"the function 'area' does not fit\"}"`, false},
	{`"{}"`, false},
	{`"[1, 2]"`, false},
	{`"See [the manual](https://example.org/area)."`, false},
	{`"[{\"name\": \"area\", \"description\": \"d\", \"parameters\": {\"type\": \"dict\", \"properties\": {\"side\": {\"type\": \"float\"}}}}]"`, false},
	{`"out_of_domain(question='area')"`, false},
}

var holdsTools = []*pyval.Dict{
	parsed(`{"name": "area", "parameters": {"type": "dict", "properties": {"side": {"type": "float"}}, "required": ["side"]}}`).(*pyval.Dict),
	parsed(`{"name": "shape.area"}`).(*pyval.Dict),
}

func TestDialectHolds(t *testing.T) {
	for _, row := range answersWithout {
		assert.Equal(t, row.want, dialect.Holds(parsed(row.in), holdsTools), row.in)
	}
	for _, d := range dialect.All() {
		if example := d.Example(); example != "" {
			assert.True(t, dialect.Holds(pyval.Str(example), []*pyval.Dict{parsed(`{"name": "f"}`).(*pyval.Dict)}), d.Name)
		}
	}
	args := parsed(`{"name": "f", "parameters": {"properties": {"properties": {}}}}`).(*pyval.Dict)
	assert.True(t, dialect.Holds(pyval.Str(`{"name": "f", "parameters": {"properties": {}}}`), []*pyval.Dict{args}), "a parameter of that name is no document")
}

// FuzzDialectHolds: no text of a model's makes the search for calls fail.
func FuzzDialectHolds(f *testing.F) {
	for _, row := range answersWithout {
		f.Add(row.in, "area")
	}
	f.Fuzz(func(_ *testing.T, in, name string) {
		tool := pyval.NewDict(1)
		tool.SetStr("name", pyval.Str(name))
		for _, tools := range [][]*pyval.Dict{nil, holdsTools, {tool, pyval.NewDict(0)}} {
			_ = dialect.Holds(pyval.Str(in), tools)
			_ = dialect.Holds(parsed(in), tools)
		}
	})
}

func TestDialectCandidates(t *testing.T) {
	answers := []pyval.Value{
		pyval.Str("{'name': 'f', 'parameters': {'a': True}}"), pyval.Str("talk"),
		pyval.Str(`{"name": "a.b", "parameters": {"a": 1}}`), pyval.None,
	}
	docs := testkit.Must(pyval.ParseJSON(`[{"name": "f"}, {"name": "a.b", "parameters": {"required": ["a"]}}]`))(t)
	var tools []*pyval.Dict
	for _, doc := range docs.(*pyval.List).Items {
		tools = append(tools, doc.(*pyval.Dict))
	}
	found := dialect.Candidates(answers, slices.Repeat([][]*pyval.Dict{tools}, 6), dialect.V4(decode.Python))
	require.Len(t, found, 2, "others find calls without arguments")
	assert.Equal(t, "llama-fc", found[0].Dialect.Name)
	assert.Equal(t, "json", found[1].Dialect.Name)
	assert.Equal(t, 2, found[0].Reads)
	answers = append(answers, pyval.Str(`{"name": "f", "parameters": {"a": true}}`), pyval.Str(`{"name": "f", "parameters": {"a": null}}`))
	found = dialect.Candidates(answers, slices.Repeat([][]*pyval.Dict{tools}, 6), dialect.V4(decode.Python))
	require.NotEmpty(t, found)
	assert.Equal(t, []any{"json", 4}, []any{found[0].Dialect.Name, found[0].Reads}, "the one that reads most first")
	assert.Empty(t, dialect.Candidates(nil, nil, dialect.V4(decode.Python)))
	for _, text := range []string{`{"name": "a_b", "parameters": {"a": 1}}`, `{"name": "a\u002eb", "parameters": {"a": 1}}`} {
		assert.NotEmpty(t, dialect.Candidates([]pyval.Value{pyval.Str(text)}, [][]*pyval.Dict{tools}, dialect.V4(decode.Python)), text)
	}
}

func TestDialectMeant(t *testing.T) {
	tool := testkit.Must(pyval.ParseJSON(`{"name": "a.b", "parameters": {"required": ["x", "y"]}}`))(t)
	for in, want := range map[string]bool{
		`[{"a.b": {"x": 1}}]`: true, `[{"a_b": {"y": 1, "z": 2}}]`: true, `[]`: true,
		`[{"a.b": {}}]`: false, `[{"a.b": {"z": 1}}]`: false, `[{"c": {"x": 1}}]`: false, `[1]`: false, `[{}]`: false, `[{"a.b": 1}]`: false,
	} {
		assert.Equal(t, want, dialect.Meant([]*pyval.Dict{pyval.NewDict(0), tool.(*pyval.Dict)}, parsed(in).(*pyval.List).Items), in)
	}
}

// TestDialectMeantForFewParameters: a call of a tool that requires nothing, or does
// not say what it requires, may have any arguments.
func TestDialectMeantForFewParameters(t *testing.T) {
	for _, parameters := range []string{`, "parameters": {}`, `, "parameters": {"required": []}`, `, "parameters": {"required": "x"}`, `, "parameters": 5`, ``} {
		tool := parsed(`{"name": "f"` + parameters + `}`).(*pyval.Dict)
		for _, call := range []string{`[{"f": {}}]`, `[{"f": {"a": 1}}]`, `[{"f": 5}]`} {
			assert.True(t, dialect.Meant([]*pyval.Dict{tool}, parsed(call).(*pyval.List).Items), "%s %s", parameters, call)
		}
	}
}

// TestDialectBest: the dialect that reads most is recommended, of equals the own
// one, then one of later models, then the first.
func TestDialectBest(t *testing.T) {
	of := func(name string, reads int) dialect.Candidate {
		return dialect.Candidate{Dialect: dialect.Find(name), Reads: reads}
	}
	require.NotEmpty(t, dialect.Find("lfm2").Example())
	require.Empty(t, dialect.Find("granite-3").Example())
	for _, c := range []struct {
		found     []dialect.Candidate
		own, want string
	}{
		{[]dialect.Candidate{of("granite-3", 1), of("arch", 2)}, "granite-3", "arch"},
		{[]dialect.Candidate{of("granite-3", 2), of("arch", 1)}, "arch", "granite-3"},
		{[]dialect.Candidate{of("granite-3", 2), of("arch", 2)}, "arch", "arch"},
		{[]dialect.Candidate{of("granite-3", 2), of("arch", 2)}, "", "granite-3"},
		{[]dialect.Candidate{of("granite-3", 2), of("lfm2", 2)}, "", "lfm2"},
		{[]dialect.Candidate{of("lfm2", 2), of("granite-3", 2)}, "", "lfm2"},
		{[]dialect.Candidate{of("lfm2", 2), of("granite-3", 2)}, "granite-3", "granite-3"},
		{[]dialect.Candidate{of("granite-3", 0)}, "", "granite-3"},
	} {
		best, ok := dialect.Best(c.found, c.own)
		assert.True(t, ok)
		assert.Equal(t, c.want, best.Dialect.Name, "%v %q", c.found, c.own)
	}
	_, ok := dialect.Best(nil, "")
	assert.False(t, ok)
}
