package number_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenSameness takes recorded runs through the pipe, through upstream's
// evaluator and through a replay: one number.
func TestGoldenSameness(t *testing.T) {
	testkit.Extra(t, "judges eight thousand answers three ways")
	data := testkit.Shared(t, "bfcl")
	recordings := testkit.Shared(t, "recorded", "v4")
	for _, test := range []struct{ run, model string }{
		{"gpt-oss-120b", "openai_gpt-oss-120b"}, {"open", "meta-llama_Llama-3.1-8B-Instruct-FC"},
	} {
		t.Run(test.model, func(t *testing.T) {
			dir := filepath.Join(recordings, test.run, "result")
			dataset := testkit.Must(fixtures.Open("v4", data))(t)
			var evaluated *tally.Run
			testkit.Must(evaluate.Each(tally.Folders{Dataset: dataset, ResultDir: dir, Models: []string{test.model}, Partial: true}, "", func(m *tally.Run) error {
				evaluated = m
				return nil
			}))(t)
			settings := evaluated.Settings()
			var names []string
			for _, cat := range evaluated.Parts {
				names = append(names, cat.Category.Name)
			}
			all := answersOf(t, suite.Options{Model: "replay:" + filepath.Join(dir, test.model), Dataset: "v4", Data: data, Categories: strings.Join(names, ","), Mode: string(settings.Mode), Dialect: settings.Dialect, Underscores: yesNo(settings.UnderscoreToDot)})
			correct, replayed := map[string]int{}, map[string]eval.Verdict{}
			for _, r := range all {
				replayed[r.c.ID] = r.want.Verdict
				if r.want.Passed() {
					correct[r.category.Name]++
				}
			}
			failed := 0 // requests: upstream counts them as answers, and a replay as errors
			for _, cat := range evaluated.Parts {
				passed := 0
				for _, a := range cat.Results {
					want, answered := replayed[a.Case.ID]
					switch {
					case !answered:
						failed++
					case a.Passed():
						passed++
					}
					if answered {
						assert.Equal(t, want.ErrorType, a.ErrorType, a.Case.ID)
					}
				}
				assert.Equal(t, correct[cat.Category.Name], passed, cat.Category.Name)
			}
			assert.LessOrEqual(t, failed, 14)
			piped := piped(t, evaluate.Pipe{Bench: &evaluate.Bench{Data: data}, Dataset: "v4"}, settings, all)
			assert.Equal(t, correct, piped, "pipe and replay")
			t.Logf("%d answers in %d categories, three ways; %d requests failed", len(all), len(correct), failed)
		})
	}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// piped counts the answers that a pipe accepts, and holds each verdict against
// the replay's.
func piped(t *testing.T, p evaluate.Pipe, s eval.Settings, all []recorded) map[string]int {
	t.Helper()
	var in bytes.Buffer
	for _, r := range all {
		result := testkit.Must(pyval.JSON(r.result, 0))(t)
		fmt.Fprintf(&in, `{"id": %q, "result": %s, "mode": %q, "dialect": %q, "underscore_to_dot": %v}`+"\n", r.category.Name+"/"+r.c.ID, result, s.Mode, s.Dialect, s.UnderscoreToDot)
	}
	said, n := pipe(t, p, in.String())
	require.Zero(t, n.Bad, "line %d", n.FirstBad)
	require.Len(t, said, len(all))
	passed := map[string]int{}
	for i, r := range all {
		kind, _ := said[i]["error_type"].(string)
		assert.Equal(t, fmt.Sprint(r.want.Status, " ", r.want.ErrorType), strings.TrimSpace(fmt.Sprint(said[i]["verdict"]))+" "+kind, r.c.ID)
		if said[i]["verdict"] == "pass" {
			passed[r.category.Name]++
		}
	}
	return passed
}

// A recorded is an answer with its verdict in a run or a replay.
type recorded struct {
	category *eval.Category
	c        *eval.Case
	result   pyval.Value
	want     eval.Result
}

// answersOf are the answers of a model to a dataset's categories.
func answersOf(t testing.TB, o suite.Options) (out []recorded) {
	t.Helper()
	o.Trials, o.Shard = 1, "0/1"
	p := testkit.Must(suite.PlanOf(o, nil))(t)
	p.Dir = ""
	s := testkit.Must(p.Open())(t)
	defer func() { require.NoError(t, s.Close()) }()
	for _, part := range p.Parts {
		for _, c := range part.Cases {
			answer := s.Engine.Run(t.Context(), part.Category, c, 0)
			if answer.ErrorType == "infrastructure:recorded_error" || answer.ErrorType == "infrastructure:not_recorded" { // there is no answer
				continue
			}
			require.NotNil(t, answer.Result, "%s: %v", c.ID, answer.Err)
			out = append(out, recorded{part.Category, c, answer.Result, answer})
		}
	}
	return out
}

// TestGoldenPipeExecutables judges the first release's executable cases with
// recorded answers of their APIs: each case's right answer, and another case's.
func TestGoldenPipeExecutables(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	recordings := testkit.GoldenFile(t, "exec", "replay.jsonl") + "," + testkit.GoldenFile(t, "rest", "replay.jsonl")
	right := answersOf(t, suite.Options{
		Model: "oracle", Dataset: "v1", Data: data, ExecReplay: recordings,
		Categories: "executable_simple,executable_multiple_function,executable_parallel_function,executable_parallel_multiple_function,rest",
	})
	require.Len(t, right, 310)
	dataset := testkit.Must(fixtures.Open("v1", data))(t)
	settings := eval.SettingsFor(eval.FC)
	settings.Executor = testkit.Must(suite.ForRun(t.Context(), dataset, map[string]string{suite.ReplayParameter: recordings}))(t)
	all, seen := right, map[string]int{}
	for i, r := range right {
		r.result = right[(i+1)%len(right)].result
		r.want = engine.Judge(r.category, r.c, &eval.Response{Result: r.result}, settings)
		all = append(all, r)
	}
	for _, r := range all {
		seen[r.want.Status.String()]++
	}
	assert.Greater(t, seen["pass"], 250)
	assert.Greater(t, seen["fail"], 200)
	t.Logf("%d answers: %v", len(all), seen)
	piped(t, evaluate.Pipe{Bench: &evaluate.Bench{Data: data, Replay: recordings}, Dataset: "v1"}, settings, all)
}

// TestGoldenPipeErrata: a listed case is said to be wrong in its mode, and the
// benchmark is suspected if the answer is refused.
func TestGoldenPipeErrata(t *testing.T) {
	p := evaluate.Pipe{Bench: &evaluate.Bench{Data: testkit.Shared(t, "bfcl")}, Dataset: "v4"}
	for _, test := range []struct{ id, mode, want string }{
		{"simple_python_5", "fc", "narrow benchmark"},
		{"simple_python_5", "prompt", "narrow benchmark"},
		{"simple_python_0", "fc", ""},
		{"simple_java_1", "fc", ""},
		{"simple_java_1", "prompt", "benchmark"},
	} {
		said, _ := pipe(t, p, fmt.Sprintf(`{"id": %q, "mode": %q, "text": "No."}`, test.id, test.mode))
		erratum, listed := said[0]["erratum"].(map[string]any)
		if test.want == "" {
			assert.False(t, listed, test.id)
			continue
		}
		suspect, _ := said[0]["suspect"].(map[string]any)
		require.NotNil(t, suspect, said[0])
		assert.Contains(t, fmt.Sprint(erratum["kind"], " ", suspect["who"].([]any)[0]), test.want)
	}
}
