package evaluate_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func official(t testing.TB) *fixtures.Dataset {
	t.Helper()
	return testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
}

// TestGoldenRecorded evaluates a real model's recorded answers and conversations:
// score files are upstream's own. The run is older than a correction of the dataset,
// which shows in copies of its entries.
func TestGoldenRecorded(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b")
	out := t.TempDir()
	report, err := evaluate.Run(tally.Folders{
		Dataset: official(t), ResultDir: filepath.Join(recorded, "result"), Categories: "single_turn," + recordedMultiTurn,
	}, out)
	require.NoError(t, err)
	require.Len(t, report.Models, 1)
	require.Len(t, report.Models[0].Parts, 16)
	var n comparison
	for _, c := range report.Models[0].Parts {
		file := filepath.Join(report.Models[0].Name, c.Category.Group, "BFCL_v4_"+c.Category.Name+"_score.json")
		n.compare(t, filepath.Join(recorded, "score", file), filepath.Join(out, file), "prompt", "possible_answer")
	}
	t.Logf("%+v", n)
	climbs(t, report)
	compareTables(t, filepath.Join(recorded, "score"), out)
}

// A comparison counts the failed cases of score files: those whose lines are
// upstream's to the byte, those that are but for the words of CPython's parsers, which
// change between its versions, and those that are but for fields which may differ.
type comparison struct{ Files, Failed, Identical, Words, Moved int }

// compare compares one file's header and lines; the free fields may differ.
func (n *comparison) compare(t *testing.T, theirs, ours string, free ...string) {
	t.Helper()
	want, got := lines(t, theirs), lines(t, ours)
	n.Files++
	n.Failed += len(want) - 1
	assert.Equal(t, want[0], got[0], "header of %s", theirs)
	if !assert.Equal(t, ids(t, want), ids(t, got), "failed cases of %s", theirs) {
		return
	}
	for i := 1; i < len(want); i++ {
		if want[i] == got[i] {
			n.Identical++
			continue
		}
		switch differ := apartFromWords(t, want[i], got[i]); {
		case len(differ) == 0:
			n.Words++
		case assert.Subset(t, free, differ, "%s, line %d of %s", field(t, want[i], "id"), i+1, theirs):
			n.Moved++
		}
	}
}

// ids returns the ids of a score file's failed cases.
func ids(t *testing.T, lines []string) (out []string) {
	for _, line := range lines[1:] {
		out = append(out, field(t, line, "id"))
	}
	return out
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	data := testkit.Must(os.ReadFile(path))(t)
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func field(t *testing.T, line, name string) string {
	t.Helper()
	found, _ := object(t, line).GetStr(name)
	if found == nil {
		return ""
	}
	return pyval.Repr(found)
}

// compareTables compares the columns that single-turn data reaches with the
// published tables.
func compareTables(t *testing.T, want, got string) {
	columns := 0
	for _, name := range []string{"data_live.csv", "data_non_live.csv", "data_overall.csv"} {
		published, ours := table(t, filepath.Join(want, name), "openai/gpt-oss-120b (FC) (vLLM)"), table(t, filepath.Join(got, name), "openai_gpt-oss-120b")
		require.Equal(t, len(published), len(ours), name)
		for column, value := range published {
			if name == "data_overall.csv" && !strings.Contains(column, "Live") && !strings.Contains(column, "elevance") {
				continue
			}
			if column == "Rank" || column == "Model" {
				continue
			}
			assert.Equal(t, value, ours[column], "%s, column %s", name, column)
			columns++
		}
	}
	t.Logf("%d columns of the tables compared", columns)
}

func table(t *testing.T, path, model string) map[string]string {
	t.Helper()
	rows := lines(t, path)
	header := strings.Split(rows[0], ",")
	for _, row := range rows[1:] {
		cells := strings.Split(row, ",")
		out := map[string]string{}
		for i, title := range header {
			out[title] = cells[i]
		}
		if out["Model"] == model {
			return out
		}
	}
	t.Fatalf("%s has no row of %s", path, model)
	return nil
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestRunErrors(t *testing.T) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	first := `{"id": "simple_python_0", "result": []}` + "\n"
	for _, c := range []struct {
		name, text string
		o          tally.Folders
		want       string
	}{
		{"incomplete", first, tally.Folders{}, "cases have no result (evaluate with --partial, or complete the run): simple_python_1, "},
		{"unknown id", `{"id": "simple_python_9999", "result": []}`, tally.Folders{Partial: true}, `result.json:1: case "simple_python_9999" is not in dataset "starter"`},
		{"unknown model", first, tally.Folders{Models: []string{"other/model"}}, `model "other/model" has no folder in`},
		{"not recorded", first, tally.Folders{Categories: "multiple"}, `category "multiple" is not recorded`},
		{"invalid JSON", first + "{", tally.Folders{}, "BFCL_v4_simple_python_result.json:2: invalid JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "m", "non_live", "BFCL_v4_simple_python_result.json"), c.text)
			c.o.Dataset, c.o.ResultDir = d, dir
			testkit.Fails(evaluate.Run(c.o, t.TempDir()))(t, c.want)
		})
	}
}

