package run_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestExecutable: the oracle's calls are carried out with the recorded answers
// of the starter suite.
func TestExecutable(t *testing.T) {
	o := options(t)
	o.Model, o.Categories = "oracle", "executable"
	s := open(t, o)
	assert.Len(t, s.Plan.Parts, 5)
	for id, out := range answerAll(t, s) {
		assert.True(t, out.Passed(), "%s: %s", id, out.ErrorType)
	}
}

// TestMissingKeys: live, a category whose keys are not set is left out with a
// note, and refused where it is asked for by name.
func TestMissingKeys(t *testing.T) {
	o := options(t)
	o.Categories, o.Exec = "executable,multiple", "live"
	s := testkit.Must(suite.Open(o))(t)
	defer func() { _ = s.Close() }()
	assert.Equal(t, []string{"multiple"}, s.Plan.Names())
	assert.Contains(t, strings.Join(s.Plan.Notes, "\n"), `category "rest" is skipped: `)
	assert.Contains(t, s.Plan.Run.Skipped["rest"], "RAPID_API_KEY")
	assert.NotContains(t, s.Plan.Run.Skipped, "multiple")
	o.Categories = "rest"
	assert.ErrorContains(t, testkit.Err(suite.Open(o)), "calls APIs that need keys: set ")
	o.Exec = "never"
	assert.ErrorContains(t, testkit.Err(suite.Open(o)), "-api must be replay, live or record")
}

// retired are the categories that the official dataset keeps apart, with their
// numbers of cases and of those whose own calls do not pass: executable ones
// that expect an API's error or write an argument without its name, REST cases
// whose stored answer is newer than the recording, and SQL cases with numbers
// where texts are declared, or with two calls.
var retired = []struct {
	name         string
	cases, fails int
}{
	{"exec_simple", 100, 0}, {"exec_multiple", 50, 0}, {"exec_parallel", 50, 1}, {"exec_parallel_multiple", 40, 2},
	{"rest", 70, 5}, {"sql", 100, 10}, {"chatable", 200, 0},
}

// TestGoldenRetired: with the official dataset retired categories are run by
// their own names, and in no group.
func TestGoldenRetired(t *testing.T) {
	o := options(t)
	o.Dataset, o.Data, o.Model = "v4", testkit.Shared(t, "bfcl"), "oracle"
	o.Exec, o.ExecReplay = "replay", testkit.GoldenFile(t, "exec", "replay.jsonl")+","+testkit.GoldenFile(t, "rest", "replay.jsonl")
	judged := 0
	for _, want := range retired {
		o.Categories = want.name
		var failed []string
		got := answerAll(t, open(t, o))
		for id, out := range got {
			if !out.Passed() {
				failed = append(failed, id+" "+out.ErrorType)
			}
		}
		judged += len(got)
		assert.Len(t, got, want.cases, want.name)
		assert.Len(t, failed, want.fails, "%s: %s", want.name, strings.Join(failed, "\n"))
	}
	t.Logf("%d cases judged", judged)
	d := testkit.Must(fixtures.Open("v4", o.Data))(t)
	for _, group := range []string{"all", "executable"} {
		sel, err := suite.Select(d, group, "")
		if group == "executable" {
			assert.ErrorContains(t, err, "ask for it by its own name")
			continue
		}
		require.NoError(t, err)
		assert.NotContains(t, sel.Names(), "sql")
	}
}

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
	return testkit.Must(fixtures.Open(dir, ""))(t)
}

func judged(t *testing.T, category, question, answer string) eval.Verdict {
	t.Helper()
	d, cat := dataset(t, category, question), categories.Find(category)
	cases := testkit.Must(d.Cases(cat))(t)
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
