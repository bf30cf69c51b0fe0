package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// kinds are a category of each kind that is asked, recorded or judged in its
// own way.
var kinds = []string{"simple_python", "irrelevance", "multi_turn_base", "memory_kv", "web_search_base", "sql", "exec_simple"}

// A lab runs the command in a folder of its own.
type lab struct {
	t   *testing.T
	dir string
}

func newLab(t *testing.T) *lab { return &lab{t, t.TempDir()} }

func (l *lab) run(args ...string) ran {
	l.t.Helper()
	return runIn(l.t, l.dir, nil, "bfcl", args...)
}

// good runs the command, which must end well.
func (l *lab) good(args ...string) ran {
	l.t.Helper()
	got := l.run(args...)
	require.Zerof(l.t, got.code, "%v: %s", args, got.errs)
	return got
}

// whole makes a complete run of all kinds.
func (l *lab) whole(dir string, args ...string) {
	l.t.Helper()
	l.good(append([]string{"run", "-q", "-model=heuristic", "-categories=" + strings.Join(kinds, ","), "-run-dir=" + dir}, args...)...)
}

// lose takes the last answer of each category out of a run folder and returns
// their ids by category. Without its JUnit a run is judged by its records.
func (l *lab) lose(dir string) map[string]string {
	l.t.Helper()
	lost := map[string]string{}
	require.NoError(l.t, filepath.WalkDir(filepath.Join(l.dir, dir), func(path string, entry fs.DirEntry, err error) error {
		name, isResult := strings.CutSuffix(strings.TrimPrefix(entry.Name(), "BFCL_v4_"), "_result.json")
		if err != nil || !isResult || strings.HasSuffix(name, "_prereq") {
			return err
		}
		data := testkit.Must(os.ReadFile(path))(l.t)
		lines := bytes.SplitAfter(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
		var last struct{ ID string }
		require.NoError(l.t, json.Unmarshal(lines[len(lines)-1], &last))
		lost[name] = last.ID
		return os.WriteFile(path, bytes.Join(lines[:len(lines)-1], nil), 0o644)
	}))
	require.Len(l.t, lost, len(kinds))
	err := os.Remove(filepath.Join(l.dir, dir, tally.JUnitFile))
	require.True(l.t, err == nil || os.IsNotExist(err))
	return lost
}

// note writes down an error for each lost answer, as a run does.
func (l *lab) note(dir string, lost map[string]string) {
	l.t.Helper()
	var text strings.Builder
	for category, id := range lost {
		fmt.Fprintf(&text, `{"id": %q, "category": %q, "trial": 0, "kind": "reset", "error": "reset: the line to %s is cut"}`+"\n", id, category, category)
	}
	require.NoError(l.t, os.WriteFile(filepath.Join(l.dir, dir, "errors.jsonl"), []byte(text.String()), 0o644))
}

// missing asserts that a run is refused because exactly the lost answers are
// missing, errors allowed or not.
func (l *lab) missing(lost map[string]string, args ...string) {
	l.t.Helper()
	for _, extra := range [][]string{nil, {"--allow-errors"}} {
		got := l.run(append(args, extra...)...)
		assert.Equalf(l.t, exitTrouble, got.code, "%v %v", args, extra)
		assert.Empty(l.t, got.out, "nothing is scored")
		assert.Contains(l.t, got.errs, fmt.Sprintf("bfcl: %d of ", len(lost)))
		assert.Contains(l.t, got.errs, " have no verdict: ")
		assert.NotContains(l.t, got.errs, "cannot be asked here")
	}
}

// caused asserts that a run with noted errors is refused, that its report has
// the cause of each, and that they are counted where that is allowed.
func (l *lab) caused(lost map[string]string, kind, cause string, args ...string) {
	l.t.Helper()
	got := l.run(append(args, "--junit=again.xml")...)
	assert.Equal(l.t, exitTrouble, got.code)
	assert.Contains(l.t, got.errs, fmt.Sprintf("ended %d cases: infrastructure:%s (%d, such as ", len(lost), kind, len(lost)))
	report := reported(l.t, filepath.Join(l.dir, "again.xml"))
	text := testkit.Must(os.ReadFile(filepath.Join(l.dir, "again.xml")))(l.t)
	for category, id := range lost {
		assert.Equalf(l.t, "infrastructure:"+kind, report[category][id], "%s", id)
		if cause != "" {
			assert.Contains(l.t, string(text), fmt.Sprintf(cause, category))
		}
	}
	got = l.good(append(args, "--allow-errors")...)
	assert.NotEmpty(l.t, got.out)
}

// TestLostAnswers: an answer that is missing is missing, and an error that was
// noted keeps its cause, in every kind of category and however the run is read.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.whole("r")
	first := l.good("score", "--json", "r")
	lost := l.lose("r")
	l.missing(lost, "score", "r")
	got := l.run("evaluate", "--dataset=starter", "--result-dir=r")
	assert.Equal(t, exitTrouble, got.code)
	assert.Contains(t, got.errs, "have no result")
	l.note("r", lost)
	l.caused(lost, "reset", "the line to %s is cut", "score", "r")

	t.Run("a run of them", func(t *testing.T) {
		second := l.run("run", "-q", "-model=replay:r", "-categories="+strings.Join(kinds, ","), "-run-dir=s")
		assert.Equal(t, exitTrouble, second.code)
		assert.Contains(t, second.errs, fmt.Sprintf("infrastructure:not_recorded (%d, such as ", len(lost)))
		l.caused(lost, "not_recorded", "", "score", "s")
		require.NoError(t, os.Remove(filepath.Join(l.dir, "s", tally.JUnitFile)))
		l.caused(lost, "not_recorded", "", "score", "s")
	})
	t.Run("as go test leaves them", func(t *testing.T) {
		test := l.run(process.Test, "-test.run=^"+gotest.Name+"$", "-model=replay:r", "-categories="+strings.Join(kinds, ","), "-run-dir=g")
		assert.Equal(t, 1, test.code, "%s", test.errs)
		l.caused(lost, "not_recorded", "", "score", "g")
	})
	t.Run("asked again", func(t *testing.T) {
		l.whole("r", "-resume")
		again := l.good("score", "--json", "r")
		assert.Equal(t, categoriesOf(t, first.out), categoriesOf(t, again.out))
	})
	t.Logf("%d kinds of categories: %v", len(lost), lost)
}

