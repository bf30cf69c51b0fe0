package read_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
)

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
