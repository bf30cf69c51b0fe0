package gotest

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Repeated is how soon after a signal another one is the same: some engines
// signal every process of a run, and bfcl passes on what it hears.
const Repeated = time.Second

// A stop ends a run early. At the first signal, or some time before go test's
// -timeout, no more cases begin. What is in flight may go on for a grace
// period, so that nothing that was asked and paid for is lost. After that, or
// at a second signal, it is cancelled.
type stop struct {
	// begin is done once no case may begin, and work once no case may go on.
	// The cause of begin says why.
	begin, work context.Context
	release     func()
}

var (
	errInterrupted = errors.New("the run was interrupted")
	errTimeout     = errors.New("the time limit of -timeout has passed")
)

// reserve is the time that a run needs to end after the last request.
const reserve = 5 * time.Second

// stopEarly returns a stop at signals, and before a deadline if it is not zero. A
// process that is led is ended by the one that leads it, at a second signal too.
func stopEarly(grace time.Duration, deadline time.Time, led bool) *stop {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	s := stopOn(context.Background(), signals, grace, deadline, led)
	if led {
		return s
	}
	giveUp := s.release
	s.release = func() {
		signal.Stop(signals)
		giveUp()
	}
	return s
}

// stopOn returns a stop at signals and before a deadline; a context ends everything at once.
func stopOn(ctx context.Context, signals <-chan os.Signal, grace time.Duration, deadline time.Time, led bool) *stop {
	begin, endBegin := context.WithCancelCause(ctx)
	work, endWork := context.WithCancel(ctx)
	s := &stop{begin: begin, work: work}
	s.release = func() {
		endBegin(nil)
		endWork()
	}
	late := make(<-chan time.Time)
	short := grace
	if !deadline.IsZero() {
		var at time.Duration
		at, short = before(time.Until(deadline), grace)
		late = time.After(at)
	}
	go func() {
		defer endWork()
		select {
		case <-signals:
			endBegin(errInterrupted)
		case <-late:
			endBegin(errTimeout)
			grace = short
		case <-work.Done():
			return
		}
		timer := time.NewTimer(grace)
		defer timer.Stop()
		for stopped := time.Now(); ; {
			select {
			case <-signals:
				if led || time.Since(stopped) < Repeated {
					continue
				}
			case <-timer.C:
			case <-work.Done():
			}
			return
		}
	}()
	return s
}

// before returns how long to wait before stopping, if left is the time left,
// and the grace period that then remains: all of it if there is time, or else
// half of the time there is.
func before(left, grace time.Duration) (at, short time.Duration) {
	spare := min(grace+reserve, left/2)
	return left - spare, min(grace, max(spare-reserve, spare/2))
}

// stopping reports whether no case may begin.
func (s *stop) stopping() bool { return s.begin.Err() != nil }

// interrupted reports whether a signal stopped the run.
func (s *stop) interrupted() bool { return errors.Is(context.Cause(s.begin), errInterrupted) }

// why returns the reason why the run was stopped.
func (s *stop) why() string { return context.Cause(s.begin).Error() }

// LookedVariable has, in the environment of the command's test process, what the
// command has sent to look at the server.
const LookedVariable = "BFCL_LOOKED"

// ParentVariable is set in the environment of a process whose standard input
// stays open as long as the process that started it lives.
const ParentVariable = "BFCL_ENDS_WITH_PARENT"

// EndWithParent ends this process when the process that started it is gone for
// any reason, because a run that was killed must not go on asking. Answers are
// recorded as they come, so only requests in flight are lost. EndWithParent
// does nothing if ParentVariable is not set: under go test, standard input may
// be empty from the start.
//
// Processes that this process starts do not inherit the variable.
func EndWithParent() {
	if os.Getenv(ParentVariable) == "" {
		return
	}
	_ = os.Unsetenv(ParentVariable)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(ExitInterrupted)
	}()
}
