package evaluate_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/evaluate"
	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/testkit"
)

// syntaxErrors are results of calls that CPython's parser refuses, in words
// that change between its versions.
var syntaxErrors = regexp.MustCompile(`"Error during execution: [^"]* \(<string>, line \d+\)"`)

const recordedMultiTurn = "multi_turn_base,multi_turn_miss_func,multi_turn_miss_param"

// TestGoldenMultiTurn evaluates a real model's recorded conversations:
// accuracy, failing ids, error types and texts are upstream's own. The run is
// older than a correction of the dataset, which shows in copies of entries.
func TestGoldenMultiTurn(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	out := t.TempDir()
	report, err := evaluate.Run(evaluate.Options{
		Dataset: official(t), ResultDir: filepath.Join(recorded, "result"), ScoreDir: out, Categories: recordedMultiTurn,
	})
	require.NoError(t, err)
	require.Len(t, report.Models, 1)
	require.Len(t, report.Models[0].Categories, 3)
	cases, failed, identical, words, corrected := 0, 0, 0, 0, 0
	for _, c := range report.Models[0].Categories {
		file := filepath.Join(report.Models[0].Name, "multi_turn", "BFCL_v4_"+c.Name+"_score.json")
		want, got := lines(t, filepath.Join(recorded, "score", file)), lines(t, filepath.Join(out, file))
		assert.Equal(t, want[0], got[0], "header of %s", file)
		cases += c.Total
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
		_, err := evaluate.Run(evaluate.Options{
			Dataset: official(b), ResultDir: recorded, ScoreDir: out, Categories: recordedMultiTurn,
		})
		require.NoError(b, err)
	}
}
