package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var unmarked = regexp.MustCompile(`, "run": "[a-z2-7]{16}-[0-9a-f]{8}"`)

const pythonAnswers = "non_live/BFCL_v4_simple_python_result.json"

// refused runs a command that must end with a code, and returns what it printed.
func refused(t *testing.T, code int, args ...string) string {
	t.Helper()
	got := bfcl(t, args...)
	require.Equalf(t, code, got.code, "bfcl %q: %s%s", args, got.out, got.errs)
	return got.out + got.errs
}

// twoCases writes a dataset with two of the starter suite's ids.
func twoCases(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "possible_answer"), 0o755))
	var cases, answers string
	for _, id := range []string{"simple_python_0", "simple_python_1"} {
		cases += `{"id": "` + id + `", "question": [[{"role": "user", "content": "How large is a room 4 m wide?"}]], "function": [{"name": "area", "description": "Area of a room.", "parameters": {"type": "dict", "properties": {"width": {"type": "integer", "description": "Width."}}, "required": ["width"]}}]}` + "\n"
		answers += `{"id": "` + id + `", "ground_truth": [{"area": {"width": [4]}}]}` + "\n"
	}
	for name, text := range map[string]string{"BFCL_v4_simple_python.json": cases, "possible_answer/BFCL_v4_simple_python.json": answers} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data := testkit.Must(os.ReadFile(from))(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
	require.NoError(t, os.WriteFile(to, data, 0o644))
}

// TestAnotherRunsAnswers puts one model's answers into another's run folder.
func TestAnotherRunsAnswers(t *testing.T) {
	t.Parallel()
	given := filepath.Join(t.TempDir(), "run")
	flagsOf := func(dir string) []string {
		return []string{"run", "-q", "-model=heuristic", "-categories=simple_python", "-ids=simple_python_0,simple_python_1", "-trials=2", "-run-dir=" + dir}
	}
	says(t, flagsOf(given)...)
	for name, c := range map[string]struct {
		from []string // the other run's flags
		in   string   // which of its files
		to   string
	}{
		"another model":    {[]string{"-model=oracle"}, "result", "result"},
		"into a trial":     {[]string{"-model=oracle"}, "result", "trial_2/result"},
		"another trial":    {[]string{"-model=heuristic", "-trials=2"}, "trial_2/result", "result"},
		"another reading":  {[]string{"-model=heuristic", "-underscore-to-dot=no"}, "result", "result"},
		"another dataset":  {[]string{"-model=heuristic", "-dataset=DATASET"}, "result", "result"},
		"lines of several": {[]string{"-model=oracle"}, "result", "+result"},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir, other, data := filepath.Join(top, "run"), filepath.Join(top, "other"), filepath.Join(top, "data")
			flags := flagsOf(dir)
			require.NoError(t, os.CopyFS(dir, os.DirFS(given)))
			twoCases(t, data)
			from := append([]string{"run", "-q", "-categories=simple_python", "-ids=simple_python_0,simple_python_1", "-run-dir=" + other}, c.from...)
			for i := range from {
				from[i] = strings.ReplaceAll(from[i], "DATASET", data)
			}
			says(t, from...)
			to, added := strings.CutPrefix(c.to, "+")
			path := filepath.Join(dir, to, pythonAnswers)
			before := testkit.Must(os.ReadFile(path))(t)
			copyFile(t, filepath.Join(other, c.in, pythonAnswers), path)
			if added {
				after := testkit.Must(os.ReadFile(path))(t)
				mixed := regexp.MustCompile(`(?m)^.*simple_python_0.*\n`).Find(before)
				mixed = append(mixed, regexp.MustCompile(`(?m)^.*simple_python_1.*\n`).Find(after)...)
				require.NoError(t, os.WriteFile(path, mixed, 0o644))
			}
			const why = "is an answer of another run"
			assert.Contains(t, refused(t, exitTrouble, append(flags, "-resume")...), why)
			for _, name := range []string{"junit.xml", "report.xml", "score.json", "events.jsonl"} {
				assert.FileExists(t, filepath.Join(dir, name), "a refused -resume leaves the run's files")
			}
			require.NoError(t, os.Remove(filepath.Join(dir, "junit.xml")))
			assert.Contains(t, refused(t, exitTrouble, "score", dir), why)
			assert.Contains(t, refused(t, exitTrouble, "compare", dir, other), why)
			assert.Contains(t, refused(t, exitTrouble, "report", dir, "-o", filepath.Join(top, "page.html")), why)
			if !strings.HasPrefix(to, "trial_2") {
				assert.Contains(t, refused(t, exitTrouble, "evaluate", "--partial", "--result-dir", dir), why)
				assert.Contains(t, refused(t, exitTrouble, "trace", dir, "simple_python_1"), why)
				assert.Contains(t, refused(t, exitTrouble, "run", "-q", "-model=replay:"+dir, "-categories=simple_python", "-ids=simple_python_0,simple_python_1", "-run-dir="+filepath.Join(top, "again")), why)
			}
		})
	}
}

