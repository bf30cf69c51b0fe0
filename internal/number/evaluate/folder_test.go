package evaluate_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// tagged is a case's possible answer as Qwen writes calls.
func tagged(c *eval.Case) string {
	var b strings.Builder
	for i, item := range oracle.Answer(c, eval.FC).(*pyval.List).Items {
		name, _ := c.Answer.Items[i].(*pyval.Dict).At(0) // with its dots
		_, args := item.(*pyval.Dict).At(0)
		fmt.Fprintf(&b, "<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>\n", pyval.Text(name), pyval.Text(args))
	}
	return b.String()
}

// TestUnread: answers in a dialect that nobody told of are named as such, with
// the dialects that read them; a folder with a leaderboard's name needs no word.
func TestUnread(t *testing.T) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cases := testkit.Must(d.Cases(categories.Find("multiple")))(t)
	var tags, talk strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&tags, "{\"id\": %q, \"result\": %q}\n", c.ID, tagged(c))
		fmt.Fprintf(&talk, "{\"id\": %q, \"result\": \"I cannot; nothing fits.\"}\n", c.ID)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"mine": tags.String(), "Qwen_Qwen3-8B-FC": tags.String(), "talker": talk.String()} {
		write(t, filepath.Join(dir, name, "non_live", "BFCL_v4_multiple_result.json"), text)
	}
	run := func(o tally.Folders) map[string]*tally.Run {
		o.Dataset, o.ResultDir = d, dir
		report := testkit.Must(evaluate.Run(o, ""))(t)
		out := map[string]*tally.Run{}
		for _, m := range report.Models {
			out[m.Model] = m
		}
		return out
	}
	models := run(tally.Folders{})
	models["mine"].Command = []string{"evaluate"}
	warnings := doubts(t, models["mine"])
	require.Len(t, warnings, 1)
	assert.Contains(t, warnings[0], fmt.Sprintf("multiple: no call could be read from %d of %d answers in prompt mode. In the dialect tool-call, ", len(cases), len(cases)))
	assert.Contains(t, warnings[0], "can be read: `bfcl evaluate --dialect=tool-call`. ")
	assert.Contains(t, warnings[0], "The first, of "+cases[0].ID+`: <tool_call>\n{`)
	assert.Zero(t, models["mine"].Parts[0].Correct())

	assert.Empty(t, doubts(t, models["Qwen_Qwen3-8B-FC"]))
	assert.Equal(t, "qwen-fc", models["Qwen_Qwen3-8B-FC"].Settings().Dialect)
	assert.Equal(t, len(cases), models["Qwen_Qwen3-8B-FC"].Parts[0].Correct())

	warnings = doubts(t, models["talker"])
	require.Len(t, warnings, 1, "more than half")
	assert.NotContains(t, warnings[0], "dialect")

	models = run(tally.Folders{Models: []string{"mine"}, Settings: func(s eval.Settings) eval.Settings {
		s.Dialect = "qwen-fc"
		return s
	}})
	assert.Empty(t, doubts(t, models["mine"]))
	assert.Equal(t, len(cases), models["mine"].Parts[0].Correct())
}

// doubts are the sentences that a score of a model begins with.
func doubts(t *testing.T, m *tally.Run) []string {
	t.Helper()
	s := testkit.Must(m.Answered(false))(t)
	return slices.DeleteFunc(s.Warnings, func(text string) bool { return strings.HasPrefix(text, "This is a part of") })
}

// TestRunFolder: a run's folder is held against its run.json: other cases are
// refused, though they have the same ids; a lost file is missed; of trials the
// first is evaluated, which is said.
func TestRunFolder(t *testing.T) {
	dataset := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	digest := testkit.Must(dataset.Digest())(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "result", "non_live", record.FileName("simple_python"))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(`{"id": "simple_python_0", "result": "no"}`+"\n"), 0o644))
	run := record.Run{Model: "m", Mode: "fc", Dataset: "starter", Digest: digest, Categories: []string{"simple_python", "irrelevance"}, Trials: 3}
	o := tally.Folders{Dataset: dataset, ResultDir: dir}
	require.NoError(t, record.WriteRun(dir, &run))
	report, err := evaluate.Run(o, "")
	require.ErrorContains(t, err, "irrelevance: it was run but has no result file")
	assert.Contains(t, report.Notes[0], "only the first of the run's 3 trials is evaluated")
	o.Partial = true
	_, err = evaluate.Run(o, "")
	require.NoError(t, err, "a part is asked for")

	run.Digest = "0123456789abcdef"
	require.NoError(t, record.WriteRun(dir, &run))
	testkit.Fails(evaluate.Run(o, ""))(t, `was run on other cases: its dataset "starter" had digest "0123456789ab"`)
}

