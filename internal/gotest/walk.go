package gotest

import (
	"fmt"
	"io"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
)

// walk makes each trial a subtest and returns when all have ended. It begins
// one when there is a place for it: with t.Parallel all would begin at once and
// then wait, each with a goroutine and with three lines of output instead of
// one.
func (r *Run) walk(t *testing.T, try Try) {
	w := &walk{run: r, try: try, places: make(chan struct{}, r.suite.Plan.Model.Places)}
	r.suite.Expect(r.stop.begin, r.stop.work)
	var running sync.WaitGroup
	defer running.Wait()
	for _, part := range r.order.shuffled(r.suite.Plan.Asked) {
		running.Go(func() {
			t.Run(part.Category.Name, func(t *testing.T) { w.category(t, part.Category, part.Cases) })
		})
	}
}

type walk struct {
	run    *Run
	try    Try
	places chan struct{} // a trial that is under way holds one
}

func (w *walk) category(t *testing.T, cat *eval.Category, cases []*eval.Case) {
	var running sync.WaitGroup
	defer running.Wait()
	for _, c := range cases {
		w.places <- struct{}{}
		running.Go(func() {
			trials, began := w.run.suite.Plan.TrialsOf(cat.Name, c.ID), false
			t.Run(c.ID, func(t *testing.T) {
				began = true
				w.trials(t, cat, c, trials)
			})
			if !began { // go test's -failfast
				w.run.left.Add(int64(len(trials)))
			}
			if !began || w.run.suite.Plan.Run.Trials == 1 { // -failfast counts a test once it has ended
				<-w.places
			}
		})
	}
}

// trials runs a case's trials, the first of them in the place that the caller
// has taken, and of several gives it back.
func (w *walk) trials(t *testing.T, cat *eval.Category, c *eval.Case, trials []int) {
	if w.run.suite.Plan.Run.Trials == 1 {
		w.try(t, cat, c, 0)
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	for i, trial := range trials {
		if i > 0 {
			w.places <- struct{}{}
		}
		running.Go(func() {
			defer func() { <-w.places }()
			began := false
			t.Run(strconv.Itoa(trial+1), func(t *testing.T) {
				began = true
				w.try(t, cat, c, trial)
			})
			if !began {
				w.run.left.Add(1)
			}
		})
		if w.run.stop.stopping() { // one stands for all that do not begin
			w.run.left.Add(int64(len(trials) - i - 1))
			return
		}
	}
}

// redraw is the time between two displays of the progress.
const redraw = 250 * time.Millisecond

// show keeps a line with the progress on a terminal, until end is called.
func (r *Run) show(out io.Writer) (end func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case now := <-tick.C:
				fmt.Fprintf(out, "\r\x1b[K%s", r.suite.Engine.Progress.Snapshot().Text(now))
			case <-stop:
				fmt.Fprint(out, "\r\x1b[K")
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-done
	}
}
