package curate_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/curate/validate"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	testkit.Write(t, filepath.Join(dir, name), text)
}

func check(t testing.TB, dir string) *validate.Report {
	t.Helper()
	return testkit.Must(validate.Folder(dir, ""))(t)
}

// suiteSaid returns the problems of a suite of one category as lines.
func suiteSaid(t testing.TB, kind, tools, cases string) string {
	t.Helper()
	return said(check(t, suiteOf(t, kind, tools, cases)))
}

// suiteOf writes a suite of one category.
func suiteOf(t testing.TB, kind, tools, cases string) (dir string) {
	t.Helper()
	return testkit.Folder(t, map[string]string{
		"suite.yaml": "name: s\ntools: [{functions: t.yaml}]\ncategories: [{name: one, kind: " + kind + ", cases: c.yaml}]\n", "t.yaml": tools, "c.yaml": cases,
	})
}

// said returns the problems as lines.
func said(r *validate.Report) string {
	var b strings.Builder
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s:%d: %s %s %s: %s\n", filepath.Base(p.File), p.Line, p.Severity, p.Kind, p.Case, p.Message)
	}
	return b.String()
}

// TestValidateCleanSuites: the example and the starter suite have no errors.
func TestValidateCleanSuites(t *testing.T) {
	dir := t.TempDir()
	testkit.Must(ownsuite.WriteExample(dir))(t)
	r := check(t, dir)
	assert.Empty(t, said(r))
	assert.Equal(t, 6, r.Cases)
	assert.Equal(t, 4, r.Answered)
	r = check(t, "starter")
	assert.Zero(t, r.Errors, said(r))
	assert.Greater(t, r.Answered, 200)
	assert.Empty(t, suiteSaid(t, "simple", "- {name: f, parameters: {type: object, properties: {x: {type: integer}, y: {type: string, default: b}}, required: [x]}}\n",
		"- {id: a, question: Q, expect: {f: {x: {any_of: [1, 2, {number: 7}]}, y: {any_of: [a, b], optional: true}}}}\n"))
}

// TestValidateUnions: the schema library and the judge agree on unions, and on what
// fits none of their alternatives.
func TestValidateUnions(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{"{anyOf: [{type: string, enum: [open, closed]}, {type: 'null'}]}", "null", ""},
		{"{anyOf: [{type: string, enum: [open, closed]}, {type: 'null'}]}", "open", ""},
		{"{anyOf: [{type: string, enum: [open, closed]}, {type: 'null'}]}", "shut", "fits no alternative"},
		{"{oneOf: [{const: a}, {type: integer}]}", "5", ""},
		{"{type: [string, 'null'], enum: [x, null]}", "null", ""},
		{"{type: [integer, string]}", "5", ""},
		{"{type: array, items: {anyOf: [{type: string}, {type: integer}]}}", "[bug, 3]", ""},
		{"{type: array, items: {anyOf: [{type: string}, {type: integer}]}}", "[bug, 3.5]", "fits no alternative"},
		{"{type: array, items: {type: [string, integer]}}", "[3, bug]", ""},
		{"{type: array, items: {type: [string, 'null']}}", "[bug, null]", ""},
		{"{type: array, items: {oneOf: [{type: object, properties: {k: {type: integer}}}, {type: 'null'}]}}", "[{k: 1}, null]", ""},
		{"{type: object, properties: {l: {type: array, items: {anyOf: [{type: string}, {type: integer}]}}}}", "{l: [1, a]}", ""},
	} {
		got := suiteSaid(t, "simple", "- {name: f, parameters: {type: object, required: [a], properties: {a: "+c.schema+"}}}\n", "- {id: a, question: Do, expect: {f: {a: "+c.value+"}}}\n")
		told(t, got, c.want)
	}
}

// told checks for a text that is told, or that nothing is.
func told(t *testing.T, got, want string) {
	t.Helper()
	if want == "" {
		assert.Empty(t, got)
		return
	}
	assert.Contains(t, got, want)
}

