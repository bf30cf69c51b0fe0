package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Budget says what answers cost, and when that is enough.
type Budget struct {
	// Prices are those of the model's tokens. If they say how many characters a
	// token has, the tokens of replies that do not state them are estimated.
	Prices catalog.Prices
	// Most ends the run before its answers have cost that many dollars; 0 is no
	// limit. A case begins only if the budget covers it and the rest of the cases
	// that are open; those are led to their end.
	Most float64
}

// A halt stops a run: no further case begins. Unless the budget is the cause,
// cases that are open send no further requests either.
type halt struct {
	mu    sync.Mutex
	cause error
	// spent is what this process has paid. A request whose price is not known
	// counts for the budget as the dearest one so far: guessed is their sum.
	spent            eval.Money
	guessed, dearest float64
	// open are the cases that have sent a request, with what they are expected to
	// cost; ended counts those that have ended.
	open  map[*bill]float64
	ended int
	// known is what cases of a kind cost.
	known map[kind]*price
	// room is closed when a case ends.
	room chan struct{}
}

// A kind is what the costs of cases depend on: the category, or, of a category
// of which no case has ended, whether cases are conversations.
type kind struct {
	category string
	talk     bool
}

// A price is what the cases of a kind cost.
type price struct {
	sum  float64
	n    int
	dear float64 // what the dearest of the last ones cost, or a little less
}

func (p *price) mean() float64 { return p.sum / float64(p.n) }

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

// halted returns the result of a case that comes after the halt. Recorded
// answers are still judged, because they cost nothing.
func (e *Engine) halted(c *eval.Case, trial int) (eval.Result, bool) {
	if _, recorded := e.Recorded.Get(c.ID, trial); recorded {
		return eval.Result{}, false
	}
	cause := e.Halted()
	if cause == nil {
		return eval.Result{}, false
	}
	out := Failed(cause)
	out.NotRun = true
	return out, true
}

// A bill is what a case has cost so far.
type bill struct {
	kind  kind
	kept  eval.Money // of the replies
	asked bool       // a request of the case may have been sent
	steps int
	sent  []*record.Sent // with a reply
}

// A billKey is the key of a case's bill in the context of its requests.
type billKey struct{}

// May returns nil if a request may be sent now, or else a *NotRun. ctx is the
// context given to Generate. A transport calls May before each attempt.
func (e *Engine) May(ctx context.Context) error {
	b, ok := ctx.Value(billKey{}).(*bill)
	if ok {
		if e.Begin != nil && e.Begin.Err() != nil && !b.asked {
			return &NotRun{context.Cause(e.Begin)}
		}
		b.asked = true
	}
	e.halt.mu.Lock()
	defer e.halt.mu.Unlock()
	return e.halt.refuse(b)
}

// refuse returns why no request of a case may be sent; nil if it may. A spent
// budget does not stop the cases that are open.
func (h *halt) refuse(b *bill) error {
	_, open := h.open[b]
	if over := new(*overBudget); h.cause == nil || errors.As(h.cause, over) && open {
		return nil
	}
	return &NotRun{h.cause}
}

