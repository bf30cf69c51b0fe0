package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/kit/procgroup"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suitetest"
	"github.com/gobfcl/bfcl/internal/run/testevent"
)

// eventsFile holds the test's events, as go test -json prints them.
const eventsFile = "events.jsonl"

// lingering is how long a process's pipes may stay open after it has ended,
// because a process that it started holds them.
const lingering = 5 * time.Second

// An ending is how the test process ended.
type ending struct {
	// interrupted reports whether a signal asked it to.
	interrupted bool
	// err is the processes' error; failed tests are not an error.
	err error
	// output is the last of what gotestsum printed.
	output string
}

// test runs the suite and waits for its end. Two processes do the work: the
// suite as a test binary, and gotestsum, which makes junit.xml and events.jsonl
// from the test's events. Both are this command; the output of the first is
// turned into events for the second here.
func (r *runner) test() (ending, error) {
	self, err := os.Executable()
	if err != nil {
		return ending{}, err
	}
	sum, err := r.startSum(self)
	if err != nil {
		return ending{}, err
	}
	events := testevent.New(sum.in, modulePath)
	test := exec.Command(self, r.testArgs()...)
	test.Env = append(os.Environ(), suitetest.ParentVariable+"=1")
	test.Stdout, test.Stderr = events, events
	end, err := r.supervise(test)
	said, sumErr := sum.finish(events.Close(err != nil || end.err != nil))
	if err != nil {
		return ending{}, err
	}
	var failed *exec.ExitError
	if errors.As(end.err, &failed) || errors.Is(end.err, exec.ErrWaitDelay) { // wrong answers are failed tests
		end.err = nil
	}
	end.err, end.output = errors.Join(end.err, sumErr), said
	return end, nil
}

// testArgs are the test binary's arguments.
func (r *runner) testArgs() []string {
	pattern := r.pattern
	if pattern == "" {
		pattern = "^" + suitetest.Name + "$"
	}
	return append([]string{partTest, "-test.v=test2json", "-test.run=" + pattern, "-test.timeout=" + r.timeout.String()}, r.flags.o.Args()...)
}

// A sum is the gotestsum of a run.
type sum struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	said tail
}

// startSum starts gotestsum in a process group of its own: an interrupt of the
// run must not reach it before it has read all of the test's output. Without
// GOVERSION it would run a go command; its own variables could change what it
// writes.
func (r *runner) startSum(self string) (*sum, error) {
	dir := r.flags.o.RunDir
	s := &sum{cmd: exec.Command(self, partSum,
		"--format", "none", "--hide-summary=skipped,failed,output",
		"--junitfile", filepath.Join(dir, tally.JUnitFile), "--jsonfile", filepath.Join(dir, eventsFile),
		"--raw-command", "--", self, partEvents)}
	s.cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOTESTSUM_") || strings.HasPrefix(v, "GOVERSION=") })
	s.cmd.Env = append(s.cmd.Env, "GOVERSION="+runtime.Version())
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.said
	procgroup.Own(s.cmd)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return s, s.cmd.Start()
}

// finish lets gotestsum write its files, and returns what it printed. sent is
// the error of sending it the events, if any.
func (s *sum) finish(sent error) (said string, err error) {
	_ = s.in.Close()
	if err = errors.Join(sent, s.cmd.Wait()); err != nil {
		err = fmt.Errorf("gotestsum: %w", err)
	}
	return s.said.String(), err
}

// supervise runs the test process, shows its progress and passes signals on.
// Its standard input ends when this process does, and with it the test.
func (r *runner) supervise(cmd *exec.Cmd) (ending, error) {
	cmd.WaitDelay = lingering
	procgroup.Own(cmd)
	alive, err := cmd.StdinPipe()
	if err != nil {
		return ending{}, err
	}
	defer func() { _ = alive.Close() }()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup lets a run outlive its terminal
		signal.Notify(signals, syscall.SIGHUP)
	}
	defer signal.Stop(signals)
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return ending{}, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	show := r.newProgress(started)
	defer show.close()
	return r.wait(cmd, done, signals, show), nil
}

// wait shows progress until the process ends. It passes the first signal on, and
// kills the process at the second.
func (r *runner) wait(cmd *exec.Cmd, done <-chan error, signals <-chan os.Signal, show *progress) ending {
	tick := time.NewTicker(show.every)
	defer tick.Stop()
	var end ending
	for {
		select {
		case end.err = <-done:
			return end
		case <-tick.C:
			show.update()
		case <-signals:
			if end.interrupted {
				procgroup.Kill(cmd)
				continue
			}
			end.interrupted = true
			procgroup.Interrupt(cmd)
			show.say(fmt.Sprintf("stopping: recorded answers are kept, requests in flight have %v to end; interrupt again to kill", r.flags.o.Grace))
		}
	}
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const longestTail = 32 << 10

// Write keeps the last bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - longestTail; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// String returns the tail, safe for a terminal.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(t.text)), "\n") {
		if line = strings.ReplaceAll(line, "\t", "  "); strings.TrimSpace(line) != "" {
			lines = append(lines, "  "+safe.Printable(line, 500))
		}
	}
	const most = 60
	if over := len(lines) - most; over > 0 {
		lines = append([]string{fmt.Sprintf("  … %d earlier lines", over)}, lines[over:]...)
	}
	return strings.Join(lines, "\n")
}