// TestValidateGrammar warns of answers in the benchmark's form that no model can
// write if a server constrains its calls by the schema.
func TestValidateGrammar(t *testing.T) {
	for _, c := range []struct{ schema, required, accepted, want string }{
		{`{"type": "string", "enum": ["a", "b"]}`, `["p"]`, `["c"]`, `"c\" is not in the enum`},
		{`{"type": "string", "enum": ["a", "b"]}`, `["p"]`, `["c", "a"]`, ""},
		{`{"type": "string", "enum": ["Ab"]}`, `["p"]`, `["ab"]`, ""}, // the judge takes another spelling
		{`{"type": "string", "enum": ["a"]}`, `[]`, `["", "c"]`, ""},  // may be left out
		{`{"type": "string", "enum": ["a"]}`, `[]`, `["c"]`, "lets no model pass"},
		{`{"type": "string", "enum": ["a"]}`, `["p"]`, `[true]`, "true is of type boolean"},
		{`{"type": "array", "items": {"type": "integer"}}`, `["p"]`, `[["x", "y"]]`, `"x\" is of type string`},
		{`{"type": "array", "items": {"type": "string"}, "enum": ["x"]}`, `["p"]`, `[["x"]]`, `["x"] is not in the enum`},
		{`{"type": "array", "items": {"type": "string", "enum": ["x"]}}`, `["p"]`, `[["x"]]`, ""},
		{`{"type": "dict", "properties": {"k": {"type": "string"}}}`, `["p"]`, `[{"k": ["v"], "z": ["v"]}]`, `unknown field "z"`},
		{`{"type": "dict", "properties": {"k": {"type": "integer"}}}`, `["p"]`, `[{"k": ["v", 3], "z": [""]}]`, ""},
		{`{"type": "array", "items": {"type": "dict", "properties": {"k": {"type": "float"}}}}`, `["p"]`, `[[{"k": [5]}]]`, ""},
		{`{"type": "float"}`, `["p"]`, `[5]`, ""},
		{`{"type": "integer"}`, `["p"]`, `["ticket_1"]`, "is of type string, not integer"},
	} {
		dir := t.TempDir()
		write(t, dir, "BFCL_v4_simple_python.json", `{"id": "simple_python_0", "question": [[{"role": "user", "content": "Do."}]], "function": [{"name": "f", "description": "F.", "parameters": {"type": "dict", "required": `+c.required+`, "properties": {"p": `+c.schema+`}}}]}`)
		write(t, dir, "possible_answer/BFCL_v4_simple_python.json", `{"id": "simple_python_0", "ground_truth": [{"f": {"p": `+c.accepted+`}}]}`)
		r := testkit.Must(validate.Folder(dir, ""))(t)
		text := said(r)
		assert.Equal(t, c.want != "", strings.Contains(text, "a server that constrains calls by it lets no model pass"), "%s %s: %s", c.schema, c.accepted, text)
		assert.Contains(t, text, strings.ReplaceAll(c.want, `\"`, `"`), "%s %s", c.schema, c.accepted)
		assert.Equal(t, strings.Contains(c.schema, `}, "enum"`), strings.Contains(text, "the enum stands at the list"), text)
	}
}

// TestValidateOrder: several problems of one call or of one schema have one order,
// although the schema library walks objects in Go's random one.
func TestValidateOrder(t *testing.T) {
	const pair = "{type: object, additionalProperties: false, required: [r, s], properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}}"
	for _, c := range []struct{ name, parameters, args, want string }{
		{"values", "{type: object, properties: {a: {type: integer}, b: {type: integer}, c: {type: integer}}}", "{a: x, b: y, c: z}",
			`f.a: "x"|f.b: "y"|f.c: "z"`},
		{"items", "{type: object, properties: {a: {type: array, items: {type: integer}}}}", "{a: [1, x, 3, 4, 5, 6, 7, 8, 9, 10, y]}",
			`f.a.1: "x"|f.a.10: "y"`},
		{"unknown fields", "{type: object, properties: {a: " + pair + "}}", "{a: {x: 1, y: 2, z: 3}}",
			`required but missing: "r", "s"`},
		{"alternatives", "{type: object, properties: {a: {anyOf: [" + pair + ", {type: object, properties: {x: {type: string}, y: {type: string}}}]}}}", "{a: {a: p, b: q, x: 1, y: 2}}",
			`required but missing: "r", "s"; add what is accepted; or a: "p"|; or b: "q"|; or x: 1 is|; or y: 2 is`},
		{"patterns", "{type: object, properties: {a: {type: object, patternProperties: {\"^a\": {type: integer}, \"b$\": {type: boolean}, \"^.b\": {type: array}}}}}", "{a: {ab: x}}",
			`not array|not boolean|not integer`},
		{"schema", "{type: object, properties: {a: {type: integer, minimum: x, pattern: 2}, b: {type: string, minLength: y}}}", "{a: 1}",
			`/properties/a/minimum|/properties/a/pattern|/properties/b/minLength`},
		{"references", "{type: object, properties: {a: {$ref: \"http://one.example/a\"}, b: {$ref: \"http://two.example/b\"}, c: {$ref: \"#/none\"}}}", "{a: 1}",
			`leaves the file`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := suiteOf(t, "simple", "- name: f\n  parameters: "+c.parameters+"\n", "- {id: a, question: Do, expect: {f: "+c.args+"}}\n")
			first := said(check(t, dir))
			rest := first
			for _, part := range strings.Split(c.want, "|") {
				at := strings.Index(rest, part)
				require.GreaterOrEqual(t, at, 0, "%q is not where it should be in\n%s", part, first)
				rest = rest[at+len(part):]
			}
			for range 30 {
				require.Equal(t, first, said(check(t, dir)))
			}
		})
	}
}

