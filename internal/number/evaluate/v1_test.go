package evaluate_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
)

// v1Bells is a dataset of the first release with two questions.
func v1Bells(t *testing.T) *fixtures.Dataset {
	t.Helper()
	dir := t.TempDir()
	const tool = `"function": {"name": "bell.ring", "parameters": {"type": "dict", "properties": {"times": {"type": "integer"}}, "required": ["times"]}}}`
	write(t, filepath.Join(dir, "data", "gorilla_openfunctions_v1_test_simple.json"),
		`{"id": "simple_0", "question": "ring once", `+tool+"\n"+`{"id": "simple_1", "question": "ring twice", `+tool)
	write(t, filepath.Join(dir, "data", "possible_answer", "gorilla_openfunctions_v1_test_simple.json"),
		`{"id": "simple_0", "ground_truth": {"bell.ring": {"times": [1]}}}`+"\n"+`{"id": "simple_1", "ground_truth": {"bell.ring": {"times": [2]}}}`)
	d, err := fixtures.Open(dir, "")
	require.NoError(t, err)
	return d
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
			report, err := evaluate.Run(tally.Folders{Dataset: v1Bells(t), ResultDir: results, Partial: c.partial}, scores)
			require.NoError(t, err)
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
	report, err := evaluate.Run(o, "")
	require.NoError(t, err)
	assert.Zero(t, report.Models[0].Parts[0].Correct())
	o.Settings = func(s eval.Settings) eval.Settings {
		return eval.Settings{Mode: s.Mode, UnderscoreToDot: true, Dialect: "hermes"}
	}
	report, err = evaluate.Run(o, "")
	require.NoError(t, err)
	assert.Equal(t, 1, report.Models[0].Parts[0].Correct())
}

func TestV1Errors(t *testing.T) {
	for text, want := range map[string]string{
		`{"result": ""}`:              "1 of 2 cases have no result",
		`{"id": "simple_7"}`:          `"result" is missing`,
		`{"idx": 7, "result": ""}`:    `case "simple_7" is not in dataset`,
		`[]`:                          "expected a JSON object",
		"{\"result\": \"\"}\n{\"resu": "invalid JSON",
	} {
		results := t.TempDir()
		write(t, filepath.Join(results, "m", "gorilla_openfunctions_v1_test_simple_result.json"), text)
		_, err := evaluate.Run(tally.Folders{Dataset: v1Bells(t), ResultDir: results}, "")
		assert.ErrorContains(t, err, want, text)
	}
}
