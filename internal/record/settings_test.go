package record_test

import (
	"os"
	"path/filepath"
	"runtime"
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

// settled is a run with every setting that is compared.
func settled() *record.Run {
	return &record.Run{
		Model: "m", Dataset: "v4", Digest: "d", Trials: 1, Shard: "0/2", Wording: "w", Mode: eval.FC, Version: "1.0",
		Parameters: map[string]string{"base_url": "http://a/v1", "temperature": "0.001"},
	}
}

// TestDifferences: each setting that can change an answer keeps two runs from
// being one, and is named with both values.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		change func(*record.Run)
		want   string
	}{
		{func(r *record.Run) { r.Model = "n" }, `model ("m" against "n")`},
		{func(r *record.Run) { r.Dataset = "v1" }, `dataset ("v4" against "v1")`},
		{func(r *record.Run) { r.Digest = "e" }, `digest ("d" against "e")`},
		{func(r *record.Run) { r.Wording = "x" }, `wording ("w" against "x")`},
		{func(r *record.Run) { r.Mode = eval.Prompt }, `mode ("fc" against "prompt")`},
		{func(r *record.Run) { r.UnderscoreToDot = true }, `underscore_to_dot ("false" against "true")`},
		{func(r *record.Run) { r.Dialect = "hermes" }, `dialect (not set against "hermes")`},
		{func(r *record.Run) { r.Parameters["temperature"] = "1" }, `temperature ("0.001" against "1")`},
		{func(r *record.Run) { r.Parameters["base_url"] = "http://b/v1" }, `base_url ("http://a/v1" against "http://b/v1")`},
		{func(r *record.Run) { r.Parameters["max_tokens"] = "64" }, `max_tokens (not set against "64")`},
		{func(r *record.Run) { r.Parameters["reasoning_effort"] = "low" }, `reasoning_effort (not set against "low")`},
		{func(r *record.Run) { delete(r.Parameters, "temperature") }, `temperature ("0.001" against not set)`},
		{func(r *record.Run) { r.Shard = "0/4" }, `shards ("2" against "4")`},
	} {
		other := settled()
		c.change(other)
		differ := record.Differences(settled(), other)
		require.Len(t, differ, 1, c.want)
		assert.Equal(t, c.want, differ[0].String())
		_, err := record.Resumable(settled(), other)
		require.ErrorContains(t, err, differ[0].B)
		require.ErrorContains(t, err, "choose another -run-dir, or the same ")
		_, keeps := record.Mergeable(settled(), other)
		require.NotNil(t, keeps, c.want)
		assert.Equal(t, differ[0], *keeps)
	}
}

// TestDifferencesThatPass: what does not keep runs apart, and what is said of it.
func TestDifferencesThatPass(t *testing.T) {
	more := settled()
	more.Trials, more.Categories, more.Concurrency = 3, []string{"rest"}, 7
	note := testkit.Must(record.Resumable(settled(), more))(t)
	assert.Empty(t, note)

	newer := settled()
	newer.Version, newer.Shard = "1.1", "1/2"
	note, keeps := record.Mergeable(settled(), newer)
	assert.Nil(t, keeps)
	assert.Equal(t, "bfcl 1.0 made one part of the run, bfcl 1.1 the other", note)
	for _, versions := range [][2]string{{"", "1.1"}, {"1.0", ""}, {"", ""}, {"1.0", "1.0"}} {
		have, want := settled(), settled()
		have.Version, want.Version = versions[0], versions[1]
		note := testkit.Must(record.Resumable(have, want))(t)
		assert.Empty(t, note, versions)
	}
	require.EqualError(t, testkit.Err(record.Resumable(settled(), newer)), `the run folder was made with shard "0/2", not "1/2": choose another -run-dir, or the same shard`)

	sheet := &record.Run{Model: "m", Dataset: "v4", Digest: "d", Trials: 1, Shard: "1/2"}
	_, keeps = record.Mergeable(settled(), sheet)
	assert.Nil(t, keeps, "JUnit knows no more")
}

func TestBesidesModel(t *testing.T) {
	other := settled()
	other.Model, other.Dataset, other.Shard, other.Parameters["id"] = "n", "/elsewhere/v4", "", "n"
	assert.Empty(t, record.BesidesModel(settled(), other))
	other.Parameters["temperature"], other.Version = "1", "1.1"
	assert.Equal(t, `temperature ("0.001" against "1"), version ("1.0" against "1.1")`, record.BesidesModel(settled(), other))
	a, b := settled(), settled()
	a.Server, b.Server, b.Served = "vllm", "sglang", []string{"who answered is no setting"}
	assert.Equal(t, `server ("vllm" against "sglang")`, record.BesidesModel(a, b))
	b.Server = ""
	assert.Empty(t, record.BesidesModel(a, b), "what is not known is no difference")
}

// TestResumeWithALaterService: what only later categories need is a setting of
// all answers, and the refusal says what to do.
func TestResumeWithALaterService(t *testing.T) {
	for _, name := range []string{"embedder", "search"} {
		later := &record.Run{Model: "m", Mode: "fc", Parameters: map[string]string{name: "local"}}
		assert.ErrorContains(t, testkit.Err(record.Resumable(&record.Run{Model: "m", Mode: "fc"}, later)), "begun without categories that need the "+name)
		assert.NoError(t, testkit.Err(record.Resumable(later, later)))
	}
}

