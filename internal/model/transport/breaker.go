package transport

import (
	"fmt"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// A breaker stops a run whose endpoint is clearly down. It opens when a number
// of attempts of several requests have failed in a row over some time; when the
// first request to a new endpoint has used up its tries; or when an error is
// fatal. It never closes again: the run must be resumed.
type breaker struct {
	after int
	span  time.Duration
	// opened is closed when the breaker opens.
	opened chan struct{}

	mu       sync.Mutex
	reason   *Error
	answered time.Time // of the last success
	streak   int
	since    time.Time // of the streak's first failure
	calls    map[*call]struct{}
	// refusal is what the last refusal said, and refusals how many in a row
	// said the same.
	refusal  string
	refusals int
	// enough is how many stop the run.
	enough int
}

func newBreaker(after int, span time.Duration) *breaker {
	return &breaker{after: after, span: span, opened: make(chan struct{}), calls: map[*call]struct{}{}}
}

func (b *breaker) success() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answered = time.Now()
	if b.streak > 0 {
		b.streak = 0
		clear(b.calls)
	}
}

// severalCalls is how many requests must fail to show that the cause is not a
// single one.
const severalCalls = 3

func (b *breaker) failure(c *call, last *Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.streak == 0 {
		b.since = time.Now()
	}
	b.streak++
	b.calls[c] = struct{}{}
	span, need := time.Since(b.since), b.span
	if last.Status/100 == 4 {
		need = 0 // a refusal is final: there is no restart of a server to wait for
	}
	if b.streak >= b.after && len(b.calls) >= severalCalls && span >= need {
		b.open(&Error{Kind: CircuitOpen, Fatal: true, cause: last.cause, Hint: resumeHint,
			Message: fmt.Sprintf("%s has failed %d attempts in a row within %s; the last error: %s",
				c.endpoint(), b.streak, span.Round(time.Second), last.Error())})
	}
}

// sameRefusals is how many equal refusals stop a run that has had no answer.
const sameRefusals = 20

// refused counts a refusal of one request. A server that has answered nothing
// and refuses one request after the other for the same reason will refuse all.
// Those in flight at the first refusal do not know yet what an adapter learns
// from it, so that more are needed where many are in flight.
func (b *breaker) refused(c *call, e *Error, inFlight int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.answered.IsZero() {
		return
	}
	said := fmt.Sprint(e.Status, digits().ReplaceAllString(e.Message, "0"))
	if said != b.refusal {
		b.refusal, b.refusals, b.enough = said, 0, max(sameRefusals, 2*inFlight)
	}
	if b.refusals++; b.refusals == b.enough {
		b.open(&Error{Kind: e.Kind, Status: e.Status, Fatal: true, Message: e.Message,
			Hint: joinHints(e.Hint, fmt.Sprintf("%s has refused %d requests in a row with these words and answered none: the run would be refused as a whole", c.endpoint(), b.refusals))})
	}
}

// digits match what differs between refusals for one reason.
var digits = pattern.Of(`[0-9]+`)

const resumeHint = "once it works again, the same command with -resume continues the run"

// trip opens the breaker with a fatal error. It keeps a copy, because all
// requests read it while the one that tripped the breaker still changes its
// own.
func (b *breaker) trip(e *Error) {
	own := *e
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open(&own)
}

func (b *breaker) open(e *Error) {
	if b.reason == nil {
		b.reason = e
		close(b.opened)
	}
}

// err returns why the breaker is open, or nil.
func (b *breaker) err() *Error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.reason
}

func (b *breaker) hasAnswered() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.answered.IsZero()
}

// idleSince reports whether no request has been served since a time.
func (b *breaker) idleSince(then time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.answered.Before(then)
}
