// Package process runs the suite in processes of their own: the suite as a test
// binary, and gotestsum, which makes JUnit of the test's events. All of them are
// this program, which Part recognizes by its arguments.
package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
)

// Module is the path of this module, and of the package of the suite's test.
const Module = "github.com/gobfcl/bfcl"

// EventsFile holds the test's events, as go test -json prints them.
const EventsFile = "events.jsonl"

// lingering is how long a process's pipes may stay open after it has ended,
// because a process that it started holds them, and what is left of an
// interrupted run may take after the grace.
const lingering = 5 * time.Second

var errNoSheet = errors.New("what was recorded is kept, without JUnit, which takes too long to write")

// A Run is a run of the suite.
type Run struct {
	// Options are the suite's; the run folder is among them.
	Options option.Options
	// Rules say what must hold.
	Rules option.Gate
	// Timeout is go test's; 0 for none.
	Timeout time.Duration
	// Looked is what was sent to look at the server.
	Looked []record.Sent
	// Show makes what shows the progress of a run that has begun.
	Show func(started time.Time) Progress
}

// A Progress shows how far a run is.
type Progress interface {
	// Every is how often to call Update.
	Every() time.Duration
	Update()
	// Say adds a note that stays.
	Say(note string)
	Close()
}

// An Ending is how the test process ended.
type Ending struct {
	// Interrupted reports whether a signal asked it to, and Deadline is when the
	// run must then be over.
	Interrupted bool
	Deadline    time.Time
	heard       time.Time
	// Killed says by which signal of others the test process ended; "" if by none.
	Killed string
	// Err is the processes' error; failed tests are not an error.
	Err error
	// Output is the last of what gotestsum printed.
	Output string
	// stop ends spare.
	stop func()
}

// Close ends what Wait began: until then a signal lets what follows end first.
func (e *Ending) Close() {
	if e.stop != nil {
		e.stop()
	}
}

// hear notes a signal and sets how long the rest may take. It reports whether it
// is another one than those before.
func (e *Ending) hear(rest time.Duration) (another bool) {
	if e.Interrupted {
		return time.Since(e.heard) >= gotest.Repeated
	}
	e.Interrupted, e.heard = true, time.Now()
	e.Deadline = e.heard.Add(rest)
	return false
}

// spare gives what follows a run some time when a signal comes; another one, or
// the end of that time, ends this process as if nobody listened.
func spare(end Ending, signals <-chan os.Signal, deaf func()) (stop func()) {
	over := make(chan struct{})
	go func() {
		var late <-chan time.Time
		for {
			select {
			case <-signals:
				if !end.Interrupted {
					late = time.After(lingering)
				}
				if !end.hear(lingering) {
					continue
				}
			case <-late:
			case <-over:
				return
			}
			deaf()
			onInterrupt()
		}
	}()
	return sync.OnceFunc(func() { close(over); deaf() })
}

// Wait runs the suite and waits for its end. The output of the test is turned
// into events for gotestsum here.
func (r *Run) Wait() (Ending, error) {
	self, err := os.Executable()
	if err != nil {
		return Ending{}, err
	}
	signals, deaf := listen()
	sum, err := r.startSum(self)
	if err != nil {
		deaf()
		return Ending{}, err
	}
	events := New(sum.in, Module)
	test := exec.Command(self, slices.Concat([]string{Test, "-test.v=test2json", "-test.timeout=" + r.Timeout.String()}, r.Options.Args(), r.Rules.Args())...)
	looked, err := json.Marshal(r.Looked)
	if err != nil {
		return Ending{}, err
	}
	test.Env = append(os.Environ(), gotest.ParentVariable+"=1", gotest.LookedVariable+"="+string(looked))
	test.Stdout, test.Stderr = events, events
	debug.FreeOSMemory() // what the plan took is not needed while the test runs
	end, err := r.supervise(test, signals)
	said, sumErr := r.finish(sum, &end, events.Close(err != nil || end.Err != nil), signals)
	if err != nil {
		deaf()
		return Ending{}, err
	}
	end.stop = spare(end, signals, deaf)
	var failed *exec.ExitError
	if errors.As(end.Err, &failed) || errors.Is(end.Err, exec.ErrWaitDelay) { // wrong answers are failed tests
		end.Err = nil
	}
	end.Err, end.Output = errors.Join(end.Err, sumErr), said
	return end, nil
}

// A sum is the gotestsum of a run.
type sum struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	said Tail
}