func TestValidateProblems(t *testing.T) {
	const tool = "- name: f\n  parameters: {type: object, properties: {x: {type: integer}, y: {type: string, enum: [a, b], default: a}, z: {type: array, items: {type: integer}}}, required: [x]}\n"
	for _, c := range []struct{ name, tools, expect, want string }{
		{"unknown function", tool, "{g: {}}", `error answer a: the answer calls "g"`},
		{"unknown parameter", tool, "{f: {x: 1, yy: a}}", `"f" has no parameter "yy": every call would be refused`},
		{"missing required", tool, "{f: {y: a}}", `"f" requires "x", but the answer accepts no value for it`},
		{"wrong type", tool, "{f: {x: many}}", `f.x: "many" is of type string, not integer`},
		{"enum", tool, "{f: {x: 1, y: c}}", `error answer a: f.y: "c" is not in the enum; accepted: "a", "b"`},
		{"required optional", tool, "{f: {x: {value: 1, optional: true}}}", `f."x" is required, but the answer lets a call leave it out`},
		{"default", tool, "{f: {x: 1, y: a}}", `f."y" may be left out, and its default "'a'" is accepted`},
		{"unreachable alternative", tool, "{f: {x: {any_of: [1, two]}}}", `error answer a: f.x: "two" is of type string, not integer`},
		{"type", "- name: f\n  parameters: {type: object, properties: {x: {type: strng}}}\n", "{f: {x: a}}", `tool "f": "parameters.x": the judge does not know the type "strng"`},
		{"required property", "- name: f\n  parameters: {type: object, properties: {x: {type: string}}, required: [xx]}\n", "{f: {x: a}}", `"xx" is required but not among the properties`},
		{"default of an enum", "- name: f\n  parameters: {type: object, properties: {x: {type: string, enum: [a], default: b}}}\n", "{f: {x: a}}", `"parameters.x": the default "'b'" is not in the enum`},
		{"enum type", "- name: f\n  parameters: {type: object, properties: {x: {type: integer, enum: [1, two]}}}\n", "{f: {x: 1}}", `the enum value "'two'" is a str, but the type is integer`},
		{"name", "- name: do it\n", "{do it: {}}", "providers refuse the name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			other, shown := "- name: other\n", ""
			if strings.Contains(c.expect, "g:") {
				other, shown = "- name: g\n", ", tools: [f]"
			}
			assert.Contains(t, suiteSaid(t, "multiple", c.tools+other, "- {id: a, question: q, expect: "+c.expect+shown+"}\n"), c.want)
		})
	}
}

