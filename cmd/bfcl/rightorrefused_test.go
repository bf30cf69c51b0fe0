//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestInterruptedWithOneAnswer: the last words of a run whose other requests
// were in flight do not say that every case has its answer.
func TestInterruptedWithOneAnswer(t *testing.T) {
	t.Parallel()
	first := make(chan bool, 1)
	first <- true
	server := testkit.ServeChat(t, func(q *testkit.Question) string {
		select {
		case <-first:
		case <-q.Context().Done():
		case <-time.After(time.Minute):
		}
		return testkit.Reply("", "stop")
	})
	folder := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command("bfcl", "run", "-q", "-model=openai:m", server.Flag(), "-categories=irrelevance", "-concurrency=20", "-grace=100ms", "-run-dir="+folder)
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool { return recordedAnswers(folder) == 1 }, time.Minute, time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `interrupted: \d+ of 20 cases have a verdict`, said.String())
	assert.NotContains(t, said.String(), "every case")
}

// TestWhyGotestsumEnded: where files cannot grow any more, that is the reason,
// not that gotestsum could be sent no more events.
func TestWhyGotestsumEnded(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "run")
	run := []string{"run", "-q", "-model=heuristic", "-categories=single_turn", "-run-dir=" + folder}
	out, err := exec.Command("sh", append([]string{"-c", `ulimit -f 200 && exec "$0" "$@"`, "bfcl"}, run...)...).CombinedOutput()
	require.Error(t, err)
	last := strings.TrimSpace(string(out))
	last = last[strings.LastIndex(last, "\nbfcl: ")+1:]
	assert.Contains(t, last, "file too large")
	assert.NotContains(t, last, "broken pipe")
}

// TestEditedReading: a setting in run.json that was changed afterwards is not
// what the answers were given with.
func TestEditedReading(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	says(t, "run", "-q", "-model=heuristic", "-categories=live_simple", "-run-dir="+dir)
	path := filepath.Join(dir, "run.json")
	data := testkit.Must(os.ReadFile(path))(t)
	for from, to := range map[string]string{
		`"underscore_to_dot": true`: `"underscore_to_dot": false`, `"mode": "fc"`: `"mode": "prompt"`, `"model": "heuristic"`: `"model": "better"`,
	} {
		require.Contains(t, string(data), from)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), from, to, 1)), 0o644))
		_ = os.Remove(filepath.Join(dir, "junit.xml"))
		assert.Contains(t, refused(t, exitTrouble, "score", dir), "is an answer of another run", to)
	}
	require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(data), `"digest": "`, `"digest": "0`, 1)), 0o644))
	assert.Contains(t, refused(t, exitTrouble, "score", dir), "digest")
}

// TestByteOrderMark: a reply may begin with one.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	server := testkit.ServeChat(t, func(*testkit.Question) string { return "\ufeff" + testkit.Reply("", "stop") })
	dir := t.TempDir()
	ids := filepath.Join(dir, "ids")
	require.NoError(t, os.WriteFile(ids, []byte("\ufeffirrelevance_0\r\n"), 0o644))
	assert.Contains(t, says(t, "run", "-q", "-model=openai:m", server.Flag(), "-ids=@"+ids, "-run-dir="+filepath.Join(dir, "run")), "1 /    1")
}

// TestUnaskedCategories: what keeps a category from being asked concerns nobody
// who asked for a case of another.
func TestUnaskedCategories(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	twoCases(t, data)
	testkit.Write(t, filepath.Join(data, "BFCL_v4_web_search.json"),
		`{"id": "web_search_0", "question": [[{"role": "user", "content": "Who won?"}]], "involved_classes": ["WebSearchAPI"]}`+"\n")
	require.NoError(t, os.WriteFile(filepath.Join(data, "possible_answer/BFCL_v4_web_search.json"), []byte(`{"id": "web_search_0", "ground_truth": ["us"]}`+"\n"), 0o644))
	testkit.Write(t, filepath.Join(data, "multi_turn_func_doc/web_search.json"),
		`{"name": "search_engine_query", "description": "Search.", "parameters": {"type": "dict", "properties": {"keywords": {"type": "string", "description": "Words."}}, "required": ["keywords"]}}`+"\n")
	dir := filepath.Join(t.TempDir(), "run")
	assert.Contains(t, refused(t, exitTrouble, "run", "-q", "-model=heuristic", "-dataset="+data, "-run-dir="+dir), "-search is not set")
	says(t, "run", "-q", "-model=heuristic", "-dataset="+data, "-ids=simple_python_0", "-run-dir="+dir)
}

// TestNoPriceForArithmetic: what no model answered costs nothing.
func TestNoPriceForArithmetic(t *testing.T) {
	t.Parallel()
	text := testkit.Must(os.ReadFile(filepath.Join(wholeRun(t), "score.json")))(t)
	assert.NotContains(t, string(text), `"cost"`)
}

