package run_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// dataset is a folder with one category and, of REST, one stored answer.
func dataset(t *testing.T, category, question string) *fixtures.Dataset {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"data/gorilla_openfunctions_v1_test_" + category + ".json": question,
		"eval_checker/rest-eval-response_v5.jsonl":                 "{}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	d, err := fixtures.Open(dir, "")
	require.NoError(t, err)
	return d
}

func judged(t *testing.T, category, question, answer string) eval.Verdict {
	t.Helper()
	d, cat := dataset(t, category, question), categories.Find(category)
	cases, err := d.Cases(cat)
	require.NoError(t, err)
	s := eval.SettingsFor(eval.Prompt)
	s.Executor = suite.New(t.Context(), d, nil)
	_, v := cat.Verdict(cases[len(cases)-1], pyval.Str(answer), s)
	return v
}

const (
	factorial = `"question": "5!", "function": {"name": "math_factorial"}, "execution_result_type": ["exact_match"], "ground_truth": ["math_factorial(n=5)"]}`
	fetch     = `"question": "fetch", "function": {"name": "requests.get"}}`
)

func TestExecutionExecute(t *testing.T) {
	for _, c := range []struct{ category, question, answer, want string }{
		{"executable_simple", `{"id": "executable_simple_0", ` + factorial, "[math_factorial(n=5)]", ""},
		{"executable_simple", `{"id": "executable_simple_0", ` + factorial, "[math_factorial(n=6)]", "executable_checker:wrong_result"},
		{"executable_simple", `{"id": "executable_simple_0", ` + factorial, "[math_factorial(n=5), math_factorial(n=5)]", "simple_exec_checker:wrong_count"},
		{"executable_simple", `{"id": "executable_simple_0", ` + factorial, "I cannot.", "executable_decoder:decoder_failed"},
		{"executable_parallel_function", `{"id": "a", ` + factorial, "[math_factorial(n=6)]", "executable_checker:cannot_find_match"},
		{"executable_parallel_function", `{"id": "a", ` + factorial, "[]", "executable_decoder:wrong_output_format"},
		{"executable_simple", `{"id": "a", "question": "?", "function": ""}`, "[math_factorial(n=5)]", "infrastructure:adapter"},
		{"rest", `{"id": "rest_0", ` + fetch, "[requests.get(url='https://example.invalid/x')]", "infrastructure:unrecorded"},
		{"rest", `{"id": "rest_0", ` + fetch, "[requests.get(timeout=5)]", "executable_checker_rest:execution_error"},
		{"rest", `{"id": "rest_0", ` + fetch + "\n" + `{"id": "rest_1", ` + fetch, "[requests.get(timeout=5)]", "infrastructure:adapter"},
	} {
		v := judged(t, c.category, c.question, c.answer)
		assert.Equal(t, c.want, v.ErrorType, "%s: %s: %v", c.category, c.answer, v.Detail)
		assert.Equal(t, c.want == "", v.Passed(), c.answer)
	}
}

// TestExecutionNoExecutor: without an executor a case is an infrastructure
// error.
func TestExecutionNoExecutor(t *testing.T) {
	_, v := categories.Find("rest").Verdict(&eval.Case{ID: "rest_0"}, pyval.Str("[f(a=1)]"), eval.SettingsFor(eval.Prompt))
	assert.Equal(t, eval.Error, v.Status)
}
