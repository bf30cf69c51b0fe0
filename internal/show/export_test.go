package show_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/show"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/show/report"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenTables exports recorded runs of both releases and compares each
// row with those that the evaluator writes, which are upstream's.
func TestGoldenTables(t *testing.T) {
	data := filepath.Dir(testkit.Shared(t, "bfcl", "v4"))
	equal, total := 0, 0
	for _, test := range []struct{ release, results string }{
		{"v1", testkit.Shared(t, "recorded", "v1")},
		{"v4", testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result")},
	} {
		dataset := testkit.Must(fixtures.Open(test.release, data))(t)
		scores := t.TempDir()
		testkit.Must(evaluate.Run(tally.Folders{Dataset: dataset, ResultDir: test.results}, scores))(t)
		runs := testkit.Must(tally.ReadAll([]string{test.results}, tally.Options{Data: data, Answers: true}))(t)
		files := testkit.Must(export.Tables(runs, true))(t)
		require.NotEmpty(t, files)
		for _, f := range files {
			text := testkit.Must(os.ReadFile(filepath.Join(scores, f.Name)))(t)
			want, got := strings.Split(string(text), "\n"), strings.Split(f.Text, "\n")
			require.Len(t, got, len(want), f.Name)
			for i := range want {
				total++
				if diff := cmp.Diff(want[i], got[i]); diff != "" {
					t.Errorf("%s, %s row %d: %s", test.release, f.Name, i, diff)
					continue
				}
				equal++
			}
		}
	}
	t.Logf("%d of %d rows equal", equal, total)
}

// small are two runs of two categories over the starter suite: one right, one
// that says nothing but a forgedLine text.
func small(t *testing.T) []*tally.Run {
	t.Helper()
	dir := t.TempDir()
	dataset := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	for _, name := range []string{"simple_java", "irrelevance"} {
		for _, model := range []string{"right", "wrong"} {
			write(t, dataset, filepath.Join(dir, "result"), model, name, model == "right")
		}
	}
	return testkit.Must(tally.ReadAll([]string{filepath.Join(dir, "result")}, tally.Options{Dataset: fixtures.Starter, Answers: true}))(t)
}

const forgedLine = "no call\n{\"gen_ai.request.model\": \"forged\"}\x1b[31m\u202e"

func write(t *testing.T, dataset *fixtures.Dataset, dir, model, name string, right bool) string {
	t.Helper()
	cat := category(t, name)
	cases := testkit.Must(dataset.Cases(cat))(t)
	var lines bytes.Buffer
	for _, c := range cases {
		resp := &eval.Response{Result: oracle.Answer(c, eval.FC), InputTokens: 30, OutputTokens: 4, Latency: 2e9}
		if !right {
			resp.Result = eval.TextResult(forgedLine)
		}
		line := testkit.Must(record.Line(c.ID, resp, ""))(t)
		lines.Write(line)
	}
	folder := filepath.Join(dir, model, cat.Group)
	require.NoError(t, os.MkdirAll(folder, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(folder, record.FileName(name)), lines.Bytes(), 0o644))
	return dir
}

// TestErrorsHaveNoScore: what infrastructure did is no answer.
func TestErrorsHaveNoScore(t *testing.T) {
	run := small(t)[1]
	r := &run.Parts[0].Results[0]
	r.Status, r.ErrorType, r.Text, r.Level, r.Cause = eval.Error, "infrastructure:timeout", "infrastructure:timeout: no answer", 0, cause.Cause{Kind: cause.Infrastructure}
	assert.ErrorContains(t, testkit.Err(export.Tables([]*tally.Run{run}, false)), "--allow-errors")
}

// TestTablesKeepTheirColumns: upstream's tables have no quotes, so a name with
// commas would be several cells.
func TestTablesKeepTheirColumns(t *testing.T) {
	files := testkit.Must(export.Tables([]*tally.Run{{Name: "a,99.99%,b", Run: record.Run{Dataset: "v4"}, Parts: []tally.Part{{Category: categories.Find("simple_python")}}}}, true))(t)
	for _, file := range files {
		head, row, _ := strings.Cut(strings.TrimSpace(file.Text), "\n")
		assert.Equal(t, strings.Count(head, ","), strings.Count(row, ","), file.Name)
	}
}

func TestTablesOfOneDataset(t *testing.T) {
	runs := small(t)
	files := testkit.Must(export.Tables(runs, false))(t)
	require.Len(t, files, 6)
	assert.Contains(t, files[0].Text, ",right,")
	again, _ := export.Tables([]*tally.Run{runs[0], runs[1]}, false)
	assert.Equal(t, files, again)
	runs[1].Digest += "0" // the same cases, but for one
	assert.ErrorContains(t, testkit.Err(export.Tables(runs, false)), "a table covers one dataset")
}

func category(t *testing.T, name string) *eval.Category {
	t.Helper()
	cat := categories.Find(name)
	require.NotNil(t, cat)
	return cat
}

// TestLMEval: each category stands under lm-evaluation-harness' own keys, with an
// error over its units and a line for each sample.
func TestLMEval(t *testing.T) {
	run := small(t)[1]
	files := testkit.Must(export.LMEval(run))(t)
	require.Len(t, files, 1+len(run.Parts))
	var got struct {
		Results map[string]map[string]any
		Samples map[string]map[string]int `json:"n-samples"`
	}
	require.NoError(t, json.Unmarshal([]byte(files[len(files)-1].Text), &got))
	require.Len(t, got.Results, len(run.Parts))
	for i, part := range run.Parts {
		right := 0
		for k := range part.Results {
			if part.Results[k].Passed() {
				right++
			}
		}
		name := "bfcl_" + run.Dataset + "_" + part.Category.Name
		assert.InDelta(t, float64(right)/float64(len(part.Results)), got.Results[name]["acc,none"], 1e-12)
		assert.Contains(t, got.Results[name], "acc_stderr,none")
		assert.Equal(t, len(part.Results), got.Samples[name]["effective"])
		assert.Equal(t, len(part.Results), strings.Count(files[i].Text, "\n"))
	}
}

// TestRunsDiffer: no two of twenty runs look the same.
func TestRunsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for i := range 20 {
		look := string(report.Mark{Name: fmt.Sprint("model-", i), Index: i}.Swatch())
		assert.False(t, seen[look], "run %d looks like another", i)
		assert.NotContains(t, look, "<title", "a legend's symbol says nothing that does not stand beside it")
		seen[look] = true
	}
}

// TestDoctorProposes: no run is proposed that would be refused.
func TestDoctorProposes(t *testing.T) {
	t.Parallel()
	for state, proposed := range map[doctor.State]bool{doctor.Unknown: false, doctor.Fault: true, doctor.Doubt: true} {
		var b strings.Builder
		r := &doctor.Report{Asked: 1, Findings: []doctor.Finding{{Question: "one call", State: state, Said: "model_not_found"}}}
		show.Doctor(&b, "v4", r, advise.Command{Words: []string{"run", "-model=openai:m"}})
		assert.Equal(t, proposed, strings.Contains(b.String(), "bfcl run -model=openai:m"), b.String())
	}
}