// TestRemarksAreWhole: what is odd about a category's questions is said even if its
// answers cannot be read, however long the questions take to read.
func TestRemarksAreWhole(t *testing.T) {
	data, results := t.TempDir(), t.TempDir()
	var questions, answers strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&questions, `{"id": "simple_javascript_%d", "question": [[{"role": "user", "content": "x"}]], "function": []}`+"\n", i)
		fmt.Fprintf(&answers, `{"id": "simple_javascript__%d", "ground_truth": []}`+"\n", i)
	}
	write(t, filepath.Join(data, "BFCL_v4_simple_javascript.json"), questions.String())
	write(t, filepath.Join(data, "possible_answer", "BFCL_v4_simple_javascript.json"), answers.String())
	write(t, filepath.Join(data, "BFCL_v4_irrelevance.json"), `{"id": "irrelevance_0", "question": [[{"role": "user", "content": "x"}]], "function": []}`)
	write(t, filepath.Join(results, "m", "BFCL_v4_simple_javascript_result.json"), "{")
	write(t, filepath.Join(results, "m", "BFCL_v4_irrelevance_result.json"), `{"id": "irrelevance_0", "result": []}`)
	for range 5 {
		d := testkit.Must(fixtures.Open(data, ""))(t)
		report, err := evaluate.Run(tally.Folders{Dataset: d, ResultDir: results}, "")
		require.ErrorAs(t, err, new(*tally.IncompleteError))
		require.Len(t, report.Notes, 1)
		assert.Contains(t, report.Notes[0], "paired by position")
	}
}

// TestIncomplete: of a model's categories those with all their answers are scored
// and written; the others are named with all that is missing, and no table has an
// earlier figure of theirs.
func TestIncomplete(t *testing.T) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	dir, scores := t.TempDir(), t.TempDir()
	lines := func(category string, from int) string {
		cases := testkit.Must(d.Cases(categories.Find(category)))(t)
		var b strings.Builder
		for _, c := range cases[from:] {
			fmt.Fprintf(&b, "{\"id\": %q, \"result\": []}\n", c.ID)
		}
		return b.String()
	}
	for model, from := range map[string]int{"whole": 0, "part": 2} {
		write(t, filepath.Join(dir, model, "non_live", "BFCL_v4_irrelevance_result.json"), lines("irrelevance", 0))
		write(t, filepath.Join(dir, model, "non_live", "BFCL_v4_simple_python_result.json"), lines("simple_python", from))
	}
	write(t, filepath.Join(dir, "part", "non_live", "BFCL_v4_multiple_result.json"), "{")
	write(t, filepath.Join(scores, "part", "non_live", "BFCL_v4_simple_python_score.json"), `{"accuracy": 0.99, "correct_count": 99, "total_count": 100}`+"\n")
	report, err := evaluate.Run(tally.Folders{Dataset: d, ResultDir: dir}, scores)
	var incomplete *tally.IncompleteError
	require.ErrorAs(t, err, &incomplete)
	require.Len(t, incomplete.Lacks, 2)
	broken, short := incomplete.Lacks[0], incomplete.Lacks[1]
	assert.Equal(t, []string{"part", "multiple"}, []string{broken.Model, broken.Category})
	assert.Contains(t, broken.Why, "multiple_result.json:1: invalid JSON")
	assert.Equal(t, []string{"simple_python_0", "simple_python_1"}, short.Cases)
	assert.ErrorContains(t, err, "2 categories are incomplete and have no score:\n  part, multiple: ")
	require.Len(t, report.Models, 2)
	assert.Len(t, report.Models[0].Parts, 1, "part")
	assert.Len(t, report.Models[1].Parts, 2, "whole")
	assert.FileExists(t, filepath.Join(scores, "part", "non_live", "BFCL_v4_irrelevance_score.json"))
	assert.FileExists(t, filepath.Join(scores, "whole", "non_live", "BFCL_v4_simple_python_score.json"))
	table := testkit.Must(os.ReadFile(filepath.Join(scores, "data_non_live.csv")))(t)
	assert.NotContains(t, string(table), "99.00%")
	require.Len(t, report.Notes, 1)
	assert.Contains(t, report.Notes[0], "part, simple_python: an earlier score file is left out")
}