// TestValidatePlanted: mistakes in a suite, each found at its line, and what
// looks like one but is not.
func TestValidatePlanted(t *testing.T) {
	const tools = `- {name: pay, parameters: {type: object, properties: {amount: {type: integer}, currency: {type: string, enum: [EUR, USD], default: EUR}, note: {type: string}}, required: [amount]}}
- {name: find, parameters: {type: object, properties: {n: {type: integer}}, required: [n]}}
- {name: refund, parameters: {type: object, properties: {id: {type: integer}}}}
`
	suite := "name: s\ntools: [{functions: t.yaml}]\ncategories:\n  - {name: one, kind: multiple, cases: c.yaml}\n  - {name: talks, kind: multi_turn, cases: d.yaml}\n"
	const call, talk = "- {id: ok, question: fine, expect: {find: {n: 1}}}\n", "- {id: ok_t, turns: [{question: fine, expect: {find: {n: 1}}}]}\n"
	for name, row := range map[string]struct{ cases, talks, want string }{
		"optional value beside a matcher": {"- {id: a, question: q, expect: {pay: {amount: 5, currency: {value: EUR, optional: true}, note: {contains: rent}}}}\n", "", ""},
		"default beside a matcher":        {"- id: a\n  question: q\n  expect:\n    pay:\n      amount: 5\n      note: {contains: rent}\n      currency: EUR\n", "", "c.yaml:8: warning ambiguous a: pay.\"currency\" may be left out"},
		"required but optional":           {"- {id: a, question: q, expect: {pay: {amount: {value: 5, optional: true}, note: {contains: rent}}}}\n", "", `pay."amount" is required, but the answer lets a call leave it out`},
		"no value of the enum":            {"- id: a\n  question: q\n  expect:\n    pay:\n      amount: 5\n      currency: {contains: GBP}\n", "", "c.yaml:7: error unreachable a: pay.\"currency\": no value of the enum is accepted"},
		"a value of the enum":             {"- {id: a, question: q, expect: {pay: {amount: 5, currency: {contains: usd}}}}\n", "", ""},
		"any_off":                         {"- id: a\n  question: q\n  expect:\n    pay:\n      amount: {any_off: [1, 2]}\n", "", `c.yaml:6: error format : pay.amount is of type integer, and there is no matcher "any_off"; did you mean "any_of"?`},
		"no row": {"", `- id: a
  turns:
    - {question: q, expect: {find: {n: 1}}}
  results:
    - {call: {find: {n: 2}}, result: x}
`, "d.yaml:4: warning answer a: turn 1: no row of results fits find(n=1)"},
		"a row's type": {"", `- id: a
  turns:
    - {question: q, expect: {find: {n: 1}}}
  results:
    - {call: {find: {n: "1"}}, result: x}
    - {call: find, result: y}
`, `d.yaml:6: error answer a: find.n: "1" is of type string, not integer`},
		"none_of":            {"", "- id: a\n  turns:\n    - question: q\n      expect:\n        at_least: [find: {n: 1}]\n        none_of: [fnd]\n", "d.yaml:7: warning answer a: none_of names \"fnd\", which is not among"},
		"none_of's values":   {"", "- id: a\n  turns:\n    - question: q\n      expect:\n        at_least: [find: {n: 1}]\n        none_of: [{find: {n: '2'}}]\n", `d.yaml:7: warning answer a: find.n: "2" is of type string`},
		"a blank question":   {"- {id: a, question: ' ', expect: {find: {n: 1}}}\n", "", "the question has no user message"},
		"a row out of sight": {"", "- {id: a, tools: [find], turns: [{question: q, expect: {find: {n: 1}}}], results: [{call: find, result: x}, {call: pay, result: x}]}\n", `the row of results names "pay"`},
		"rows in order": {"", `- id: a
  turns:
    - {question: q, expect: {find: {n: 1}}}
    - {question: q, expect: {pay: {amount: 3, note: {contains: rent}}}}
  results:
    - {call: {find: {n: 1}}, result: x}
    - {call: find, result: y}
    - {call: {pay: {note: {contains: rent}}}, result: z}
    - {call: {pay: {note: {matches: ^r}}}, error: no}
`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := testkit.Folder(t, map[string]string{"suite.yaml": suite, "t.yaml": tools, "c.yaml": call + row.cases, "d.yaml": talk + row.talks})
			told(t, said(check(t, dir)), row.want)
		})
	}
}

// TestValidateNoWeight: a suite without an overall score is named.
func TestValidateNoWeight(t *testing.T) {
	const tools = "- {name: f, parameters: {type: object, properties: {l: {type: array, items: {type: string}}}}}\n- name: g\n"
	assert.Equal(t, "suite.yaml:3: warning format : every category has weight 0, so there is no overall score\n",
		suiteSaid(t, "multiple, weight: 0", tools, "- {id: a, question: q, expect: {f: {l: {unordered: []}}}}\n"))
}

