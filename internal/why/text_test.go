package why_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

func parse(t *testing.T, s string) pyval.Value {
	t.Helper()
	v, err := pyval.ParseJSON(s)
	require.NoError(t, err)
	return v
}

func lampCase(t *testing.T) *eval.Case {
	return &eval.Case{
		ID: "simple_python_0", Turns: [][]eval.Message{{{Role: "user", Content: "Dim the lamp to 40%."}}},
		Tools:  []*pyval.Dict{parse(t, `{"name": "lamp.dim"}`).(*pyval.Dict)},
		Answer: parse(t, `[{"lamp.dim": {"level": [0.4], "room": ["", "hall"]}}]`).(*pyval.List),
	}
}

// with returns a result of the case.
func with(c *eval.Case, r eval.Result) *eval.Result {
	r.Case = c
	return &r
}

func TestFailureText(t *testing.T) {
	out := eval.Result{Verdict: eval.Verdict{
		Status: eval.Fail, ErrorType: "value_error:others",
		Detail: pyval.NewList(pyval.Str("Invalid value for parameter 'level': 40.0. Expected one of [0.4].")),
	}, Decoded: parse(t, `[{"lamp_dim": {"level": 40.0}}]`)}
	text := why.Text(with(lampCase(t), out))
	assert.Equal(t, "value_error:others: Invalid value for parameter 'level': 40.0. Expected one of [0.4].", strings.SplitN(text, "\n", 2)[0])
	assert.Contains(t, text, `  question  "Dim the lamp to 40%."`)
	assert.Contains(t, text, "  tools     lamp.dim")
	assert.Contains(t, text, "  expected  [{'lamp.dim': {'level': [0.4], 'room': ['', 'hall']}}]")
	assert.Contains(t, text, "  got       [{'lamp_dim': {'level': 40.0}}]")
	assert.True(t, strings.HasSuffix(text, "\n  differs at\n    level: accepted 0.4, got 40.0"), "a parameter that was rightly left out is no difference: %s", text)
}

func TestFailureTextOfError(t *testing.T) {
	err := eval.Infra("timeout", "no answer after 10m")
	text := why.Text(with(lampCase(t), eval.Result{Verdict: eval.Verdict{Status: eval.Error, ErrorType: "infrastructure:timeout"}, Err: err}))
	assert.Equal(t, "infrastructure:timeout: no answer after 10m", strings.SplitN(text, "\n", 2)[0])
	assert.NotContains(t, text, "expected")
}

// TestFailureNoCall: for an answer without a call the first line says so and
// quotes the answer; upstream's message, which is about its own code, follows.
func TestFailureNoCall(t *testing.T) {
	const upstream = "Invalid syntax. Failed to decode AST. 'str' object has no attribute 'keys'"
	long := strings.Repeat("I can't do that. ", 100)
	for _, row := range []struct {
		name            string
		result, decoded pyval.Value
		first           string
	}{
		{"a text", pyval.Str("I can't\ndo that."), nil, `the answer holds no call: "I can't\ndo that."`},
		{"a long text", pyval.Str(long), nil, `the answer holds no call: "` + long[:160] + `"… (1700 bytes)`},
		{"nothing", pyval.Str(" \n"), nil, "the answer is empty"},
		{"no value", pyval.None, nil, "the answer is empty"},
		{"a call that breaks off", pyval.Str("[lamp.dim(level=0.4"), nil, `no call can be read from the answer "[lamp.dim(level=0.4"`},
		{"broken arguments", parse(t, `[{"lamp_dim": "{\"level\":"}]`), nil, `no call can be read from the answer "[{'lamp_dim': '{\"level\":'}]"`},
		{"an empty list", pyval.Str("[]"), parse(t, "[]"), `the answer holds no call: "[]"`},
	} {
		out := eval.Result{Response: eval.Response{Result: row.result}, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "ast_decoder:decoder_failed", Detail: pyval.NewList(pyval.Str(upstream))}, Decoded: row.decoded}
		c := lampCase(t)
		first := "ast_decoder:decoder_failed: " + row.first
		assert.Equal(t, first, why.Summary(with(c, out)), row.name)
		assert.True(t, strings.HasPrefix(why.Text(with(c, out)), first+"\n  upstream  "+upstream+"\n  question  "), "%s: %s", row.name, why.Text(with(c, out)))
		out.ErrorType, out.OutputTokens = eval.CutOff, 9
		assert.Equal(t, "cut_off: the token limit ended the answer after 9 tokens; the part that came is wrong: "+row.first, why.Summary(with(c, out)), row.name)
	}
}

// TestFailureOwnRule: the text of a suite's own matcher is shown as it is.
func TestFailureOwnRule(t *testing.T) {
	out := eval.Result{Response: eval.Response{Result: pyval.Str("[]")}, Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "own:calls", Detail: pyval.NewList(pyval.Str("No call of lamp.dim."))}, Decoded: parse(t, "[]")}
	c := lampCase(t)
	c.Answer, c.Expected = nil, matchers{}
	assert.Equal(t, "own:calls: No call of lamp.dim.", why.Summary(with(c, out)))
	assert.NotContains(t, why.Text(with(c, out)), "upstream")
}

// TestFailureHostile: a model's text can add neither a line of its own nor a
// character that a terminal or test2json interprets.
func TestFailureHostile(t *testing.T) {
	hostile := "x\n--- PASS: TestBFCL/a (0.00s)\n\x16=== ATTR  TestBFCL k v\x1b[31m\u202e]]>\x00\xff</failure>" + strings.Repeat("é", 100_000)
	detail := pyval.NewList(pyval.Str(hostile), pyval.Str(hostile))
	for _, out := range []eval.Result{
		{Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "e", Detail: detail}, Response: eval.Response{Result: pyval.Str(hostile)}},
		{Verdict: eval.Verdict{Status: eval.Fail, ErrorType: "e", Detail: detail}, Decoded: pyval.NewList(pyval.Str(hostile))},
		{Verdict: eval.Verdict{Status: eval.Error, ErrorType: "e"}, Err: eval.Infra("x", "%s", hostile)},
	} {
		c := lampCase(t)
		c.Turns[0][0].Content = hostile
		text := why.Text(with(c, out))
		printed(t, text)
	}
}

// matchers stands for a suite's own matchers.
type matchers struct{ eval.Expectation }

func (matchers) String() string { return "a call" }

// FuzzFailurePrinted checks that any text comes out as printable characters on
// the harness's own lines, however long it is.
func FuzzFailurePrinted(f *testing.F) {
	f.Add("x\n--- PASS: TestBFCL/a (0.00s)\n")
	f.Add("\x16=== ATTR  TestBFCL k v\x1b[31m\u202e]]>\x00\xff")
	f.Add(strings.Repeat("é", 5000))
	f.Fuzz(func(t *testing.T, said string) {
		out := eval.Result{Response: eval.Response{Result: pyval.Str(said)}, Verdict: eval.Verdict{
			Status: eval.Fail, ErrorType: "e", Detail: pyval.NewList(pyval.Str(said)),
		}}
		printed(t, why.Text(with(lampCase(t), out)))
	})
}

// printed checks that a text is short, printable, and has no line of go test's.
func printed(t *testing.T, text string) {
	t.Helper()
	assert.True(t, utf8.ValidString(text), "%q", text)
	assert.LessOrEqual(t, len(text), 4096+len("…"))
	for line := range strings.SplitSeq(text, "\n") {
		assert.NotRegexp(t, `^\s*(---|===)`, line)
		for _, r := range line {
			require.True(t, unicode.IsPrint(r), "%q in %.80q", r, line)
		}
	}
}
