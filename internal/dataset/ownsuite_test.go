package dataset_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const (
	plainSuite = `name: s
tools: [{functions: t.yaml}]
categories: [{name: a, kind: multiple, weight: 2.5, cases: c.yaml}]
`
	plainTools = `- name: f
  parameters: {type: object, properties: {x: {type: integer}, y: {type: number}}, required: [x]}
- name: g
`
	plainCases = "- {id: a_0, question: Do f., expect: {f: {x: 1}}}\n"
)

// folder returns a suite's files: the plain ones, some of them replaced.
func folder(with map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range map[string]string{"suite.yaml": plainSuite, "t.yaml": plainTools, "c.yaml": plainCases} {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for name, text := range with {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestSuiteLoad(t *testing.T) {
	s := testkit.Must(ownsuite.Load(folder(nil), "dir"))(t)
	require.Len(t, s.Categories, 1)
	c := s.Categories[0]
	assert.Equal(t, eval.Multiple, c.Rule)
	assert.InDelta(t, 2.5, c.Weight, 0)
	require.Len(t, c.Entries, 1)
	entry := c.Entries[0]
	assert.Equal(t, "dir/c.yaml", entry.File)
	assert.Equal(t, "{'id': 'a_0', 'question': [[{'role': 'user', 'content': 'Do f.'}]], 'function': ["+
		"{'name': 'f', 'description': '', 'parameters': {'type': 'dict', 'properties': {'x': {'type': 'integer', 'description': ''}, 'y': {'type': 'float', 'description': ''}}, 'required': ['x']}}, "+
		"{'name': 'g', 'description': '', 'parameters': {'type': 'dict', 'properties': {}, 'required': []}}]}", pyval.Repr(entry.Row))
	assert.Equal(t, "[{'f': {'x': [1]}}]", pyval.Repr(entry.Answer))
	assert.Equal(t, []string{"suite.yaml", "t.yaml", "c.yaml"}, s.Files)
}

// TestSuiteAnswers: expected calls are read into the benchmark's form.
func TestSuiteAnswers(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"{f: {x: 1}}", "[{'f': {'x': [1]}}]"},
		{"[f: {x: 1.0}]", "[{'f': {'x': [1.0]}}]"},
		{"{f: }", "[{'f': {}}]"},
		{"[f]", "[{'f': {}}]"},
		{"{f: {x: {any_of: [a, b]}}}", "[{'f': {'x': ['a', 'b']}}]"},
		{"{f: {x: {any_of: [a], optional: true}}}", "[{'f': {'x': ['a', '']}}]"},
		{"{f: {o: {value: {any_of: [1]}, optional: false}}}", "[{'f': {'o': [{'any_of': [[1]]}]}}]"},
		{"{f: {x: [1, 2]}}", "[{'f': {'x': [[1, 2]]}}]"},
		{"{f: {o: {k: {any_of: [v, w]}, n: {m: true}}}}", "[{'f': {'o': [{'k': ['v', 'w'], 'n': [{'m': True}]}]}}]"},
		{"{f: {x: 2024-01-31, y: null, z: 007abc}}", "[{'f': {'x': ['2024-01-31'], 'y': [None], 'z': ['007abc']}}]"},
		{"{f: {x: 123456789012345678901234567890}}", "[{'f': {'x': [123456789012345678901234567890]}}]"},
		{"{f: {optional: true}}", "[{'f': {'optional': [True]}}]"},
	} {
		const tools = `[{name: f, parameters: {type: object, properties: {x: {type: integer}, o: {type: object}}}}]`
		s, err := ownsuite.Load(folder(map[string]string{"t.yaml": tools, "c.yaml": "- {id: a, question: q, expect: " + c.src + "}"}), "")
		require.NoError(t, err, c.src)
		assert.Equal(t, c.want, pyval.Repr(s.Categories[0].Entries[0].Answer), c.src)
	}
}

// TestSuiteMatchers: matchers are read; one that cannot apply is refused with
// its place.
func TestSuiteMatchers(t *testing.T) {
	const tools = `[{name: f, parameters: {type: object, properties: {s: {type: string}, n: {type: number}, l: {type: array, items: {type: string}}, o: {type: object, properties: {date: {type: string}}}, a: {}}}}]`
	load := func(expect string) (*ownsuite.Suite, error) {
		suite := strings.Replace(plainSuite, "multiple", "parallel_multiple", 1)
		return ownsuite.Load(folder(map[string]string{"suite.yaml": suite, "t.yaml": tools, "c.yaml": "- {id: a, question: q, expect: " + expect + "}"}), "")
	}
	for _, c := range []struct{ src, want, example string }{
		{"{f: {s: {matches: '^a+$'}}}", `[f(s=matches "^a+$")]`, "[{'f': {'s': ['a']}}]"},
		{"{f: {s: {contains: [a, b], optional: true}}}", `[f(s=contains "a", "b" (optional))]`, "[{'f': {'s': ['a b']}}]"},
		{"{f: {s: {any_of: [x, {contains: y}]}}}", `[f(s='x' or contains "y")]`, "[{'f': {'s': ['x']}}]"},
		{"{f: {n: {number: 20, within: 5%}}}", `[f(n=number 20 within 5%)]`, "[{'f': {'n': [20]}}]"},
		{"{f: {l: {unordered: [a, {matches: b}]}}}", `[f(l=unordered ['a', matches "b"])]`, "[{'f': {'l': [['a', 'b']]}}]"},
		{"{f: {s: {func: x.y, example: q}}}", `[f(s=func x.y)]`, "[{'f': {'s': ['q']}}]"},
		{"{f: {o: {value: {date: {contains: '2025'}}}}}", `[f(o={date: contains "2025"})]`, "[{'f': {'o': [{'date': ['2025']}]}}]"},
		{"{f: {o: {x: {y: {any_of: [1, 2]}}}}}", `[f(o={x: {y: 1 or 2}})]`, "[{'f': {'o': [{'x': [{'y': 1}]}]}}]"},
		{"{in_order: [{f: {n: 1}}, f]}", `in_order [f(n=1), f()]`, "[{'f': {'n': [1]}}, {'f': {}}]"},
		{"{at_least: [f], ordered: true, none_of: [{f: {n: 2}}]}", `at_least ordered [f()] none_of [f(n=2, …)]`, "[{'f': {}}]"},
		{"{at_most: [f]}", `at_most [f()]`, "[{'f': {}}]"},
	} {
		s, err := load(c.src)
		require.NoError(t, err, c.src)
		entry := s.Categories[0].Entries[0]
		assert.True(t, entry.Matched)
		assert.Equal(t, c.want, entry.Expect.String())
		assert.Equal(t, c.example, pyval.Repr(entry.Answer))
	}
	for src, want := range map[string]string{
		"{f: {s: {matches: '('}}}":                         "matches: error parsing regexp",
		"{f: {s: {matches: ''}}}":                          "matches: want a non-empty string",
		"{f: {s: {contains: []}}}":                         "contains: want a string or a list of strings",
		"{f: {s: {contains: a, matches: b}}}":              "contains, matches: use one matcher at a time, or several under any_of",
		"{f: {n: {number: x}}}":                            "number: want a number",
		"{f: {n: {number: 1, within: -1}}}":                "within: want a number of 0 or more",
		"{f: {s: {matches: a, within: 1}}}":                "within belongs to number",
		"{f: {l: {unordered: a}}}":                         "unordered: want a list",
		"{f: {s: {any_of: [{value: a, optional: true}]}}}": "write optional beside any_of",
		"{f: {s: {matches: a, example: b}}}":               "example: 'b' is refused by matches",
		"{f: {n: {contains: a}}}":                          "f.n is of type float, but contains is not for that type",
		"{f: {o: {contains: x}}}":                          "for an object with a field of that name, write value: {contains: …}",
		"{f: {o: {value: {date: {number: 3}}}}}":           "f.o.date is of type string, but number is not for that type",
		"{f: {s: {prefix: a}}}":                            `"prefix" is gone: use matches`,
		"{f: {s: {date: 2025-01-01}}}":                     `"date" is gone: list the forms under any_of, or use matches or func; for an object with a field of that name, write value: {date: …}`,
		"{f: {s: {date: 2025-01-01, order: day_first}}}":   `"order" is gone: it stood beside date`,
		"{f: {l: {subset_of: [a]}}}":                       `"subset_of" is gone: list the accepted lists`,
		"{f: {l: {includes: [a]}}}":                        `"includes" is gone: list the accepted lists`,
		"{f: {s: {present: true}}}":                        `"present" is gone: list the accepted values`,
		"{f: {s: {absent: true}}}":                         `"absent" is gone: leave the argument out`,
		"{in_order: [f], any_order: [f]}":                  "in_order and any_order exclude each other",
		"{in_order: [f], ordered: true}":                   "ordered belongs to at_least",
	} {
		_, err := load(src)
		if assert.Error(t, err, src) {
			assert.Contains(t, err.Error(), "c.yaml:1: ", src)
			assert.Contains(t, err.Error(), want, src)
		}
	}
}

// TestSuiteMessages: messages are texts; calls before the question are refused with
// what replaces them.
func TestSuiteMessages(t *testing.T) {
	load := func(messages string) (*ownsuite.Suite, error) {
		return ownsuite.Load(folder(map[string]string{"c.yaml": "- {id: a, expect: {f: {x: 1}}, messages: " + messages + "}"}), "")
	}
	s := testkit.Must(load("[{role: system, content: s}, {role: user, content: q}, {role: assistant, content: a}, {role: user, content: r}]"))(t)
	question, _ := s.Categories[0].Entries[0].Row.GetStr("question")
	assert.Equal(t, "[{'role': 'system', 'content': 's'}, {'role': 'user', 'content': 'q'}, {'role': 'assistant', 'content': 'a'}, {'role': 'user', 'content': 'r'}]", pyval.Repr(question.(*pyval.List).Items[0]))
	const turns = "is gone: write what comes before the last question as turns, with results"
	for src, want := range map[string]string{
		"[{role: user, content: q}, {role: tool, content: x}]":           "the role tool " + turns,
		"[{role: assistant, calls: [g]}, {role: user, content: x}]":      `"calls" ` + turns,
		"[{role: assistant, tool_calls: [g]}, {role: user, content: x}]": `"tool_calls" ` + turns,
		"[{role: user, content: q}, {role: assistant, content: a}]":      "the last one is the assistant's",
		"[{role: robot, content: x}]":                                    "the role must be system, user or assistant",
		"[]":                                                             "messages: want a list of role and content",
	} {
		_, err := load(src)
		if assert.Error(t, err, src) {
			assert.Contains(t, err.Error(), want, src)
		}
	}
}

// TestSuiteTalk: conversations with the suite's own tools are read.
func TestSuiteTalk(t *testing.T) {
	suite := strings.Replace(plainSuite, "multiple", "multi_turn", 1)
	load := func(rest string) (*ownsuite.Suite, error) {
		return ownsuite.Load(folder(map[string]string{"suite.yaml": suite, "c.yaml": "- {id: a, " + rest + "}"}), "")
	}
	s := testkit.Must(load("turns: [{question: one, expect: [{f: {x: 1}}, g]}, {question: two}], results: [{call: f, result: {ok: true}}, {call: {f: {x: 2}}, error: no}, {call: g, result: text}]"))(t)
	entry := s.Categories[0].Entries[0]
	assert.Equal(t, "turn 1: in_order [f(x=1), g()]; turn 2: in_order []", entry.Turns.String())
	assert.Equal(t, "[['f(x=1)', 'g()'], []]", pyval.Repr(entry.Answer))
	assert.Equal(t, []string{`{"ok": true}`, `{"error": "no"}`, "text"}, []string{entry.Script[0].Result, entry.Script[1].Result, entry.Script[2].Result})
	for src, want := range map[string]string{
		"turns: []": "a conversation needs turns",
		"turns: [{question: q, expect: {f: {x: {matches: '('}}}}]": "matches: ",
		"turns: [{question: q}], results: [{call: f}]":             "a row needs call, and either result or error",
		"turns: [{question: q}], results: [{call: z, result: 1}]":  `there is no tool "z"`,
		"turns: [{question: q}], results: {f: 1}":                  "want a list of call and result",
		"turns: [{question: q, messages: []}]":                     "either question (a text) or messages",
		"question: q":                                              `unknown key "question"`,
	} {
		_, err := load(src)
		if assert.Error(t, err, src) {
			assert.Contains(t, err.Error(), want, src)
		}
	}
}

func TestSuiteFaults(t *testing.T) {
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	for _, c := range []struct{ name, file, text, want string }{
		{"unknown key", "suite.yaml", "name: s\ntols: []\n", `suite.yaml:2: the suite: unknown key "tols"; did you mean "tools"?`},
		{"no categories", "suite.yaml", "name: s\n", "suite.yaml:1: categories is missing or empty"},
		{"no name", "suite.yaml", "categories: []\n", "suite.yaml:1: name is missing"},
		{"kind", "suite.yaml", "name: s\ncategories:\n- {name: a, kind: multipel, cases: c.yaml}\n", `suite.yaml:3: category "a": unknown kind "multipel"`},
		{"language", "suite.yaml", "name: s\ncategories:\n- {name: a, kind: multi_turn, language: java, cases: c.yaml}\n", "kind multi_turn must have language python"},
		{"taken", "suite.yaml", "name: s\ncategories:\n- {name: live, kind: simple, cases: c.yaml}\n", "the benchmark has a category or group of that name"},
		{"category name", "suite.yaml", "name: s\ncategories:\n- {name: ../x, kind: simple, cases: c.yaml}\n", "lower-case letters"},
		{"twice", "suite.yaml", plainSuite + "name: t\n", `"name"`},
		{"weight", "suite.yaml", strings.Replace(plainSuite, "2.5", "-1", 1), "suite.yaml:3: weight: want a number of 0 or more"},
		{"outside", "suite.yaml", strings.Replace(plainSuite, "c.yaml", "../c.yaml", 1), `"../c.yaml" is not a path in the suite's folder`},
		{"missing", "suite.yaml", strings.Replace(plainSuite, "c.yaml", "d.yaml", 1), `suite.yaml:3: the file "d.yaml" is not there`},
		{"two documents", "c.yaml", "- {}\n---\n- {}\n", "c.yaml:2: a second document"},
		{"empty", "c.yaml", "", "c.yaml: the file is empty"},
		{"not YAML", "c.yaml", "- {id: a\n- b: ]\n", "not YAML"},
		{"alias bomb", "c.yaml", "- &a [x, x]\n- &b [*a, *a]\n- [*b, *b]\n", "c.yaml:1: case: want a mapping"},
		{"alias", "c.yaml", "- {id: a, question: &q hi, expect: {f: {x: *q}}}\n", "aliases and anchors are not allowed: write the value out"},
		{"deep", "c.yaml", "- {id: a, question: hi, expect: {f: {x: " + deep + "}}}\n", "nested deeper than 64 levels"},
		{"slash", "c.yaml", "- {id: a/b, question: hi, expect: f}\n", `the id "a/b" holds "/"`},
		{"blank", "c.yaml", "- {id: a b, question: hi, expect: f}\n", `holds " "`},
		{"control", "c.yaml", "- {id: \"a\\x16b\", question: hi, expect: f}\n", `the id "a\x16b" holds "\x16"`},
		{"no id", "c.yaml", "- {question: hi, expect: f}\n", "c.yaml:1: the id is missing"},
		{"duplicate", "c.yaml", plainCases + plainCases, `c.yaml:2: the id "a_0" is already in c.yaml:1`},
		{"case key", "c.yaml", "- {id: a, qestion: hi}\n", `unknown key "qestion"; did you mean "question"?`},
		{"role", "c.yaml", "- {id: a, messages: [{role: robot, content: x}], expect: f}\n", `not "robot"`},
		{"no answer", "c.yaml", "- {id: a, question: hi}\n", "expect is missing"},
		{"two calls", "c.yaml", "- {id: a, question: hi, expect: [f, g]}\n", "kind multiple expects one call, but there are 2"},
		{"tool", "c.yaml", "- {id: a, question: hi, tools: [ff], expect: f}\n", `there is no tool "ff"; did you mean "f"?`},
		{"choice", "c.yaml", "- {id: a, question: hi, expect: {f: {x: {any_of: []}}}}\n", "no value is accepted"},
		{"number", "c.yaml", "- {id: a, question: hi, expect: {f: {x: .nan}}}\n", "not a JSON number"},
		{"tag", "c.yaml", "- {id: a, question: hi, expect: {f: {x: !!binary aGk=}}}\n", "values of type"},
		{"tool name", "t.yaml", "- {description: x}\n", `t.yaml:1: tool 1: "name" is missing`},
		{"tool twice", "t.yaml", "- name: f\n- name: f\n", `t.yaml:2: the tool "f" is already in t.yaml:1`},
		{"dangling", "t.yaml", "- name: f\n  parameters: {$ref: '#/$defs/none'}\n", `the reference "#/$defs/none" points to nothing`},
		{"remote", "t.yaml", "- name: f\n  parameters: {$ref: 'https://example.com/s.json'}\n", "leaves the file"},
		{"no object", "t.yaml", "- name: f\n  parameters: {type: string}\n", "parameters must be an object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ownsuite.Load(folder(map[string]string{c.file: c.text}), "")
			var faults ownsuite.Faults
			require.ErrorAs(t, err, &faults)
			assert.Contains(t, err.Error(), c.want)
			assert.NotContains(t, err.Error(), "\x16")
		})
	}
}

