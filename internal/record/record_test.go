package record_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/test/testkit"
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

// twoTrials is a folder with two trials of a case.
func twoTrials(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	w := testkit.Must(record.NewWriter(dir, nil))(t)
	answer(t, w, "simple_python_0", 0)
	answer(t, w, "simple_python_0", 1)
	require.NoError(t, w.Close())
	return dir
}

// TestWithdraw: an answer that is none leaves its file, and others stay.
func TestWithdraw(t *testing.T) {
	dir := t.TempDir()
	w := testkit.Must(record.NewWriter(dir, nil))(t)
	for _, id := range []string{"a_1", "a_10", "a_2"} {
		answer(t, w, id, 0)
	}
	require.NoError(t, w.Withdraw(category, &eval.Request{ID: "a_1"}))
	require.NoError(t, w.Withdraw(category, &eval.Request{ID: "a_2"}))
	answer(t, w, "a_1", 0)
	require.NoError(t, w.Close())
	data := testkit.Must(os.ReadFile(file(dir)))(t)
	var ids []string
	for line := range strings.Lines(string(data)) {
		ids = append(ids, line[:strings.Index(line, ",")])
	}
	assert.Equal(t, []string{`{"id": "a_10"`, `{"id": "a_1"`}, ids)
}

func TestWriterFormat(t *testing.T) {
	dir := twoTrials(t)
	data := testkit.Must(os.ReadFile(file(dir)))(t)
	assert.Equal(t, `{"id": "simple_python_0", "result": [{"f": "{\"x\": 1.0}"}], "input_token_count": 12, "output_token_count": 3, "latency": 1.5}`+"\n", string(data))

	folder := testkit.Must(record.Find(dir))(t)
	answers := testkit.Must(folder.Answers())(t)
	require.Len(t, answers, 2)
	row, ok := answers.Get("simple_python_0", 1)
	require.True(t, ok)
	assert.Equal(t, 1500*time.Millisecond, row.Response().Latency)
	assert.Equal(t, 12, row.Response().InputTokens)
	assert.Equal(t, eval.FC, answers.Mode())
	_, ok = answers.Get("simple_python_0", 2)
	assert.False(t, ok)
}

// TestAnswersOfBrokenTrial: a trial that cannot be read is an error, and not a run
// of fewer trials.
func TestAnswersOfBrokenTrial(t *testing.T) {
	dir := twoTrials(t)
	testkit.Write(t, filepath.Join(dir, "trial_2", "result", "live", "BFCL_v4_simple_python_result.json"), "")
	folder := testkit.Must(record.Find(dir))(t)
	testkit.Fails(folder.Answers())(t, "category simple_python is recorded twice")
}

func TestWriterConcurrent(t *testing.T) {
	dir := t.TempDir()
	w := testkit.Must(record.NewWriter(dir, nil))(t)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() { answer(t, w, fmt.Sprintf("simple_python_%d", i), 0) })
	}
	wg.Wait()
	require.NoError(t, w.Close())
	rows := testkit.Must(record.Read(file(dir), false))(t)
	assert.Len(t, rows, 200)
}

// TestRepair goes on after a kill at every byte of the last line.
func TestRepair(t *testing.T) {
	dir := t.TempDir()
	w := testkit.Must(record.NewWriter(dir, nil))(t)
	answer(t, w, "simple_python_0", 0)
	answer(t, w, "simple_python_1", 0)
	require.NoError(t, w.Close())
	whole := testkit.Must(os.ReadFile(file(dir)))(t)
	first := strings.IndexByte(string(whole), '\n') + 1
	for cut := first; cut <= len(whole); cut++ {
		require.NoError(t, os.WriteFile(file(dir), whole[:cut], 0o644))
		w := testkit.Must(record.NewWriter(dir, nil))(t)
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
		testkit.Write(t, path, c.text)
		_, err := record.Read(path, false)
		require.Error(t, err)
		assert.Equal(t, path+c.want, err.Error())
	}
}

// TestReadEncodings reads a byte order mark away, and names UTF-16.
func TestReadEncodings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	testkit.Write(t, path, "\uFEFF{\"id\": \"a\", \"result\": 1}\n")
	rows := testkit.Must(record.Read(path, false))(t)
	assert.Equal(t, "a", rows[0].ID)
	for _, text := range []string{"\xff\xfe{\x00", "\xfe\xff\x00{", "{\x00\"\x00", "\x00{\x00\""} {
		testkit.Write(t, path, text)
		testkit.Fails(record.Read(path, true))(t, path+": the file is in UTF-16, as PowerShell's > writes it", "%q", text)
	}
}

// TestReadTwice: an answer may stand there twice, two answers may not.
func TestReadTwice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.json")
	testkit.Write(t, path, `{"id": "a", "result": [1]}`+"\n\n"+`{"id": "b", "result": 2}`+"\n"+`{"id": "a", "result": [1], "latency": 5}`+"\n"+`{"id": "d", "result": 3}`+"\n{\"id\": \"c")
	rows := testkit.Must(record.Read(path, true))(t)
	require.Len(t, rows, 3)
	assert.Equal(t, "a", rows[0].ID)
	assert.Equal(t, 5*time.Second, rows[0].Response().Latency)
	testkit.Write(t, path, `{"id": "a", "result": [1]}`+"\n\n"+`{"id": "b", "result": 2}`+"\n"+`{"id": "a", "result": [true]}`+"\n")
	require.EqualError(t, testkit.Err(record.Read(path, true)), path+`:4: "a" has a different answer on line 1: remove one of them`)
}

