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
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// everyKind is a category of each kind, in the one mode in which all are posed.
var everyKind = []string{
	"simple_python", "simple_java", "parallel", "irrelevance", "live_relevance", "multi_turn_base",
	"memory_kv", "web_search_base", "sql", "exec_simple", "rest", "format_sensitivity",
}

// A damage is what befalls a result file; nil removes it.
type damage struct {
	name  string
	lines func(lines []string) []string
	// said is what is refused of a run folder; "" where the number stays right.
	said string
	// evaluated is what `bfcl evaluate` refuses; "" where the number stays right.
	evaluated string
}

// edited is a line with another field.
func edited(line, field string, value any) string {
	var entry map[string]any
	if err := json.Unmarshal([]byte(line), &entry); err != nil {
		panic(err)
	}
	entry[field] = value
	out, err := json.Marshal(entry)
	if err != nil {
		panic(err)
	}
	return string(out)
}

var damages = []damage{
	{"a line is lost", func(l []string) []string { return l[:len(l)-1] }, " have no verdict: ", "have no result"},
	{"a line stands there twice", func(l []string) []string { return append(l, l[0]) }, "", ""},
	{"a case has two answers", func(l []string) []string { return append(l, edited(l[0], "result", "another")) }, "has a different answer on line 1", "has a different answer on line 1"},
	{"a line is no case's", func(l []string) []string { return append(l, edited(l[0], "id", "nobody_0")) }, "", `case "nobody_0" is not in dataset`},
	{"the last line is torn", func(l []string) []string { return append(l[:len(l)-1], l[len(l)-1][:20]) }, " have no verdict: ", "invalid JSON"},
	{"a line is broken", func(l []string) []string { return append([]string{l[0][:20]}, l[1:]...) }, "invalid JSON", "invalid JSON"},
	{"the file is gone", nil, " have no verdict: ", "it was run but has no result file"},
}

// strike damages the result files of categories in a run folder.
func (d damage) strike(t *testing.T, dir string, categories []string) {
	t.Helper()
	struck := 0
	require.NoError(t, filepath.WalkDir(filepath.Join(dir, "result"), func(path string, entry fs.DirEntry, err error) error {
		name, ok := strings.CutSuffix(strings.TrimPrefix(entry.Name(), "BFCL_v4_"), "_result.json")
		if err != nil || !ok || !slices.Contains(categories, name) {
			return err
		}
		struck++
		if d.lines == nil {
			return os.Remove(path)
		}
		text := testkit.Must(os.ReadFile(path))(t)
		lines := d.lines(strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"))
		end := "\n"
		if strings.HasSuffix(d.name, "torn") {
			end = ""
		}
		replace(t, path, strings.Join(lines, "\n")+end)
		return nil
	}))
	require.Positive(t, struck)
}

// replace writes a file of a copied run anew: the old one is the first run's, too.
func replace(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// tell runs a command in this process; RUN stands for the run and DIR for a folder
// of the command's own.
func tell(t *testing.T, run string, args []string) ran {
	t.Helper()
	own, was := t.TempDir(), filepath.Dir(run)
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.NewReplacer("RUN", run, "DIR", own).Replace(args[i])
	}
	got := here(args...)
	files := testkit.Must(filepath.Glob(filepath.Join(own, "*.csv")))(t)
	for _, path := range files {
		text := testkit.Must(os.ReadFile(path))(t)
		got.out += string(text)
	}
	return ran{strings.ReplaceAll(got.out, was+"/", ""), strings.ReplaceAll(got.errs, was+"/", ""), got.code}
}

// copyRun copies a run folder to a place of the same name. The files are links,
// which are made faster: see replace.
func copyRun(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(from))
	require.NoError(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		there := filepath.Join(to, strings.TrimPrefix(path, from))
		if entry.IsDir() {
			return os.Mkdir(there, 0o755)
		}
		return os.Link(path, there)
	}))
	return to
}

// onlyRecords leaves the records alone, by which a run without JUnit is judged.
func onlyRecords(t *testing.T, dir string) {
	t.Helper()
	for _, path := range []string{dir, filepath.Join(dir, "0"), filepath.Join(dir, "1")} {
		for _, name := range []string{tally.JUnitFile, tally.ReportFile, tally.ScoreFile, process.EventsFile, "result/agentic/memory/kv/memory_snapshot"} {
			require.NoError(t, os.RemoveAll(filepath.Join(path, filepath.FromSlash(name))))
		}
	}
}

// fewCases is a dataset with four of the starter suite's cases of every kind, and
// no others: hundreds of commands read it.
func fewCases(t *testing.T, dir string) string {
	t.Helper()
	require.NoError(t, writeStarter(dir, filepath.Join(testkit.ModuleRoot(t), "fixtures", "starter"), 4, everyKind...))
	return dir
}

// damaged are the runs that are to be damaged: a whole one, the shards of one, and
// one to hold them against.
type damaged struct{ dataset, run, shards, other, gate string }