// TestSuiteSend: models see tools as they are written, unless the suite or a tool
// in the benchmark's form says otherwise.
func TestSuiteSend(t *testing.T) {
	const tool = `[{"type": "function", "function": {"name": "f", "strict": true, "parameters": {"type": "object", "additionalProperties": false, "properties": {"x": {"type": "number", "oneOf": [{"minimum": 5}, {"maximum": 1.5}]}, "tree": {"$ref": "#/$defs/tree"}}, "$defs": {"tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}}}}}}, {"name": "g", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}]`
	load := func(suite, tools string) (*ownsuite.Suite, error) {
		return ownsuite.Load(folder(map[string]string{"suite.yaml": suite, "t.yaml": tools}), "")
	}
	s := testkit.Must(load(plainSuite, tool))(t)
	assert.Equal(t, ownsuite.Verbatim, s.Send)
	sent := s.Categories[0].Entries[0].Sent
	require.Len(t, sent, 2)
	text := testkit.Must(pyval.JSON(sent[0], 0))(t)
	assert.Equal(t, `{"name": "f", "parameters": {"type": "object", "additionalProperties": false, "properties": {"x": {"type": "number", "oneOf": [{"minimum": 5}, {"maximum": 1.5}]}, "tree": {"$ref": "#/$defs/tree"}}, "$defs": {"tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}}}}, "strict": true}`, text)
	text = testkit.Must(pyval.JSON(sent[1], 0))(t)
	assert.Equal(t, `{"name": "g", "parameters": {"type": "object"}}`, text)

	testkit.Fails(load("send: bfcl\n"+plainSuite, tool))(t, `t.yaml:1: "f": the schema refers to itself: tree; with send: bfcl`)
	plain := testkit.Must(load("send: bfcl\n"+plainSuite, plainTools))(t)
	assert.Nil(t, plain.Categories[0].Entries[0].Sent)

	const old = "- {name: f, parameters: {type: dict, properties: {x: {type: float}}}}\n"
	s = testkit.Must(load(plainSuite, old))(t)
	assert.Equal(t, ownsuite.AsBFCL, s.Send)
	assert.Nil(t, s.Categories[0].Entries[0].Sent)
	testkit.Fails(load("send: verbatim\n"+plainSuite, old))(t, `suite.yaml:1: send: the tool "f" (t.yaml:1) is in the benchmark's form`)
	testkit.Fails(load("send: raw\n"+plainSuite, plainTools))(t, "suite.yaml:1: send: want verbatim")
}