func TestRunRoundTrip(t *testing.T) {
	dir := t.TempDir()
	require.ErrorIs(t, testkit.Err(record.ReadRun(dir)), os.ErrNotExist)
	run := &record.Run{Model: "m", Mode: eval.Prompt, Dataset: "starter", Digest: "d", Trials: 2, Started: time.Now().UTC()}
	require.NoError(t, record.WriteRun(dir, run))
	got := testkit.Must(record.ReadRun(dir))(t)
	assert.Equal(t, run, got)

	for text, want := range map[string]string{
		`{"trials": 0}`: `run.json: "trials" is 0, not 1 to 1000`, `{"trials": 100000000}`: `"trials" is 100000000, not 1 to 1000`, `{"trials": 1, "mode": "\u001b[31m"}`: `"\x1b[31m"`,
	} {
		testkit.Write(t, filepath.Join(dir, "run.json"), text)
		assert.ErrorContains(t, testkit.Err(record.ReadRun(dir)), want)
	}
	testkit.Write(t, filepath.Join(dir, "run.json"), "{")
	assert.ErrorContains(t, testkit.Err(record.ReadRun(dir)), "run.json: unexpected end of JSON input")
	testkit.Write(t, filepath.Join(dir, "run.json"), `{"trials": 1000, "mode": "fc"}`)
	got = testkit.Must(record.ReadRun(dir))(t)
	assert.Equal(t, 1000, got.Trials)
	require.NoError(t, os.Truncate(filepath.Join(dir, "run.json"), 64<<20+1))
	assert.ErrorContains(t, testkit.Err(record.ReadRun(dir)), "run.json is larger than 67108864 bytes")
}

// TestNothingIsLeft: what cannot be put in its place is removed.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	testkit.Write(t, filepath.Join(dir, "taken", "file"), "")
	require.Error(t, record.WriteFile(filepath.Join(dir, "taken"), []byte("text")))
	require.Error(t, record.WriteFile(filepath.Join(dir, "taken", "file", "below"), []byte("text")))
	entries := testkit.Must(os.ReadDir(dir))(t)
	assert.Len(t, entries, 1)
	require.NoError(t, record.WriteFile(filepath.Join(dir, "new", "file"), []byte("a text")))
	text := testkit.Must(os.ReadFile(filepath.Join(dir, "new", "file")))(t)
	assert.Equal(t, "a text", string(text))
}

// TestReadFailures: the last of a trial's errors, and how many it had.
func TestReadFailures(t *testing.T) {
	line := func(id string, trial int, text string) string {
		return fmt.Sprintf(`{"id": %q, "trial": %d, "kind": "reset", "error": %q}`, id, trial, text) + "\n"
	}
	long := line("a", 0, "")
	long = line("a", 0, strings.Repeat("x", 16<<20-len(long))) // as long as a line may be
	for _, c := range []struct {
		text, err, said string
		times, later    int // of the first and the second trial of a
	}{
		{"", "", "", 0, 0},
		{line("a", 0, "reset: peer"), "", "peer", 1, 0},
		{line("a", 0, "x") + line("b", 0, "y") + line("a", 0, "reset: peer"), "", "peer", 2, 0},
		{line("a", 1, "x") + line("a", 0, "gone") + line("a", 1, "y"), "", "gone", 1, 2},
		{line("a", 0, "gone") + line("a", 0, "x")[:20], "", "gone", 1, 0},
		{line("a", 0, "gone") + "{\n" + line("a", 0, "x"), "errors.jsonl:2: ", "", 0, 0},
		{long, "", strings.Repeat("x", 13), 1, 0},
		{strings.Replace(long, "x", "xx", 1), "token too long", "", 0, 0},
	} {
		dir := t.TempDir()
		if c.text != "" {
			testkit.Write(t, filepath.Join(dir, "errors.jsonl"), c.text)
		}
		failures, err := record.ReadFailures(dir)
		if c.err != "" {
			require.ErrorContains(t, err, c.err)
			continue
		}
		require.NoError(t, err)
		first, ok := failures.Get("a", 0)
		later, _ := failures.Get("a", 1)
		assert.Equal(t, c.times > 0, ok)
		assert.Equal(t, []int{c.times, c.later}, []int{first.Times, later.Times})
		if ok {
			said := first.Err().Error()
			assert.Equal(t, "reset: "+c.said, said[:min(20, len(said))])
		}
	}
	dir := t.TempDir()
	testkit.Write(t, filepath.Join(dir, "errors.jsonl"), line("a", 0, "x"))
	before := plainfile.OpenFiles()
	for range 20 {
		testkit.Must(record.ReadFailures(dir))(t)
	}
	assert.Less(t, plainfile.OpenFiles(), before+10, "none stays open")
	require.NoError(t, os.Remove(filepath.Join(dir, "errors.jsonl")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "errors.jsonl"), 0o755))
	testkit.Fails(record.ReadFailures(dir))(t, "is not a regular file")
}

