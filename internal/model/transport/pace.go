package transport

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"github.com/gobfcl/bfcl/internal/say"
)

// A bucket delays what exceeds a number per minute.
type bucket struct {
	limiter *rate.Limiter
	mu      sync.Mutex
	owed    int // charges still to make; negative if too much was charged
}

// newBucket returns a bucket, or nil, which delays nothing, if there is no
// limit. The burst is in seconds of the rate: providers count in windows
// shorter than the minute they name.
func newBucket(perMinute int, burst float64) *bucket {
	if perMinute <= 0 {
		return nil
	}
	perSecond := float64(perMinute) / 60
	return &bucket{limiter: rate.NewLimiter(rate.Limit(perSecond), max(1, int(perSecond*burst)))}
}

// delay charges n and returns how long to wait for it. A charge beyond the
// burst delays later requests.
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

// correct adds what a request cost beyond its charge; n is negative if it cost
// less.
func (b *bucket) correct(n int) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.owed += n
}

// A pace delays requests to keep to rates: the user's own budget, and the
// pauses that the server asks for.
type pace struct {
	requests, tokens *bucket
	mu               sync.Mutex
	until            time.Time // no request is sent earlier
	refusals         int       // 429s since the last request that was served
	crowd            int       // requests in flight at the first of them
	held             atomic.Int64
}

// wait waits until a request of the given number of tokens may be sent.
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
// served, too many requests are in flight and only the refused one waits. All
// requests wait once more have been refused in a row than were in flight, or if
// the server says that a budget is used up.
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
// budget: the reset that the server names is that of the whole window.
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

// A Wait describes what requests are waiting for at one moment: that the server
// has asked for it, or that it is starting.
type Wait struct {
	// Server is the host and port of the server that asked for the longest wait.
	Server string `json:"server"`
	// Starting says that the server is loading its model, or restarting; Until
	// is then when it is no longer waited for.
	Starting bool `json:"starting,omitempty"`
	// Requests is how many requests wait.
	Requests int `json:"requests"`
	// Until is when the last of them is sent again. Asked is the longest wait
	// that the server asked for, which may be longer than the actual one.
	Until time.Time     `json:"until"`
	Asked time.Duration `json:"asked"`
}

// shortWait is the shortest wait that is shown.
const shortWait = 5 * time.Second

// Long reports whether requests wait so long that even a quiet run says so.
func (w Wait) Long() bool { return w.Requests > 0 && !w.Starting && w.Asked >= time.Minute }

// Text returns the wait for people as of the time at; "" if it is short or
// over.
func (w Wait) Text(at time.Time) string {
	if w.Requests > 0 && w.Starting && w.Until.After(at) {
		return fmt.Sprintf("%d waiting for %s to load its model, until %s", w.Requests, say.Plain(w.Server, 100), w.Until.Local().Format(time.TimeOnly))
	}
	if w.Requests == 0 || w.Asked < shortWait || !w.Until.After(at) {
		return ""
	}
	return fmt.Sprintf("%d waiting until %s: %s asks for %s", w.Requests, w.Until.Local().Format(time.TimeOnly), say.Plain(w.Server, 100), w.Asked.Round(time.Second))
}

// waits holds the requests that wait for the server.
type waits struct {
	mu    sync.Mutex
	calls map[*call]Wait
}

// begin adds a wait; end removes it.
func (w *waits) begin(c *call, wait Wait) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[*call]Wait{}
	}
	wait.Server = c.req.URL.Host
	w.calls[c] = wait
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls, c)
	}
}

// Wait returns what requests are waiting for now.
func (t *Transport) Wait() Wait {
	t.waits.mu.Lock()
	defer t.waits.mu.Unlock()
	out := Wait{Requests: len(t.waits.calls)}
	for _, one := range t.waits.calls {
		out.Starting = out.Starting || one.Starting
		if one.Asked > out.Asked || one.Asked == out.Asked && (out.Server == "" || one.Server < out.Server) {
			out.Server, out.Asked = one.Server, one.Asked
		}
		if one.Until.After(out.Until) {
			out.Until = one.Until
		}
	}
	if held := int(t.pace.held.Load()); held > 0 && out.Requests > 0 { // all requests wait, not only these
		out.Requests += held
		if all := time.Now().Add(t.pace.rest()); all.After(out.Until) {
			out.Until = all
		}
	}
	return out
}