// TestSuiteOpenAPIWritten: OpenAPI operations become tools with JSON Schema;
// what a tool cannot express is listed.
func TestSuiteOpenAPIWritten(t *testing.T) {
	const doc = `openapi: 3.0.3
paths:
  /x/{id}:
    post:
      operationId: f
      security: [{key: []}]
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer, minimum: 0, exclusiveMinimum: true}}
        - {name: sid, in: cookie, schema: {type: string}}
      requestBody:
        content:
          application/json: {schema: {$ref: '#/components/schemas/B'}}
          application/xml: {schema: {}}
      responses: {}
components:
  schemas:
    B: {type: object, required: [n], properties: {n: {type: number, nullable: true}, k: {oneOf: [{type: string}, {type: integer}]}}}
`
	s := testkit.Must(ownsuite.Load(folder(map[string]string{"suite.yaml": strings.Replace(plainSuite, "functions", "openapi", 1), "t.yaml": doc, "c.yaml": "- {id: a, question: q, expect: {f: {id: 1, n: 2.5}}}"}), ""))(t)
	tool := s.Tools[0]
	text := testkit.Must(pyval.JSON(tool.Written, 0))(t)
	assert.Equal(t, `{"name": "f", "description": "", "parameters": {"type": "object", "properties": {"id": {"type": "integer", "exclusiveMinimum": 0}, "n": {"type": ["number", "null"]}, "k": {"oneOf": [{"type": "string"}, {"type": "integer"}]}}, "required": ["id", "n"]}}`, text)
}

