package engine

import (
	"context"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Budget says what answers cost, and when that is enough.
type Budget struct {
	// Prices are those of the model's tokens. If they say how many characters a
	// token has, the tokens of replies that do not state them are estimated.
	Prices catalog.Prices
	// Most ends the run before its answers have cost that many dollars; 0 is no
	// limit. Each request in flight reserves what a dear one costs.
	Most float64
	// InFlight limits the number of requests in flight if there is a limit; 0
	// is no limit.
	InFlight int
}

// An Admitted adapter may call May itself before each attempt; for others the
// engine calls it once for each request.
type Admitted interface {
	CallsMay() bool
}

// A halt stops a run: no further requests are sent, and those in flight end.
type halt struct {
	mu    sync.Mutex
	cause error
	spent float64
	// priced is the number of replies that were paid for, and dear what the
	// dearest of the last ones cost, or a little less.
	priced int
	dear   float64
	// unpaid is the number of requests that were admitted and have no known
	// price yet; paid is closed when one of them gets its price.
	unpaid int
	paid   chan struct{}
}

func (h *halt) set(cause error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.cause == nil {
		h.cause = cause
	}
}

// Halted returns why the run stopped by itself; nil while it continues.
func (e *Engine) Halted() error {
	e.halt.mu.Lock()
	defer e.halt.mu.Unlock()
	return e.halt.cause
}

// halted returns the outcome of a case that comes after the halt. Recorded
// answers are still judged, because they cost nothing.
func (e *Engine) halted(c *eval.Case, trial int) (Outcome, bool) {
	if _, recorded := e.Recorded.Get(c.ID, trial); recorded {
		return Outcome{}, false
	}
	cause := e.Halted()
	if cause == nil {
		return Outcome{}, false
	}
	out := Failed(cause)
	out.NotRun = true
	return out, true
}

// A bill is what a case has cost so far.
type bill struct {
	dollars float64
	asked   bool // a request of the case may have been sent
}

type (
	billKey   struct{}
	ticketKey struct{}
)

// withBill returns a context that adds up what the requests of a case cost.
func withBill(ctx context.Context) (context.Context, *bill) {
	b := &bill{}
	return context.WithValue(ctx, billKey{}, b), b
}

// A ticket is a request's right to be sent. The request asks for it when its
// turn has come, which may be long after it began to wait, and keeps it until
// the reply has been paid for.
type ticket struct{ held bool }

// May returns nil if a request may be sent now, or else a *NotRun. ctx is the
// context given to Generate. A transport calls May before each attempt. With a
// budget, there are only as many requests in flight as it is likely to pay for,
// and not many more than have been paid for: their prices are not known yet.
func (e *Engine) May(ctx context.Context) error {
	if b, ok := ctx.Value(billKey{}).(*bill); ok {
		if e.Begin != nil && e.Begin.Err() != nil && !b.asked {
			return &NotRun{context.Cause(e.Begin)}
		}
		b.asked = true
	}
	own, _ := ctx.Value(ticketKey{}).(*ticket)
	for {
		wait, err := e.admit(own)
		if err != nil || wait == nil {
			return err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// admit gives a request its ticket, or returns what to wait for.
func (e *Engine) admit(own *ticket) (wait <-chan struct{}, err error) {
	h := &e.halt
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.cause != nil:
		return nil, &NotRun{h.cause}
	case own == nil || own.held || e.Budget.Most <= 0:
		return nil, nil
	case e.Budget.InFlight > 0 && h.unpaid >= e.Budget.InFlight, h.unpaid > h.priced, h.unpaid > 0 && h.spent+float64(h.unpaid+1)*max(h.mean(), h.dear) > e.Budget.Most:
		if h.paid == nil {
			h.paid = make(chan struct{})
		}
		return h.paid, nil
	case h.mean() > e.Budget.Most/10 && h.spent+h.mean() > e.Budget.Most: // one more would exceed the budget by much
		h.cause = &overBudget{h, e.Budget.Most}
		return nil, &NotRun{h.cause}
	}
	own.held = true
	h.unpaid++
	return nil, nil
}

// mean is the mean price of a request; 0 if none is known.
func (h *halt) mean() float64 { return h.spent / float64(max(h.priced, 1)) }

// pay adds what a reply cost.
func (h *halt) pay(dollars float64) (spent float64) {
	const fading = 0.95
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spent += dollars
	h.priced++
	h.dear = max(dollars, fading*h.dear)
	return h.spent
}

// An overBudget says that a budget is spent. Its text states what has been
// spent by the time it is printed: requests in flight are still paid for.
type overBudget struct {
	halt *halt
	most float64
}

// Error states what has been spent.
func (o *overBudget) Error() string {
	o.halt.mu.Lock()
	defer o.halt.mu.Unlock()
	next := ""
	if o.halt.spent < o.most {
		next = fmt.Sprintf(", and another request costs about $%.4f", o.halt.mean())
	}
	return fmt.Sprintf("the budget is spent: $%.4f of -max-cost=%g%s; continue with -resume and a new budget", o.halt.spent, o.most, next)
}

// settle takes a ticket back.
func (e *Engine) settle(own *ticket) {
	h := &e.halt
	h.mu.Lock()
	defer h.mu.Unlock()
	if !own.held {
		return
	}
	h.unpaid--
	if h.paid != nil {
		close(h.paid)
		h.paid = nil
	}
}

// charge counts what a reply cost. It halts the run at the limit, or if there
// is a budget and the reply does not state its tokens.
func (e *Engine) charge(ctx context.Context, req *eval.Request, resp *eval.Response) {
	prices, most := e.Budget.Prices, e.Budget.Most
	if chars := prices.CharsPerToken; chars != nil && *chars > 0 && unmeasured(resp) {
		estimate(req, resp, *chars)
	}
	if resp.Malformed { // a server that reports an error states no tokens
		return
	}
	if !prices.Known() && resp.Cost <= 0 {
		return
	}
	cost := resp.Cost
	if cost <= 0 {
		cost = prices.Cost(resp.InputTokens, resp.OutputTokens)
	}
	if b, ok := ctx.Value(billKey{}).(*bill); ok {
		b.dollars += cost
	}
	e.Progress.pay(cost)
	spent := e.halt.pay(cost)
	switch {
	case most <= 0:
	case spent >= most:
		e.halt.set(&overBudget{&e.halt, most})
	case unmeasured(resp):
		e.halt.set(fmt.Errorf("-max-cost=%g cannot be kept: a reply states no tokens (usage), such as the one to %s; make the server state them, set chars_per_token in models.yaml to estimate them, or continue with -resume and without -max-cost", most, req.ID))
	}
}

// unmeasured reports whether a response lacks its token counts. Every request
// has at least one token, and so has every answer that is not empty.
func unmeasured(resp *eval.Response) bool {
	if resp.InputTokens <= 0 {
		return true
	}
	return resp.OutputTokens <= 0 && !empty(resp.Result)
}

// estimate sets the tokens of a response from its characters and those of its
// request.
func estimate(req *eval.Request, resp *eval.Response, charsPerToken float64) {
	said := utf8.RuneCountInString(resp.Reasoning) + utf8.RuneCountInString(pyval.Text(resp.Result))
	tokens := func(chars int) int { return 1 + int(float64(chars)/charsPerToken) }
	resp.InputTokens, resp.OutputTokens = tokens(req.Chars()), tokens(said)
}

func empty(result pyval.Value) bool {
	switch v := result.(type) {
	case pyval.Str:
		return v == ""
	case *pyval.List:
		return len(v.Items) == 0
	}
	return false
}