// open opens a case before its first request. With a budget it waits until that
// covers the case and the open ones. It comes before the transport's queue: an
// open case must not wait there for those that wait for it.
func (e *Engine) open(ctx context.Context) error {
	b, _ := ctx.Value(billKey{}).(*bill)
	for {
		wait, err := e.admit(b)
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

// admit opens a case, or returns what to wait for. At most one more case is open
// than has ended, because prices are not known yet, and one of a kind that is
// not known at all.
func (e *Engine) admit(b *bill) (wait <-chan struct{}, err error) {
	h, most := &e.halt, e.Budget.Most
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.refuse(b); err != nil {
		return nil, err
	}
	if _, open := h.open[b]; b == nil || open || most <= 0 {
		return nil, nil
	}
	known, rest, probed := h.known[b.kind], 0.0, false // a case is open that will tell what the kind costs
	if known == nil {
		known = h.known[kind{talk: b.kind.talk}]
	}
	for other, expected := range h.open {
		rest += max(0, expected-other.kept.Dollars)
		probed = probed || other.kind.talk == b.kind.talk
	}
	expected := 0.0
	if known != nil {
		expected = max(known.mean(), known.dear)
	}
	switch {
	case len(h.open) > h.ended, known == nil && probed, len(h.open) > 0 && h.total()+rest+expected > most:
		if h.room == nil {
			h.room = make(chan struct{})
		}
		return h.room, nil
	case h.total() >= most, known != nil && known.mean() > most/10 && h.total()+known.mean() > most: // one more would exceed the budget by much
		h.cause = &overBudget{h, most, known}
		return nil, &NotRun{h.cause}
	}
	if h.open == nil {
		h.open = map[*bill]float64{}
	}
	h.open[b] = expected
	return nil, nil
}

// learn notes what a case cost, for its kind and category. What cost nothing tells nothing.
func (h *halt) learn(k kind, dollars float64) {
	h.ended++
	if dollars <= 0 {
		return
	}
	if h.known == nil {
		h.known = map[kind]*price{}
	}
	for _, of := range []kind{k, {talk: k.talk}} {
		if h.known[of] == nil {
			h.known[of] = &price{}
		}
		const fading = 0.95
		p := h.known[of]
		p.sum, p.n, p.dear = p.sum+dollars, p.n+1, max(dollars, fading*p.dear)
	}
}

// settle closes a case; kept says that its answer is recorded.
func (e *Engine) settle(b *bill, kept bool) {
	for _, s := range b.sent {
		if s.Fate = record.Abandoned; kept {
			s.Fate = record.Kept
		}
		e.Ledger.Put(s)
	}
	h := &e.halt
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, open := h.open[b]; !open {
		return
	}
	delete(h.open, b)
	h.learn(b.kind, b.kept.Dollars)
	if h.room != nil {
		close(h.room)
		h.room = nil
	}
}

// recall learns from a recorded answer what a case costs.
func (e *Engine) recall(cat *eval.Category, resp *eval.Response) {
	if e.Budget.Most <= 0 {
		return
	}
	e.halt.mu.Lock()
	defer e.halt.mu.Unlock()
	cost := resp.Cost.Dollars
	if resp.Cost.Requests == 0 {
		cost = e.Budget.Prices.Cost(resp.InputTokens, resp.OutputTokens)
	}
	e.halt.learn(kind{cat.Name, cat.MultiTurn()}, cost)
}

// total returns what counts for the budget.
func (h *halt) total() float64 { return h.spent.Dollars + h.guessed }

// pay adds what a request cost, and halts the run at the limit. The bill is that
// of its case; nil if no reply came. A request of unknown price counts as the
// dearest so far, or as its prompt if that is more.
func (e *Engine) pay(b *bill, cost eval.Money, prompt float64) {
	e.Progress.change(func(now *Snapshot) { now.Cost = now.Cost.Plus(cost) })
	h, most := &e.halt, e.Budget.Most
	h.mu.Lock()
	defer h.mu.Unlock()
	if b != nil {
		b.kept = b.kept.Plus(cost)
	}
	h.spent, h.dearest = h.spent.Plus(cost), max(h.dearest, cost.Dollars)
	if cost.Unknown > 0 {
		h.guessed += max(h.dearest, prompt) - cost.Dollars
	}
	if most > 0 && h.total() >= most && h.cause == nil {
		h.cause = &overBudget{halt: h, most: most}
	}
}

// An overBudget says that a budget is spent. Its text states what has been
// spent by the time it is printed: open cases are still paid for.
type overBudget struct {
	halt *halt
	most float64
	next *price // of the case that does not begin; nil if it is not known
}

// Error states what has been spent.
func (o *overBudget) Error() string {
	o.halt.mu.Lock()
	defer o.halt.mu.Unlock()
	next := ""
	if o.halt.total() < o.most && o.next != nil {
		next = fmt.Sprintf(", and another case costs about $%.4f", o.next.mean())
	}
	if n := o.halt.spent.Unknown; n > 0 {
		next += fmt.Sprintf(", with about $%.4f more for %s of unknown price", o.halt.guessed, say.Count(n, "request", "requests"))
	}
	return fmt.Sprintf("the budget is spent: %s of -max-cost=%g%s; continue with -resume and a new budget", o.halt.spent, o.most, next)
}

// charge counts what a reply cost, and returns it. It halts the run if there is a
// budget and the reply does not state its tokens.
func (e *Engine) charge(b *bill, req *eval.Request, resp *eval.Response) (cost eval.Money) {
	prices, most := e.Budget.Prices, e.Budget.Most
	if chars := prices.CharsPerToken; chars != nil && *chars > 0 && !resp.Measured() && !resp.Malformed { // tokens are estimated
		said := utf8.RuneCountInString(resp.Reasoning) + utf8.RuneCountInString(pyval.Text(resp.Result))
		resp.InputTokens, resp.OutputTokens = 1+int(float64(req.Chars()) / *chars), 1+int(float64(said) / *chars)
	}
	if cost = resp.Cost; cost.Dollars <= 0 && !prices.Known() {
		return eval.Money{}
	}
	if cost.Dollars <= 0 {
		cost = eval.Money{Dollars: prices.Cost(resp.InputTokens, resp.OutputTokens), Requests: 1}
		if !resp.Measured() {
			cost.Unknown = 1
		}
	}
	e.pay(b, cost, 0)
	if most > 0 && cost.Unknown > 0 && !resp.Malformed { // a server that reports an error states no tokens
		e.halt.set(fmt.Errorf("-max-cost=%g cannot be kept: a reply states no tokens (usage), such as the one to %s; make the server state them, set chars_per_token in models.yaml to estimate them, or continue with -resume and without -max-cost", most, req.ID))
	}
	return cost
}
