package tally_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/replay"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestReadAllShards: each shard may be a run of its own, and all of them are one.
func TestReadAllShards(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, shard := range []string{"0/4", "1/4", "2/4", "3/4"} {
		path := filepath.Join(dir, strings.ReplaceAll(shard, "/", "-"))
		f := run(t, path, "irrelevance,multiple", "", 1, never)
		f.run.Shard, f.run.Job = shard, "job"
		f.run.Version = map[string]string{"0/4": "1", "1/4": "2", "2/4": "2", "3/4": "1"}[shard]
		f.run.Served = map[string][]string{"0/4": {"b", "a"}, "1/4": {"a"}}[shard]
		f.run.Started = map[string]time.Time{"1/4": time.Unix(700, 0).UTC(), "2/4": time.Unix(500, 0).UTC()}[shard]
		f.run.Skipped = map[string]map[string][]string{"1/4": {"rest": {"KEY"}}, "2/4": {"rest": {"OTHER"}}}[shard]
		require.NoError(t, record.WriteRun(path, f.run))
		paths = append(paths, path)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "empty.xml"), 0o755))
	whole := testkit.Must(tally.Read([]string{dir}, tally.Options{}))(t)
	require.Len(t, whole.Notes, 5)
	assert.Equal(t, "bfcl 1 made one part of the run, bfcl 2 the other", whole.Notes[0], "once")
	for i, note := range whole.Notes[1:] {
		assert.Contains(t, note, paths[i]+": answers that do not name the run that recorded them")
	}
	assert.Equal(t, []string{"a", "b"}, whole.Served)
	assert.Equal(t, time.Unix(500, 0).UTC(), whole.Started)
	assert.Equal(t, map[string][]string{"rest": {"KEY"}}, whole.Skipped)
	assert.Equal(t, paths[0], whole.Path)
	assert.Empty(t, whole.Shard)
	listed := testkit.Must(tally.Read([]string{strings.Join(paths, " , ,")}, tally.Options{}))(t)
	assert.Equal(t, verdicts(whole), verdicts(listed))
	split := testkit.Must(tally.Read([]string{paths[2] + "," + paths[0], paths[3], paths[1]}, tally.Options{}))(t)
	assert.Equal(t, verdicts(whole), verdicts(split))

	apart := testkit.Must(tally.ReadAll(paths, tally.Options{Shard: true}))(t)
	n := 0
	for i, r := range apart {
		n += r.Len()
		assert.Equal(t, fmt.Sprint(i, "/4"), r.Shard)
		assert.NotContains(t, r.Notes, whole.Notes[0])
	}
	assert.Equal(t, whole.Len(), n)
	assert.ErrorContains(t, testkit.Err(tally.Read(paths[:2], tally.Options{Shard: true})), "2 of the run's 4 shards are missing: 2/4, 3/4;")
}

// TestUnfinishedParts: a category without any verdict is left out of what a run has
// so far, but not of a whole run.
func TestUnfinishedParts(t *testing.T) {
	root := element("TestBFCL", "", about(t, map[string]string{"categories": "irrelevance,multiple", "selection": "irrelevance_0,multiple_0"}))
	r := testkit.Must(tally.Read([]string{junitOf(t, `<testcase classname="p" name="TestOther"></testcase>`, root, passed0)}, tally.Options{Unfinished: true}))(t)
	assert.Len(t, r.Parts, 1)
	assert.Equal(t, 1, r.Missing)
	testkit.Fails(tally.Read([]string{junitOf(t, root)}, tally.Options{Unfinished: true}))(t, "2 of 2 cases have no verdict")
	testkit.Fails(tally.Read([]string{junitOf(t, root, passed0, passed0)}, tally.Options{}))(t, "1 case is reported more than once: irrelevance/irrelevance_0;")
	skipped := element("TestBFCL/multiple/multiple_0", `<skipped message="    a_test.go:3: the time is over; this case has no answer"></skipped>`, nil)
	_, err := tally.Read([]string{junitOf(t, root, skipped, passed0)}, tally.Options{})
	var missing *tally.Incomplete
	require.ErrorAs(t, err, &missing)
	assert.Equal(t, []any{2, []string{"multiple/multiple_0"}, 1, "the time is over"}, []any{missing.Total, missing.Missing, missing.Skipped, missing.Why})
	assert.True(t, missing.Stopped())
	other := strings.ReplaceAll(passed1, "github.com/gobfcl/bfcl", "other")
	require.ErrorAs(t, testkit.Err(tally.Read([]string{junitOf(t, other, root, passed0)}, tally.Options{})), &missing, "another package's test")
}

