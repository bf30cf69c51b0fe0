package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// errStopped means that the breaker opened while a request waited.
var errStopped = errors.New("stopped")

// A call is one request on its way to a reply.
type call struct {
	t       *Transport
	req     *http.Request
	ctx     context.Context
	body    []byte
	tokens  int
	meter   *Meter
	backoff backoff.ExponentialBackOff
	begin   time.Time
	tries   int
	// since is when the request first met a server that was starting.
	since time.Time
	spent time.Duration // in attempts and between them, without queues
	// tell is told how the last attempt ended; nil if none was sent. charged is
	// for its End.
	tell    func(End)
	charged bool
}

// An End is how an attempt ended.
type End struct {
	// Status is the HTTP status; 0 if there was none.
	Status int
	// Kind is the kind of the error; "" if there is none.
	Kind string
	Took time.Duration
	// Again says that another attempt follows.
	Again bool
	// Charged says that there is no usable reply but that the server may charge
	// for one: it was there in part, or the server had the request. A refusal by
	// its status is taken to cost nothing.
	Charged bool
}

// note tells how the attempt ended.
func (c *call) note(resp *http.Response, f *fault, again bool) {
	switch {
	case c.tell == nil:
	case f == nil:
		c.tell(End{Status: resp.StatusCode, Took: c.meter.Latency})
	default:
		c.tell(End{Status: f.err.Status, Kind: f.err.Kind, Took: c.meter.Latency, Again: again, Charged: c.charged})
	}
}

func newCall(t *Transport, req *http.Request, body []byte, meter *Meter) *call {
	return &call{
		t: t, req: req, ctx: req.Context(), body: body, meter: meter,
		tokens: scaleOf(req.Context()).guess(len(body)),
		backoff: backoff.ExponentialBackOff{InitialInterval: t.options.RetryWait, RandomizationFactor: 0.5,
			Multiplier: 2, MaxInterval: max(30*time.Second, t.options.RetryWait)},
		begin: time.Now(),
	}
}

// run attempts the request until there is a reply or another attempt is
// pointless.
func (c *call) run() (*http.Response, error) {
	for {
		resp, f := c.attempt()
		if f == nil {
			c.note(resp, nil, false)
			return resp, nil
		}
		wait, again := c.again(f)
		c.note(nil, f, again)
		if !again {
			return nil, c.giveUp(f)
		}
		if !f.starting { // a server that loads may take longer than a request may
			c.spent += wait
		}
		if err := c.rest(f, wait); err != nil {
			c.note(nil, f, false)
			return nil, c.giveUp(c.interrupted(err))
		}
	}
}

// rest waits before another attempt. A wait that the server asked for, or for a
// server that is starting, appears in Transport.Wait.
func (c *call) rest(f *fault, wait time.Duration) error {
	switch {
	case f.starting:
		defer c.t.waits.begin(c, Wait{Until: c.since.Add(c.t.options.StartWait), Starting: true})()
	case f.advice.asked:
		defer c.t.waits.begin(c, Wait{Until: time.Now().Add(wait), Asked: f.advice.wait})()
	}
	return sleep(c.ctx, c.t.breaker.opened, wait)
}

// attempt waits for its turn, sends the request once and updates the limit, the
// pauses and the breaker.
func (c *call) attempt() (resp *http.Response, f *fault) {
	t := c.t
	c.tell = nil
	if e := t.breaker.err(); e != nil {
		return nil, &fault{err: e}
	}
	level, err := t.limit.acquire(c.ctx, t.breaker.opened)
	if err != nil {
		return nil, c.interrupted(err)
	}
	load := neutral
	defer func() { t.limit.release(load, level) }()
	if err := t.pace.wait(c.ctx, t.breaker.opened, c.tokens); err != nil {
		return nil, c.interrupted(err)
	}
	if err := t.options.May(c.ctx); err != nil {
		if c.ctx.Err() != nil {
			return nil, &fault{err: c.ended()}
		}
		return nil, &fault{err: &Error{Kind: Canceled, Message: t.safe(c.req, err.Error()), cause: err}}
	}

	resp, f = c.timed()
	load = c.learn(f)
	return resp, f
}

// timed sends the request once and measures the time.
func (c *call) timed() (*http.Response, *fault) {
	ctx, cancel := context.WithTimeout(c.ctx, c.t.options.Timeout)
	defer cancel()
	c.tries++
	proxy := ""
	if u, err := c.t.options.Proxy(c.req); err == nil && u != nil {
		proxy = u.Host
	}
	c.tell = c.t.options.Sending(c.ctx, proxy)
	begin, stood := time.Now(), c.t.options.Stood()
	resp, f := c.send(ctx)
	stood = c.t.options.Stood() - stood
	c.meter.Latency, c.meter.First = max(0, time.Since(begin)-stood), max(0, c.meter.First-stood)
	c.spent += c.meter.Latency
	return resp, f
}

