package evaluate_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// drawers is a dataset with two multi-turn cases, of which the second brings
// a function late.
func drawers(t *testing.T) *fixtures.Dataset {
	t.Helper()
	dir := t.TempDir()
	const (
		scene = `"initial_config": {"GorillaFileSystem": {"root": {"desk": {"type": "directory", "contents": {}}}}}, "involved_classes": ["GorillaFileSystem"]`
		turn  = `[{"role": "user", "content": "Make a drawer."}]`
	)
	write(t, filepath.Join(dir, "BFCL_v4_multi_turn_miss_func.json"),
		`{"id": "multi_turn_miss_func_0", "question": [`+turn+`, `+turn+`], `+scene+`}`+"\n"+
			`{"id": "multi_turn_miss_func_1", "question": [`+turn+`, []], `+scene+`, "missed_function": {"1": ["mkdir"]}}`)
	write(t, filepath.Join(dir, "possible_answer", "BFCL_v4_multi_turn_miss_func.json"),
		`{"id": "multi_turn_miss_func_0", "ground_truth": [["mkdir('a')"], ["mkdir('b')"]]}`+"\n"+
			`{"id": "multi_turn_miss_func_1", "ground_truth": [[], ["mkdir('a')"]]}`)
	write(t, filepath.Join(dir, "multi_turn_func_doc", "gorilla_file_system.json"),
		`{"name": "ls", "description": "Lists.", "parameters": {"type": "dict", "properties": {}, "required": []}}`+"\n"+
			`{"name": "mkdir", "description": "Makes.", "parameters": {"type": "dict", "properties": {"dir_name": {"type": "string"}}, "required": ["dir_name"]}}`)
	return testkit.Must(fixtures.Open(dir, ""))(t)
}

// TestMultiTurn evaluates models of either mode together: each is read in its
// own, and judged as it is alone.
func TestMultiTurn(t *testing.T) {
	const file = "BFCL_v4_multi_turn_miss_func_result.json"
	models := map[string]struct {
		first, second string
		mode          eval.Mode
		correct       int
		wrong         string // the error type of the first failed case
	}{
		"calls":       {`[[[{"mkdir": "{\"dir_name\": \"a\"}"}], "Done."], [[{"mkdir": "{\"dir_name\": \"b\"}"}], []]]`, `[["?"], [[{"mkdir": "{\"dir_name\": \"a\"}"}]]]`, eval.FC, 2, ""},
		"texts":       {`[["mkdir(dir_name='a')", "Done."], ["mkdir(dir_name='b')"]]`, `[["?"], ["[mkdir(dir_name='a')]"]]`, eval.Prompt, 2, ""},
		"wrong_name":  {`[["mkdir(dir_name='a')"], ["mkdir(dir_name='c')"]]`, `[["?"], ["mkdir(dir_name='a')"]]`, eval.Prompt, 1, "multi_turn:instance_state_mismatch"},
		"gave_up":     {`[["mkdir(dir_name='a')"]]`, `[["?"], ["Sorry."]]`, eval.Prompt, 0, "multi_turn:force_terminated"},
		"never_spoke": {`"Error during inference: refused"`, `"Error during inference: refused"`, eval.Prompt, 0, "multi_turn:inference_error"},
	}
	data, results, scores := drawers(t), t.TempDir(), t.TempDir()
	for name, m := range models {
		write(t, filepath.Join(results, name, "multi_turn", file),
			`{"id": "multi_turn_miss_func_1", "result": `+m.second+"}\n"+`{"id": "multi_turn_miss_func_0", "result": `+m.first+`, "inference_log": [1]}`)
	}
	together := testkit.Must(evaluate.Run(tally.Folders{Dataset: data, ResultDir: results}, scores))(t)
	require.Len(t, together.Models, len(models))
	for _, m := range together.Models {
		want, got := models[m.Name], m.Parts[0]
		assert.Equal(t, want.mode, m.Settings().Mode, m.Name)
		assert.Equal(t, want.correct, got.Correct(), m.Name)
		if want.wrong != "" {
			assert.Equal(t, want.wrong, got.Results[0].ErrorType, m.Name)
		}
		alone := testkit.Must(evaluate.Run(tally.Folders{Dataset: data, ResultDir: filepath.Join(results, m.Name)}, ""))(t)
		assert.Equal(t, errorsOf(got), errorsOf(alone.Models[0].Parts[0]), m.Name)
	}
}