// TestTablesKeepEarlier: a second evaluation into the same folder keeps the
// rows of the first, as upstream does.
func TestTablesKeepEarlier(t *testing.T) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cases := testkit.Must(d.Cases(categories.Find("simple_python")))(t)
	scores := t.TempDir()
	for _, model := range []string{"one", "two"} {
		dir := t.TempDir()
		text := `{"id": "` + cases[0].ID + `", "result": [], "latency": 1.0}` + "\n" + `{"id": "` + cases[1].ID + `", "result": [], "latency": 2.0}`
		write(t, filepath.Join(dir, model, "non_live", "BFCL_v4_simple_python_result.json"), text)
		report := testkit.Must(evaluate.Run(tally.Folders{Dataset: d, ResultDir: dir, Partial: true}, scores))(t)
		assert.Equal(t, 2, len(report.Models[0].Parts[0].Results))
	}
	table := lines(t, filepath.Join(scores, "data_non_live.csv"))
	assert.Len(t, table, 3)
	write(t, filepath.Join(scores, "one", "non_live", "BFCL_v4_simple_python_score.json"), "nonsense")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "m", "non_live", "BFCL_v4_simple_python_result.json"), `{"id": "`+cases[0].ID+`", "result": []}`)
	assert.ErrorContains(t, testkit.Err(evaluate.Run(tally.Folders{Dataset: d, ResultDir: dir, Partial: true}, scores)), "not the header of a score file")
}

// TestFormatSensitivity evaluates a prompt-mode run of the starter suite's
// variations: one of two configurations of a case is answered rightly.
func TestFormatSensitivity(t *testing.T) {
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cat := categories.Find("format_sensitivity")
	cases := testkit.Must(d.Cases(cat))(t)
	var text strings.Builder
	for i, c := range cases {
		result := pyval.Value(pyval.Str(""))
		if i%2 == 0 {
			result = oracle.Answer(c, eval.Prompt)
		}
		row := pyval.NewDict(2)
		row.SetStr("id", pyval.Str(c.ID))
		row.SetStr("result", result)
		line := testkit.Must(pyval.JSON(row, 0))(t)
		text.WriteString(line + "\n")
	}
	results, scores := t.TempDir(), t.TempDir()
	write(t, filepath.Join(results, "m", "format_sensitivity", "BFCL_v4_format_sensitivity_result.json"), text.String())
	report := testkit.Must(evaluate.Run(tally.Folders{Dataset: d, ResultDir: results}, scores))(t)
	s := report.Models[0].Parts[0].Sensitivity(true)
	require.Len(t, s.Configs, 26)
	assert.InDelta(t, 0.5, s.Accuracy, 1e-9)
	assert.InDelta(t, 100, s.MaxDelta.Value, 1e-9)
	row := table(t, filepath.Join(scores, "data_format_sensitivity.csv"), "m")
	assert.Equal(t, "100.0", row["Format Sensitivity Max Delta"])
	assert.Equal(t, "0.00%", row["Config "+s.Configs[1].Name])

	// A failed line shows the case under its own id, and the documents with the
	// hint that upstream's loader adds.
	file := testkit.Must(os.ReadFile(filepath.Join(scores, "m", "format_sensitivity", "BFCL_v4_format_sensitivity_score.json")))(t)
	v := testkit.Must(pyval.ParseJSON(strings.Split(string(file), "\n")[1]))(t)
	prompt, _ := v.(*pyval.Dict).GetStr("prompt")
	id, _ := prompt.(*pyval.Dict).GetStr("id")
	assert.Equal(t, pyval.Str(cases[1].ID), id)
	tools, _ := prompt.(*pyval.Dict).GetStr("function")
	shown, _ := tools.(*pyval.List).Items[0].(*pyval.Dict).GetStr("description")
	raw, _ := cases[1].Entry.GetStr("function")
	bare, _ := raw.(*pyval.List).Items[0].(*pyval.Dict).GetStr("description")
	assert.True(t, strings.HasPrefix(pyval.Text(shown), pyval.Text(bare)) && pyval.Text(shown) != pyval.Text(bare), "%s", shown)
	same, _ := cases[0].Entry.GetStr("id")
	assert.NotContains(t, pyval.Text(same), "format_sensitivity", "the case's own entry stays as it is")
}

