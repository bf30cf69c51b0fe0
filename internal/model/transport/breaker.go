package transport

import (
	"fmt"
	"sync"
	"time"
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

const resumeHint = "once it works again, the same command with -resume continues the run"

// never returns the error of an endpoint that has answered no request, not even
// the first.
func (b *breaker) never(last *Error, endpoint string) *Error {
	return &Error{Kind: CircuitOpen, Fatal: true, Attempts: last.Attempts, cause: last.cause,
		Message: fmt.Sprintf("%s has not given one usable reply: %s", endpoint, last.Message),
		Hint:    "check that the server runs and that the base URL is right"}
}

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