// TestAnswersAreLetGo: memory does not grow with the number of models, and two
// folders of one name do not write the same files.
func TestAnswersAreLetGo(t *testing.T) {
	const file = "BFCL_v4_multi_turn_miss_func_result.json"
	data, results := drawers(t), t.TempDir()
	for _, name := range []string{"a", "b", "c", "d"} {
		write(t, filepath.Join(results, name, "multi_turn", file),
			`{"id": "multi_turn_miss_func_0", "result": [["mkdir(dir_name='a')"]]}`+"\n"+`{"id": "multi_turn_miss_func_1", "result": [["Sorry."]]}`)
	}
	var seen []weak.Pointer[eval.Result]
	_, err := evaluate.Each(tally.Folders{Dataset: data, ResultDir: results}, t.TempDir(), func(m *tally.Run) error {
		runtime.GC()
		for i, earlier := range seen {
			assert.Nil(t, earlier.Value(), "the answers of model %d are still in memory at %s", i, m.Model)
		}
		seen = append(seen, weak.Make(&m.Parts[0].Results[0]))
		return nil
	})
	require.NoError(t, err)
	assert.Len(t, seen, 4)

	require.NoError(t, os.Rename(filepath.Join(results, "d"), filepath.Join(results, "c", "a")))
	assert.ErrorContains(t, testkit.Err(evaluate.Run(tally.Folders{Dataset: data, ResultDir: results}, t.TempDir())), filepath.Join("c", "a")+": another folder of that name")
}

func errorsOf(c tally.Part) []string {
	var out []string
	for _, v := range c.Results {
		out = append(out, v.ErrorType+" "+pyval.Repr(orNone(v.Detail)))
	}
	return out
}

func orNone(v pyval.Value) pyval.Value {
	if v == nil {
		return pyval.None
	}
	return v
}

// TestMultiTurnScoreLines: what a failed case's line holds, and in which order.
func TestMultiTurnScoreLines(t *testing.T) {
	const file = "BFCL_v4_multi_turn_miss_func"
	results, scores := t.TempDir(), t.TempDir()
	write(t, filepath.Join(results, "m", "multi_turn", file+"_result.json"),
		`{"id": "multi_turn_miss_func_0", "result": [[], [], []], "inference_log": [{"role": "user"}]}`+"\n"+
			`{"id": "multi_turn_miss_func_1", "result": [["hm"], ["pwd()", "no call", "ls(a=True)"]]}`)
	testkit.Must(evaluate.Run(tally.Folders{Dataset: drawers(t), ResultDir: results}, scores))(t)
	got := lines(t, filepath.Join(scores, "m", "multi_turn", file+"_score.json"))
	require.Len(t, got, 3)
	keys := func(line string) string {
		var out []string
		for key := range object(t, line).All() {
			out = append(out, pyval.Text(key))
		}
		return strings.Join(out, " ")
	}
	assert.Equal(t, "id model_name test_category valid error prompt model_result possible_answer inference_log", keys(got[1]))
	assert.Equal(t, "[{'role': 'user'}]", field(t, got[1], "inference_log"))
	assert.Equal(t, "id model_name test_category valid error prompt model_result_raw model_result_decoded possible_answer inference_log", keys(got[2]))
	assert.Equal(t, "[[], [['pwd()'], ['ls(a=True)']]]", field(t, got[2], "model_result_decoded"))
	assert.Equal(t, "''", field(t, got[2], "inference_log"))
	assert.Contains(t, field(t, got[2], "prompt"), "'missed_function': {'1': [{'name': 'mkdir', 'description': 'Makes.'")
}