// TestJUnitTells: what a test case states of its answer.
func TestJUnitTells(t *testing.T) {
	agent := (&eval.Effort{Steps: 2, Calls: 1}).String()
	r, err := tally.Read([]string{junitOf(t, element("TestBFCL", "", about(t, nil)),
		element("TestBFCL/irrelevance/irrelevance_0", "", map[string]string{
			"latency": "1.5 0.5", "tokens": "7 8", "cost": "0.25", "agent": agent, "ended": "malformed_call odd",
		}),
		element("TestBFCL/irrelevance/irrelevance_1", failed("    a_test.go:1: gone\n"), map[string]string{"error_type": "infrastructure:timeout", "latency": "-1"}))}, tally.Options{})
	require.NoError(t, err)
	a, b := r.Parts[0].Results[0], r.Parts[0].Results[1]
	assert.Equal(t, []any{0.01, 1500 * time.Millisecond, 500 * time.Millisecond, 7, 8, 0.25}, []any{a.Seconds, a.Latency, a.TTFT, a.InputTokens, a.OutputTokens, a.Cost.Dollars})
	assert.Equal(t, &eval.Effort{Steps: 2, Calls: 1}, a.Effort)
	assert.Equal(t, []any{eval.Pass, true, false, "odd", "", ""}, []any{a.Status, a.Malformed, a.CutOff, a.Finish, a.ErrorType, a.Text})
	assert.Equal(t, []any{eval.Error, false, false, "", "infrastructure:timeout", "gone"}, []any{b.Status, b.Malformed, b.CutOff, b.Finish, b.ErrorType, b.Text})
	assert.Empty(t, b.Latency)
	assert.Nil(t, b.Effort)
	assert.NotEmpty(t, b.Cause.Kind)
}

// TestAnswersBesideJUnit: beside answers a JUnit file tells only the tests' times, and
// verdicts on answers that are not there, which is said. A file of another run is read
// by itself.
func TestAnswersBesideJUnit(t *testing.T) {
	f := run(t, t.TempDir(), "parallel,irrelevance", "", 1, fifth)
	path := f.write(t)
	for _, keep := range []bool{true, false} {
		r := testkit.Must(tally.Read([]string{path}, tally.Options{Answers: keep}))(t)
		for _, result := range r.All() {
			assert.Equal(t, keep && result.Status != eval.Error, result.Result != nil, result.Case.ID)
			assert.Equal(t, 0.01, result.Seconds)
		}
	}
	whole := read(t, path)
	replace(t, path, `value="infrastructure:timeout"`, `value="value_error"`)
	replace(t, path, `name="TestBFCL/parallel/parallel_0"`, `name="TestBFCL/parallel/gone"`)
	assert.Equal(t, verdicts(whole), verdicts(read(t, path)), "the answers are what is judged")
	f.write(t)
	replace(t, filepath.Join(f.dir, "run.json"), `"run": "`+f.run.ID, `"run": "x`)
	alone := read(t, path)
	assert.Nil(t, alone.Findings(false).Ladder)
	assert.Equal(t, verdicts(whole), verdicts(alone))
	beside := read(t, f.dir)
	assert.NotContains(t, fmt.Sprint(beside.Parts[0].Results[0].Seconds), "0.01", "the file is not of this run")
	assert.Contains(t, beside.Notes, path+" is of another run: it was not read")
	require.NoError(t, record.WriteRun(f.dir, f.run))
	file := filepath.Join(f.dir, "result", "non_live", record.FileName("parallel"))
	require.NoError(t, os.Remove(file))
	f.write(t)
	answered := 0
	for _, result := range whole.Part("parallel").Results {
		if result.Status != eval.Error {
			answered++
		}
	}
	lost := read(t, path)
	assert.Equal(t, fmt.Sprintf("%s: the answers to %s are not recorded there: of these only the verdicts in junit.xml are known", path, say.Cases(answered)), lost.Notes[len(lost.Notes)-1])
	assert.Equal(t, verdicts(whole), verdicts(lost))
	require.NoError(t, os.WriteFile(file, []byte("{{\n{}\n"), 0o644))
	testkit.Fails(tally.Read([]string{path}, tally.Options{}))(t, file+":1: ")
}