// TestFolders: which folder is the model's, of all that upstream and our runs
// have made, and what is no answer to score.
func TestFolders(t *testing.T) {
	for _, c := range []struct {
		files string // all below a folder named top
		want  string // the models' folders there, each with its categories
	}{
		{"m/agentic/web_search/v4_web_search_base m/agentic/v4_web_search_no_snippet", "m(m) web_search_base web_search_no_snippet"},
		{"m/agentic/memory/kv/v4_memory_kv m/agentic/memory/kv/v4_memory_kv_prereq", "m(m) memory_kv"},
		{"result/live/v4_live_simple result/v4_rest result/notes.txt", "result() live_simple rest"},
		{"result/live/v4_live_simple trial_2/result/live/v4_live_simple", "result() live_simple"},
		{"trial_m/live/v4_live_simple", "trial_m(trial_m) live_simple"},
		{"trial_m/result trial_m/live/v4_live_simple", "trial_m(trial_m) live_simple"},
		{"z/v4_rest b/v4_rest a/v4_rest m/v4_rest c/v4_rest", "a(a) rest, b(b) rest, c(c) rest, m(m) rest, z(z) rest"},
		{"own/v4_mine", "(top) mine"},
		{"notes.txt", ""},
	} {
		top := filepath.Join(t.TempDir(), "top")
		for path := range strings.FieldsSeq(c.files) {
			dir, name := filepath.Split(path)
			if strings.HasPrefix(name, "v4_") {
				name = record.FileName(strings.TrimPrefix(name, "v4_"))
			}
			testkit.Write(t, filepath.Join(top, dir, name), "")
		}
		folders, err := record.FindAll(top)
		assert.Equal(t, c.want == "", err != nil, c.files)
		var said, dirs []string
		for _, f := range folders {
			rel := testkit.Must(filepath.Rel(top, f.Dir))(t)
			said = append(said, strings.Join(append([]string{strings.TrimPrefix(rel, ".") + "(" + f.Model + ")"}, slices.Sorted(maps.Keys(f.Files))...), " "))
			dirs = append(dirs, f.Dir)
		}
		assert.Equal(t, c.want, strings.Join(said, ", "))
		if _, err = record.Find(top); len(dirs) > 1 {
			assert.EqualError(t, err, fmt.Sprintf("%s holds the results of %d models, name one of: %s", top, len(dirs), strings.Join(dirs, ", ")))
		} else {
			assert.Equal(t, c.want == "", err != nil)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	testkit.Write(t, path, "")
	testkit.Fails(record.FindAll(path))(t, "is not a folder of recorded results")
	testkit.Fails(record.Find(t.TempDir()))(t, "has no result files")
}

// TestFolderOfARun: a run of ours is named as its folder, and its run.json is
// that of the folder or of the one above; a broken one is an error.
func TestFolderOfARun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	testkit.Write(t, file(dir), "")
	folder := testkit.Must(record.Find(dir))(t)
	assert.Equal(t, "run", folder.Name())
	run := testkit.Must(folder.Run())(t)
	assert.Nil(t, run, "no run of ours")
	require.NoError(t, record.WriteRun(dir, settled()))
	run = testkit.Must(folder.Run())(t)
	assert.Equal(t, settled().Mark(0), run.Mark(0))
	other := settled()
	other.Model = "n"
	require.NoError(t, record.WriteRun(filepath.Join(dir, "result"), other))
	run = testkit.Must(folder.Run())(t)
	assert.Equal(t, "n", run.Model)
	testkit.Write(t, filepath.Join(dir, "result", "run.json"), "{")
	testkit.Fails(folder.Run())(t, "run.json: unexpected end of JSON input")
}

func FuzzRead(f *testing.F) {
	f.Add("{\"id\": \"a\", \"result\": []}\n{\"id\"")
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "r.json")
		testkit.Write(t, path, text)
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
		folder := testkit.Must(record.Find(from))(t)
		assert.Equal(t, "linked", folder.Model)
		assert.Len(t, folder.Files, 1)
	}
	require.NoError(t, os.Symlink(filepath.Join(dir, "gone"), filepath.Join(dir, "other")))
	assert.ErrorContains(t, testkit.Err(record.Find(dir)), filepath.Join(dir, "other")+" is a dangling link")
}

// TestReplaceFile: what a killed process left of the file goes, and nothing else.
func TestReplaceFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "one.json")
	require.NoError(t, record.ReplaceFile(path, []byte("first")))
	for _, name := range []string{".one.json.2483167490", ".one.jsonl.1", ".two.json.1", "one.json.bak"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, record.ReplaceFile(path, []byte("second")))
	entries := testkit.Must(os.ReadDir(dir))(t)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	assert.Equal(t, []string{".one.jsonl.1", ".two.json.1", "one.json", "one.json.bak"}, names)
	text := testkit.Must(os.ReadFile(path))(t)
	assert.Equal(t, "second", string(text))
}