// shapes are answers by the error type they lead to.
var shapes = []struct{ result, errorType string }{
	{`[[[{"core_memory_retrieve_all": "{}"}], "I remember nothing of that kind."]]`, "agentic:answer_not_found"},
	{`[[[{"core_memory_retrieve_all": "{}"}]]]`, "agentic:no_last_message"},
	{`"Error during inference: boom"`, "agentic:inference_error"},
}

// TestGoldenAgenticScoreFiles evaluates an upstream-shaped result folder of a
// memory category and holds the score rows' keys against upstream's.
func TestGoldenAgenticScoreFiles(t *testing.T) {
	want := map[string]string{}
	testkit.Rows(t, testkit.GoldenFile(t, "agentic", "agentic_entries.jsonl"), func(_ int, row *pyval.Dict) {
		if keys, ok := testkit.Field(row, "score_keys").(*pyval.List); ok {
			keys.Items = append(keys.Items, pyval.Str("inference_log")) // which the caller adds
			want[testkit.Text(row, "error_type")] = pyval.Repr(keys)
		}
	})
	require.Len(t, want, len(shapes))

	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cases := testkit.Must(d.Cases(categories.Find("memory_rec_sum")))(t)
	dir, out := t.TempDir(), t.TempDir()
	folder := filepath.Join(dir, "m", "agentic", "memory", "rec_sum")
	require.NoError(t, os.MkdirAll(filepath.Join(folder, "memory_snapshot"), 0o755))
	var lines []string
	for i, c := range cases {
		result := `[["The answer is ` + pyval.Text(c.Answer.Items[0]) + `."]]`
		if i < len(shapes) {
			result = shapes[i].result
		}
		lines = append(lines, `{"id": "`+c.ID+`", "result": `+result+`, "inference_log": [["x"]]}`)
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
	write("BFCL_v4_memory_rec_sum_result.json", strings.Join(lines, "\n")+"\n")
	write("BFCL_v4_memory_rec_sum_prereq_result.json", `{"id": "memory_rec_sum_prereq_0-allotment-0", "result": [["ok"]]}`+"\n")
	write(filepath.Join("memory_snapshot", "allotment_final.json"), `{"memory": "x"}`)

	report := testkit.Must(evaluate.Run(tally.Folders{Dataset: d, ResultDir: dir}, out))(t)
	assert.Empty(t, report.Notes, "conversations are not scored, and nothing is said of them")
	data := testkit.Must(os.ReadFile(filepath.Join(out, "m", "agentic", "memory", "rec_sum", "BFCL_v4_memory_rec_sum_score.json")))(t)
	rows := strings.Split(strings.TrimSpace(string(data)), "\n")
	require.Len(t, rows, 1+len(shapes))
	assert.Contains(t, rows[0], `"correct_count": 18, "total_count": 21`)
	for i, shape := range shapes {
		v := testkit.Must(pyval.ParseJSON(rows[i+1]))(t)
		row := v.(*pyval.Dict)
		reason := testkit.Field(row, "error").(*pyval.Dict)
		assert.Equal(t, shape.errorType, testkit.Text(reason, "error_type"))
		assert.Equal(t, want[shape.errorType], pyval.Repr(pyval.NewList(row.Keys()...)))
		assert.Equal(t, `[['x']]`, pyval.Repr(testkit.Field(row, "inference_log")))
		if shape.errorType == "agentic:answer_not_found" {
			assert.Equal(t, "I remember nothing of that kind.", testkit.Text(row, "last_non_fc_message"))
			assert.True(t, reason.Has("details"))
		}
	}
	table := testkit.Must(os.ReadFile(filepath.Join(out, "data_agentic.csv")))(t)
	assert.Contains(t, string(table), "85.71%")
	t.Logf("%d kinds of score rows compared", len(shapes))
}

const recordedMultiTurn = "multi_turn_base,multi_turn_miss_func,multi_turn_miss_param"