// TestNoDeviceIsRead: a stranger's folder whose files are links to what never
// ends is refused.
func TestNoDeviceIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("devices are not files there")
	}
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Dir(file(dir)), 0o755))
	require.NoError(t, os.Symlink("/dev/zero", file(dir)))
	require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, "run.json")))
	folder := testkit.Must(record.Find(dir))(t)
	assert.ErrorContains(t, testkit.Err(folder.Answers()), "BFCL_v4_simple_python_result.json is not a regular file")
	assert.ErrorContains(t, testkit.Err(record.ReadRun(dir)), "run.json is not a regular file")
	assert.ErrorContains(t, record.Repair(file(dir)), "is not a regular file")

	real := filepath.Join(dir, "elsewhere")
	testkit.Write(t, real, `{"id": "simple_python_0", "result": "f()"}`+"\n")
	require.NoError(t, os.Remove(file(dir)))
	require.NoError(t, os.Symlink(real, file(dir)))
	rows := testkit.Must(record.Read(file(dir), false))(t)
	assert.Len(t, rows, 1, "a link to a file is as good as the file")
}

// TestNoLinkIsWrittenTo: who goes on with a stranger's run folder writes to
// nothing outside of it.
func TestNoLinkIsWrittenTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a link takes rights there")
	}
	dir := t.TempDir()
	for _, text := range []string{"mine", "1", "1\n", ""} {
		real := filepath.Join(dir, "elsewhere")
		testkit.Write(t, real, text)
		require.NoError(t, os.MkdirAll(filepath.Dir(file(dir)), 0o755))
		_ = os.Remove(file(dir))
		require.NoError(t, os.Symlink(real, file(dir)))
		w := testkit.Must(record.NewWriter(dir, nil))(t)
		err := w.Append(category, &eval.Request{ID: "simple_python_1"}, &eval.Response{Result: eval.TextResult("f()")})
		assert.ErrorContains(t, err, "is not written to", "%q", text)
		require.NoError(t, w.Close())
		data := testkit.Must(os.ReadFile(real))(t)
		assert.Equal(t, text, string(data))
	}
}

func TestServedNote(t *testing.T) {
	long := "model" + strings.Repeat("s", 97)
	for _, c := range []struct {
		asked  string
		served []string
		want   string
	}{
		{"gpt-4.1-mini", nil, ""},
		{"gpt-4.1-mini", []string{"gpt-4.1-mini"}, ""},
		{"gpt-4.1-mini", []string{"gpt-4.1-mini-2025-04-14"}, ""},
		{"gpt-4.1-mini", []string{"gpt-4.1-mini", "gpt-4.1-mini-2025-04-14"}, ""},
		{"openai/gpt-4o", []string{"gpt-4o-2024-05-13"}, ""},
		{"claude-3-5-sonnet-latest", []string{"claude-3-5-sonnet-20241022"}, ""},
		{"claude-sonnet-4@20250514", []string{"claude-sonnet-4-20250514"}, ""},
		{"gemini-2.0-flash", []string{"gemini-2.0-flash-001"}, ""},
		{"gemini-2.5-flash", []string{"gemini-2.5-flash-preview-05-20"}, ""},
		{"Qwen/Qwen3-8B", []string{"qwen3-8b"}, ""},
		{"llama3", []string{"llama3:latest"}, ""},
		{"", []string{"m"}, ""},
		{"", []string{"m", "n"}, "The server answered as several models: m, n. The answers may not be those of one model."},
		{"gpt-4", []string{"gpt-4-32k"}, "The server answered as gpt-4-32k; gpt-4 was asked for."},
		{"gpt-4", []string{"gpt-4.1"}, "The server answered as gpt-4.1; gpt-4 was asked for."},
		{"claude-opus-4", []string{"claude-opus-4-1"}, "The server answered as claude-opus-4-1; claude-opus-4 was asked for."},
		{"gpt-4o", []string{"gpt-4o-2024-05-13", "gpt-4o-2024-08-06"}, "The server answered as several models: gpt-4o-2024-05-13, gpt-4o-2024-08-06; gpt-4o was asked for. The answers may not be those of one model."},
		{long, []string{long[1:]}, "The server answered as " + long[1:101] + "… (101 bytes); " + long[:100] + "… (102 bytes) was asked for."},
		{"m", []string{"x\x1b[31m"}, `The server answered as x\x1b[31m; m was asked for.`},
	} {
		run := &record.Run{Served: c.served, Parameters: map[string]string{"id": c.asked}}
		assert.Equal(t, c.want, run.ServedNote(), "%s asked, %q served", c.asked, c.served)
	}
}

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
		text := testkit.Must(record.Line(id, &eval.Response{Result: pyval.Str("f()")}, mark))(t)
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
				testkit.Write(t, path, text)
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
		line := testkit.Must(record.Line("a", resp, ""))(t)
		assert.Equal(t, `{"id": "a", "result": "f()", "input_token_count": 3, "output_token_count": 4, "latency": 2.0`+want+"}\n", string(line))
		resp.TTFT = 0
		path := filepath.Join(t.TempDir(), "BFCL_v4_simple_python_result.json")
		require.NoError(t, os.WriteFile(path, line, 0o600))
		rows := testkit.Must(record.Read(path, true))(t)
		require.Len(t, rows, 1)
		resp.Entry = rows[0].Entry
		assert.Equal(t, *resp, rows[0].Response(), want)
	}
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
	rows := testkit.Must(record.Read(path, true))(t)
	require.Len(t, rows, 2)
	assert.Equal(t, `["é", {"b": 1}]`, rows[0].Response().Log)
	assert.Empty(t, rows[1].Response().Log)
}
