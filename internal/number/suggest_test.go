package number_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/number/suggest"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	_ "github.com/gobfcl/bfcl/internal/test/testkit" // the suite's flags
)

func parseJSON(t *testing.T, text string) pyval.Value {
	t.Helper()
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err)
	return v
}

// caseOf is a case of a tool f with an integer, texts and an object.
func caseOf(t *testing.T, answer string) *eval.Case {
	doc := parseJSON(t, `{"name": "f", "parameters": {"type": "dict", "required": ["n"], "properties": {"n": {"type": "integer"}, "a": {"type": "string"}, "b": {"type": "string"}, "o": {"type": "dict", "properties": {"k": {"type": "string"}}}}}}`)
	c := &eval.Case{ID: "c_0", Category: "c", Rule: eval.ParallelMultiple, Tools: []*pyval.Dict{doc.(*pyval.Dict)}, File: "c.yaml", Line: 7}
	c.Answer = parseJSON(t, answer).(*pyval.List)
	return c
}

// runOf is a model's run of one case with those answers, calls as the recorded
// form of a model with native calls has them.
func runOf(t *testing.T, model string, c *eval.Case, status eval.Status, answers ...string) *tally.Run {
	t.Helper()
	category, err := categories.Own("c", "parallel_multiple", "python")
	require.NoError(t, err)
	part := tally.Part{Category: category}
	for i, text := range answers {
		r := tally.Result{Case: c, Trial: i, Status: status}
		if text != "" {
			r.Answer = &record.Row{Result: parseJSON(t, text)}
		}
		part.Results = append(part.Results, r)
	}
	return &tally.Run{Name: model, Model: model, Dataset: "d", Digest: "1234", Suite: "s", Parts: []tally.Part{part}, Settings: eval.Settings{Mode: eval.FC}}
}

const one = `[{"f": {"n": [1], "a": ["x", ""]}}]`