// TestResultFolders: each model of a folder of upstream's is a run; what it lacks is
// accepted if that is asked for, and its inference errors are errors.
func TestResultFolders(t *testing.T) {
	dir := t.TempDir()
	f := run(t, filepath.Join(dir, "run"), "simple_python,irrelevance", "", 1, never)
	whole := read(t, f.dir)
	for _, model := range []string{"a", "b"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, "bare", "result", model), os.DirFS(filepath.Join(f.dir, "result"))))
	}
	bare := filepath.Join(dir, "bare")
	o := tally.Options{Dataset: fixtures.Starter, Partial: true}
	runs := testkit.Must(tally.ReadAll([]string{bare}, o))(t)
	require.Len(t, runs, 2)
	for i, r := range runs {
		assert.Equal(t, filepath.Join(bare, "result", []string{"a", "b"}[i]), r.Path)
		assert.Equal(t, []string{"a", "b"}[i], r.Name)
		assert.True(t, r.Upstream)
		assert.Equal(t, 1, r.Trials)
		assert.Equal(t, whole.Data, r.Data)
		assert.Empty(t, r.Notes)
	}
	python := filepath.Join(bare, "result", "a", "non_live", record.FileName("simple_python"))
	lines := testkit.Must(os.ReadFile(python))(t)
	require.NoError(t, os.WriteFile(python, lines[strings.IndexByte(string(lines), '\n')+1:], 0o644))
	o.Answers, o.Partial, o.Unfinished = true, false, true
	runs = testkit.Must(tally.ReadAll([]string{filepath.Join(bare, "result", "a")}, o))(t)
	assert.Equal(t, filepath.Join(bare, "result", "a"), runs[0].Path)
	assert.NotNil(t, runs[0].Parts[0].Results[0].Result)
	o.Unfinished = false
	require.Error(t, testkit.Err(tally.ReadAll([]string{bare}, o)), "cases are missing")
	testkit.Fails(tally.ReadAll([]string{bare}, tally.Options{Partial: true, Data: t.TempDir()}))(t, "v4", "the release that the files are of")

	file := filepath.Join(bare, "result", "a", "non_live", record.FileName("irrelevance"))
	line := `{"id": "irrelevance_0", "result": "Error during inference: gone"}` + "\n" + `{"id": "irrelevance_1", "result": [{"f": "{}"}]}` + "\n"
	require.NoError(t, os.WriteFile(file, []byte(line), 0o644))
	o.Partial = true
	runs = testkit.Must(tally.ReadAll([]string{filepath.Join(bare, "result", "a")}, o))(t)
	part := runs[0].Part("irrelevance")
	assert.Equal(t, []any{eval.Error, "infrastructure:recorded_error"}, []any{part.Results[0].Status, part.Results[0].ErrorType})
	assert.Contains(t, part.Results[0].Text, "gone")
	assert.NotEmpty(t, part.Results[0].Cause.Kind)
	assert.Equal(t, eval.Fail, part.Results[1].Status)
	assert.Equal(t, "f", part.Results[1].Cause.Function, "the call that was not wanted")
}

// TestFolderOfJUnit: a folder of JUnit files is the parts of one run, also where several
// say that they are of the same cases; a folder with one junit.xml is a run by itself.
func TestFolderOfJUnit(t *testing.T) {
	root := element("TestBFCL", "", about(t, nil))
	multiple := element("TestBFCL", "", about(t, map[string]string{"categories": "multiple", "selection": "multiple_0"})) + element("TestBFCL/multiple/multiple_0", "", nil)
	dir := t.TempDir()
	for name, cases := range map[string]string{"a.xml": root + passed0, "b.xml": root + passed1, "c.xml": multiple, "d.txt": "", "e.xml/": ""} {
		path := filepath.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			require.NoError(t, os.Mkdir(path, 0o755))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(`<testsuites><testsuite name="p">`+cases+"</testsuite></testsuites>"), 0o644))
	}
	only := filepath.Dir(junitOf(t, root, passed0, passed1))
	runs := testkit.Must(tally.ReadAll([]string{dir, only}, tally.Options{}))(t)
	assert.Equal(t, []int{3, 2}, []int{runs[0].Len(), runs[1].Len()})
	assert.Equal(t, []string{dir, only}, []string{runs[0].Path, runs[1].Path})
	assert.Equal(t, []string{"multiple", "irrelevance"}, []string{runs[0].Parts[0].Category.Name, runs[0].Parts[1].Category.Name})
	shard := filepath.Join(t.TempDir(), "s")
	require.NoError(t, os.MkdirAll(shard, 0o755))
	require.NoError(t, os.Rename(filepath.Join(dir, "c.xml"), filepath.Join(shard, tally.JUnitFile)))
	require.NoError(t, os.Rename(shard, filepath.Join(dir, "s")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "t"), 0o755))
	r := testkit.Must(tally.Read([]string{dir}, tally.Options{}))(t)
	assert.Equal(t, 3, r.Len())
}

