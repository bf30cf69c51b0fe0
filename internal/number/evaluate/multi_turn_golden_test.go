package evaluate_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// syntaxErrors are results of calls that CPython's parser refuses, in words
// that change between its versions.
var syntaxErrors = regexp.MustCompile(`"Error during execution: (?:[^"\\]|\\.)* \(<string>, line \d+\)"`)

const recordedMultiTurn = "multi_turn_base,multi_turn_miss_func,multi_turn_miss_param"

// TestGoldenMultiTurn evaluates a real model's recorded conversations:
// accuracy, failing ids, error types and texts are upstream's own. The run is
// older than a correction of the dataset, which shows in copies of entries.
func TestGoldenMultiTurn(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	out := t.TempDir()
	report, err := evaluate.Run(tally.Folders{
		Dataset: official(t), ResultDir: filepath.Join(recorded, "result"), Categories: recordedMultiTurn,
	}, out)
	require.NoError(t, err)
	require.Len(t, report.Models, 1)
	require.Len(t, report.Models[0].Parts, 3)
	cases, failed, identical, words, corrected := 0, 0, 0, 0, 0
	for _, c := range report.Models[0].Parts {
		file := filepath.Join(report.Models[0].Name, "multi_turn", "BFCL_v4_"+c.Category.Name+"_score.json")
		want, got := lines(t, filepath.Join(recorded, "score", file)), lines(t, filepath.Join(out, file))
		assert.Equal(t, want[0], got[0], "header of %s", file)
		cases += len(c.Results)
		if !assert.Equal(t, len(want), len(got), "failed cases of %s", file) {
			continue
		}
		for i := 1; i < len(want); i++ {
			failed++
			if want[i] == got[i] {
				identical++
				continue
			}
			want[i], got[i] = syntaxErrors.ReplaceAllString(want[i], ""), syntaxErrors.ReplaceAllString(got[i], "")
			if want[i] == got[i] {
				words++
				continue
			}
			different := fieldsThatDiffer(t, want[i], got[i])
			if assert.Equal(t, []string{"prompt"}, different, "%s, line %d of %s", field(t, want[i], "id"), i+1, file) {
				corrected++
			}
		}
	}
	t.Logf("%d cases compared, %d of them failed; %d of the failed cases' score lines are identical to the byte, %d but for CPython's words for what is no call, %d but for the dataset's entry",
		cases, failed, identical, words, corrected)
}

// fieldsThatDiffer compares two lines field by field, order included.
func fieldsThatDiffer(t *testing.T, want, got string) []string {
	a, b := object(t, want), object(t, got)
	var out []string
	for i := range max(a.Len(), b.Len()) {
		if i >= a.Len() || i >= b.Len() {
			return append(out, "number of fields")
		}
		name, x := a.At(i)
		other, y := b.At(i)
		if !pyval.Equal(name, other) || pyval.Repr(x) != pyval.Repr(y) {
			out = append(out, pyval.Text(name))
		}
	}
	return out
}

func object(t *testing.T, line string) *pyval.Dict {
	t.Helper()
	v, err := pyval.ParseJSON(line)
	require.NoError(t, err)
	d, ok := v.(*pyval.Dict)
	require.True(t, ok)
	return d
}

// BenchmarkMultiTurn evaluates 600 recorded conversations from result files to
// score files, dataset included.
func BenchmarkMultiTurn(b *testing.B) {
	recorded := testkit.Shared(b, "recorded", "v4", "gpt-oss-120b", "result")
	out := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		_, err := evaluate.Run(tally.Folders{
			Dataset: official(b), ResultDir: recorded, Categories: recordedMultiTurn,
		}, out)
		require.NoError(b, err)
	}
}

// TestGoldenRecovery counts recovery from the results that upstream logged: of
// each conversation the turns up to the one at fault in which something is to
// be done and a tool answered with an error.
func TestGoldenRecovery(t *testing.T) {
	data := official(t)
	results := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result")
	report, err := evaluate.Run(tally.Folders{Dataset: data, ResultDir: results, Categories: recordedMultiTurn}, "")
	require.NoError(t, err)
	conversations, turns, passed := 0, 0, 0
	for _, c := range report.Models[0].Parts {
		answers := map[string]*pyval.List{}
		cases, err := data.Cases(c.Category)
		require.NoError(t, err)
		for _, item := range cases {
			answers[item.ID] = item.Answer
		}
		logs := map[string]*pyval.List{}
		testkit.Rows(t, filepath.Join(results, report.Models[0].Name, "multi_turn", "BFCL_v4_"+c.Category.Name+"_result.json"), func(_ int, row *pyval.Dict) {
			logs[testkit.Text(row, "id")], _ = testkit.Field(row, "inference_log").(*pyval.List)
		})
		for _, v := range c.Results {
			conversations++
			want := eval.Recovery{}
			if f, ok := v.Fault.(*multiturn.Fault); v.Passed() || ok && f.Turn >= 0 {
				want = loggedRecovery(logs[v.Case.ID], answers[v.Case.ID], f)
			}
			assert.Equal(t, want, v.Recovery, v.Case.ID)
			turns += v.Recovery.Turns
			passed += v.Recovery.Passed
		}
	}
	require.Positive(t, turns)
	t.Logf("%d conversations compared with their logs: %d judged turns with an error, %d of them passed", conversations, turns, passed)
}

var loggedError = regexp.MustCompile(`^(Error during execution: |\{("[^"]*": (true|false|null|\d+), )*"error": )`)

func loggedRecovery(log, answer *pyval.List, f *multiturn.Fault) (r eval.Recovery) {
	turn := -1
	for _, entry := range log.Items {
		steps, ok := entry.(*pyval.Dict)
		if !ok {
			continue // states
		}
		if turn++; f != nil && turn > f.Turn {
			break
		}
		if wanted, _ := pyval.Len(answer.Items[turn]); wanted == 0 || !failedTool(steps) {
			continue
		}
		r.Turns++
		if f == nil || turn < f.Turn {
			r.Passed++
		}
	}
	return r
}

func failedTool(turn *pyval.Dict) bool {
	for key, v := range turn.All() {
		step, ok := v.(*pyval.List)
		if !ok || !strings.HasPrefix(pyval.Text(key), "step_") {
			continue
		}
		for _, item := range step.Items {
			row := item.(*pyval.Dict)
			if role, _ := row.GetStr("role"); role == pyval.Str("tool") && loggedError.MatchString(testkit.Text(row, "content")) {
				return true
			}
		}
	}
	return false
}