// TestSuiteLoadsAlike: loading a suite twice gives the same suite and the same
// problems in the same order.
func TestSuiteLoadsAlike(t *testing.T) {
	const many = 100 // enough to see each of two orders
	limits := `{openapi: 3.0.3, paths: {/f: {get: {operationId: f, parameters: [{name: x, in: query, schema:
  {type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true}}]}}}}`
	for range many {
		s := testkit.Must(ownsuite.Load(folder(map[string]string{"suite.yaml": strings.Replace(plainSuite, "functions", "openapi", 1), "t.yaml": limits}), ""))(t)
		text := testkit.Must(pyval.JSON(s.Tools[0].Written, 0))(t)
		require.Contains(t, text, `{"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9}`)
	}
	for _, c := range []struct{ cases, want string }{
		{"- {id: a, question: x, expect: {f: {x: {value: 1, within: 2, order: ymd}}}}",
			"c.yaml:1: argument: \"order\" is gone: it stood beside date\nc.yaml:1: within belongs to number"},
	} {
		for range many {
			require.EqualError(t, testkit.Err(ownsuite.Load(folder(map[string]string{"c.yaml": c.cases}), "")), c.want)
		}
	}
}

// TestSuiteUnfolding: references that fan out end in an error, quickly.
func TestSuiteUnfolding(t *testing.T) {
	var b strings.Builder
	b.WriteString("- name: f\n  parameters:\n    type: object\n    properties: {x: {$ref: '#/$defs/d0'}}\n    $defs:\n")
	for i := range 30 {
		b.WriteString("      d" + strconv.Itoa(i) + ": {type: object, properties: {a: {$ref: '#/$defs/d" + strconv.Itoa(i+1) + "'}, b: {$ref: '#/$defs/d" + strconv.Itoa(i+1) + "'}}}\n")
	}
	b.WriteString("      d30: {type: string}\n")
	assert.ErrorContains(t, testkit.Err(ownsuite.Load(folder(map[string]string{"t.yaml": b.String()}), "")), "unfolds to more than")
}

