package suitetest

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// A stop is how a run ends early: at the first signal, and before go test's
// -timeout is over, no case is begun any more, and what is in flight may end
// within a grace, so that nothing that was asked and paid for is lost; after
// that, or at a second signal, it is given up.
type stop struct {
	// begin is done once no case may begin, work once none may go on. The
	// cause of begin says why.
	begin, work context.Context
	release     func()
}

var (
	errInterrupted = errors.New("the run was interrupted")
	errTimeout     = errors.New("the time limit of -timeout has passed")
)

// reserve is what a run needs to end once nothing is in flight any more.
const reserve = 5 * time.Second

// stopEarly stops at signals, and before a deadline; zero is none.
func stopEarly(grace time.Duration, deadline time.Time) *stop {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	s := stopOn(context.Background(), signals, grace, deadline)
	giveUp := s.release
	s.release = func() {
		signal.Stop(signals)
		giveUp()
	}
	return s
}

// stopOn stops at signals, before a deadline, and at once with a context.
func stopOn(ctx context.Context, signals <-chan os.Signal, grace time.Duration, deadline time.Time) *stop {
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
		select {
		case <-signals:
		case <-timer.C:
		case <-work.Done():
		}
	}()
	return s
}

// before is when to stop within the time that is left, and the grace that is
// left then: whole if there is time, else half of what there is.
func before(left, grace time.Duration) (at, short time.Duration) {
	spare := min(grace+reserve, left/2)
	return left - spare, min(grace, max(spare-reserve, spare/2))
}

// stopping reports whether no case may begin.
func (s *stop) stopping() bool { return s.begin.Err() != nil }

// interrupted reports whether it was a signal that stopped the run.
func (s *stop) interrupted() bool { return errors.Is(context.Cause(s.begin), errInterrupted) }

// why is what stopped the run.
func (s *stop) why() string { return context.Cause(s.begin).Error() }
