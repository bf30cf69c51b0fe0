package suite

import (
	"context"
	"strconv"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A Tree runs trials, like *testing.T: Run calls f with a branch of the given
// name, and returns when f has returned or has called Parallel. It may skip f
// if the branch is not wanted.
type Tree[T any] interface {
	Run(name string, f func(T)) bool
	Parallel()
}

// Each runs every trial, on the branch <category>/<case id>, and below that
// <trial> if there are several. It returns when all have ended. Once begin is
// done, no conversation before a question begins; work bounds those that have
// begun. As many cases as there are Places are worked on at once.
func Each[T Tree[T]](begin, work context.Context, s *Suite, root T, try func(t T, cat *eval.Category, c *eval.Case, trial int)) {
	e := &each[T]{suite: s, begin: begin, work: work, try: try, places: make(chan struct{}, s.Plan.Places)}
	var running sync.WaitGroup
	defer running.Wait()
	for _, part := range s.Plan.Parts {
		running.Go(func() {
			root.Run(part.Category.Name, func(t T) { e.category(t, part.Category, part.Cases) })
		})
	}
}

type each[T Tree[T]] struct {
	suite       *Suite
	begin, work context.Context
	try         func(t T, cat *eval.Category, c *eval.Case, trial int)
	places      chan struct{} // a running trial holds one
}

// category starts a branch when there is a place for it. With t.Parallel all
// branches would start first and then wait, each with a goroutine and with
// three lines of output instead of one.
//
// Cases that need conversations before them do use t.Parallel: only the tree
// knows which cases are chosen, and their conversations must begin before the
// questions.
func (e *each[T]) category(t T, cat *eval.Category, cases []*eval.Case) {
	var running sync.WaitGroup
	defer running.Wait()
	for _, c := range cases {
		if len(c.Needs) > 0 {
			t.Run(c.ID, func(t T) {
				e.suite.Expect(e.begin, e.work, cat, c)
				t.Parallel()
				e.places <- struct{}{}
				e.trials(t, cat, c)
			})
			continue
		}
		e.places <- struct{}{}
		running.Go(func() {
			chosen := false
			t.Run(c.ID, func(t T) {
				chosen = true
				e.trials(t, cat, c)
			})
			if !chosen { // not chosen by go test's -run
				e.leave()
			}
		})
	}
}

// trials runs a case's trials, the first of them in the place that the caller
// has taken.
func (e *each[T]) trials(t T, cat *eval.Category, c *eval.Case) {
	trials := e.suite.Plan.Run.Trials
	if trials == 1 {
		defer e.leave()
		e.try(t, cat, c, 0)
		return
	}
	var running sync.WaitGroup
	defer running.Wait()
	for trial := range trials {
		if trial > 0 {
			e.places <- struct{}{}
		}
		if e.begin.Err() != nil { // one stands for all that do not begin
			t.Run(strconv.Itoa(trial+1), func(t T) { e.try(t, cat, c, trial) })
			e.leave()
			return
		}
		running.Go(func() {
			defer e.leave()
			t.Run(strconv.Itoa(trial+1), func(t T) { e.try(t, cat, c, trial) })
		})
	}
}

func (e *each[T]) leave() { <-e.places }