var (
	damaging sync.Mutex
	ready    *damaged
)

// theDamaged makes them, once for all tests, below the folder that these share.
func theDamaged(t *testing.T) damaged {
	t.Helper()
	damaging.Lock()
	defer damaging.Unlock()
	if ready != nil {
		return *ready
	}
	top := filepath.Dir(wholeRun(t))
	l := &lab{t, filepath.Join(top, "damaged")}
	require.NoError(t, os.Mkdir(l.dir, 0o755))
	dataset := fewCases(t, filepath.Join(top, "few"))
	run := []string{"run", "-q", "-mode=prompt", "-dataset=" + dataset, "-categories=" + strings.Join(everyKind, ",")}
	l.good(append(run, "-model=heuristic", "-run-dir=r")...)
	l.good(append(run, "-model=heuristic", "-run-dir=p/0", "-shard=0/2")...)
	l.good(append(run, "-model=heuristic", "-run-dir=p/1", "-shard=1/2")...)
	other := filepath.Join(top, "o")
	l.good(append(run, "-model=oracle", "-run-dir="+other)...)
	d := damaged{dataset, filepath.Join(l.dir, "r"), filepath.Join(l.dir, "p"), other, filepath.Join(l.dir, "gate.yaml")}
	require.NoError(t, os.WriteFile(d.gate, []byte("partial: true\nmin_cases: 1\nfloors: {overall: 0, simple_python: 0}\nregressions: {categories: {detect: 100}}\n"), 0o644))
	onlyRecords(t, d.run)
	onlyRecords(t, d.shards)
	onlyRecords(t, d.other)
	ready = &d
	return d
}

// ways are those in which a number of a run is printed.
func (d damaged) ways() map[string][]string {
	return map[string][]string{
		"score":        {"score", "RUN", "--json"},
		"score errors": {"score", "RUN", "--json", "--allow-errors"},
		"table":        {"score", "RUN"},
		"compare":      {"compare", "RUN", d.other, "--json"},
		"compare with": {"compare", d.other, "RUN"},
		"gate":         {"gate", "--config", d.gate, "RUN", "--baseline", d.other, "--json"},
		"baseline":     {"gate", "--config", d.gate, d.other, "--baseline", "RUN"},
		"page":         {"report", "RUN", "--markdown"},
		"samples":      {"report", "RUN", "--lm-eval", "DIR"},
		"failures":     {"failures", "RUN", "--json"},
	}
}

// TestDamagedRecords: whatever is lost, doubled or foreign in the records of a run,
// every way to print its number prints the right one, or none, with the reason last
// and exit code 2; of a whole run as of shards.
func TestDamagedRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: some 200 commands over eight runs")
	}
	t.Parallel()
	d := theDamaged(t)
	commands, right, refused := 0, 0, 0
	for _, run := range []string{d.run, d.shards} {
		want := map[string]ran{}
		for name, args := range d.ways() {
			want[name] = tell(t, run, args)
			require.Zerof(t, want[name].code, "%s: %s", name, want[name].errs)
		}
		for i, harm := range damages {
			hurt := copyRun(t, run)
			folder := hurt
			if run == d.shards {
				folder = filepath.Join(hurt, "0")
			}
			harm.strike(t, folder, everyKind)
			before := tree(t, hurt)
			for k, name := range slices.Sorted(maps.Keys(d.ways())) {
				if (i+k)%testkit.Some(6, 1) > 0 {
					continue
				}
				args := d.ways()[name]
				got, what := tell(t, hurt, args), fmt.Sprintf("%s, %s", name, harm.name)
				restore(t, hurt, before)
				commands++
				switch {
				case harm.said == "":
					right++
					assertSame(t, want[name], got, what)
				case name == "page" && got.out != "": // of what is left
					refused++
					assertMarked(t, got, what)
				default:
					refused++
					assertRefused(t, got, harm.said, what)
				}
			}
		}
	}
	t.Logf("%d commands: %d right, %d refused", commands, right, refused)
}

// restore takes away what a command wrote into a run folder, and asserts that it
// changed nothing there.
func restore(t *testing.T, dir string, before map[string]string) {
	t.Helper()
	after := tree(t, dir)
	for path := range after {
		if _, ok := before[path]; !ok {
			delete(after, path)
			require.NoError(t, os.Remove(path))
		}
	}
	assert.True(t, maps.Equal(before, after), "%s: the command changed files", dir)
}

// assertSame: a command prints what it printed of the run before.
func assertSame(t *testing.T, want, got ran, what string) {
	t.Helper()
	assert.Zerof(t, got.code, "%s: %s", what, got.errs)
	if want.out != got.out {
		t.Errorf("%s: it prints\n%.3000s\nin place of\n%.3000s", what, got.out, want.out)
	}
}

