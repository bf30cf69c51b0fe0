package judge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestGoldenAgenticChecker(t *testing.T) {
	rows, equal := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "agentic", "agentic_checker.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		got := judge.Check(testkit.Field(row, "model_response"), testkit.Field(row, "possible_answer"))
		if d := diff(wanted(row), seen(got)); d != "" {
			t.Errorf("%s (-upstream, +got):\n%s", testkit.Text(row, "id"), d)
			return
		}
		equal++
	})
	t.Logf("%d of %d rows equal", equal, rows)
}

func TestGoldenAgenticEntries(t *testing.T) {
	rows, equal := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "agentic", "agentic_entries.jsonl"), func(_ int, row *pyval.Dict) {
		rows++
		settings := eval.SettingsFor(eval.FC)
		if testkit.Text(row, "mode") == "prompting" {
			settings = eval.SettingsFor(eval.Prompt)
		}
		answers, _ := testkit.Field(row, "possible_answer").(*pyval.List)
		result := testkit.Field(row, "result")
		want, got := wanted(row), seen(judge.Agentic(&eval.Case{Answer: answers}, result, settings))
		got.said, got.accepted = "", ""
		if last := testkit.Field(row, "last_non_fc_message"); last != nil {
			m, _, _ := judge.Read(result, settings)
			want.last, got.last = pyval.Repr(last), pyval.Repr(m.Last)
		}
		if d := diff(want, got); d != "" {
			t.Errorf("%s (-upstream, +got):\n%s", testkit.Text(row, "id"), d)
			return
		}
		equal++
	})
	t.Logf("%d of %d rows equal", equal, rows)
}

// A finding is a row's verdict as text.
type finding struct {
	valid                bool
	errorType, message   string
	said, accepted, last string
}

func diff(want, got finding) string {
	return cmp.Diff(want, got, cmp.AllowUnexported(finding{}))
}

// wanted returns a row's finding. Where upstream raises an exception, ours is a
// verdict.
func wanted(row *pyval.Dict) finding {
	if testkit.Text(row, "crash") != "" {
		return finding{errorType: judge.NoMessage}
	}
	return finding{
		valid: testkit.Flag(row, "valid"), errorType: testkit.Text(row, "error_type"), message: shown(testkit.Field(row, "error_message")),
		said: shown(testkit.Field(row, "standardized_model_response")), accepted: shown(testkit.Field(row, "standardized_possible_answers")),
	}
}

func seen(v eval.Verdict) finding {
	f := finding{valid: v.Passed(), errorType: v.ErrorType}
	reason, _ := v.Detail.(*pyval.Dict)
	if reason == nil || v.ErrorType == judge.NoMessage {
		return f
	}
	f.message = shown(testkit.Field(reason, "error_message"))
	if details, ok := testkit.Field(reason, "details").(*pyval.Dict); ok {
		f.said = shown(testkit.Field(details, "standardized_model_response"))
		f.accepted = shown(testkit.Field(details, "standardized_possible_answers"))
	}
	return f
}

func shown(v pyval.Value) string {
	if v == nil {
		return ""
	}
	return pyval.Repr(v)
}