// TestMarksAreNobodysBusiness: upstream's lines have no mark. They are read, and
// that is said in a folder of ours; with and without marks, the score files of
// evaluate are the same.
func TestMarksAreNobodysBusiness(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir, bare := filepath.Join(top, "run"), filepath.Join(top, "bare/run")
	says(t, "run", "-q", "-model=heuristic", "-categories=simple_python,multi_turn_base", "-run-dir="+dir)
	require.NoError(t, os.CopyFS(bare, os.DirFS(filepath.Join(dir, "result"))))
	for _, file := range []string{pythonAnswers, "multi_turn/BFCL_v4_multi_turn_base_result.json"} {
		path := filepath.Join(bare, file)
		data := testkit.Must(os.ReadFile(path))(t)
		plain := unmarked.ReplaceAll(data, nil)
		require.NotEqual(t, data, plain)
		require.NoError(t, os.WriteFile(path, plain, 0o644))
	}
	says(t, "evaluate", "--partial", "--result-dir", dir, "--score-dir", filepath.Join(top, "ours"))
	says(t, "evaluate", "--partial", "--result-dir", bare, "--score-dir", filepath.Join(top, "theirs"))
	for _, file := range []string{"run/non_live/BFCL_v4_simple_python_score.json", "run/multi_turn/BFCL_v4_multi_turn_base_score.json"} {
		ours := testkit.Must(os.ReadFile(filepath.Join(top, "ours", file)))(t)
		theirs := testkit.Must(os.ReadFile(filepath.Join(top, "theirs", file)))(t)
		assert.Equal(t, string(theirs), string(ours), file)
	}
	copyFile(t, filepath.Join(bare, pythonAnswers), filepath.Join(dir, "result", pythonAnswers))
	require.NoError(t, os.Remove(filepath.Join(dir, "junit.xml")))
	assert.Contains(t, refused(t, exitOK, "score", dir), "answers that do not name the run that recorded them, as upstream's do not: 32")
}

// TestHeadersAreIdentity: a header can choose the model, so a run is continued
// only with the same values. Those of credentials may change, and no value is
// written down.
func TestHeadersAreIdentity(t *testing.T) {
	t.Parallel()
	dir, address := filepath.Join(t.TempDir(), "run"), endingWith(t, "stop")
	flags := []string{"run", "-q", "-model=openai:m", address, "-categories=irrelevance", "-ids=irrelevance_0", "-run-dir=" + dir}
	says(t, append(flags, "-header=X-Route: model-a", "-header=X-Api-Key: first-of-the-keys")...)
	says(t, append(flags, "-header=X-Route: model-a", "-header=X-Api-Key: second-of-the-keys", "-resume")...)
	was := tree(t, dir)
	for _, header := range []string{"X-Route: model-b", "X-Other: model-a"} {
		assert.Contains(t, refused(t, exitTrouble, append(flags, "-header="+header, "-header=X-Api-Key: k", "-resume")...), "the same headers")
	}
	assert.Equal(t, was, tree(t, dir))
	for _, hidden := range []string{"model-a", "of-the-keys"} {
		for name, text := range was {
			assert.NotContains(t, text, hidden, name)
		}
	}
}

// TestACopyIsNoOther: to a gate and to compare, a run and its copy are one run.
func TestACopyIsNoOther(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir, twin, gate := filepath.Join(top, "run"), filepath.Join(top, "twin"), filepath.Join(top, "gate.yaml")
	says(t, "run", "-q", "-model=heuristic", "-categories=irrelevance", "-run-dir="+dir)
	require.NoError(t, os.CopyFS(twin, os.DirFS(dir)))
	require.NoError(t, os.WriteFile(gate, []byte("partial: true\nfloors: {irrelevance: {min: 0, min_cases: 1}}\n"), 0o644))
	assert.Contains(t, refused(t, exitMisuse, "gate", "--config", gate, dir, "--baseline", twin), "or a copy of it")
	assert.Contains(t, refused(t, exitMisuse, "compare", dir, twin), "are the same run")
}

// hostileNames are names of folders and models that are no names in Python, or
// mean something in a path, a table, a command line or a run folder.
var hostileNames = []string{
	"2026-11-23", "01-ai_Yi", "gpt oss 120b", "gpt,oss", "gpt-oss-120b@fp8", "gpt-oss-120b#2", "a+b=c", "{m}", "(m)", "m'); ls('",
	"None", "class", "-rf", "..m", "ünïcode-模型", "\u202egnp.m", "two\nlines", "%s%d%!", "$HOME `id`", "~m", "live", "multi_turn", "result",
	"trial_2", strings.Repeat("long", 50),
}

