//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestAKilledRunAsksNoMore: with the command its test process ends, however
// often it is killed, so that -resume finds nobody else asking.
func TestAKilledRunAsksNoMore(t *testing.T) {
	t.Parallel()
	server := fickle(t, 30*time.Millisecond)
	folder := filepath.Join(t.TempDir(), "run")
	run := func(resume bool) *exec.Cmd {
		cmd := exec.Command("bfcl", "run", "-q", "-model=openai:m", server.Flag(), "-categories=non_live",
			fmt.Sprintf("-concurrency=%d", inFlight), "-run-dir="+folder, fmt.Sprintf("-resume=%t", resume))
		return cmd
	}
	const kills = 3
	for n := range kills {
		before := recordedAnswers(folder)
		cmd := run(n > 0)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return recordedAnswers(folder) > before+5 }, time.Minute, time.Millisecond)
		require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
		_ = cmd.Wait()
		require.Eventually(t, func() bool { return unlocked(t, folder) }, time.Minute, time.Millisecond, "the test process has not ended")
	}
	served, _ := server.Asked()
	out, err := run(true).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	whole := testkit.Must(tally.Read([]string{folder}, tally.Options{}))(t)
	assert.Less(t, served, whole.Len(), "the killed runs went on")
	asked, _ := server.Asked()
	lost := asked - whole.Len()
	plan := testkit.Must(suite.NewPlan(suite.Options{Model: "openai:m", BaseURL: server.URL, Dataset: "starter", Categories: "all", Concurrency: inFlight, Trials: 1}))(t)
	begun := plan.Model.Places
	assert.LessOrEqual(t, lost, kills*begun, "a kill loses at most the cases that had begun")
	t.Logf("%d kills, %d cases, %d requests before the last run, %d answers asked again", kills, whole.Len(), served, lost)
}

// TestAKilledRunEndsAtOnce: the test process does not wait for the answer that
// it is waiting for, and for nothing that would tell it that nobody listens.
func TestAKilledRunEndsAtOnce(t *testing.T) {
	t.Parallel()
	asked, ended := make(chan bool, 100), make(chan bool)
	server := testkit.ServeChat(t, func(q *testkit.Question) string {
		asked <- true
		<-q.Context().Done()
		ended <- true
		return ""
	})
	folder := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command("bfcl", "run", "-q", "-model=openai:m", server.Flag(), "-ids=irrelevance_0", "-run-dir="+folder)
	require.NoError(t, cmd.Start())
	select {
	case <-asked:
	case <-time.After(time.Minute):
		t.Error("the run asks nothing")
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGKILL))
	_ = cmd.Wait()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Error("the killed run is still asking")
	}
	assert.Eventually(t, func() bool { return unlocked(t, folder) }, time.Minute, time.Millisecond)
}

// unlocked reports whether nobody writes a run folder any more.
func unlocked(t *testing.T, folder string) bool {
	t.Helper()
	paths := testkit.Must(filepath.Glob(filepath.Join(folder, ".*lock*")))(t)
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			continue
		}
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		_ = file.Close()
		if err != nil {
			return false
		}
	}
	return true
}

// TestAnInterruptedImport: Ctrl-C ends the asking of a server that does not
// answer, behind an address or started, and nothing is written.
func TestAnInterruptedImport(t *testing.T) {
	t.Parallel()
	asked, released := make(chan bool, 100), make(chan bool)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- true
		<-released
	}))
	defer server.Close()
	defer close(released)
	begun := filepath.Join(t.TempDir(), "begun")
	require.NoError(t, syscall.Mkfifo(begun, 0o600))
	for name, from := range map[string][]string{
		"address": {"--from", server.URL},
		"program": {"--", "sh", "-c", "echo > " + begun + "; sleep 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "suite")
			cmd := exec.Command("bfcl", append([]string{"init", folder, "--timeout", "1h"}, from...)...)
			require.NoError(t, cmd.Start())
			if name == "address" {
				<-asked
			} else {
				_, err := os.ReadFile(begun) // until the program writes
				require.NoError(t, err)
			}
			require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
			_ = cmd.Wait()
			assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
			assert.NoFileExists(t, folder)
		})
	}
}

