package suitetest

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// A stop is how a run ends early: at the first signal no case is begun any
// more, and what is in flight may end within a grace, so that nothing that was
// asked and paid for is lost; after that, or at a second signal, it is given
// up.
type stop struct {
	// begin is done once no case may begin, work once none may go on.
	begin, work context.Context
	release     func()
}

func stopOnSignals(grace time.Duration) *stop {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	s := stopOn(signals, grace)
	giveUp := s.release
	s.release = func() {
		signal.Stop(signals)
		giveUp()
	}
	return s
}

func stopOn(signals <-chan os.Signal, grace time.Duration) *stop {
	begin, endBegin := context.WithCancel(context.Background())
	work, endWork := context.WithCancel(context.Background())
	s := &stop{begin: begin, work: work}
	s.release = func() {
		endBegin()
		endWork()
	}
	go func() {
		defer endWork()
		select {
		case <-signals:
			endBegin()
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

// stopping reports whether no case may begin.
func (s *stop) stopping() bool { return s.begin.Err() != nil }
