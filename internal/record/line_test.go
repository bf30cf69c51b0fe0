package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestLine(t *testing.T) {
	talk := &eval.Talk{
		InputTokens: [][]int{{1, 2}, {3}}, OutputTokens: [][]int{{4, 5}, {6}},
		Latency: [][]time.Duration{{time.Second, 250 * time.Millisecond}, {0}}, Reasoning: [][]string{{"", ""}, {""}},
		Log: pyval.NewList(pyval.Str("é")),
	}
	thought := *talk
	thought.Reasoning = [][]string{{"why", ""}, {""}}
	for _, c := range []struct {
		resp *eval.Response
		want string
	}{
		{&eval.Response{Result: pyval.None, Latency: time.Second, TTFT: 250 * time.Millisecond}, `{"id": "x", "result": null, "input_token_count": 0, "output_token_count": 0, "latency": 1.0, "ttft": 0.25}`},
		{&eval.Response{Result: pyval.None, InputTokens: 1, Latency: time.Second}, `{"id": "x", "result": null, "input_token_count": 1, "output_token_count": 0, "latency": 1.0}`},
		{&eval.Response{Result: pyval.Str("t"), Reasoning: "why"}, `{"id": "x", "result": "t", "input_token_count": 0, "output_token_count": 0, "latency": 0.0, "reasoning_content": "why"}`},
		{&eval.Response{Result: pyval.NewList(), Talk: talk}, `{"id": "x", "result": [], "input_token_count": [[1, 2], [3]], "output_token_count": [[4, 5], [6]], "latency": [[1.0, 0.25], [0.0]], "inference_log": ["\u00e9"]}`},
		{&eval.Response{Result: pyval.NewList(), Talk: &thought}, `{"id": "x", "result": [], "input_token_count": [[1, 2], [3]], "output_token_count": [[4, 5], [6]], "latency": [[1.0, 0.25], [0.0]], "inference_log": ["\u00e9"], "reasoning_content": [["why", ""], [""]]}`},
	} {
		line := testkit.Must(record.Line("x", c.resp, ""))(t)
		assert.Equal(t, c.want+"\n", string(line))
	}
}

// TestTalkRead adds up what a conversation took.
func TestTalkRead(t *testing.T) {
	for _, c := range []struct {
		count, latency string
		tokens         int
		took           time.Duration
	}{
		{"5", "1.5", 5, 1500 * time.Millisecond},
		{"[[1, 2], [3]]", "[[1.0, 0.5], []]", 6, 1500 * time.Millisecond},
		{`[["x", null, 2], 3]`, `"1.5"`, 5, 0},
		{"[[[[[1]]]], [[[7]]], -4, 1e300]", "-1", 0, 0},
		{"999999999", "[[[7]]]", 999999999, 0},
		{"1000000000", "1e9", 0, 0},
	} {
		v := testkit.Must(pyval.ParseJSON(`{"input_token_count": ` + c.count + `, "latency": ` + c.latency + `}`))(t)
		resp := record.Row{Entry: v.(*pyval.Dict)}.Response()
		assert.Equal(t, c.tokens, resp.InputTokens, c.count)
		assert.Equal(t, c.took, resp.Latency, c.latency)
	}
}

// TestMode tells modes from single answers and from conversations.
func TestMode(t *testing.T) {
	for results, want := range map[string]eval.Mode{
		`"f()"`:                               eval.Prompt,
		`[]`:                                  eval.FC,
		`[{"f": "{}"}]`:                       eval.FC,
		`[["[f()]", "Done."], ["Done."]]`:     eval.Prompt,
		`[[[{"f": "{}"}], "Done."], []]`:      eval.FC,
		`[["Done."], [[]]]`:                   eval.FC,
		`"Error during inference: no answer"`: eval.Prompt,
	} {
		v := testkit.Must(pyval.ParseJSON(results))(t)
		answers := record.Answers{{"x": record.Row{Result: v}}}
		assert.Equal(t, want, answers.Mode(), results)
	}
}

