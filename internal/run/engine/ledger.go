package engine

import (
	"context"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/record"
)

// An entry is a request in the ledger, with its last attempt.
type entry struct {
	bill  *bill
	first record.Sent
	last  *record.Sent // nil until the request is sent
	// prompt is about what the request's prompt costs, for a budget.
	prompt float64
}

type entryKey struct{}

// entry begins an entry for a request.
func (e *Engine) entry(ctx context.Context, req *eval.Request) (context.Context, *entry) {
	b, _ := ctx.Value(billKey{}).(*bill)
	if b == nil {
		b = &bill{}
	}
	b.steps++
	out := &entry{bill: b, first: record.Sent{Case: req.ID, Trial: req.Trial, Step: b.steps}}
	if e.Budget.Most > 0 {
		const charsPerToken = 4.5 // see BytesPerToken
		out.prompt = e.Budget.Prices.Cost(int(float64(req.Chars())/charsPerToken), 0)
	}
	if e.Ledger == nil {
		return ctx, out
	}
	return context.WithValue(ctx, entryKey{}, out), out
}

// Sending notes that a request is sent, once more if it was sent before. What it
// returns notes how that ended. A transport calls Sending before each attempt.
func (e *Engine) Sending(ctx context.Context, proxy string) func(transport.End) {
	e.heard("", proxy)
	own, _ := ctx.Value(entryKey{}).(*entry)
	if own == nil {
		return func(end transport.End) { e.Progress.sent(end.Kind) }
	}
	sent := own.first
	sent.At, sent.Proxy, sent.Fate = time.Now().UTC().Truncate(time.Millisecond), proxy, record.Open
	own.first.Attempt++
	sent.Attempt, own.last = own.first.Attempt, &sent
	e.Ledger.Put(&sent)
	return func(end transport.End) {
		e.Progress.sent(end.Kind)
		first := sent.Fate == record.Open // or the wait for another attempt was broken off
		sent.Status, sent.Error, sent.Seconds = end.Status, end.Kind, end.Took.Seconds()
		switch {
		case end.Again:
			sent.Fate = record.Retried
		case end.Kind != "":
			sent.Fate = record.Refused
		default: // what the reply is worth is noted when it is read
			sent.Fate = record.Answered
			return
		}
		if sent.Unpriced = end.Charged; end.Charged && first {
			e.pay(nil, eval.Money{Requests: 1, Unknown: 1}, own.prompt)
		}
		e.Ledger.Put(&sent)
	}
}

// close notes what came of a request. A reply without an answer may have been charged for.
func (e *Engine) close(n *entry, resp *eval.Response, cost eval.Money, err error) {
	s := n.last
	switch {
	case s == nil || s.Fate != record.Answered && err != nil:
		return
	case err != nil:
		s.Fate, s.Error, s.Unpriced = record.Refused, eval.InfraKind(err), true
		e.pay(nil, eval.Money{Requests: 1, Unknown: 1}, n.prompt)
	default:
		s.Fate, s.Dollars, s.Unpriced = record.Answered, cost.Dollars, cost.Requests == 0 || cost.Unknown > 0
		s.Input, s.Output, s.Served, s.Fingerprint, s.Finish = resp.InputTokens, resp.OutputTokens, resp.Served, resp.Fingerprint, resp.Finish
		if resp.CutOff {
			s.Finish = eval.CutOff
		}
		n.bill.sent = append(n.bill.sent, s)
	}
	e.Ledger.Put(s)
}

func (e *Engine) heard(model, proxy string) {
	if e.Heard != nil {
		e.Heard(model, proxy)
	}
}

// Looked notes what was sent before the run began, which counts for the budget.
func (e *Engine) Looked(looks []record.Sent) {
	for i := range looks {
		if e.Ledger.Put(&looks[i]); e.Budget.Prices.Known() {
			e.pay(nil, looks[i].Money(), 0)
		}
	}
}

// stood returns for how long the process has stood still.
func (e *Engine) stood() time.Duration {
	if e.Stood == nil {
		return 0
	}
	return e.Stood()
}

// A Pulse notices that the process stood still: that it was stopped, or the
// machine slept. It beats until it is closed.
type Pulse struct {
	mu    sync.Mutex
	last  time.Time
	still time.Duration
	stop  chan struct{}
	done  chan struct{}
}

const (
	beat = 200 * time.Millisecond
	// late is how late a beat is on a machine with much to do.
	late = 2 * time.Second
)

// NewPulse begins to beat.
func NewPulse() *Pulse {
	p := &Pulse{last: time.Now(), stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(p.done)
		tick := time.NewTicker(beat)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.Stood()
			case <-p.stop:
				return
			}
		}
	}()
	return p
}

// Stood returns for how long the process has stood still. It may be the first to
// run after a stop, so it beats too.
func (p *Pulse) Stood() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if gap := now.Sub(p.last); gap > late {
		p.still += gap - beat
	}
	p.last = now
	return p.still
}

// Close stops the beat.
func (p *Pulse) Close() error {
	close(p.stop)
	<-p.done
	return nil
}
