package evaluate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// shapes are answers by the error type they lead to.
var shapes = []struct{ result, errorType string }{
	{`[[[{"core_memory_retrieve_all": "{}"}], "I remember nothing of that kind."]]`, "agentic:answer_not_found"},
	{`[[[{"core_memory_retrieve_all": "{}"}]]]`, "agentic:no_last_message"},
	{`"Error during inference: boom"`, "agentic:inference_error"},
}

// TestGoldenAgenticScoreFiles evaluates an upstream-shaped result folder of a
// memory category and holds the score rows' keys against upstream's.
func TestGoldenAgenticScoreFiles(t *testing.T) {
	want := map[string]string{}
	testkit.Rows(t, testkit.GoldenFile(t, "agentic", "agentic_entries.jsonl"), func(_ int, row *pyval.Dict) {
		if keys, ok := testkit.Field(row, "score_keys").(*pyval.List); ok {
			keys.Items = append(keys.Items, pyval.Str("inference_log")) // which the caller adds
			want[testkit.Text(row, "error_type")] = pyval.Repr(keys)
		}
	})
	require.Len(t, want, len(shapes))

	d, err := fixtures.Open(fixtures.Starter, "")
	require.NoError(t, err)
	cases, err := d.Cases(categories.Find("memory_rec_sum"))
	require.NoError(t, err)
	dir, out := t.TempDir(), t.TempDir()
	folder := filepath.Join(dir, "m", "agentic", "memory", "rec_sum")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "memory_snapshot"), 0o755))
	var lines []string
	for i, c := range cases {
		result := `[["The answer is ` + pyval.Text(c.Answer.Items[0]) + `."]]`
		if i < len(shapes) {
			result = shapes[i].result
		}
		lines = append(lines, `{"id": "`+c.ID+`", "result": `+result+`, "inference_log": [["x"]]}`)
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	write("BFCL_v4_memory_rec_sum_result.json", strings.Join(lines, "\n")+"\n")
	write("BFCL_v4_memory_rec_sum_prereq_result.json", `{"id": "memory_rec_sum_prereq_0-allotment-0", "result": [["ok"]]}`+"\n")
	write(filepath.Join("memory_snapshot", "allotment_final.json"), `{"memory": "x"}`)

	report, err := evaluate.Run(tally.Folders{Dataset: d, ResultDir: dir}, out)
	require.NoError(t, err)
	assert.Empty(t, report.Notes, "conversations are not scored, and nothing is said of them")
	data, err := os.ReadFile(filepath.Join(out, "m", "agentic", "memory", "rec_sum", "BFCL_v4_memory_rec_sum_score.json"))
	require.NoError(t, err)
	rows := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, rows, 1+len(shapes))
	assert.Contains(t, rows[0], `"correct_count": 18, "total_count": 21`)
	for i, shape := range shapes {
		v, err := pyval.ParseJSON(rows[i+1])
		require.NoError(t, err)
		row := v.(*pyval.Dict)
		reason := testkit.Field(row, "error").(*pyval.Dict)
		assert.Equal(t, shape.errorType, testkit.Text(reason, "error_type"))
		assert.Equal(t, want[shape.errorType], pyval.Repr(pyval.NewList(row.Keys()...)))
		assert.Equal(t, `[['x']]`, pyval.Repr(testkit.Field(row, "inference_log")))
		if shape.errorType == "agentic:answer_not_found" {
			assert.Equal(t, "I remember nothing of that kind.", testkit.Text(row, "last_non_fc_message"))
			assert.True(t, reason.Has("details"))
		}
	}
	table, err := os.ReadFile(filepath.Join(out, "data_agentic.csv"))
	require.NoError(t, err)
	assert.Contains(t, string(table), "85.71%")
	t.Logf("%d kinds of score rows compared", len(shapes))
}