// FuzzRun reads a stranger's run.json; what is read is written as the same.
func FuzzRun(f *testing.F) {
	f.Add(`{"model": "m", "mode": "fc", "dataset": "starter", "trials": 1, "parameters": {"api_replay": "x"}, "ids": ["a"]}`)
	f.Add(`{"trials": -1, "started": "2026-01-01T00:00:00Z", "prices": {"input": 1e308}}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		testkit.Write(t, filepath.Join(dir, "run.json"), text)
		run, err := record.ReadRun(dir)
		if err != nil {
			return
		}
		_ = run.Settings()
		if err := record.WriteRun(dir, run); err != nil {
			t.Fatal(err)
		}
		again, err := record.ReadRun(dir)
		if err != nil {
			t.Fatal(err)
		}
		if note, err := record.Resumable(run, again); err != nil || note != "" {
			t.Fatalf("%v %s", err, note)
		}
	})
}

// FuzzReadV1 reads result files of the first release, whose lines have no ids
// and many forms.
func FuzzReadV1(f *testing.F) {
	f.Add("{\"idx\": 0, \"result\": \"f()\"}\n{\"id\": 1, \"text\": \"f()\"}")
	f.Add("{\"question_id\": \"a\", \"result\": [{\"f\": \"{}\"}], \"latency\": [[1]]}\n{")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "gorilla_openfunctions_v1_test_simple_result.json")
		if !record.Positional(path) {
			t.Fatalf("%s is no file of the first release", path)
		}
		testkit.Write(t, path, text)
		rows, err := record.Read(path, true)
		for _, row := range rows {
			_ = row.Response()
		}
		if err != nil && rows != nil {
			t.Fatal("rows beside an error")
		}
	})
}

// TestV3 reads a folder of the third release: files side by side, categories
// and ids under today's names.
func TestV3(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "org_model")
	require.NoError(t, os.Mkdir(dir, 0o755))
	for name, text := range map[string]string{
		"simple":               `{"id": "simple_7", "result": "a"}`,
		"java":                 `{"id": "java_1", "result": "b"}`,
		"live_simple":          `{"id": "live_simple_3-1-0", "result": "c"}`,
		"multi_turn_miss_func": `{"id": "multi_turn_miss_func_12", "result": []}`,
		"exec_simple":          `{"id": "plain", "result": "d"}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "BFCL_v3_"+name+"_result.json"), []byte(text+"\n"), 0o644))
	}
	f := testkit.Must(record.Find(filepath.Dir(dir)))(t)
	assert.Equal(t, "org_model", f.Name())
	ids := map[string]string{}
	for category, path := range f.Files {
		assert.True(t, record.FromV3(path))
		rows := testkit.Must(record.Read(path, false))(t)
		ids[category] = rows[0].ID
	}
	assert.Equal(t, map[string]string{
		"simple_python": "simple_python_7", "simple_java": "simple_java_1", "live_simple": "live_simple_3-1-0",
		"multi_turn_miss_func": "multi_turn_miss_func_12", "exec_simple": "plain",
	}, ids)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "BFCL_v4_simple_python_result.json"), []byte(`{"id": "simple_python_7", "result": "a"}`), 0o644))
	assert.ErrorContains(t, testkit.Err(record.Find(dir)), "category simple_python is recorded twice")

	twice := filepath.Join(dir, "BFCL_v2_rest_result.json")
	require.NoError(t, os.WriteFile(twice, []byte(`{"id": "rest_1", "result": "a"}`+"\n"+`{"id": "rest_1", "result": "b"}`), 0o644))
	assert.ErrorContains(t, testkit.Err(record.Read(twice, false)), `:2: "rest_1" has a different answer on line 1`)
}

// TestV1 reads a folder of the first release: rows by their id, their number, or
// their place, and the settings of a model of its leaderboard.
func TestV1(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gemini-1.5-pro-preview-0514")
	require.NoError(t, os.Mkdir(dir, 0o755))
	path := filepath.Join(dir, "gorilla_openfunctions_v1_test_simple_result.json")
	const lines = `{"id": "simple_9", "result": "a"}
{"idx": 7, "result": "b"}
{"id": 5, "idx": 6, "result": "c"}
{"id": null, "result": "d"}
{"result": "e"}
{"idx": 7, "result": "f"}
`
	require.NoError(t, os.WriteFile(path, []byte(lines), 0o644))
	assert.True(t, record.Positional(path))
	rows := testkit.Must(record.Read(path, false))(t)
	var ids []string
	for i, row := range rows {
		ids = append(ids, row.ID)
		assert.Equal(t, i+1, row.Line)
	}
	assert.Equal(t, []string{"simple_9", "simple_7", "simple_5", "simple_3", "simple_4", "simple_7"}, ids)
	f := testkit.Must(record.Find(dir))(t)
	assert.Equal(t, map[string]string{"simple": path}, f.Files)
	settings, ok := f.V1Settings(eval.FC)
	assert.True(t, ok)
	assert.Equal(t, eval.Settings{Mode: eval.FC, UnderscoreToDot: true, Dialect: "gemini"}, settings)

	unknown := *f
	unknown.Model = "nobody-knows"
	_, ok = unknown.V1Settings(eval.FC)
	assert.False(t, ok)
	f.Files["rest"] = filepath.Join(dir, "BFCL_v4_rest_result.json")
	_, ok = f.V1Settings(eval.FC)
	assert.False(t, ok, "not all files are of the first release")

	for text, said := range map[string]string{"{": "invalid JSON", "[]": "expected a JSON object, got a list", `{"id": 1}`: `"result" of "simple_1" is missing`} {
		require.NoError(t, os.WriteFile(path, []byte(`{"result": "a"}`+"\n"+text+"\n"), 0o644))
		_, err := record.Read(path, false)
		require.ErrorContains(t, err, said)
		require.ErrorContains(t, err, ":2:")
	}
}

// TestTTFT: the times to the first token come back from a record, of a
// conversation as the mean of the requests that streamed.
func TestTTFT(t *testing.T) {
	for _, c := range []struct {
		resp *eval.Response
		want time.Duration
	}{
		{&eval.Response{Result: pyval.None, TTFT: 250 * time.Millisecond}, 250 * time.Millisecond},
		{&eval.Response{Result: pyval.None}, 0},
		{&eval.Response{Result: pyval.NewList(), Talk: &eval.Talk{
			TTFT: [][]time.Duration{{time.Second, 0}, {3 * time.Second}},
		}}, 2 * time.Second},
	} {
		line := testkit.Must(record.Line("x", c.resp, ""))(t)
		v := testkit.Must(pyval.ParseJSON(strings.TrimSpace(string(line))))(t)
		assert.Equal(t, c.want, record.Row{Result: pyval.None, Entry: v.(*pyval.Dict)}.Response().TTFT, string(line))
		assert.Equal(t, c.want > 0, v.(*pyval.Dict).Has("ttft"))
	}
	for _, odd := range []string{`"x"`, `[5]`, `[["x", null]]`, `[[[1]]]`, `-1`, `1e999`} {
		v := testkit.Must(pyval.ParseJSON(`{"ttft": ` + odd + `}`))(t)
		assert.Zero(t, record.Row{Entry: v.(*pyval.Dict)}.Response().TTFT, odd)
	}
}