// TestTooManyTrials: a run, and what a file says of one, have the same limit.
func TestTooManyTrials(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	for _, many := range []int{option.MostTrials + 1, 99_999_999} {
		assert.Contains(t, refused(t, exitMisuse, "run", "-q", "-model=heuristic", fmt.Sprintf("-trials=%d", many), "-run-dir="+dir), "-trials must be at most 1000")
	}
	says(t, "run", "-q", "-model=heuristic", "-ids=simple_python_0", "-trials=2", "-run-dir="+dir)
	for file, name := range map[string]string{"junit.xml": filepath.Join(dir, "junit.xml"), "run.json": dir} {
		path := filepath.Join(dir, file)
		data := testkit.Must(os.ReadFile(path))(t)
		text := strings.NewReplacer(`name="trials" value="2"`, `name="trials" value="99999999"`, `"trials": 2`, `"trials": 99999999`).Replace(string(data))
		require.NotEqual(t, string(data), text)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		assert.Contains(t, refused(t, exitTrouble, "score", name), "99999999")
		require.NoError(t, os.WriteFile(path, data, 0o644))
	}
}

// limited is the command where a process may open so many files.
func limited(files int, args ...string) *exec.Cmd {
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -n "$0" && exec "$@"`, strconv.Itoa(files), "bfcl"}, args...)...)
	return cmd
}

// TestFewOpenFiles: a run that is interrupted goes on where a process may open
// few files: the limit is named, as many are in flight as there is room for, and
// nothing that was answered is asked again.
func TestFewOpenFiles(t *testing.T) {
	t.Parallel()
	now, most := atomic.Int64{}, atomic.Int64{} // questions at once
	server := testkit.ServeChat(t, func(*testkit.Question) string {
		defer now.Add(-1)
		for n := now.Add(1); ; {
			if seen := most.Load(); n <= seen || most.CompareAndSwap(seen, n) {
				break
			}
		}
		time.Sleep(20 * time.Millisecond)
		return testkit.Reply("None of them fits.", "stop")
	})
	folder := filepath.Join(t.TempDir(), "run")
	address := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) // which is looked up
	args := []string{"run", "-q", "-model=openai:m", "-base-url=" + address + "/v1", "-categories=non_live", "-concurrency=200", "-run-dir=" + folder}

	first := limited(1024, append(args, "-concurrency=4")...)
	require.NoError(t, first.Start())
	require.Eventually(t, func() bool { return recordedAnswers(folder) > 20 }, time.Minute, time.Millisecond)
	require.NoError(t, first.Process.Signal(syscall.SIGTERM))
	_ = first.Wait()
	before := recordedAnswers(folder)
	asked, _ := server.Asked()
	require.Equal(t, before, asked, "all that was answered is recorded")

	const files = 64
	most.Store(0)
	out, err := limited(files, append(args, "-resume")...).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	said := regexp.MustCompile(fmt.Sprintf(`this process may open %d files \(ulimit -n\): at most (\d+) cases are in flight, not 200`, files)).FindSubmatch(out)
	require.NotNilf(t, said, "%s", out)
	room := testkit.Must(strconv.Atoi(string(said[1])))(t)
	assert.LessOrEqual(t, most.Load(), int64(room))
	run := testkit.Must(tally.Read([]string{folder}, tally.Options{}))(t)
	assert.Zero(t, run.Errors())
	assert.Greater(t, run.Len(), before)
	asked, _ = server.Asked()
	assert.Equal(t, run.Len(), asked, "each case was asked once")
	assert.NoFileExists(t, filepath.Join(folder, "errors.jsonl"), "nothing failed on the way")
	t.Logf("%d of %d cases with %d files, %d at once", run.Len()-before, run.Len(), files, most.Load())
}

// TestTooFewOpenFiles: where there is no room for a single case, that is said and
// nothing is begun.
func TestTooFewOpenFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "run")
	cmd := limited(24, "run", "-q", "-model=openai:m", "-base-url=http://127.0.0.1:1/v1", "-ids=irrelevance_0", "-run-dir="+folder)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.Equal(t, exitTrouble, cmd.ProcessState.ExitCode())
	assert.Regexp(t, `bfcl: this process may open 24 files \(ulimit -n\), and a run needs \d+: raise the limit\n$`, string(out))
	assert.NoDirExists(t, folder)
}

// answering is a shell script that answers each request.
const answering = `while read -r line; do
	id=${line#*'"id":"'}
	printf '{"id": "%s", "text": "no"}\n' "${id%%'"'*}"
done
`

// TestFewOpenFilesForPrograms: of programs that answer, fewer are started.
func TestFewOpenFilesForPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "answer.sh")
	require.NoError(t, os.WriteFile(program, []byte("echo x >>"+dir+"/started\n"+answering), 0o644))
	out, err := limited(64, "run", "-q", "-model=command:sh "+program, "-concurrency=50", "-categories=irrelevance,simple_python", "-run-dir="+filepath.Join(dir, "run")).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	said := regexp.MustCompile(`at most (\d+) cases are in flight, not 50`).FindSubmatch(out)
	require.NotNilf(t, said, "%s", out)
	room := testkit.Must(strconv.Atoi(string(said[1])))(t)
	started := testkit.Must(os.ReadFile(filepath.Join(dir, "started")))(t)
	assert.LessOrEqual(t, strings.Count(string(started), "x"), room)
}
