package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/record"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

var category = &eval.Category{Name: "simple_python", Group: "non_live"}

func file(dir string) string {
	return filepath.Join(dir, "result", "non_live", "BFCL_v4_simple_python_result.json")
}

func answer(t *testing.T, w *record.Writer, id string, trial int) {
	t.Helper()
	require.NoError(t, w.Append(category, &eval.Request{ID: id, Trial: trial}, &eval.Response{
		Result:      eval.CallsResult([]eval.ToolCall{{Name: "f", Arguments: `{"x": 1.0}`}}),
		InputTokens: 12, OutputTokens: 3, Latency: 1500 * time.Millisecond,
	}))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// twoTrials is a folder with two trials of a case.
func twoTrials(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	w, err := record.NewWriter(dir, nil)
	require.NoError(t, err)
	answer(t, w, "simple_python_0", 0)
	answer(t, w, "simple_python_0", 1)
	require.NoError(t, w.Close())
	return dir
}

func TestWriterFormat(t *testing.T) {
	dir := twoTrials(t)
	data, err := os.ReadFile(file(dir))
	require.NoError(t, err)
	assert.Equal(t, `{"id": "simple_python_0", "result": [{"f": "{\"x\": 1.0}"}], "input_token_count": 12, "output_token_count": 3, "latency": 1.5}`+"\n", string(data))

	folder, err := record.Find(dir)
	require.NoError(t, err)
	answers, err := folder.Answers()
	require.NoError(t, err)
	require.Len(t, answers, 2)
	row, ok := answers.Get("simple_python_0", 1)
	require.True(t, ok)
	assert.Equal(t, 1500*time.Millisecond, row.Response().Latency)
	assert.Equal(t, 12, row.Response().InputTokens)
	assert.Equal(t, eval.FC, answers.Mode())
	_, ok = answers.Get("simple_python_0", 2)
	assert.False(t, ok)
}

// TestTornAnswers: what a kill left of a line is no answer, and no error.
func TestTornAnswers(t *testing.T) {
	dir := twoTrials(t)
	line, err := os.ReadFile(file(dir))
	require.NoError(t, err)
	write(t, file(dir), string(line)+string(line[:20]))
	folder, err := record.Find(dir)
	require.NoError(t, err)
	answers, err := folder.Answers()
	require.NoError(t, err)
	assert.Len(t, answers[0], 1)
}

// TestAnswersOfBrokenTrial: a trial that cannot be read is an error, and not a run
// of fewer trials.
func TestAnswersOfBrokenTrial(t *testing.T) {
	dir := twoTrials(t)
	write(t, filepath.Join(dir, "trial_2", "result", "live", "BFCL_v4_simple_python_result.json"), "")
	folder, err := record.Find(dir)
	require.NoError(t, err)
	_, err = folder.Answers()
	require.ErrorContains(t, err, "category simple_python is recorded twice")
}

func TestWriterConcurrent(t *testing.T) {
	dir := t.TempDir()
	w, err := record.NewWriter(dir, nil)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() { answer(t, w, fmt.Sprintf("simple_python_%d", i), 0) })
	}
	wg.Wait()
	require.NoError(t, w.Close())
	rows, err := record.Read(file(dir), false)
	require.NoError(t, err)
	assert.Len(t, rows, 200)
}

// TestRepair goes on after a kill at every byte of the last line.
func TestRepair(t *testing.T) {
	dir := t.TempDir()
	w, err := record.NewWriter(dir, nil)
	require.NoError(t, err)
	answer(t, w, "simple_python_0", 0)
	answer(t, w, "simple_python_1", 0)
	require.NoError(t, w.Close())
	whole, err := os.ReadFile(file(dir))
	require.NoError(t, err)
	first := strings.IndexByte(string(whole), '\n') + 1
	for cut := first; cut <= len(whole); cut++ {
		require.NoError(t, os.WriteFile(file(dir), whole[:cut], 0o644))
		w, err := record.NewWriter(dir, nil)
		require.NoError(t, err)
		answer(t, w, "simple_python_2", 0)
		require.NoError(t, w.Close())
		rows, err := record.Read(file(dir), false)
		require.NoError(t, err, "cut at byte %d", cut)
		want := 2
		if cut >= len(whole)-1 {
			want = 3 // the line was whole
		}
		assert.Len(t, rows, want, "cut at byte %d", cut)
	}
}

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\"id\": \"a\", \"result\": 1}\n{\"id\": \"b\"}\n", `:2: "result" of "b" is missing`},
		{"[]\n", ":1: expected a JSON object, got a list"},
		{"{}\n", `:1: "id" is missing or not a string`},
		{"{\"id\": \"a\", \"res", ":1: invalid JSON: line 1 column 13: unterminated string"},
	} {
		path := filepath.Join(t.TempDir(), "r.json")
		write(t, path, c.text)
		_, err := record.Read(path, false)
		require.Error(t, err)
		assert.Equal(t, path+c.want, err.Error())
	}
}

