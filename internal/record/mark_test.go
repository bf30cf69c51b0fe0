package record_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
)

// TestMark: the mark is the run's id; without one it changes with all that makes
// an answer what it is, and with nothing else.
func TestMark(t *testing.T) {
	t.Parallel()
	mark := settled().Mark(0)
	assert.Len(t, mark, 16)
	assert.NotEqual(t, mark, settled().Mark(1), "another trial")
	assert.Empty(t, (*record.Run)(nil).Mark(0))
	named := settled()
	named.ID = record.NewID()
	assert.Len(t, named.ID, 16)
	assert.NotEqual(t, named.ID, record.NewID())
	assert.Equal(t, named.ID+"-"+mark[:8], named.Mark(0))
	for name, change := range map[string]func(*record.Run){
		"model": func(r *record.Run) { r.Model = "n" }, "mode": func(r *record.Run) { r.Mode = eval.Prompt },
		"dots": func(r *record.Run) { r.UnderscoreToDot = true }, "dialect": func(r *record.Run) { r.Dialect = "hermes" },
		"parameters": func(r *record.Run) { r.Parameters["temperature"] = "1" }, "wording": func(r *record.Run) { r.Wording = "x" },
		"digest": func(r *record.Run) { r.Digest = "e" },
	} {
		other := settled()
		change(other)
		assert.NotEqual(t, mark, other.Mark(0), name)
	}
	same := settled()
	same.Version, same.Shard, same.Trials, same.Concurrency, same.Dataset, same.Categories = "2.0", "1/2", 9, 4, "/elsewhere", []string{"rest"}
	assert.Equal(t, mark, same.Mark(0), "what may differ when a run is continued")
}

// TestMarksAreChecked: lines of another run, of another trial, or of two runs
// are refused with their place; lines without a mark are counted.
func TestMarksAreChecked(t *testing.T) {
	t.Parallel()
	own, other := settled(), settled()
	other.Model = "n"
	line := func(id, mark string) string {
		text, err := record.Line(id, &eval.Response{Result: pyval.Str("f()")}, mark)
		require.NoError(t, err)
		return string(text)
	}
	for _, c := range []struct {
		name         string
		first, later string // the lines of the first and the second trial
		stated       bool   // there is a run.json
		err          string
		unmarked     string
	}{
		{"own", line("a", own.Mark(0)) + line("b", own.Mark(0)), line("a", own.Mark(1)), true, "", ""},
		{"without marks", line("a", "") + line("b", own.Mark(0)), line("a", ""), true, "", "answers that do not name the run that recorded them, as upstream's do not: 2; they count as this run's"},
		{"of another model", line("a", own.Mark(0)) + line("b", other.Mark(0)), "", true, `:2: "b" is an answer of another run ("` + other.Mark(0) + `") than run.json states ("` + own.Mark(0) + `")`, ""},
		{"of another model after one without a mark", line("a", "") + line("b", other.Mark(0)), "", true, `:2: "b" is an answer of another run`, ""},
		{"the first line too", line("a", other.Mark(0)), "", true, `:1: "a" is an answer of another run`, ""},
		{"of another trial", line("a", own.Mark(0)), line("a", own.Mark(0)), true, `trial_2`, ""},
		{"of two runs", line("a", own.Mark(0)) + line("b", other.Mark(0)), "", false, `than other lines are of ("` + own.Mark(0) + `")`, ""},
		{"of one run, which nothing states", line("a", other.Mark(0)) + line("b", other.Mark(0)), "", false, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if c.stated {
				require.NoError(t, record.WriteRun(dir, own))
			}
			cat := &eval.Category{Name: "simple_python", Group: "non_live"}
			for trial, text := range []string{c.first, c.later} {
				path := record.ResultFile(dir, cat, trial)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			answers, err := record.ReadAnswers(dir, []*eval.Category{cat}, 2)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.unmarked, answers.Unmarked())
		})
	}
	assert.Empty(t, record.Row{}.Mark())
	assert.False(t, record.Row{}.CutOff())
}

// TestLineMarks: how an answer ended and what it took is read as it was written.
func TestLineMarks(t *testing.T) {
	t.Parallel()
	for want, resp := range map[string]*eval.Response{
		`, "cut_off": true`:        {CutOff: true},
		`, "malformed_call": true`: {Malformed: true},
		`, "finish": "odd: tired"`: {Finish: "odd: tired"},
		``:                         {TTFT: -time.Second},
	} {
		resp.Result, resp.InputTokens, resp.OutputTokens, resp.Latency = pyval.Str("f()"), 3, 4, 2*time.Second
		line, err := record.Line("a", resp, "")
		require.NoError(t, err)
		assert.Equal(t, `{"id": "a", "result": "f()", "input_token_count": 3, "output_token_count": 4, "latency": 2.0`+want+"}\n", string(line))
		resp.TTFT = 0
		path := filepath.Join(t.TempDir(), "BFCL_v4_simple_python_result.json")
		require.NoError(t, os.WriteFile(path, line, 0o600))
		rows, err := record.Read(path, true)
		require.NoError(t, err)
		require.Len(t, rows, 1)
		resp.Entry = rows[0].Entry
		assert.Equal(t, resp, rows[0].Response(), want)
	}
}

// TestBesidesServer: what is not known of a server is no difference.
func TestBesidesServer(t *testing.T) {
	t.Parallel()
	a, b := settled(), settled()
	a.Server, b.Server = "vllm", "sglang"
	assert.Equal(t, `server ("vllm" against "sglang")`, record.BesidesModel(a, b))
	b.Server = ""
	assert.Empty(t, record.BesidesModel(a, b))
}

// TestDatasetPath: a dataset is opened where it lay, as long as it lies there.
func TestDatasetPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, c := range []struct{ dir, want string }{{"", "v4"}, {dir, dir}, {file, "v4"}, {filepath.Join(dir, "gone"), "v4"}} {
		assert.Equal(t, c.want, (&record.Run{Dataset: "v4", DatasetDir: c.dir}).DatasetPath())
	}
	s := (&record.Run{Mode: eval.FC, UnderscoreToDot: true, Dialect: "hermes"}).Settings()
	assert.Equal(t, eval.Settings{Mode: eval.FC, UnderscoreToDot: true, Dialect: "hermes"}, s)
}

// TestLogIsRead: a conversation's log is read; a line without one has none.
func TestLogIsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "BFCL_v4_multi_turn_base_result.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"id": "a", "result": [], "inference_log": ["é", {"b": 1}]}`+"\n"+`{"id": "b", "result": []}`+"\n"), 0o600))
	rows, err := record.Read(path, true)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, `["é", {"b": 1}]`, rows[0].Response().Log)
	assert.Empty(t, rows[1].Response().Log)
}
