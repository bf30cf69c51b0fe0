//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
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
)

// A crowd counts how many requests a server has at once.
type crowd struct {
	http.Handler
	now, most atomic.Int64
}

func (c *crowd) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer c.now.Add(-1)
	for n := c.now.Add(1); ; {
		most := c.most.Load()
		if n <= most || c.most.CompareAndSwap(most, n) {
			break
		}
	}
	c.Handler.ServeHTTP(w, r)
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
	server := &fickle{wait: 20 * time.Millisecond}
	counting := &crowd{Handler: server}
	loopback := httptest.NewServer(counting)
	defer loopback.Close()
	folder := filepath.Join(t.TempDir(), "run")
	address := strings.Replace(loopback.URL, "127.0.0.1", "localhost", 1) // which is looked up
	args := []string{"run", "-q", "-model=openai:m", "-base-url=" + address + "/v1", "-categories=non_live", "-concurrency=200", "-run-dir=" + folder}

	first := limited(1024, append(args, "-concurrency=4")...)
	require.NoError(t, first.Start())
	require.Eventually(t, func() bool { return recordedAnswers(folder) > 20 }, time.Minute, time.Millisecond)
	require.NoError(t, first.Process.Signal(syscall.SIGTERM))
	_ = first.Wait()
	before := recordedAnswers(folder)
	require.EqualValues(t, before, server.served.Load(), "all that was answered is recorded")

	const files = 64
	counting.most.Store(0)
	out, err := limited(files, append(args, "-resume")...).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	said := regexp.MustCompile(fmt.Sprintf(`this process may open %d files \(ulimit -n\): at most (\d+) cases are in flight, not 200`, files)).FindSubmatch(out)
	require.NotNilf(t, said, "%s", out)
	most, err := strconv.Atoi(string(said[1]))
	require.NoError(t, err)
	assert.LessOrEqual(t, counting.most.Load(), int64(most))
	run, err := tally.Read([]string{folder}, tally.Options{})
	require.NoError(t, err)
	assert.Zero(t, run.Errors())
	assert.Greater(t, run.Len(), before)
	assert.EqualValues(t, run.Len(), server.served.Load(), "each case was asked once")
	assert.NoFileExists(t, filepath.Join(folder, "errors.jsonl"), "nothing failed on the way")
	t.Logf("%d of %d cases with %d files, %d at once", run.Len()-before, run.Len(), files, counting.most.Load())
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
	most, err := strconv.Atoi(string(said[1]))
	require.NoError(t, err)
	started, err := os.ReadFile(filepath.Join(dir, "started"))
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(started), "x"), most)
}