// TestLostAnswersOfShards: of shards, too.
func TestLostAnswersOfShards(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.whole("p/0", "-shard=0/2")
	l.whole("p/1", "-shard=1/2")
	first := l.good("score", "--json", "p/0", "p/1")
	lost := l.lose("p/0")
	l.missing(lost, "score", "p/0", "p/1")
	l.note("p/0", lost)
	l.caused(lost, "reset", "the line to %s is cut", "score", "p/0", "p/1")
	l.whole("p/0", "-shard=0/2", "-resume")
	again := l.good("score", "--json", "p/0", "p/1")
	assert.Equal(t, categoriesOf(t, first.out), categoriesOf(t, again.out))
}

func categoriesOf(t *testing.T, score string) (out map[string]any) {
	t.Helper()
	var s struct{ Categories map[string]any }
	require.NoError(t, json.Unmarshal([]byte(score), &s))
	require.Len(t, s.Categories, len(kinds))
	return s.Categories
}

// TestRefusedResume: a run that cannot go on leaves the folder as it is, says
// both values last, and nothing is scored: a gate must not open on the answers
// of another model.
func TestRefusedResume(t *testing.T) {
	t.Parallel()
	server := fickle(t, 0)
	l := newLab(t)
	asked := []string{"run", "-q", "-model=openai:m", server.Flag(), "-categories=simple_python,irrelevance", "-temperature=0.5", "-run-dir=r"}
	l.good(asked...)
	require.NoError(t, os.WriteFile(filepath.Join(l.dir, "gate.yaml"), []byte("floors: {simple_python: {min: 0, min_cases: 1}}\n"), 0o644))
	before := tree(t, filepath.Join(l.dir, "r"))
	for _, row := range []struct{ flag, had, wants string }{
		{"-model=oracle", `"openai:m"`, `"oracle"`},
		{"-model=openai:n", `"openai:m"`, `"openai:n"`},
		{"-mode=prompt", `"fc"`, `"prompt"`},
		{"-temperature=0.25", `"0.5"`, `"0.25"`},
		{"-base-url=http://127.0.0.1:1/v1", server.URL, "http://127.0.0.1:1/v1"},
	} {
		for _, how := range [][]string{nil, {"-gate=gate.yaml"}, {"-json"}} {
			name, _, _ := strings.Cut(row.flag, "=")
			args := slices.DeleteFunc(slices.Clone(asked), func(arg string) bool {
				return strings.HasPrefix(arg, name+"=") || row.wants == `"oracle"` && (strings.HasPrefix(arg, "-base-url") || strings.HasPrefix(arg, "-temperature"))
			})
			args = append(append(args, "-resume", row.flag), how...)
			got := l.run(args...)
			assert.Equalf(t, exitTrouble, got.code, "%v", args)
			assert.Emptyf(t, got.out, "%v: nothing is scored", args)
			lines := strings.Split(strings.TrimSpace(got.errs), "\n")
			last := lines[len(lines)-1]
			assert.Containsf(t, last, row.had, "%v", args)
			assert.Containsf(t, last, row.wants, "%v", args)
			assert.NotContains(t, got.errs, "the same flags")
		}
	}
	assert.True(t, maps.Equal(before, tree(t, filepath.Join(l.dir, "r"))), "the folder is as it was")
}

