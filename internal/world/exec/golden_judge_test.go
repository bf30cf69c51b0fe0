package exec_test

import (
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

func verdictText(valid bool, errorType string, detail pyval.Value) string {
	return pyval.Repr(pyval.Bool(valid)) + " " + errorType + " " + pyval.Repr(detail)
}

func outcomeText(o exec.Outcome, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	return verdictText(o.Valid, o.ErrorType, pyval.NewList(o.Error...))
}

func wantVerdict(row *pyval.Dict) string {
	return verdictText(testkit.Flag(row, "valid"), testkit.Text(row, "error_type"), testkit.Field(row, "error"))
}

func TestGoldenMatch(t *testing.T) {
	testkit.Compare(t, testkit.GoldenFile(t, "exec", "match.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		rule := testkit.Text(row, "rule")
		id := rule + " " + testkit.Text(row, "call") + " " + testkit.Text(row, "body")
		switch {
		case rule == "calls":
			c.Same(id, wantVerdict(row), matchCalls(t, row))
		case rule == "rest":
			c.Same(id, wantVerdict(row), matchREST(t, row))
		case strings.HasPrefix(rule, "is_"):
			want := pyval.Truth(tagged(t, testkit.Field(row, "returns")))
			c.Same(id, pyval.Repr(pyval.Bool(want)), pyval.Repr(pyval.Bool(gate(t, rule, tagged(t, testkit.Field(row, "value"))))))
		default:
			c.Same(id, wantVerdict(row)+wantOutput(t, row), matchOne(t, exec.Rule(rule), row))
		}
	})
}

func wantOutput(t *testing.T, row *pyval.Dict) string {
	t.Helper()
	if v := testkit.Field(row, "model_executed_output"); v != nil {
		return " output " + pyval.Repr(tagged(t, v))
	}
	return ""
}

func matchOne(t *testing.T, rule exec.Rule, row *pyval.Dict) string {
	t.Helper()
	call, want := testkit.Text(row, "call"), tagged(t, testkit.Field(row, "expected"))
	if testkit.Field(row, "raises") != nil {
		expected := []exec.Expected{{Value: want, Rule: rule}}
		return outcomeText(exec.Check(t.Context(), nil, true, expected, texts(call), nil))
	}
	o := rule.Match(call, tagged(t, testkit.Field(row, "result")), want, testkit.Flag(row, "sanity_check"))
	text := outcomeText(o, nil)
	if o.Output != nil {
		text += " output " + pyval.Repr(o.Output)
	}
	return text
}

func texts(calls ...string) pyval.Value {
	list := pyval.NewList()
	for _, call := range calls {
		list.Items = append(list.Items, pyval.Str(call))
	}
	return list
}

func matchCalls(t *testing.T, row *pyval.Dict) string {
	t.Helper()
	var want []exec.Expected
	rules := testkit.Field(row, "types").(*pyval.List).Items
	for i, v := range testkit.Field(row, "expected").(*pyval.List).Items {
		want = append(want, exec.Expected{Value: tagged(t, v), Rule: exec.Rule(pyval.Text(rules[i]))})
	}
	single := testkit.Text(row, "category") == "executable_simple"
	return outcomeText(exec.Check(t.Context(), nil, single, want, testkit.Field(row, "calls"), nil))
}

func matchREST(t *testing.T, row *pyval.Dict) string {
	t.Helper()
	answer := cannedFor(row)
	if e, ok := testkit.Field(row, "exception").(*pyval.Dict); ok {
		answer.raised = &pyval.Exception{Class: testkit.Text(e, "type"), Msg: testkit.Text(e, "message")}
	}
	env := &exec.Env{Client: answer}
	call := texts("requests.get(url='https://example.org/')")
	return outcomeText(exec.CheckREST(t.Context(), env, "rest_0", testkit.Text(row, "ground_truth"), call, nil))
}

// gate returns the judges' verdict on a decoded output.
func gate(t *testing.T, rule string, v pyval.Value) bool {
	t.Helper()
	const refused = "wrong_output_format"
	switch rule {
	case "is_executable_format_output":
		return !strings.HasSuffix(exec.Judge(t.Context(), nil, false, nil, v, nil).ErrorType, refused)
	case "is_rest_format_output":
		env := &exec.Env{Client: &canned{}}
		return !strings.HasSuffix(exec.JudgeREST(t.Context(), env, "", "{}", v, nil).ErrorType, refused)
	case "is_function_calling_format_output":
		return !strings.HasSuffix(judge.AST(nil, v, pyval.NewList(), judge.Options{Rule: eval.Parallel, Release: eval.V1}).ErrorType, refused)
	case "is_empty_output":
		return judge.Relevance(eval.Irrelevance, eval.V1, v, nil).Passed()
	}
	t.Fatalf("unknown rule %q", rule)
	return false
}

func replay(t testing.TB, path ...string) *exec.Env {
	t.Helper()
	r := testkit.Must(exec.OpenReplay(testkit.GoldenFile(t, path...)))(t)
	return &exec.Env{Client: r}
}

func listTexts(v pyval.Value) (out []string) {
	for _, item := range v.(*pyval.List).Items {
		out = append(out, pyval.Text(item))
	}
	return out
}

// expectations runs the ground truth of every executable case.
func expectations(t *testing.T, env *exec.Env) map[string][]exec.Expected {
	t.Helper()
	out := map[string][]exec.Expected{}
	testkit.Rows(t, testkit.GoldenFile(t, "exec", "expected.jsonl"), func(_ int, row *pyval.Dict) {
		var rules []exec.Rule
		for _, r := range listTexts(testkit.Field(row, "execution_result_type")) {
			rules = append(rules, exec.Rule(r))
		}
		want := testkit.Must(exec.Expect(t.Context(), env, listTexts(testkit.Field(row, "ground_truth")), rules))(t)
		out[testkit.Text(row, "id")] = want
	})
	return out
}

func TestGoldenExpected(t *testing.T) {
	for _, file := range []string{"replay.jsonl", "replay_all.jsonl"} {
		expected := expectations(t, replay(t, "exec", file))
		testkit.Compare(t, testkit.GoldenFile(t, "exec", "expected.jsonl"), func(c *testkit.Comparison) {
			row := c.Row
			var got []pyval.Value
			for _, e := range expected[testkit.Text(row, "id")] {
				got = append(got, e.Value)
			}
			c.Same(testkit.Text(row, "id"), pyval.Repr(testkit.Field(row, "execution_result")), pyval.Repr(pyval.NewList(got...)))
		})
	}
}

// decodeFailure is the decoding failure that a golden error text tells of.
func decodeFailure(row *pyval.Dict, prefix string) error {
	if testkit.Field(row, "decoded").Kind() != pyval.KindNone {
		return nil
	}
	return &pyval.Exception{Msg: strings.TrimPrefix(pyval.Text(testkit.Field(row, "error").(*pyval.List).Items[0]), prefix)}
}

const decoderPrefix = "Failed to decode executable. "

func TestGoldenRuns(t *testing.T) {
	env := replay(t, "exec", "replay.jsonl")
	expected := expectations(t, env)
	testkit.Compare(t, testkit.GoldenFile(t, "exec", "runs.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		id := testkit.Text(row, "id")
		v := exec.Judge(t.Context(), env, strings.HasPrefix(id, "executable_simple"), expected[id],
			testkit.Field(row, "decoded"), decodeFailure(row, decoderPrefix))
		c.Same(testkit.Text(row, "model")+" "+id, wantVerdict(row), runVerdict(v))
		if v.Passed() == testkit.Flag(row, "published_valid") {
			c.Note("verdicts as published")
		}
	})
}

func runVerdict(v eval.Verdict) string {
	detail := v.Detail
	if detail == nil {
		detail = pyval.NewList()
	}
	return verdictText(v.Passed(), v.ErrorType, detail)
}