// TestAgreed says what is found where two models answer so.
func TestAgreed(t *testing.T) {
	for _, c := range []struct {
		name, answer, a, b string
		want               []string // parameter=given|accepted|becomes
	}{
		{"a value", one, `[{"f": "{\"n\": 1, \"a\": \"Y\"}"}]`, `[{"f": "{\"n\": 1, \"a\": \"y\"}"}]`, []string{`1 a='Y'|'x' or left out|['x', 'Y']?`}},
		{"other values", one, `[{"f": "{\"n\": 1, \"a\": \"y\"}"}]`, `[{"f": "{\"n\": 1, \"a\": \"z\"}"}]`, nil},
		{"5 is not 5.0", one, `[{"f": "{\"n\": 5}"}]`, `[{"f": "{\"n\": 5.0}"}]`, nil},
		{"another type", one, `[{"f": "{\"n\": \"1\"}"}]`, `[{"f": "{\"n\": \"1\"}"}]`, []string{`1 n='1'|1|[1, '1']`}},
		{"two of them", one, `[{"f": "{\"n\": 2, \"a\": \"y\"}"}]`, `[{"f": "{\"n\": 2, \"a\": \"y\"}"}]`, []string{`1 a='y'|'x' or left out|['x', 'y']?`, `1 n=2|1|[1, 2]`}},
		{"not expected", one, `[{"f": "{\"n\": 1, \"b\": \"y\"}"}]`, `[{"f": "{\"n\": 1, \"b\": \"y\"}"}]`, []string{`1 b='y'||['y']?`}},
		{"unknown to the tool", one, `[{"f": "{\"n\": 1, \"z\": 1}"}]`, `[{"f": "{\"n\": 1, \"z\": 1}"}]`, nil},
		{"left out", `[{"f": {"n": [1], "b": ["x"]}}]`, `[{"f": "{\"n\": 1}"}]`, `[{"f": "{\"n\": 1}"}]`, []string{`1 b=|'x'|['x']?`}},
		{"required and left out", one, `[{"f": "{}"}]`, `[{"f": "{}"}]`, nil},
		{"another function", one, `[{"g": "{\"n\": 9}"}]`, `[{"g": "{\"n\": 9}"}]`, nil},
		{"in text", one, `"I cannot."`, `"I cannot."`, nil},
		{"an object", `[{"f": {"n": [1], "o": [{"k": ["x"]}]}}]`, `[{"f": "{\"n\": 1, \"o\": {\"k\": \"y\"}}"}]`, `[{"f": "{\"n\": 1, \"o\": {\"k\": \"y\"}}"}]`, []string{`1 o={'k': 'y'}|{'k': ['x']}|-`}},
		{"calls in another order", `[{"f": {"n": [1], "a": ["x"]}}, {"f": {"n": [2], "a": ["x"]}}]`,
			`[{"f": "{\"n\": 2, \"a\": \"y\"}"}, {"f": "{\"n\": 1, \"a\": \"x\"}"}]`, `[{"f": "{\"n\": 1, \"a\": \"x\"}"}, {"f": "{\"n\": 2, \"a\": \"y\"}"}]`,
			[]string{`2 a='y'|'x'|['x', 'y']`}},
		{"a long text", one, `[{"f": "{\"n\": 1, \"a\": \"` + strings.Repeat("y", 3000) + `\"}"}]`, `[{"f": "{\"n\": 1, \"a\": \"` + strings.Repeat("y", 3000) + `\"}"}]`, nil},
	} {
		asked := caseOf(t, c.answer)
		r, err := suggest.Of([]*tally.Run{runOf(t, "a", asked, eval.Fail, c.a), runOf(t, "b", asked, eval.Fail, c.b)}, 2)
		require.NoError(t, err, c.name)
		var got []string
		for _, s := range r.Suggestions {
			becomes := "-"
			if s.Becomes != nil {
				becomes = pyval.Repr(&pyval.List{Items: s.Becomes.AnyOf})
				if s.Becomes.Optional {
					becomes += "?"
				}
			}
			assert.Equal(t, s.LeftOut, s.Given == "")
			assert.Equal(t, []string{"a", "b"}, s.Models)
			got = append(got, string(rune('0'+s.Call))+" "+s.Parameter+"="+s.Given+"|"+s.Accepted+"|"+becomes)
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

// TestMatchers: a suite's own matchers refuse, too, each argument by itself.
func TestMatchers(t *testing.T) {
	c := caseOf(t, one)
	c.Expected = &match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{{Function: "f", Args: []match.Field{
		{Name: "n", Choice: &match.Choice{Options: []match.Option{{Matcher: &match.Literal{Value: pyval.MakeInt(1)}}}}},
		{Name: "a", Choice: &match.Choice{Options: []match.Option{{Matcher: &match.Contains{Parts: []string{"red"}}}}}},
		{Name: "b", Choice: &match.Choice{Absent: true}},
	}}}}
	answer := `[{"f": "{\"n\": 2, \"a\": \"blue\", \"b\": \"y\"}"}]`
	r, err := suggest.Of([]*tally.Run{runOf(t, "a", c, eval.Fail, answer), runOf(t, "b", c, eval.Fail, answer)}, 2)
	require.NoError(t, err)
	var got []string
	for _, s := range r.Suggestions {
		got = append(got, s.Parameter+" "+s.Given+" "+s.ErrorType)
		assert.Equal(t, s.Parameter == "n", s.Becomes != nil, "a matcher is written in its own way")
	}
	assert.Equal(t, []string{"n 2 value_error:others", "a 'blue' matcher:contains", "b 'y' matcher:absent"}, got)
}

// TestConversation: a conversation on a suite's own tools is looked through turn by
// turn, all steps of a turn together.
func TestConversation(t *testing.T) {
	c := caseOf(t, one)
	text := func(values ...string) *match.Choice {
		out := &match.Choice{}
		for _, v := range values {
			out.Options = append(out.Options, match.Option{Matcher: &match.Literal{Value: pyval.Str(v)}})
		}
		return out
	}
	call := func(n int64, a *match.Choice) *match.Call {
		return &match.Call{Function: "f", Args: []match.Field{
			{Name: "n", Choice: &match.Choice{Options: []match.Option{{Matcher: &match.Literal{Value: pyval.MakeInt(n)}}}}}, {Name: "a", Choice: a},
		}}
	}
	c.Expected = match.Turns{
		{Mode: match.InOrder, Calls: []*match.Call{call(1, text("x"))}},
		{Mode: match.InOrder, Calls: []*match.Call{call(2, text("x")), call(3, text("red", "blue"))}},
		{},
	}
	category, err := categories.Own("c", "multi_turn", "python")
	require.NoError(t, err)
	run := func(model, result string) *tally.Run {
		r := runOf(t, model, c, eval.Fail, result)
		r.Parts[0].Category = category
		return r
	}
	const right = `[{"f": "{\"n\": 1, \"a\": \"x\"}"}]`
	const first, second = `[{"f": "{\"n\": 2, \"a\": \"x\"}"}]`, `[{"f": "{\"n\": 3, \"a\": \"green\"}"}]`
	r, err := suggest.Of([]*tally.Run{
		run("a", `[[`+right+`, "Done."], [`+first+`, `+second+`, "Done."], ["Bye."]]`),
		run("b", `[[`+right+`], [`+first+`, "what", `+second+`]]`),
		run("c", `"Error during inference"`),
	}, 2)
	require.NoError(t, err)
	require.Len(t, r.Suggestions, 1)
	s := r.Suggestions[0]
	assert.Equal(t, []any{2, 2, "a", "'green'", []string{"a", "b"}}, []any{s.Turn, s.Call, s.Parameter, s.Given, s.Models})
	require.NotNil(t, s.Becomes)
	assert.Equal(t, []pyval.Value{pyval.Str("red"), pyval.Str("blue"), pyval.Str("green")}, s.Becomes.AnyOf)
	assert.Empty(t, r.Notes)
	review, err := r.Review()
	require.NoError(t, err)
	assert.Contains(t, string(review), "\n    turn: 2\n    call: 2\n    function: f\n")

	c.Expected = nil // as those on simulated APIs
	r, err = suggest.Of([]*tally.Run{run("a", `[[`+right+`]]`), run("b", `[[`+right+`]]`)}, 2)
	require.NoError(t, err)
	assert.Equal(t, []string{"wrong conversations on simulated APIs, not looked at: 2"}, r.Notes)
}

// TestWhoAgrees: models count, not answers or runs, and who passed is said.
func TestWhoAgrees(t *testing.T) {
	c := caseOf(t, one)
	wrong, right := `[{"f": "{\"n\": 2}"}]`, `[{"f": "{\"n\": 1}"}]`
	again := runOf(t, "a", c, eval.Fail, wrong)
	again.Name = "a, another folder"
	_, err := suggest.Of([]*tally.Run{runOf(t, "a", c, eval.Fail, wrong, wrong), again}, 2)
	require.ErrorContains(t, err, "2 models must agree, but the runs are only of a")

	broken := runOf(t, "d", c, eval.Error, wrong)
	cut := runOf(t, "e", c, eval.Fail, wrong)
	cut.Parts[0].Results[0].CutOff = true
	r, err := suggest.Of([]*tally.Run{runOf(t, "a", c, eval.Fail, wrong, wrong), again, runOf(t, "b", c, eval.Fail, wrong, ""), runOf(t, "c", c, eval.Pass, right), broken, cut}, 2)
	require.NoError(t, err)
	require.Len(t, r.Suggestions, 1)
	s := r.Suggestions[0]
	assert.Equal(t, []string{"a", "b"}, s.Models)
	assert.Equal(t, 4, s.Answers)
	assert.Equal(t, []string{"c"}, s.Passed)
	assert.Equal(t, []string{"answers not recorded: 1", "infrastructure errors, which say nothing about a model: 1", "answers ended by the limit of tokens, not looked at: 1"}, r.Notes)

	_, err = suggest.Of([]*tally.Run{runOf(t, "a", c, eval.Fail, ""), runOf(t, "b", c, eval.Fail, "")}, 2)
	require.ErrorContains(t, err, "no answers are recorded")
	other := runOf(t, "b", c, eval.Fail, wrong)
	other.Digest = "5678"
	_, err = suggest.Of([]*tally.Run{again, other}, 2)
	require.ErrorContains(t, err, "have different cases")
}

// TestReview: whatever a model said, the YAML can be read, and says it.
func TestReview(t *testing.T) {
	for _, text := range []string{"y", "a: b # c", "- q", "\x1b[31m", "\u0085\u2028", "no", "1e3", "<<", "~", "\xed\xa0\x80", strings.Repeat("é", 500), "a\nb\n", "2025-01-31"} {
		c := caseOf(t, one)
		said := pyval.NewDict(2)
		said.SetStr("n", pyval.MakeInt(1))
		said.SetStr("a", pyval.Str(text))
		arguments, err := pyval.JSON(said, 0)
		require.NoError(t, err)
		answer := `[{"f": ` + string(pyval.AppendJSONString(nil, arguments, 0)) + `}]`
		runs := []*tally.Run{runOf(t, "a", c, eval.Fail, answer), runOf(t, "b\x1b", c, eval.Fail, answer)}
		runs[0].Suite = ""
		r, err := suggest.Of(runs, 2)
		require.NoError(t, err)
		require.Len(t, r.Suggestions, 1, "%q", text)
		out, err := r.Review()
		require.NoError(t, err)
		assert.NotContains(t, string(out), "\x1b")
		assert.Contains(t, string(out), "# "+strings.Split(suggest.NotOurs, "\n")[0])
		var doc struct {
			Suggestions []struct {
				Given   string
				Becomes struct {
					AnyOf    []string `yaml:"any_of"`
					Optional bool
				}
			}
		}
		require.NoError(t, yaml.Unmarshal(out, &doc), "%s", out)
		assert.Equal(t, text, doc.Suggestions[0].Given, "%s", out)
		assert.Equal(t, []string{"x", text}, doc.Suggestions[0].Becomes.AnyOf)
		assert.True(t, doc.Suggestions[0].Becomes.Optional)
	}
}