// TestReadTwice: an answer may stand there twice, two answers may not.
func TestReadTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	write(t, path, `{"id": "a", "result": [1]}`+"\n\n"+`{"id": "b", "result": 2}`+"\n"+`{"id": "a", "result": [1], "latency": 5}`+"\n{\"id\": \"c")
	rows, err := record.Read(path, true)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, "a", rows[0].ID)
	assert.Equal(t, 5*time.Second, rows[0].Response().Latency)
	write(t, path, `{"id": "a", "result": [1]}`+"\n\n"+`{"id": "b", "result": 2}`+"\n"+`{"id": "a", "result": [true]}`+"\n")
	_, err = record.Read(path, true)
	require.EqualError(t, err, path+`:4: "a" has a different answer on line 1: remove one of them`)
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	line := `{"id": "a", "result": []}` + "\n"
	write(t, filepath.Join(dir, "m1", "non_live", "BFCL_v4_multiple_result.json"), line)
	write(t, filepath.Join(dir, "m2", "live", "BFCL_v4_live_simple_result.json"), line)
	write(t, filepath.Join(dir, "m2", "agentic", "memory", "kv", "BFCL_v4_memory_kv_result.json"), line)
	_, err := record.Find(dir)
	require.ErrorContains(t, err, "holds the results of 2 models")
	folders, err := record.FindAll(dir)
	require.NoError(t, err)
	require.Len(t, folders, 2)
	assert.Equal(t, "m2", folders[1].Model)
	assert.Len(t, folders[1].Files, 2)
	one, err := record.Find(filepath.Join(dir, "m1"))
	require.NoError(t, err)
	assert.Equal(t, "m1", one.Model)

	write(t, filepath.Join(dir, "m1", "BFCL_v4_multiple_result.json"), line)
	_, err = record.Find(filepath.Join(dir, "m1"))
	require.ErrorContains(t, err, "category multiple is recorded twice")
	_, err = record.Find(t.TempDir())
	require.ErrorContains(t, err, "has no result files")
	_, err = record.Find(filepath.Join(dir, "nowhere"))
	require.ErrorContains(t, err, "is not a folder of recorded results")
}

func TestRunRoundTrip(t *testing.T) {
	dir := t.TempDir()
	_, err := record.ReadRun(dir)
	require.ErrorIs(t, err, os.ErrNotExist)
	run := &record.Run{Model: "m", Mode: eval.Prompt, Dataset: "starter", Digest: "d", Trials: 2, Started: time.Now().UTC()}
	require.NoError(t, record.WriteRun(dir, run))
	got, err := record.ReadRun(dir)
	require.NoError(t, err)
	assert.Equal(t, run, got)

	for text, want := range map[string]string{
		`{"trials": 0}`: `run.json: "trials" is 0, not 1 to 1000`, `{"trials": 100000000}`: `"trials" is 100000000, not 1 to 1000`, `{"trials": 1, "mode": "\u001b[31m"}`: `"\x1b[31m"`,
	} {
		write(t, filepath.Join(dir, "run.json"), text)
		_, err = record.ReadRun(dir)
		assert.ErrorContains(t, err, want)
	}
	write(t, filepath.Join(dir, "run.json"), "{")
	_, err = record.ReadRun(dir)
	assert.ErrorContains(t, err, "run.json: unexpected end of JSON input")
}

func FuzzRead(f *testing.F) {
	f.Add("{\"id\": \"a\", \"result\": []}\n{\"id\"")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "r.json")
		write(t, path, text)
		if err := record.Repair(path); err != nil {
			t.Fatal(err)
		}
		rows, err := record.Read(path, true)
		if err != nil {
			return
		}
		for _, row := range rows {
			_ = row.Response()
		}
	})
}

// TestLinkedFolders: a model's folder may be a link, a loop of links ends, and a
// link that leads nowhere is named.
func TestLinkedFolders(t *testing.T) {
	t.Parallel()
	real, dir := t.TempDir(), t.TempDir()
	file := filepath.Join(real, "non_live", record.FileName("multiple"))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("{}\n"), 0o644))
	if err := os.Symlink(real, filepath.Join(dir, "linked")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	require.NoError(t, os.Symlink(dir, filepath.Join(real, "loop")))
	all := filepath.Join(t.TempDir(), "all")
	require.NoError(t, os.Symlink(dir, all))
	for _, from := range []string{dir, all} {
		folder, err := record.Find(from)
		require.NoError(t, err)
		assert.Equal(t, "linked", folder.Model)
		assert.Len(t, folder.Files, 1)
	}
	require.NoError(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "other")))
	_, err := record.Find(dir)
	assert.ErrorContains(t, err, filepath.Join(dir, "other")+" is a dangling link")
}
