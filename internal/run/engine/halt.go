package engine

import (
	"fmt"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A halt stops a run: no further case is asked, what is in flight ends.
type halt struct {
	mu    sync.Mutex
	cause error
	spent float64
}

func (h *halt) set(cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cause == nil {
		h.cause = cause
	}
}

// Halted is why the run stopped of itself; nil while it goes on.
func (e *Engine) Halted() error {
	e.halt.mu.Lock()
	defer e.halt.mu.Unlock()
	return e.halt.cause
}

// halted is the outcome of a case that comes after the stop. Recorded answers
// are judged all the same: they cost nothing.
func (e *Engine) halted(c *eval.Case, trial int) (Outcome, bool) {
	if _, recorded := e.Recorded.Get(c.ID, trial); recorded {
		return Outcome{}, false
	}
	cause := e.Halted()
	if cause == nil {
		return Outcome{}, false
	}
	out := failed(cause)
	out.NotRun = true
	return out, true
}

// charge counts what a new answer cost, and halts at the limit.
func (e *Engine) charge(out *Outcome) {
	if e.Cost == nil || out.Reused {
		return
	}
	out.Cost = e.Cost(out.InputTokens, out.OutputTokens)
	e.halt.mu.Lock()
	e.halt.spent += out.Cost
	over := e.MaxCost > 0 && e.halt.spent >= e.MaxCost
	spent := e.halt.spent
	e.halt.mu.Unlock()
	if over {
		e.halt.set(fmt.Errorf("the budget is spent: $%.4f of -max-cost=%g; go on with -resume and a new budget", spent, e.MaxCost))
	}
}
