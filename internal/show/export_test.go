package show_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/show"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

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
