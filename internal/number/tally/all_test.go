package tally_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestReadAll reads a run as its folder, its JUnit, its shards, and its result
// files alone: the verdicts are the same.
func TestReadAll(t *testing.T) {
	dir := t.TempDir()
	whole, shards, result := filepath.Join(dir, "whole"), filepath.Join(dir, "shards"), filepath.Join(dir, "bare", "result", "m")
	f := run(t, whole, "simple_python,irrelevance", "", 1, never)
	junitSource := filepath.Join(dir, "alone.xml")
	require.NoError(t, os.WriteFile(junitSource, f.junitSource.Bytes(), 0o644))
	run(t, filepath.Join(shards, "0"), "simple_python", "", 1, never)
	run(t, filepath.Join(shards, "1"), "irrelevance", "", 1, never)
	require.NoError(t, os.MkdirAll(filepath.Dir(result), 0o755))
	require.NoError(t, os.CopyFS(result, os.DirFS(filepath.Join(whole, "result"))))

	names := []string{whole, junitSource, shards, filepath.Join(shards, "1") + "," + filepath.Join(shards, "0"), filepath.Join(dir, "bare")}
	runs, err := tally.ReadAll(names, tally.Options{Dataset: fixtures.Starter, Partial: true, Answers: true})
	require.NoError(t, err)
	require.Len(t, runs, len(names))
	seen := map[string]bool{}
	for i, r := range runs {
		assert.Equal(t, names[i], r.Path)
		assert.Equal(t, verdicts(runs[0]), verdicts(r), names[i])
		assert.Equal(t, runs[0].Digest, r.Digest)
		assert.False(t, seen[r.Name], "%s names two runs", r.Name)
		seen[r.Name] = true
		for _, part := range r.Parts {
			assert.Equal(t, names[i] == junitSource, part.Results[0].Result == nil, "%s keeps answers", names[i])
		}
	}
	assert.Equal(t, "m", runs[4].Name)
	assert.Equal(t, "scripted ("+whole+")", runs[0].Name)
}

func verdicts(r *tally.Run) map[string]string {
	out := map[string]string{}
	for _, part := range r.Parts {
		for _, result := range part.Results {
			out[result.Case.ID] = result.Status.String() + " " + result.ErrorType + "\n" + result.Text
		}
	}
	return out
}

func TestReadAllRefuses(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	require.NoError(t, os.Mkdir(empty, 0o755))
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "name a run"},
		{[]string{empty}, "is not a run: it holds no junit.xml, run.json, shards or result files"},
		{[]string{filepath.Join(dir, "none")}, "does not exist"},
		{[]string{filepath.Join(dir, "a") + "," + filepath.Join(dir, "b")}, "a\" does not exist"},
	} {
		_, err := tally.ReadAll(c.names, tally.Options{})
		assert.ErrorContains(t, err, c.want)
	}
}

// TestGoldenReadUpstream reads the recorded folders of the first release and of
// V4: right answers per category are those of evaluate, less upstream's
// inference errors, which are errors here.
func TestGoldenReadUpstream(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	data := testkit.Shared(t, "bfcl")
	recordings := []string{testkit.GoldenFile(t, "exec", "replay.jsonl"), testkit.GoldenFile(t, "rest", "replay.jsonl")}
	results, verdicts, errs := 0, 0, 0
	for _, c := range []struct {
		dir    string
		models int
		o      tally.Options
	}{
		{testkit.Shared(t, "recorded", "v1"), 14, tally.Options{Data: data, Replay: recordings}},
		{testkit.Shared(t, "recorded", "v4", "gpt-oss-120b"), 1, tally.Options{Data: data}},
	} {
		runs, err := tally.ReadAll([]string{c.dir}, c.o)
		require.NoError(t, err)
		require.Len(t, runs, c.models)
		dataset, err := fixtures.Open(runs[0].Dataset, data)
		require.NoError(t, err)
		report, err := evaluate.Run(tally.Folders{Dataset: dataset, ResultDir: c.dir, Categories: "single_turn"}, "")
		require.NoError(t, err)
		for i, m := range report.Models {
			assert.Equal(t, m.Name, runs[i].Name)
			results += runs[i].Len()
			errs += runs[i].Errors()
			for _, cat := range m.Parts {
				part := runs[i].Part(cat.Category.Name)
				require.NotNil(t, part, cat.Category.Name)
				for k, a := range cat.Results {
					verdicts++
					want := a.Verdict.ErrorType
					if replay.IsInferenceError(a.Result) {
						want = "infrastructure:recorded_error"
					}
					assert.Equal(t, want, part.Results[k].ErrorType, a.Case.ID)
				}
			}
		}
	}
	t.Logf("%d results read, %d verdicts compared, %d inference errors", results, verdicts, errs)
}

// TestTrials: estimates over hand-made trials, and the flaky cases by id.
func TestTrials(t *testing.T) {
	cat := categories.Find("simple_python")
	r := &tally.Run{Run: record.Run{Trials: 3}}
	part := tally.Part{Category: cat}
	for i, letters := range []string{"ppp", "pff", "fff", "ppe"} {
		for trial, letter := range letters {
			result := eval.Result{Category: cat, Case: &eval.Case{ID: fmt.Sprint("simple_python_", i)}, Trial: trial}
			switch letter {
			case 'f':
				result.Status = eval.Fail
			case 'e':
				result.Status = eval.Error
			}
			part.Results = append(part.Results, result)
		}
	}
	r.Parts = append(r.Parts, part)
	got := tally.TrialsOf(r, false)
	assert.Equal(t, []tally.Flaky{{Category: "simple_python", ID: "simple_python_1", Right: 1, Answered: 3}}, got.Flaky)
	assert.Equal(t, []int{4, 4, 3}, []int{got.Pass[0].Cases, got.Pass[1].Cases, got.Pass[2].Cases})
	assert.InDelta(t, (1+1.0/3+0+1)/4, got.Pass[0].At, 1e-12)
	assert.InDelta(t, got.Pass[0].At, got.Pass[0].Hat, 1e-12)
	assert.InDelta(t, (1+2.0/3+0+1)/4, got.Pass[1].At, 1e-12)
	assert.InDelta(t, (1+0+0+1)/4.0, got.Pass[1].Hat, 1e-12)
	assert.InDelta(t, 2.0/3, got.Pass[2].At, 1e-12)
	assert.Len(t, tally.TrialsOf(r, true).Flaky, 2, "an error that counts is a wrong trial")
	var b bytes.Buffer
	require.NoError(t, got.Write(&b))
	assert.Contains(t, b.String(), "  1 of 3  simple_python_1\n")
	assert.Nil(t, tally.TrialsOf(&tally.Run{Run: record.Run{Trials: 1}}, false))
}