// v1Bells is a dataset of the first release with two questions.
func v1Bells(t *testing.T) *fixtures.Dataset {
	t.Helper()
	dir := t.TempDir()
	const tool = `"function": {"name": "bell.ring", "parameters": {"type": "dict", "properties": {"times": {"type": "integer"}}, "required": ["times"]}}}`
	write(t, filepath.Join(dir, "data", "gorilla_openfunctions_v1_test_simple.json"),
		`{"id": "simple_0", "question": "ring once", `+tool+"\n"+`{"id": "simple_1", "question": "ring twice", `+tool)
	write(t, filepath.Join(dir, "data", "possible_answer", "gorilla_openfunctions_v1_test_simple.json"),
		`{"id": "simple_0", "ground_truth": {"bell.ring": {"times": [1]}}}`+"\n"+`{"id": "simple_1", "ground_truth": {"bell.ring": {"times": [2]}}}`)
	return testkit.Must(fixtures.Open(dir, ""))(t)
}

// TestV1Pairing: rows of the first release's files belong to the questions in
// the same place; rows of our own runs, and of files that lack some, go by id.
func TestV1Pairing(t *testing.T) {
	const once, twice = `"result": "[bell.ring(times=1)]"}`, `"result": "[bell.ring(times=2)]"}`
	for _, c := range []struct {
		name, file, text string
		partial          bool
		correct, total   int
	}{
		{"by position", "gorilla_openfunctions_v1_test_simple_result.json", `{"id": "simple_1", ` + once + "\n" + `{"id": "simple_0", ` + twice, false, 2, 2},
		{"without ids", "gorilla_openfunctions_v1_test_simple_result.json", "{" + once + "\n{" + twice, false, 2, 2},
		{"one id twice", "gorilla_openfunctions_v1_test_simple_result.json", `{"idx": 0, ` + once + "\n" + `{"idx": 0, ` + twice, false, 2, 2},
		{"partial, by idx", "gorilla_openfunctions_v1_test_simple_result.json", `{"idx": 1, ` + twice, true, 1, 1},
		{"more lines than cases", "gorilla_openfunctions_v1_test_simple_result.json", `{"idx": 1, ` + once + "\n" + `{"idx": 0, ` + once + "\n" + `{"idx": 1, ` + twice, false, 2, 2},
		{"our own run", "v1/BFCL_v4_simple_result.json", `{"id": "simple_1", ` + twice + "\n" + `{"id": "simple_0", ` + once, false, 2, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			results, scores := t.TempDir(), t.TempDir()
			write(t, filepath.Join(results, "gpt-4o-2024-05-13", c.file), c.text)
			report := testkit.Must(evaluate.Run(tally.Folders{Dataset: v1Bells(t), ResultDir: results, Partial: c.partial}, scores))(t)
			require.Len(t, report.Models, 1)
			got := report.Models[0].Parts[0]
			assert.Equal(t, []int{c.correct, c.total}, []int{got.Correct(), len(got.Results)})
			assert.Equal(t, "100.00%", table(t, filepath.Join(scores, "data.csv"), "gpt-4o-2024-05-13")["Python Simple Function AST"])
		})
	}
}

// TestV1Dialect: a model that the first leaderboard did not know is read in
// the mode its answers tell, or in the dialect asked for.
func TestV1Dialect(t *testing.T) {
	results := t.TempDir()
	write(t, filepath.Join(results, "mine", "gorilla_openfunctions_v1_test_simple_result.json"),
		`{"result": "<tool_call>\n{\"name\": \"bell_ring\", \"arguments\": {\"times\": 1}}"}`+"\n"+`{"result": ""}`)
	o := tally.Folders{Dataset: v1Bells(t), ResultDir: results}
	report := testkit.Must(evaluate.Run(o, ""))(t)
	assert.Zero(t, report.Models[0].Parts[0].Correct())
	o.Settings = func(s eval.Settings) eval.Settings {
		return eval.Settings{Mode: s.Mode, UnderscoreToDot: true, Dialect: "hermes"}
	}
	report = testkit.Must(evaluate.Run(o, ""))(t)
	assert.Equal(t, 1, report.Models[0].Parts[0].Correct())
}

func TestV1Errors(t *testing.T) {
	for text, want := range map[string]string{
		`{"result": ""}`:              "1 of 2 cases have no result",
		`{"id": "simple_7"}`:          `"result" of "simple_7" is missing`,
		`{"idx": 7, "result": ""}`:    `case "simple_7" is not in dataset`,
		`[]`:                          "expected a JSON object",
		"{\"result\": \"\"}\n{\"resu": "invalid JSON",
	} {
		results := t.TempDir()
		write(t, filepath.Join(results, "m", "gorilla_openfunctions_v1_test_simple_result.json"), text)
		assert.ErrorContains(t, testkit.Err(evaluate.Run(tally.Folders{Dataset: v1Bells(t), ResultDir: results}, "")), want, text)
	}
}