// learn tells the limit, the pauses and the breaker how an attempt went.
func (c *call) learn(f *fault) outcome {
	t := c.t
	switch {
	case f == nil:
		t.breaker.success()
		return served
	case f.err.Kind == RateLimited && f.advice.asked:
		t.pace.refused(c.patience(f), f.advice.usedUp, t.limit.crowd())
	case f.starting:
	case f.down:
		t.breaker.failure(c, f.err)
	case f.err.Kind == BadRequest:
		t.breaker.refused(c, f.err, t.limit.crowd())
	}
	return f.load
}

// again reports whether to try once more, and after what wait.
func (c *call) again(f *fault) (time.Duration, bool) {
	switch {
	case !f.retry || c.t.breaker.err() != nil || c.ctx.Err() != nil:
		return 0, false
	case f.starting:
		return c.startWait()
	case f.err.Kind != RateLimited && (c.tries >= c.t.options.MaxTries || c.tries >= firstTries && !c.t.breaker.hasAnswered()):
		return 0, false
	case f.advice.asked && c.tooLong(f) && c.tries >= triesAgainstHugeWait:
		return 0, false
	}
	wait := c.backoff.NextBackOff()
	if f.advice.asked {
		// A little later for some than for others, so that not all come at
		// once.
		wait = c.patience(f) + wait/8
	}
	return wait, c.spent+wait <= c.t.options.MaxElapsed
}

// mostPause is the longest pause between two questions to a server that is
// starting.
const mostPause = 10 * time.Second

// startWait returns the wait before a server that is starting is asked again,
// and whether it is waited for any longer.
func (c *call) startWait() (time.Duration, bool) {
	if c.since.IsZero() {
		c.since = time.Now()
	}
	left := c.t.options.StartWait - time.Since(c.since)
	return min(c.backoff.NextBackOff(), mostPause, max(left, 0)), left > 0
}

// firstTries is how often a request is sent to an endpoint that has never
// answered: a wrong address should not take minutes to notice.
const firstTries = 5

// If a server asks for a longer wait than there is time for, there are a few
// more tries, each after a capped wait: such values are often mistakes.
const (
	triesAgainstHugeWait = 3
	cappedWait           = 30 * time.Second
)

func (c *call) tooLong(f *fault) bool { return c.spent+f.advice.wait > c.t.options.MaxElapsed }

// patience returns how much of the wait that the server asks for is granted.
func (c *call) patience(f *fault) time.Duration {
	if c.tooLong(f) {
		return min(f.advice.wait, cappedWait)
	}
	return f.advice.wait
}

// giveUp returns the request's last error. It trips the breaker if the run
// should stop.
func (c *call) giveUp(f *fault) error {
	if f.retry && c.ctx.Err() != nil {
		f = &fault{err: c.ended()}
	}
	e := *f.err
	e.Attempts = c.tries
	if f.load == overloaded {
		c.explain(&e, f)
	}
	if f.starting && c.ctx.Err() == nil {
		e.Fatal = true
		e.Hint = joinHints("the server did not come up within "+c.t.options.StartWait.String()+" (-server-wait)", resumeHint)
	}
	if f.unreachable && !c.t.breaker.hasAnswered() {
		e = Error{Kind: CircuitOpen, Fatal: true, Attempts: e.Attempts, cause: e.cause,
			Message: fmt.Sprintf("%s has not given one usable reply: %s", c.endpoint(), e.Message),
			Hint:    "check that the server runs and that the base URL is right"}
	}
	if e.Fatal {
		c.t.breaker.trip(&e)
	}
	if open := c.t.breaker.err(); open != nil && (f.down || f.starting) {
		e = *open
	}
	return &e
}

// explain adds to an error what the server asked for, and makes it fatal if the
// server has served no request since this one began.
func (c *call) explain(e *Error, f *fault) {
	if f.advice.asked && c.tooLong(f) {
		e.Hint = "the server asks to wait " + f.advice.wait.Round(time.Second).String() +
			", longer than the " + c.t.options.MaxElapsed.String() + " that one request may take"
	}
	if e.Kind == RateLimited && c.t.breaker.idleSince(c.begin) {
		e.Fatal = true
		e.Hint = joinHints(e.Hint, "no request was served in the meantime: run again later with -resume")
	}
}

func joinHints(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// interrupted returns the fault of a request that stopped waiting.
func (c *call) interrupted(err error) *fault {
	if errors.Is(err, errStopped) {
		if e := c.t.breaker.err(); e != nil {
			return &fault{err: e}
		}
	}
	return &fault{err: c.ended()}
}

// ended returns the error of a request whose own context has ended.
func (c *call) ended() *Error {
	if errors.Is(c.ctx.Err(), context.DeadlineExceeded) {
		return &Error{Kind: Timeout, Message: "the request ran out of time", cause: context.DeadlineExceeded}
	}
	return &Error{Kind: Canceled, Message: "canceled", cause: context.Canceled}
}

// endpoint returns the address for messages, without query and password.
func (c *call) endpoint() string {
	u := *c.req.URL
	u.RawQuery, u.User, u.Fragment = "", nil, ""
	return c.t.safe(c.req, u.String())
}