// TestANameChangesNoNumber gives one model's conversations, some right and some
// wrong, to many names. Each command must find the same numbers under all.
func TestANameChangesNoNumber(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: runs the suite many times")
	}
	top := t.TempDir()
	given := halfRight(t)
	want := numbers(t, says(t, "evaluate", "--json", "--result-dir", filepath.Join(given, "result")))
	require.Equal(t, [3]int{8, 7, 0}, want, "the answers are to be half wrong")
	traced := says(t, "trace", given, "multi_turn_base_0")

	all := filepath.Join(top, "all")
	for i, name := range hostileNames {
		if i%testkit.Some(3, 1) > 0 {
			continue
		}
		recorded, run := filepath.Join(top, "recorded", name), filepath.Join(top, "run", name)
		require.NoError(t, os.CopyFS(filepath.Join(recorded, "result"), os.DirFS(filepath.Join(given, "result"))))
		require.NoError(t, os.CopyFS(filepath.Join(all, name), os.DirFS(filepath.Join(given, "result"))))
		t.Run(name, func(t *testing.T) {
			says(t, "run", "-q", "-model=replay:"+recorded, "-categories=multi_turn_base", "-run-dir="+run)
			assert.Equal(t, want, numbers(t, says(t, "score", "--json", run)), "score of the test")
			require.NoError(t, os.Remove(filepath.Join(run, "junit.xml")))
			assert.Equal(t, want, numbers(t, says(t, "score", "--json", run)), "score of the answers")
			assert.Equal(t, want, numbers(t, says(t, "evaluate", "--json", "--result-dir", recorded)), "evaluate a result folder")
			assert.Equal(t, want, numbers(t, says(t, "evaluate", "--json", "--result-dir", filepath.Join(all, name))), "evaluate a model's folder")
			var compared struct{ Flips []any }
			require.NoError(t, json.Unmarshal([]byte(says(t, "compare", "--json", given, run)), &compared))
			assert.Empty(t, compared.Flips, "compare")
			_, after, _ := strings.Cut(says(t, "trace", run, "multi_turn_base_0"), "\n")
			_, before, _ := strings.Cut(traced, "\n")
			assert.Equal(t, before, after, "trace")
			page := filepath.Join(t.TempDir(), "page.html")
			says(t, "report", run, given, "-o", page)
		})
	}
}

// TestNamesBesideEachOther: models that lie beside others keep their numbers,
// too. Folders named like a category's group, or like the results, would be
// taken for those.
func TestNamesBesideEachOther(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	given, all := halfRight(t), filepath.Join(top, "all")
	names := slices.DeleteFunc(slices.Clone(hostileNames), func(name string) bool { return slices.Contains([]string{"live", "multi_turn", "result"}, name) })
	for _, name := range names {
		require.NoError(t, os.CopyFS(filepath.Join(all, name), os.DirFS(filepath.Join(given, "result"))))
	}
	several := scores(t, says(t, "evaluate", "--json", "--partial", "--result-dir", all))
	assert.Len(t, several, len(names))
	for _, s := range several {
		assert.Equal(t, [3]int{8, 7, 0}, numbersOf(s), s.Model)
	}
}

// halfRight is a run of conversations, some right and some wrong.
func halfRight(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "given")
	says(t, "run", "-q", "-categories=multi_turn_base", "-model=oracle", "-run-dir="+dir)
	halfWrong(t, filepath.Join(dir, "result/multi_turn/BFCL_v4_multi_turn_base_result.json"))
	require.NoError(t, os.Remove(filepath.Join(dir, "junit.xml")))
	return dir
}

// halfWrong replaces the answer of each second case with one that does nothing.
func halfWrong(t *testing.T, path string) {
	t.Helper()
	data := testkit.Must(os.ReadFile(path))(t)
	var out bytes.Buffer
	for i, line := range bytes.SplitAfter(data, []byte("\n")) {
		var row map[string]any
		if json.Unmarshal(line, &row) == nil {
			for k := range row["result"].([]any) {
				if i%2 == 1 {
					row["result"].([]any)[k] = []any{[]any{map[string]any{"pwd": "{}"}}}
				}
			}
			delete(row, "inference_log")
			line = testkit.Must(json.Marshal(row))(t)
			line = append(line, '\n')
		}
		out.Write(line)
	}
	require.NoError(t, os.WriteFile(path, out.Bytes(), 0o644))
}

// says runs a command that must succeed.
func says(t *testing.T, args ...string) string {
	t.Helper()
	got := bfcl(t, args...)
	require.Equalf(t, exitOK, got.code, "bfcl %q: %s%s", args, got.out, got.errs)
	return got.out
}

// scores reads one printed score, or several.
func scores(t *testing.T, text string) (all []*score.Score) {
	t.Helper()
	if !strings.HasPrefix(text, "[") {
		text = "[" + text + "]"
	}
	require.NoError(t, json.Unmarshal([]byte(text), &all), text)
	return all
}

// numbersOf returns how many of the cases of a score are right, wrong and
// errors.
func numbersOf(s *score.Score) [3]int {
	p := s.Categories["multi_turn_base"]
	return [3]int{p.Correct, p.Total - p.Correct, p.Errors}
}

func numbers(t *testing.T, text string) [3]int {
	t.Helper()
	all := scores(t, text)
	require.Len(t, all, 1)
	return numbersOf(all[0])
}