// tree are the files of a folder with their contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || strings.HasSuffix(path, ".lock") {
			return err
		}
		data, err := os.ReadFile(path)
		out[path] = string(data)
		return err
	}))
	require.NotEmpty(t, out)
	return out
}

// TestGotestsumFails: a run whose verdicts cannot be written down has no score,
// whatever its records say.
func TestGotestsumFails(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	require.NoError(t, os.MkdirAll(filepath.Join(l.dir, "r", process.EventsFile), 0o755)) // no file can be made there
	got := l.run("run", "-q", "-model=heuristic", "-categories=irrelevance", "-run-dir=r")
	assert.Equal(t, exitTrouble, got.code)
	assert.Empty(t, got.out)
	assert.Contains(t, got.errs, "bfcl: the run has no score: gotestsum: ")
	assert.Contains(t, got.errs, process.EventsFile+": is a directory")
}

// TestARefusedRunTouchesNothing: a run that is refused, or cannot begin, leaves
// a complete run in its folder, byte for byte.
func TestARefusedRunTouchesNothing(t *testing.T) {
	t.Parallel()
	edit := func(change func(text string) string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, "result", pythonAnswers)
			data := testkit.Must(os.ReadFile(path))(t)
			require.NoError(t, os.WriteFile(path, []byte(change(string(data))), 0o644))
		}
	}
	flag := func(t *testing.T, dir string) {}
	given := filepath.Join(t.TempDir(), "run")
	says(t, "run", "-q", "-model=heuristic", "-categories=simple_python", "-run-dir="+given)
	for name, c := range map[string]struct {
		before func(t *testing.T, dir string)
		flags  []string
		code   int
		says   string
	}{
		"a conflict marker":          {edit(func(s string) string { return "<<<<<<< HEAD\n" + s }), []string{"-resume"}, exitTrouble, "_result.json:1:"},
		"a torn line":                {edit(func(s string) string { return "{\"id\": \n" + s }), []string{"-resume"}, exitTrouble, "_result.json:1:"},
		"a reformatted line":         {edit(func(s string) string { return strings.Replace(s, `{"id"`, "{\n\"id\"", 1) }), []string{"-resume"}, exitTrouble, "_result.json:1:"},
		"nothing to replay":          {flag, []string{"-categories=simple_python,web_search_base", "-search=replay:nope"}, exitMisuse, "nope"},
		"nothing to replay, resumed": {flag, []string{"-resume", "-categories=simple_python,web_search_base", "-search=replay:nope"}, exitTrouble, "begun without categories that need the search"},
		"another model":              {flag, []string{"-resume", "-model=oracle"}, exitTrouble, "made with model"},
		"UTF-16":                     {edit(func(s string) string { return "\xff\xfe" + s }), []string{"-resume"}, exitTrouble, "the file is in UTF-16"},
		"no dataset":                 {flag, []string{"-dataset=nope"}, exitMisuse, "nope"},
		"no gate":                    {flag, []string{"-gate=nope.yaml"}, exitMisuse, "nope"},
		"too many trials":            {flag, []string{"-trials=99999999"}, exitMisuse, "-trials must be at most"},
		"no such program":            {flag, []string{"-model=command:./nope"}, exitMisuse, "nope"},
		"no such agent":              {flag, []string{"-model=agent:./nope"}, exitMisuse, "nope"},
		"no key command":             {flag, []string{"-model=keyless", "-models=MODELS"}, exitMisuse, "key"},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir, models := filepath.Join(top, "run"), filepath.Join(top, "models.yaml")
			require.NoError(t, os.WriteFile(models, []byte("models:\n  keyless: {adapter: openai, id: m, base_url: \"http://127.0.0.1:9/v1\", key_command: \"exit 7\"}\n"), 0o644))
			require.NoError(t, os.CopyFS(dir, os.DirFS(given)))
			c.before(t, dir)
			was := tree(t, top)
			args := []string{"run", "-q", "-categories=simple_python", "-run-dir=" + dir}
			if !strings.Contains(strings.Join(c.flags, " "), "-model=") {
				args = append(args, "-model=heuristic")
			}
			for _, flag := range c.flags {
				args = append(args, strings.ReplaceAll(flag, "MODELS", models))
			}
			assert.Contains(t, refused(t, c.code, args...), c.says)
			assert.Equal(t, was, tree(t, top), fmt.Sprint(args))
		})
	}
}