// TestGoldenOpen evaluates real answers of three models with open weights, each
// in the dialect that its folder's name tells: every score file is upstream's,
// but for CPython's words for what is no Python.
func TestGoldenOpen(t *testing.T) {
	recorded := testkit.Shared(t, "recorded", "v4", "open")
	out := t.TempDir()
	report := testkit.Must(evaluate.Run(tally.Folders{Dataset: official(t), ResultDir: filepath.Join(recorded, "result"), Partial: true}, out))(t)
	read := map[string]string{}
	for _, m := range report.Models {
		read[m.Name] = m.Settings().Dialect
	}
	assert.Equal(t, map[string]string{
		"Qwen_Qwen3-8B-FC": "qwen-fc", "Team-ACE_ToolACE-2-8B": "llama", "meta-llama_Llama-3.1-8B-Instruct-FC": "llama-fc",
	}, read)
	row := table(t, filepath.Join(out, "data_overall.csv"), "Qwen3-8B (FC)")
	assert.Equal(t, []string{"https://huggingface.co/Qwen/Qwen3-8B", "Qwen", "apache-2.0"}, []string{row["Model Link"], row["Organization"], row["License"]})
	var n comparison
	scores := filepath.Join(recorded, "score")
	require.NoError(t, filepath.WalkDir(scores, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_score.json") {
			file, _ := filepath.Rel(scores, path)
			n.compare(t, path, filepath.Join(out, file))
		}
		return err
	}))
	t.Logf("%+v", n)
}

// syntaxErrors are results of calls that CPython's parser refuses, in words
// that change between its versions.
var syntaxErrors = regexp.MustCompile(`"Error during execution: (?:[^"\\]|\\.)* \(<string>, line \d+\)"`)

// apartFromWords are the fields that differ, but for texts of CPython's parsers.
func apartFromWords(t *testing.T, want, got string) []string {
	want, got = syntaxErrors.ReplaceAllString(want, `""`), syntaxErrors.ReplaceAllString(got, `""`)
	var out []string
	for _, name := range fieldsThatDiffer(t, want, got) {
		if name != "error" || !strings.HasSuffix(field(t, want, "error_type"), ":decoder_failed'") {
			out = append(out, name)
		}
	}
	return out
}

// fieldsThatDiffer compares two lines field by field, order included.
func fieldsThatDiffer(t *testing.T, want, got string) []string {
	a, b := object(t, want), object(t, got)
	var out []string
	for i := range max(a.Len(), b.Len()) {
		if i >= a.Len() || i >= b.Len() {
			return append(out, "number of fields")
		}
		name, x := a.At(i)
		other, y := b.At(i)
		if !pyval.Equal(name, other) || pyval.Repr(x) != pyval.Repr(y) {
			out = append(out, pyval.Text(name))
		}
	}
	return out
}

func object(t *testing.T, line string) *pyval.Dict {
	t.Helper()
	v := testkit.Must(pyval.ParseJSON(line))(t)
	d, ok := v.(*pyval.Dict)
	require.True(t, ok)
	return d
}

// before are the third release's names of three categories.
var before = map[string]string{"simple_python": "simple", "simple_java": "java", "simple_javascript": "javascript"}

// asV3 lays a folder of results out as the third release did, with a file of a
// category and a case that the current release dropped.
func asV3(t *testing.T, results, dir string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(results, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data := testkit.Must(os.ReadFile(path))(t)
		name := strings.TrimSuffix(strings.TrimPrefix(entry.Name(), "BFCL_v4_"), "_result.json")
		text := string(data)
		if old := before[name]; old != "" {
			text, name = strings.ReplaceAll(text, `"id": "`+name+`_`, `"id": "`+old+`_`), old
		}
		if name == "simple" {
			text += `{"id": "simple_9999", "result": "[f(x=1)]"}` + "\n"
		}
		write(t, filepath.Join(dir, filepath.Base(filepath.Dir(filepath.Dir(path))), "BFCL_v3_"+name+"_result.json"), text)
		return nil
	}))
	write(t, filepath.Join(dir, "Qwen_Qwen3-8B-FC", "BFCL_v3_rest_result.json"), `{"id": "rest_0", "result": "[f(x=1)]"}`)
}

// TestGoldenV3: results in the third release's layout give the score files that
// the same results give in the current one.
func TestGoldenV3(t *testing.T) {
	results := testkit.Shared(t, "recorded", "v4", "open", "result")
	v3, today, old := t.TempDir(), t.TempDir(), t.TempDir()
	asV3(t, results, v3)
	testkit.Must(evaluate.Run(tally.Folders{Dataset: official(t), ResultDir: results, Partial: true}, today))(t)
	report := testkit.Must(evaluate.Run(tally.Folders{Dataset: official(t), ResultDir: v3, Partial: true}, old))(t)
	notes := strings.Join(report.Notes, "\n")
	assert.Contains(t, notes, `Qwen_Qwen3-8B-FC: cases that dataset "v4" no longer has are left out: rest`)
	assert.Contains(t, notes, `BFCL_v3_simple_result.json: cases that dataset "v4" no longer has are left out: simple_python_9999`)
	files := 0
	require.NoError(t, filepath.WalkDir(today, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(today, path)
		want := testkit.Must(os.ReadFile(path))(t)
		got := testkit.Must(os.ReadFile(filepath.Join(old, rel)))(t)
		assert.True(t, string(want) == string(got), rel)
		files++
		return nil
	}))
	t.Logf("%d files compared", files)
}