func TestSuiteLines(t *testing.T) {
	suite := "name: s\ntools: [{functions: t.yaml}]\ncategories: [{name: a, kind: multiple, cases: q/c.json}]\n"
	question := `{"id": "a_0", "question": [[{"role": "user", "content": "hi"}]], "tools": ["f"]}` + "\n"
	load := func(questions, answers string) (*ownsuite.Suite, error) {
		return ownsuite.Load(folder(map[string]string{"suite.yaml": suite, "q/c.json": questions, "q/possible_answer/c.json": answers}), "")
	}
	s := testkit.Must(load(question, `{"id": "a_0", "ground_truth": [{"f": {"x": [1]}}]}`))(t)
	assert.Equal(t, "[{'f': {'x': [1]}}]", pyval.Repr(s.Categories[0].Entries[0].Answer))
	for _, c := range []struct{ questions, answers, want string }{
		{question + "{", `{"id": "a_0", "ground_truth": []}`, "q/c.json:2: invalid JSON at column"},
		{question, `{"id": "a_1", "ground_truth": []}`, `q/c.json:1: case "a_0" has no answer in q/possible_answer/c.json`},
		{question, `{"id": "a_0", "ground_truth": []}` + "\n" + `{"id": "b", "ground_truth": []}`, `q/possible_answer/c.json:2: the answer "b" has no question`},
		{question, `{"id": "a_0"}`, `"ground_truth" is missing`},
		{"[]\n", `{}`, "expected a JSON object"},
	} {
		testkit.Fails(load(c.questions, c.answers))(t, c.want)
	}
}

