package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

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
	data, err := os.ReadFile(path)
	require.NoError(t, err)
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
			line, err = json.Marshal(row)
			require.NoError(t, err)
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
