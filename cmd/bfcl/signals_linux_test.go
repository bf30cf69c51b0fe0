package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A counter is a chat server. From the question number from on, answers wait until
// they are let go.
type counter struct {
	*testkit.Chat
	reached chan bool // closed at that question
	let     chan bool
}

func newCounter(t *testing.T, from int) *counter {
	c := &counter{reached: make(chan bool), let: make(chan bool)}
	c.Chat = testkit.ServeChat(t, func(q *testkit.Question) string {
		if q.N == from {
			close(c.reached)
		}
		if q.N >= from {
			select {
			case <-c.let:
			case <-q.Context().Done(): // so that a test that fails ends
			}
		}
		return testkit.Reply("No.", "stop")
	})
	return c
}

// start starts a run that asks the server.
func (c *counter) start(t *testing.T, folder string) (cmd *exec.Cmd, errs *bytes.Buffer) {
	t.Helper()
	errs = &bytes.Buffer{}
	cmd = exec.Command("bfcl", "run", "-q", "-model=openai:m", c.Flag(), "-categories=irrelevance,simple_python",
		"-concurrency=4", "-grace=1m", "-no-check", "-resume", "-run-dir="+folder)
	cmd.Stderr = errs
	require.NoError(t, cmd.Start())
	return cmd, errs
}

// cases returns how many cases such a run has.
func cases(t *testing.T) int {
	t.Helper()
	plan := testkit.Must(suite.NewPlan(suite.Options{Model: "oracle", Dataset: "starter", Categories: "irrelevance,simple_python", Trials: 1}))(t)
	return plan.Cases()
}

// family returns the processes of a run, the one that the user starts first, by
// the words with which it starts the others.
func family(t *testing.T, first int) map[string]int {
	t.Helper()
	out := map[string]int{"bfcl": first}
	known := []int{first}
	for again := true; again; {
		again = false
		stats := testkit.Must(filepath.Glob("/proc/[0-9]*/stat"))(t)
		for _, path := range stats {
			text, _ := os.ReadFile(path)
			var parent int
			_, after, _ := strings.Cut(string(text), ") ")
			_, _ = fmt.Sscanf(after, "%1s %d", new(string), &parent)
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil || !slices.Contains(known, parent) || slices.Contains(known, pid) {
				continue
			}
			args, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
			words := bytes.Split(args, []byte{0})
			if len(words) > 1 {
				known, again = append(known, pid), true
				out[string(words[1])] = pid
			}
		}
	}
	return out
}

// code waits for the end of a run.
func code(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// TestEveryProcessSignaled: an engine signals every process of a job at once, and
// kills what is left when the first has ended. What is in flight is recorded, and
// nothing is asked twice.
func TestEveryProcessSignaled(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			server, folder := newCounter(t, 10), filepath.Join(t.TempDir(), "run")
			cmd, errs := server.start(t, folder)
			<-server.reached
			var all map[string]int
			require.Eventually(t, func() bool { all = family(t, cmd.Process.Pid); return len(all) == 4 }, time.Minute, 10*time.Millisecond)
			for _, pid := range all {
				require.NoError(t, syscall.Kill(pid, s))
			}
			time.Sleep(100 * time.Millisecond) // so that a process that dies of it does so before the answers
			close(server.let)
			assert.Equal(t, exitInterrupted, code(t, cmd), errs)
			for _, pid := range all {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			asked, _ := server.Asked()
			assert.Equal(t, asked, recordedAnswers(folder), "answered and recorded; %s", errs)
			assert.Contains(t, errs.String(), fmt.Sprintf("interrupted: %d of ", asked))
			require.Eventually(t, func() bool { return unlocked(t, folder) }, time.Minute, time.Millisecond)

			cmd, errs = server.start(t, folder)
			assert.Equal(t, 0, code(t, cmd), errs)
			_, twice := server.Asked()
			assert.Zero(t, twice, "asked twice")
		})
	}
}

// TestOneProcessKilled: the death of one process of a run is named, what was
// answered is kept, and the rest counts as not answered.
func TestOneProcessKilled(t *testing.T) {
	t.Parallel()
	for which, says := range map[string]string{
		"own-suite-test":  "the suite's process was killed (signal: killed; out of memory?): ",
		"own-gotestsum":   "gotestsum: signal: killed",
		"own-bfcl-events": "the run has no score: ",
	} {
		t.Run(which, func(t *testing.T) {
			t.Parallel()
			server, folder := newCounter(t, 10), filepath.Join(t.TempDir(), "run")
			cmd, errs := server.start(t, folder)
			<-server.reached
			require.Eventually(t, func() bool { return recordedAnswers(folder) >= 6 }, time.Minute, time.Millisecond)
			pid := 0
			require.Eventually(t, func() bool { pid = family(t, cmd.Process.Pid)[which]; return pid != 0 }, time.Minute, 10*time.Millisecond)
			require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
			if which != "own-suite-test" {
				close(server.let)
			}
			assert.Equal(t, exitTrouble, code(t, cmd), errs)
			assert.Contains(t, errs.String(), says)
			assert.Contains(t, errs.String(), "continue with\n")
			recorded := recordedAnswers(folder)
			if which == "own-suite-test" {
				close(server.let)
				_, after, _ := strings.Cut(errs.String(), says)
				var missing, total int
				_, err := fmt.Sscanf(after, "%d of %d cases have no verdict", &missing, &total)
				require.NoError(t, err, errs)
				assert.Equal(t, cases(t), total)
				assert.GreaterOrEqual(t, missing, total-recorded)
				assert.Less(t, missing, total)
			}
			require.Eventually(t, func() bool { return unlocked(t, folder) }, time.Minute, time.Millisecond)
			cmd, errs = server.start(t, folder)
			assert.Equal(t, 0, code(t, cmd), errs)
			most := 0
			if which == "own-suite-test" {
				most = 4 // those in flight
			}
			_, twice := server.Asked()
			assert.LessOrEqual(t, twice, most)
		})
	}
}

// TestSignaledAtTheLastRequest: a run that is complete when it is stopped is
// complete: engines cancel what depends on a job that ends with another code.
func TestSignaledAtTheLastRequest(t *testing.T) {
	t.Parallel()
	last := cases(t)
	for _, after := range []time.Duration{0, 30 * time.Millisecond, 150 * time.Millisecond, 500 * time.Millisecond} {
		for _, everyone := range []bool{true, false} {
			t.Run(fmt.Sprintf("%v, %t", after, everyone), func(t *testing.T) {
				t.Parallel()
				server, folder := newCounter(t, last), filepath.Join(t.TempDir(), "run")
				cmd, errs := server.start(t, folder)
				<-server.reached
				all := family(t, cmd.Process.Pid)
				if after > 0 {
					close(server.let)
					time.Sleep(after)
				}
				for name, pid := range all {
					if everyone || name == "bfcl" {
						_ = syscall.Kill(pid, syscall.SIGTERM)
					}
				}
				if after == 0 {
					close(server.let)
				}
				assert.Equal(t, 0, code(t, cmd), errs)
				text := testkit.Must(os.ReadFile(filepath.Join(folder, "score.json")))(t)
				assert.Contains(t, string(text), fmt.Sprintf(`"cases": %d`, last))
			})
		}
	}
}
