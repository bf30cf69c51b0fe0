package transport

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// A bucket holds back what exceeds a number per minute.
type bucket struct {
	limiter *rate.Limiter
	mu      sync.Mutex
	owed    int // charges still to make; negative where too much was charged
}

// newBucket is nil, which lets everything through, if there is no limit.
// burst is in seconds' worth: providers count in windows shorter than the
// minute they name.
func newBucket(perMinute int, burst float64) *bucket {
	if perMinute <= 0 {
		return nil
	}
	perSecond := float64(perMinute) / 60
	return &bucket{limiter: rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond*burst)))}
}

// delay charges n and says how long to wait for it. A charge beyond the burst
// is owed by those who come later.
func (b *bucket) delay(n int) time.Duration {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.owed += n
	charge := min(max(b.owed, 0), b.limiter.Burst())
	b.owed -= charge
	return b.limiter.ReserveN(time.Now(), charge).Delay()
}

// correct adds what a request cost beyond its charge, or less than that.
func (b *bucket) correct(n int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.owed += n
}

// A pace holds requests back for the sake of rates: the user's own budget and
// the pauses that the server asks for.
type pace struct {
	requests, tokens *bucket
	mu               sync.Mutex
	until            time.Time // no request is sent before
	refusals         int       // 429s since the last request that was served
	crowd            int       // requests in flight at the first of them
	held             atomic.Int64
}

// wait holds a request of so many tokens back until it may be sent.
func (p *pace) wait(ctx context.Context, stop <-chan struct{}, tokens int) error {
	if err := sleep(ctx, stop, max(p.requests.delay(1), p.tokens.delay(tokens))); err != nil {
		return err
	}
	for {
		rest := p.rest()
		if rest <= 0 {
			return nil
		}
		p.held.Add(1)
		err := sleep(ctx, stop, rest)
		p.held.Add(-1)
		if err != nil {
			return err
		}
	}
}

func (p *pace) rest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.until.IsZero() {
		return 0
	}
	return time.Until(p.until)
}

func (p *pace) pause(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(d); until.After(p.until) {
		p.until = until
	}
}

// refused learns from a 429 that asks for a wait. While others are being
// served it is a matter of how many are in flight, and only that request
// waits; once more have been refused in a row than were in flight, or where
// the server says that a budget is used up, everyone does.
func (p *pace) refused(ask time.Duration, usedUp bool, inFlight int) {
	p.mu.Lock()
	if p.refusals == 0 {
		p.crowd = inFlight
	}
	p.refusals++
	everyone := usedUp || p.refusals > p.crowd
	p.mu.Unlock()
	if everyone {
		p.pause(ask)
	}
}

// longestCourtesy bounds the pause after a success that used up the server's
// budget: the reset it names is that of the whole window.
const longestCourtesy = time.Second

func (p *pace) served(reset time.Duration, usedUp bool) {
	p.mu.Lock()
	p.refusals = 0
	p.mu.Unlock()
	if usedUp {
		p.pause(min(reset, longestCourtesy))
	}
}

// sleep waits unless the context or stop ends first.
func sleep(ctx context.Context, stop <-chan struct{}, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-stop:
		return errStopped
	}
}
