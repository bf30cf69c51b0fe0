package read_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var executable = []string{
	"executable_simple", "executable_multiple_function", "executable_parallel_function", "executable_parallel_multiple_function",
}

// answers are a recorded model's answers of a category by case id.
func answers(t *testing.T, model, category string) map[string]pyval.Value {
	out := map[string]pyval.Value{}
	path := filepath.Join(testkit.Shared(t, "recorded", "v1", model), "result", "gorilla_openfunctions_v1_test_"+category+"_result.json")
	testkit.Rows(t, path, func(_ int, row *pyval.Dict) {
		out[testkit.Text(row, "id")] = testkit.Field(row, "result")
	})
	return out
}

// TestGoldenDialectExecute decodes what 14 models answered in the executable
// categories: the call texts are upstream's, or both fail.
func TestGoldenDialectExecute(t *testing.T) {
	runs := testkit.GoldenFile(t, "exec", "runs.jsonl")
	recorded := map[string]map[string]pyval.Value{}
	rows, failures, differences := 0, 0, 0
	testkit.Rows(t, runs, func(_ int, row *pyval.Dict) {
		model, id := testkit.Text(row, "model"), testkit.Text(row, "id")
		if recorded[model] == nil {
			recorded[model] = map[string]pyval.Value{}
			for _, category := range executable {
				for id, result := range answers(t, model, category) {
					recorded[model][id] = result
				}
			}
		}
		known, ok := dialect.ForModel(model)
		require.True(t, ok, model)
		result, ok := recorded[model][id]
		require.True(t, ok, "%s: %s", model, id)
		texts, err := known.Dialect.Execute(result, dialect.V1(decode.Python))
		got := pyval.Value(pyval.None)
		if err == nil {
			list := pyval.NewList()
			for _, s := range texts {
				list.Items = append(list.Items, pyval.Str(s))
			}
			got = list
		} else {
			failures++
		}
		rows++
		if !assert.Equal(t, pyval.Repr(testkit.Field(row, "decoded")), pyval.Repr(got), "%s: %s: %.300q: %v", model, id, pyval.Text(result), err) {
			differences++
		}
	})
	t.Logf("%d rows of %d models compared, %d of them cannot be decoded; %d differences", rows, len(recorded), failures, differences)
}