// TestValidateDeep: values are compared with the schema at every depth; each
// fault has its line and path, and valid values have none.
func TestValidateDeep(t *testing.T) {
	const tools = `- name: f
  parameters:
    type: object
    properties:
      o: {$ref: '#/$defs/o'}
      l: {type: array, items: {$ref: '#/$defs/o'}, maxItems: 2}
      d: {type: string, format: date}
      re: {type: string, format: regex}
      n: {type: [number, "null"], minimum: 0}
      u: {anyOf: [{type: string, enum: [a]}, {type: integer}]}
      m: {type: object, additionalProperties: {type: integer}}
      a: {allOf: [{type: object, properties: {p: {type: string}}}, {properties: {q: {type: string}}, required: [q]}]}
      free: {type: object}
      pair: {type: array, prefixItems: [{type: string}, {type: integer}], items: {type: string}}
    $defs:
      o: {type: object, required: [k], properties: {k: {type: string}, more: {type: array, items: {$ref: '#/$defs/o'}}}}
- name: other
`
	for _, c := range []struct{ args, want string }{
		{"o: {k: x, more: [{k: y, more: [{k: z}]}]}", ""},
		{"o: {k: x, more: [{k: y, more: [{k: 1}]}]}", `f.o.more.0.more.0.k: 1 is of type number, not string`},
		{"o: {k: x, more: [{k: a, kk: y}]}", `f.o.more.0: unknown field "kk"; did you mean "k"?`},
		{"o: {more: []}", `f.o: required but missing: "k"`},
		{"l: [{k: x}, {k: y}, {k: z}]", "f.l: "},
		{"d: 2025-02-30", `f.d: "2025-02-30" is not a valid date`},
		{"d: 2025-02-28", ""},
		{`re: "["`, "f.re: \"[\" is not a valid regex\n"},
		{"n: -1", "f.n: -1: minimum: got -1, want 0"},
		{"n: null", ""},
		{"u: 3", ""},
		{"u: true", `f.u: true fits no alternative of the schema: true is of type boolean, not string`},
		{"m: {x: 1, y: 2}", ""},
		{"m: {x: one}", `f.m.x: "one" is of type string, not integer`},
		{"a: {p: x, q: y}", ""},
		{"a: {p: x, q: y, r: z}", `f.a: unknown field "r"`},
		{"a: {p: x}", `f.a: required but missing: "q"`},
		{"free: {whatever: [1, {x: y}]}", ""},
		{"o: {k: {any_of: [x, 3]}}", `f.o.k: 3 is of type number`},
		{"o: {k: {matches: ^a}}", ""},
		{"o: {k: {matches: ^a, example: ab}}", ""},
		{"pair: [a, b]", `f.pair.1: "b" is of type string, not integer`},
	} {
		text := suiteSaid(t, "multiple", tools, "- id: a\n  question: q\n  expect:\n    f:\n      "+c.args+"\n")
		if c.want == "" {
			assert.Empty(t, text, c.args)
			continue
		}
		assert.Contains(t, text, "c.yaml:5: error answer a: "+c.want, c.args)
		assert.Equal(t, 1, strings.Count(text, "\n"), text)
	}
}