// TestBesideAFile: a file that has only the number of its cases needs the run.json of its
// run beside it.
func TestBesideAFile(t *testing.T) {
	attrs := about(t, map[string]string{"selection": "#2"})
	path := junitOf(t, element("TestBFCL", "", attrs), passed0, passed1)
	stated := &record.Run{
		Model: attrs["model"], Mode: eval.Prompt, Dataset: "starter", Digest: attrs["digest"], Categories: []string{"irrelevance"}, IDs: []string{"irrelevance_0", "irrelevance_1"}, Trials: 1,
		Started: time.Unix(700, 0).UTC(), Parameters: map[string]string{"temperature": "1"}, Prices: &record.Prices{Input: 1, Output: 1}, Skipped: map[string][]string{"rest": {"KEY"}},
	}
	require.NoError(t, record.WriteRun(filepath.Dir(path), stated))
	r := testkit.Must(tally.Read([]string{path}, tally.Options{}))(t)
	assert.Equal(t, []any{2, eval.Prompt, "1", stated.Prices, stated.Started, stated.Skipped}, []any{r.Len(), r.Mode, r.Parameters["temperature"], r.Prices, r.Started, r.Skipped})
	stated.Model = "another"
	require.NoError(t, record.WriteRun(filepath.Dir(path), stated))
	testkit.Fails(tally.Read([]string{path}, tally.Options{}))(t, `the run was made of "2" chosen cases`)
}

// TestDataFolder: a release is found in the folder that the run named, if no other is
// given.
func TestDataFolder(t *testing.T) {
	data := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(data, "v4"), os.DirFS(filepath.FromSlash("../../../fixtures/starter"))))
	t.Setenv("BFCL_DATA", t.TempDir())
	dataset := testkit.Must(fixtures.Open("v4", data))(t)
	f := run(t, t.TempDir(), "irrelevance", "", 1, never)
	f.run.Dataset, f.run.DataDir = "v4", data
	f.run.Digest = testkit.Must(dataset.Digest())(t)
	require.NoError(t, record.WriteRun(f.dir, f.run))
	r := read(t, f.dir)
	assert.Equal(t, "v4", r.Dataset)
	assert.Equal(t, 240, r.Sizes()["irrelevance"], "the release's")
	_, err := tally.Read([]string{f.dir}, tally.Options{Data: t.TempDir()})
	require.ErrorContains(t, err, f.dir+`: dataset "v4" is not in`)
	assert.NotContains(t, err.Error(), "if the dataset has moved")
	f.run.DataDir = t.TempDir()
	require.NoError(t, record.WriteRun(f.dir, f.run))
	testkit.Fails(tally.Read([]string{f.dir}, tally.Options{}))(t, `dataset "v4" is not in`)
	testkit.Must(tally.Read([]string{f.dir}, tally.Options{Data: data}))(t)
	require.NoError(t, os.Remove(filepath.Join(data, "v4", "BFCL_v4_irrelevance.json")))
	testkit.Fails(tally.Read([]string{f.dir}, tally.Options{Data: data}))(t, "irrelevance", "what it was run on is gone")

	old := filepath.Join(t.TempDir(), "m")
	require.NoError(t, os.Mkdir(old, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(old, "gorilla_openfunctions_v1_test_simple_result.json"), []byte("{}\n"), 0o644))
	testkit.Fails(tally.ReadAll([]string{filepath.Dir(old)}, tally.Options{Data: data}))(t, `dataset "v1" is not in`)
}

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
	runs := testkit.Must(tally.ReadAll(names, tally.Options{Dataset: fixtures.Starter, Partial: true, Answers: true}))(t)
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
	runs = testkit.Must(tally.ReadAll([]string{whole, whole + "/"}, tally.Options{}))(t)
	assert.Equal(t, "scripted ("+whole+") #2", runs[1].Name)
	assert.Same(t, runs[0].Parts[0].Results[0].Case, runs[1].Parts[0].Results[0].Case, "read once")
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
		assert.ErrorContains(t, testkit.Err(tally.ReadAll(c.names, tally.Options{})), c.want)
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
		runs := testkit.Must(tally.ReadAll([]string{c.dir}, c.o))(t)
		require.Len(t, runs, c.models)
		dataset := testkit.Must(fixtures.Open(runs[0].Dataset, data))(t)
		i := -1
		testkit.Must(evaluate.Each(tally.Folders{Dataset: dataset, ResultDir: c.dir, Categories: "single_turn"}, "", func(m *tally.Run) error {
			i++
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
			return nil
		}))(t)
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