// TestInterruptedOutsideOfTheRun: SIGTERM while the server is looked at, before
// a run, and while any other command reads, ends the command with the code of
// interrupts and a last word.
func TestInterruptedOutsideOfTheRun(t *testing.T) {
	t.Parallel()
	asked := make(chan bool, 100)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- true
		<-r.Context().Done()
	}))
	defer server.Close()
	folder := filepath.Join(t.TempDir(), "run")
	for name, c := range map[string]struct {
		args  []string
		begun func(in io.Writer, out io.Reader)
		says  string
	}{
		"looking at the server": {[]string{"run", "-model=openai:m", "-base-url=" + server.URL + "/v1", "-run-dir=" + folder}, func(io.Writer, io.Reader) { <-asked }, "the run has not begun"},
		"judging lines": {[]string{"judge", "-"}, func(in io.Writer, out io.Reader) {
			_, _ = io.WriteString(in, `{"id": "irrelevance_0", "text": "no"}`+"\n")
			_, _ = out.Read(make([]byte, 1))
		}, "what was recorded is kept"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("bfcl", c.args...)
			var said bytes.Buffer
			cmd.Stderr = &said
			in := testkit.Must(cmd.StdinPipe())(t)
			out := testkit.Must(cmd.StdoutPipe())(t)
			require.NoError(t, cmd.Start())
			c.begun(in, out)
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
			_, _ = io.Copy(io.Discard, out)
			_ = cmd.Wait()
			assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
			assert.Contains(t, said.String(), c.says)
			assert.NoDirExists(t, folder)
		})
	}
}

// allEvents reports whether gotestsum has the event of the whole run.
func allEvents(folder string) bool {
	events, _ := os.ReadFile(filepath.Join(folder, process.EventsFile))
	return regexp.MustCompile(`"Action":"(pass|fail)","Package":"[^"]*","Elapsed":[0-9.]+}\s*$`).Match(events)
}

// TestInterruptedWhileJUnitIsWritten: gotestsum, which here writes to a pipe that
// nobody reads as it would for minutes after a run of many trials, does not keep
// a run that was interrupted before or meanwhile. Nothing of it is left, there is
// no number, and the run goes on from its records.
func TestInterruptedWhileJUnitIsWritten(t *testing.T) {
	t.Parallel()
	for name, ready := range map[string]func(folder string) bool{
		"in the middle of the run": func(folder string) bool { return recordedAnswers(folder) > 120 },
		"after its last answer":    allEvents,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := fickle(t, 10*time.Millisecond)
			folder := filepath.Join(t.TempDir(), "run")
			run := func(more string) *exec.Cmd {
				cmd := exec.Command("bfcl", "run", "-q", "-model=openai:m", server.Flag(), "-categories=single_turn", "-grace=100ms", "-run-dir="+folder, more)
				return cmd
			}
			cmd := run("-resume=false")
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			require.NoError(t, cmd.Start())
			sheet := filepath.Join(folder, tally.JUnitFile)
			require.Eventually(t, func() bool { return recordedAnswers(folder) > 0 }, time.Minute, time.Millisecond)
			require.NoError(t, syscall.Mkfifo(sheet, 0o600))
			require.Eventually(t, func() bool { return ready(folder) }, time.Minute, time.Millisecond)
			require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
			ended := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
			_ = cmd.Wait()
			assert.True(t, ended.Stop(), "the run did not end")
			assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
			assert.Contains(t, said.String(), "bfcl: interrupted: what was recorded is kept, without JUnit")
			assert.Contains(t, said.String(), "-resume")
			assert.NoFileExists(t, sheet)
			out, err := run("-resume").CombinedOutput()
			require.NoErrorf(t, err, "%s", out)
			assert.FileExists(t, sheet)
		})
	}
}