// TestValidateSchemas: schemas with external references, and invalid ones, are
// reported; nothing is fetched.
func TestValidateSchemas(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{type: object, properties: {x: {type: string, pattern: '('}}}`, "the parameters are not a JSON Schema"},
		{`{type: object, properties: {x: {type: string, not: {$ref: 'https://example.com/x.json'}}}}`, "leaves the file"},
		{`{type: object, properties: {x: {type: string, not: {$ref: 'file:///etc/passwd'}}}}`, "leaves the file"},
		{`{type: object, properties: {x: {type: string, minLength: two}}}`, "the parameters are not a JSON Schema"},
		{`{$schema: 'http://json-schema.org/draft-07/schema#', type: object, properties: {x: {type: string}}}`, ""},
		{`{type: dict, properties: {x: {type: string}}}`, ""},
	} {
		text := suiteSaid(t, "simple", "- {name: f, parameters: "+c.schema+"}\n", "- {id: a, question: q, expect: {f: {x: a}}}\n")
		if c.want == "" {
			assert.Empty(t, text)
			continue
		}
		assert.Regexp(t, `t.yaml:1: error (tool : tool|format : tool 1:) "f": `, text)
		assert.Contains(t, text, c.want)
	}
}

// TestValidateUnreachable: an answer that its own judge refuses, here since it has two
// calls where one is judged.
func TestValidateUnreachable(t *testing.T) {
	dir := t.TempDir()
	row := func(field string) string {
		return `{"id": "simple_python_0", "question": [[{"role": "user", "content": "hi"}]], "function": [{"name": "f", "description": "", "parameters": {"type": "dict", "properties": {"x": {"type": "` + field + `", "description": ""}}, "required": ["x"]}}]}` + "\n"
	}
	write(t, dir, "BFCL_v4_simple_python.json", row("array"))
	write(t, dir, "possible_answer/BFCL_v4_simple_python.json", `{"id": "simple_python_0", "ground_truth": [{"f": {"x": [[1]]}}]}`+"\n")
	assert.Contains(t, said(check(t, dir)), `BFCL_v4_simple_python.json:1: error tool simple_python_0: tool "f": "parameters.x": "items" is missing`)
	write(t, dir, "BFCL_v4_simple_python.json", row("string"))
	write(t, dir, "possible_answer/BFCL_v4_simple_python.json", `{"id": "simple_python_0", "ground_truth": [{"f": {"x": ["a"]}}, {"f": {"x": ["b"]}}]}`+"\n")
	assert.Contains(t, said(check(t, dir)), "error unreachable simple_python_0: the answer itself, given as a model gives it, is refused in fc mode: simple_function_checker:wrong_count")
}

func TestValidateFormatFaults(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "suite.yaml", "name: s\ncategores: []\n")
	r := check(t, dir)
	assert.Equal(t, 1, r.Errors)
	assert.Contains(t, said(r), `suite.yaml:2: error format : the suite: unknown key "categores"; did you mean "categories"?`)
	dir = t.TempDir()
	write(t, dir, "BFCL_v4_multiple.json", "{\n")
	assert.Contains(t, said(check(t, dir)), "BFCL_v4_multiple.json:1: error format : invalid JSON")
	testkit.Fails(validate.Folder(t.TempDir(), ""))(t, "holds neither a suite.yaml nor files of the benchmark's categories")
	testkit.Fails(validate.Folder(filepath.Join(dir, "none"), ""))(t, "unknown dataset")
}

// TestValidateManyTools: ten thousand tools that every case shows are checked
// once.
func TestValidateManyTools(t *testing.T) {
	var tools, cases strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&tools, "- {name: f%d, parameters: {type: object, properties: {x: {type: integer}}}}\n", i)
	}
	for i := range 20 {
		fmt.Fprintf(&cases, "- {id: a_%d, question: q%d, expect: {f%d: {x: 1}}}\n", i, i, i)
	}
	r := check(t, suiteOf(t, "multiple", tools.String(), cases.String()))
	assert.Empty(t, said(r))
	assert.Equal(t, 10_000, r.Tools)
}

// TestGoldenValidate checks every case of the official data; each finding is a
// case that is known to be hard or impossible.
func TestGoldenValidate(t *testing.T) {
	r := testkit.Must(validate.Folder("v4", testkit.Shared(t, "bfcl")))(t)
	kinds := map[string]int{}
	for _, p := range r.Problems {
		kinds[string(p.Severity)+" "+p.Kind]++
		if p.Kind == validate.Unreachable && p.Severity == validate.Error {
			t.Logf("%s: %s", p.Case, p.Kind)
		}
	}
	assert.Positive(t, r.Answered)
	assert.Zero(t, kinds["error "+validate.ID])
	assert.Zero(t, kinds["error "+validate.Format])
	t.Logf("%d cases, %d answers, %d tools looked at: %v", r.Cases, r.Answered, r.Tools, kinds)
}

// FuzzValidateFolder: for any schema and expectation, validate ends with a
// result or an error.
func FuzzValidateFolder(f *testing.F) {
	f.Add(`{"type": "object", "properties": {"x": {"$ref": "#/$defs/o"}}, "$defs": {"o": {"type": "object", "properties": {"k": {"$ref": "#/$defs/o"}}}}}`, `{f: {x: {k: {k: {}}}}}`)
	f.Add(`{"allOf": [{"$ref": "#"}]}`, `{f: {x: 1}}`)
	f.Add(`{"properties": {"x": {"oneOf": [{"type": "string"}, {"pattern": "("}]}}}`, `{f: {x: {matches: a}}}`)
	f.Fuzz(func(t *testing.T, schema, expect string) {
		dir := suiteOf(t, "multiple", `[{"name": "f", "parameters": `+schema+`}, {"name": "g"}]`, "- {id: a, question: q, expect: "+expect+"}\n")
		if r, err := validate.Folder(dir, ""); err == nil && r.Errors+r.Warnings != len(r.Problems) {
			t.Fatal(said(r))
		}
	})
}