// assertRefused: nothing is printed, the reason is the last thing said, and the
// exit code is 2.
func assertRefused(t *testing.T, got ran, said, what string) {
	t.Helper()
	assert.Equalf(t, exitTrouble, got.code, "%s: %s", what, got.errs)
	assert.Emptyf(t, got.out, what)
	lines := strings.Split(strings.TrimSpace(got.errs), "\n")
	assert.Containsf(t, lines[len(lines)-1], said, "%s: %s", what, got.errs)
}

// assertMarked: a page of what is left is made, which says so, as the command does
// last, with exit code 2.
func assertMarked(t *testing.T, got ran, what string) {
	t.Helper()
	assert.Equalf(t, exitTrouble, got.code, "%s: %s", what, got.errs)
	const said = "The run is not finished: "
	assert.Contains(t, got.out, said, what)
	lines := strings.Split(strings.TrimSpace(got.errs), "\n")
	assert.Containsf(t, lines[len(lines)-1], said, "%s: %s", what, got.errs)
}

// TestDamagedCategory: each kind of category is refused by itself, and evaluate
// scores and writes all the others.
func TestDamagedCategory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: some 170 commands")
	}
	t.Parallel()
	d := theDamaged(t)
	evaluate := []string{"evaluate", "--dataset", d.dataset, "--result-dir", "RUN", "--score-dir", "DIR", "--json"}
	whole := evaluatedFigures(t, tell(t, d.run, evaluate))
	require.Len(t, whole, len(everyKind))
	score := tell(t, d.run, []string{"score", "RUN", "--json"})
	for i, category := range everyKind {
		for k, harm := range damages {
			if (i+k)%testkit.Some(len(damages), 1) > 0 {
				continue
			}
			what := category + ", " + harm.name
			hurt := copyRun(t, d.run)
			harm.strike(t, hurt, []string{category})
			got := tell(t, hurt, []string{"score", "RUN", "--json"})
			if harm.said == "" {
				assertSame(t, score, got, what)
			} else {
				assertRefused(t, got, harm.said, what)
				assert.Contains(t, got.errs, category)
			}
			got = tell(t, hurt, evaluate)
			left := evaluatedFigures(t, got)
			if harm.evaluated == "" {
				assert.Zero(t, got.code, what)
				assert.Equal(t, whole, left, what)
				continue
			}
			assert.Equal(t, exitTrouble, got.code, what)
			lines := strings.Split(strings.TrimSpace(got.errs), "\n")
			assert.Contains(t, lines[len(lines)-1], "r, "+category+": ", what)
			assert.Contains(t, lines[len(lines)-1], harm.evaluated, what)
			assert.NotContains(t, left, category, what)
			for name, figures := range left {
				assert.Equalf(t, whole[name], figures, "%s: %s is complete", what, name)
			}
			assert.Len(t, left, len(everyKind)-1, what)
		}
	}
}

// evaluatedFigures are the figures of the one model's categories.
func evaluatedFigures(t *testing.T, got ran) map[string]any {
	t.Helper()
	end := strings.LastIndex(got.out, "\n]\n") + 3 // tables follow
	var models []struct{ Categories map[string]any }
	require.NoErrorf(t, json.Unmarshal([]byte(got.out[:end]), &models), "%s", got.errs)
	require.Len(t, models, 1)
	return models[0].Categories
}

// TestDamagedSheet: a JUnit file that lacks a case, has one twice or has a foreign
// one is no run's.
func TestDamagedSheet(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.good("run", "-q", "-model=heuristic", "-mode=prompt", "-categories=simple_python,multi_turn_base,sql", "-run-dir=r")
	run := filepath.Join(l.dir, "r")
	args := []string{"score", "RUN", "--json"}
	want := tell(t, run, args)
	require.Zero(t, want.code, want.errs)
	for _, c := range []struct {
		name, said string
		change     func(testcase string) string
	}{
		{"lost", " have no verdict: multi_turn_base/multi_turn_base_3", func(string) string { return "" }},
		{"twice", "reported more than once: multi_turn_base/multi_turn_base_3", func(s string) string { return s + s }},
		{"foreign", "not in dataset", func(s string) string { return s + strings.Replace(s, "base_3", "base_9999", 1) }},
	} {
		hurt := copyRun(t, run)
		require.NoError(t, os.Remove(filepath.Join(hurt, record.RunFile))) // beside answers it tells nothing
		path := filepath.Join(hurt, tally.JUnitFile)
		text := testkit.Must(os.ReadFile(path))(t)
		at := bytes.Index(text, []byte(`name="TestBFCL/multi_turn_base/multi_turn_base_3"`))
		require.Positive(t, at)
		start := bytes.LastIndex(text[:at], []byte("<testcase"))
		end := at + bytes.Index(text[at:], []byte("</testcase>")) + len("</testcase>")
		changed := string(text[:start]) + c.change(string(text[start:end])) + string(text[end:])
		replace(t, path, changed)
		assertRefused(t, tell(t, hurt, args), c.said, c.name)
	}
}