// TestSuiteForms: one tool is read from every form in which tools can be
// written.
func TestSuiteForms(t *testing.T) {
	const schema = `{"type": "object", "properties": {"x": {"type": ["string", "null"], "description": "X.", "format": "date"}}, "required": ["x"]}`
	want := "{'name': 'f', 'description': 'F.', 'parameters': {'type': 'dict', 'properties': {'x': {'type': 'string', 'description': 'X. (format: date)'}}, 'required': ['x']}}"
	for _, c := range []struct{ name, key, text string }{
		{"flat", "functions", `[{"name": "f", "description": "F.", "parameters": ` + schema + `}]`},
		{"OpenAI", "functions", `[{"type": "function", "function": {"name": "f", "description": "F.", "parameters": ` + schema + `}}]`},
		{"input_schema", "functions", `{"tools": [{"name": "f", "description": "F.", "input_schema": ` + schema + `}]}`},
		{"MCP", "mcp", `{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "f", "description": "F.", "inputSchema": ` + schema + `}]}}`},
		{"definitions", "mcp", `{"tools": [{"name": "f", "description": "F.", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/d"}}, "required": ["x"], "$defs": {"d": {"anyOf": [{"type": "string", "description": "X.", "format": "date"}, {"type": "null"}]}}}}]}`},
		{"allOf", "functions", `[{"name": "f", "description": "F.", "parameters": {"allOf": [{"type": "object", "properties": {"x": {"type": "string", "description": "X.", "format": "date"}}}, {"required": ["x"]}]}}]`},
		{"OpenAPI", "openapi", `{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "f", "summary": "F.", "parameters": [{"name": "x", "in": "query", "required": true, "description": "X.", "schema": {"$ref": "#/components/schemas/d"}}, {"name": "Authorization", "in": "header", "schema": {"type": "string"}}]}}}, "components": {"schemas": {"d": {"type": "string", "format": "date"}}}}`},
		{"surrogates", "functions", `[{"name": "f", "description": "\u0046.", "parameters": ` + schema + `, "note": "\ud83d\ude00"}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			suite := "name: s\ntools: [{" + c.key + ": t.json}]\ncategories: [{name: a, kind: multiple, cases: c.yaml}]\n"
			s := testkit.Must(ownsuite.Load(folder(map[string]string{"suite.yaml": suite, "t.json": c.text, "c.yaml": "- {id: a, question: q, expect: {f: {x: y}}}"}), ""))(t)
			require.Len(t, s.Tools, 1)
			assert.Empty(t, cmp.Diff(want, pyval.Repr(s.Tools[0].Doc)))
		})
	}
}

func TestSuiteOpenAPIFaults(t *testing.T) {
	for _, c := range []struct{ src, operations, want string }{
		{`{swagger: "1.2"}`, "", "not an OpenAPI document"},
		{`{openapi: 3.0.0}`, "", "no paths"},
		{`{openapi: 3.0.0, paths: {}}`, "", "no operations"},
		{`{openapi: 3.0.0, paths: {/a: {get: {operationId: getA}}}}`, ", operations: [getB]", `has no operation "getB"; did you mean "getA"?`},
		{"openapi: 3.0.0\npaths:\n  /a:\n    post:\n      requestBody: {content: {application/pdf: {}}}\n", ", operations: [post_a]", "t.yaml:4: post /a: its body is in a form"},
		{"openapi: 3.0.0\npaths:\n  /a:\n    post:\n      requestBody: {content: {application/pdf: {}}}\n", ", operations: [POST]}, {functions: f.yaml", `c.yaml:1: the operation "post_a" cannot be a tool: its body is in a form`},
	} {
		suite := "name: s\ntools: [{openapi: t.yaml" + c.operations + "}]\ncategories: [{name: a, kind: irrelevance, cases: c.yaml}]\n"
		_, err := ownsuite.Load(folder(map[string]string{"suite.yaml": suite, "t.yaml": c.src, "f.yaml": "[{name: f}]", "c.yaml": "- {id: a, question: q, tools: [post_a]}"}), "")
		assert.ErrorContains(t, err, c.want)
	}
}

// TestSuiteSchemasOfAllTools: operations that share a schema expand it each, and
// the total is limited.
func TestSuiteSchemasOfAllTools(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("openapi: '3.0'\nc:\n  s0: {type: string}\n")
	for i := range 12 {
		fmt.Fprintf(&doc, "  s%d: {properties: {a: {$ref: '#/c/s%d'}, b: {$ref: '#/c/s%d'}}}\n", i+1, i, i)
	}
	doc.WriteString("paths:\n")
	for i := range 300 {
		fmt.Fprintf(&doc, "  /p%d: {get: {parameters: [{name: q, schema: {$ref: '#/c/s12'}}]}}\n", i)
	}
	files := folder(map[string]string{"o.yaml": doc.String(), "suite.yaml": strings.Replace(plainSuite, "functions: t.yaml", "openapi: o.yaml", 1)})
	s := testkit.Must(ownsuite.Load(files, ""))(t)
	assert.Less(t, len(s.Tools), 100)
	assert.Contains(t, s.Left[len(s.Left)-1].Reason, "the schemas of all tools unfold to more than 500000 parts")
}

// TestSuiteLargeFiles: a file that is small as text but large as values is
// refused.
func TestSuiteLargeFiles(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"suite":   {"suite.yaml", "name: s\n#" + strings.Repeat(" ", 1<<20), "suite.yaml: the file is larger than 1 MB"},
		"list":    {"t.yaml", strings.Repeat("- a\n", 2_500_000), "t.yaml: the file may hold more than 4000000 values"},
		"mapping": {"c.yaml", "{" + strings.Repeat("a,", 4_000_000), "c.yaml: the file may hold more than 4000000 values"},
		"integer": {"c.yaml", "- {id: a_0, question: x, expect: {f: {x: !!int " + strings.Repeat("9", 5000) + "}}}", "is not a whole number"},
		"unknown": {"c.yaml", "- {id: a_0, question: x, tools: [" + strings.Repeat("a,", 100_000) + "], expect: {f: {}}}", "there is no tool"},
	} {
		assert.ErrorContains(t, testkit.Err(ownsuite.Load(folder(map[string]string{c.file: c.text}), "")), c.want, name)
	}
}

// TestSuiteManyTools: a suite with ten thousand tools, all shown by every case.
func TestSuiteManyTools(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString("- {name: f" + strconv.Itoa(i) + ", parameters: {type: object, properties: {x: {type: integer}}}}\n")
	}
	s := testkit.Must(ownsuite.Load(folder(map[string]string{"t.yaml": b.String(), "c.yaml": "- {id: a, question: q, expect: f9999}"}), ""))(t)
	assert.Len(t, s.Tools, 10_000)
}

func TestSuiteExample(t *testing.T) {
	s := testkit.Must(ownsuite.Load(ownsuite.Example(), ""))(t)
	assert.Len(t, s.Categories, 2)
	dir := t.TempDir()
	names := testkit.Must(ownsuite.WriteExample(dir))(t)
	again := testkit.Must(ownsuite.Load(os.DirFS(dir), ""))(t)
	assert.Len(t, again.Tools, len(s.Tools))
	require.NoError(t, os.Remove(filepath.Join(dir, names[0])))
	testkit.Fails(ownsuite.WriteExample(dir))(t, "nothing was written")
	_, err := os.Stat(filepath.Join(dir, names[0]))
	assert.True(t, errors.Is(err, os.ErrNotExist))
}

func FuzzSuiteLoad(f *testing.F) {
	f.Add(plainSuite, plainTools, plainCases)
	f.Add("name: s\ntools: [{openapi: t.yaml}]\ncategories: [{name: a, kind: simple, cases: c.json}]\n", "openapi: 3.0.0\npaths: {/a: {get: {operationId: f}}}", `{"id": "a", "question": []}`)
	f.Add("name: s\ntools: [{mcp: t.yaml}]\ncategories: [{name: a, kind: parallel, cases: c.yaml}]\n", `{"result": {"tools": [{"name": "f", "inputSchema": {"$ref": "#"}}]}}`, "- &a {id: *a}")
	f.Fuzz(func(t *testing.T, suite, tools, cases string) {
		s, err := ownsuite.Load(folder(map[string]string{"suite.yaml": suite, "t.yaml": tools, "c.yaml": cases, "c.json": cases, "possible_answer/c.json": cases}), "")
		var faults ownsuite.Faults
		if err != nil && !errors.As(err, &faults) {
			t.Fatal("an error that is no list of faults:", err)
		}
		for _, c := range s.Categories {
			for _, entry := range c.Entries {
				if id, _ := entry.Row.GetStr("id"); ownsuite.BadID(pyval.Text(id)) != "" {
					t.Fatal("a bad id was taken:", pyval.Repr(id))
				}
			}
		}
	})
}

// TestSuiteTags: a case's tags reach the dataset's line, and wrong ones are told.
func TestSuiteTags(t *testing.T) {
	s := testkit.Must(ownsuite.Load(folder(map[string]string{"c.yaml": strings.Replace(plainCases, "expect", "tags: [refunds, urgent], expect", 1)}), "dir"))(t)
	c := eval.Case{Entry: s.Categories[0].Entries[0].Row}
	assert.Equal(t, []string{"refunds", "urgent"}, c.Tags())
	assert.ErrorContains(t, testkit.Err(ownsuite.Load(folder(map[string]string{"c.yaml": strings.Replace(plainCases, "expect", "tags: {a: b}, expect", 1)}), "dir")), "c.yaml:1: tags: ")
}

// TestWeights: a suite that gives no category a weight counts every case the same;
// one weight makes 1 the others' default.
func TestWeights(t *testing.T) {
	for weight, want := range map[string][]float64{"": {2, 1}, ", weight: 3": {3, 1}, ", weight: 0": {0, 1}} {
		s, err := ownsuite.Load(fstest.MapFS{
			"suite.yaml": {Data: []byte("name: s\ntools: [{functions: t.json}]\ncategories:\n  - {name: a, kind: irrelevance, cases: a.yaml" + weight + "}\n  - {name: b, kind: irrelevance, cases: b.yaml}\n")},
			"t.json":     {Data: []byte(`[{"name": "f", "description": "F.", "parameters": {"type": "object", "properties": {}}}]`)},
			"a.yaml":     {Data: []byte("- {id: a_0, question: \"Who?\"}\n- {id: a_1, question: \"When?\"}\n")},
			"b.yaml":     {Data: []byte("- {id: b_0, question: \"Where?\"}\n")},
		}, "")
		require.NoError(t, err)
		assert.Equal(t, want, []float64{s.Categories[0].Weight, s.Categories[1].Weight}, weight)
	}
}

// TestSuiteBeginMadeValues: the values that a suite begins with fit the tools' schemas.
func TestSuiteBeginMadeValues(t *testing.T) {
	const tools = `[{"name": "f", "parameters": {"type": "object", "properties": {
		"day": {"type": "string", "format": "date"}, "at": {"type": "string", "format": "date-time"}, "mail": {"type": "string", "format": "email"},
		"code": {"type": "string", "pattern": "^[A-Z]{2}-\\d{3}$"}, "long": {"type": "string", "minLength": 3}, "kind": {"type": "string", "enum": ["b", "a"], "format": "date"},
		"n": {"type": "integer", "minimum": 5}, "less": {"type": "integer", "exclusiveMaximum": 0}, "share": {"type": "number", "maximum": 0.5}, "price": {"type": "number", "minimum": 2},
		"given": {"type": "string", "default": "x y"}, "shown": {"type": "string", "examples": ["B7"]},
		"to": {"type": "object", "properties": {"zip": {"type": "string", "pattern": "^[0-9]{5}$"}}, "required": ["zip"]},
		"days": {"type": "array", "items": {"type": "string", "format": "date"}}},
		"required": ["day", "at", "mail", "code", "long", "kind", "n", "less", "share", "price", "given", "shown", "to", "days"]}}]`
	s := testkit.Must(ownsuite.Begin("made", ownsuite.Source{Name: "tools.json", Data: []byte(tools)}))(t)
	cases := string(s.Files["cases/requests.yaml"])
	for _, want := range []string{
		`"day": {value: "2025-01-31"}`, `"at": {value: "2025-01-31T09:00:00Z"}`, `"mail": {value: "ann@example.com"}`, `"code": {value: "AA-111"}`,
		`"long": {value: "xxx"}`, `"kind": {value: "b"}`, `"n": {value: 5}`, `"less": {value: -1}`, `"share": {value: 0.5}`, `"price": {value: 2.0}`,
		`"given": {value: "x y"}`, `"shown": {value: "B7"}`, `"to": {value: {"zip": "11111"}}`, `"days": {value: ["2025-01-31"]}`,
	} {
		assert.Contains(t, cases, want)
	}
	files := fstest.MapFS{}
	for name, text := range s.Files {
		files[name] = &fstest.MapFile{Data: text}
	}
	testkit.Must(ownsuite.Load(files, ""))(t)
}