// startSum starts gotestsum in a process group of its own: an interrupt of the
// run must not reach it before it has read all of the test's output. Without
// GOVERSION it would run a go command; its own variables could change what it
// writes.
func (r *Run) startSum(self string) (*sum, error) {
	dir := r.Options.RunDir
	s := &sum{cmd: exec.Command(self, partSum,
		"--format", "none", "--hide-summary=skipped,failed,output",
		"--junitfile", filepath.Join(dir, tally.JUnitFile), "--jsonfile", filepath.Join(dir, EventsFile),
		"--raw-command", "--", self, child.PassOn)}
	s.cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOTESTSUM_") || strings.HasPrefix(v, "GOVERSION=") })
	s.cmd.Env = append(s.cmd.Env, "GOVERSION="+runtime.Version())
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.said
	child.Own(s.cmd)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return s, s.cmd.Start()
}

// finish lets gotestsum write its files, and returns what it printed. sent is
// the error of sending it the events, if any. A second signal, or the deadline of
// an interrupted run, ends it: then there is no JUnit.
func (r *Run) finish(s *sum, end *Ending, sent error, signals <-chan os.Signal) (said string, err error) {
	_ = s.in.Close()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	for waiting := true; waiting; {
		var late <-chan time.Time
		if end.Interrupted {
			late = time.After(time.Until(end.Deadline))
		}
		select {
		case err = <-done:
			if said = s.said.String(); err == nil {
				err = sent
			}
			if err != nil { // its last words say why it ended, after which nothing can be sent
				lines := strings.Split(said, "\n")
				err = fmt.Errorf("gotestsum: %w: %s", err, strings.TrimSpace(lines[len(lines)-1]))
			}
			return said, err
		case <-signals:
			waiting = !end.hear(lingering)
		case <-late:
			waiting = false
		}
	}
	child.Kill(s.cmd)
	if err := <-done; err == nil { // it was done in time after all
		return s.said.String(), nil
	}
	_ = os.Remove(filepath.Join(r.Options.RunDir, tally.JUnitFile)) // half of it would be no JUnit
	return "", errNoSheet
}

// listen catches the signals that end a run, until deaf is called.
func listen() (signals chan os.Signal, deaf func()) {
	handling.Add(1)
	signals = make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup lets a run outlive its terminal
		signal.Notify(signals, syscall.SIGHUP)
	}
	return signals, sync.OnceFunc(func() { signal.Stop(signals); handling.Add(-1) })
}

// supervise runs the test process, shows its progress and passes signals on.
// Its standard input ends when this process does, and with it the test.
func (r *Run) supervise(cmd *exec.Cmd, signals <-chan os.Signal) (Ending, error) {
	cmd.WaitDelay = lingering
	child.Own(cmd)
	alive, err := cmd.StdinPipe()
	if err != nil {
		return Ending{}, err
	}
	defer func() { _ = alive.Close() }()
	started := time.Now()
	if err := cmd.Start(); err != nil {
		return Ending{}, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	show := r.Show(started)
	defer show.Close()
	return r.wait(cmd, done, signals, show), nil
}

// wait shows progress until the process ends; it passes the first signal on, and kills at the second.
func (r *Run) wait(cmd *exec.Cmd, done <-chan error, signals <-chan os.Signal, show Progress) Ending {
	tick := time.NewTicker(show.Every())
	defer tick.Stop()
	var end Ending
	given := false // up, by a second signal
	for {
		select {
		case end.Err = <-done:
			if failed, ok := errors.AsType[*exec.ExitError](end.Err); ok && !given {
				if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
					end.Killed = status.Signal().String()
				}
			}
			return end
		case <-tick.C:
			show.Update()
		case <-signals:
			first := !end.Interrupted
			if end.hear(r.Options.Grace + lingering) {
				given = true
				child.Kill(cmd)
			}
			if !first {
				continue
			}
			child.Interrupt(cmd)
			show.Say(fmt.Sprintf("stopping: recorded answers are kept, requests in flight have %v to end; interrupt again to kill", r.Options.Grace))
		}
	}
}

// handling counts those who handle signals now.
var handling atomic.Int32

// Interrupted returns a context that an interrupt or SIGTERM ends, until stop is
// called.
func Interrupted(ctx context.Context) (_ context.Context, stop func()) {
	handling.Add(1)
	ctx, quit := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	return ctx, sync.OnceFunc(func() { quit(); handling.Add(-1) })
}

// onInterrupt is what OnInterrupt was given.
var onInterrupt = func() {}

// OnInterrupt calls f at an interrupt or SIGTERM that nobody handles.
func OnInterrupt(f func()) {
	onInterrupt = f
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range signals {
			if handling.Load() == 0 {
				f()
			}
		}
	}()
}
