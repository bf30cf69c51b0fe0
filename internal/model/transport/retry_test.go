package transport

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is a server that sends its replies in turn, the last one for ever.
type script []*http.Response

func (s *script) RoundTrip(*http.Request) (*http.Response, error) {
	first := (*s)[0]
	if len(*s) > 1 {
		*s = (*s)[1:]
		return first, nil
	}
	return reply(first.StatusCode, okReply, pairs(first.Header)...), nil
}

func pairs(h http.Header) []string {
	var all []string
	for name, values := range h {
		all = append(all, name, values[0])
	}
	return all
}

// TestWaits measures in fake time how long a request waits after one fault.
func TestWaits(t *testing.T) {
	date := func(d time.Duration) string {
		return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(d).Format(http.TimeFormat)
	}
	const jitter = 100 * time.Millisecond
	for name, c := range map[string]struct {
		fault       *http.Response
		least, most time.Duration
	}{
		"exponential":            {reply(500, ""), 250 * time.Millisecond, 750 * time.Millisecond},
		"429":                    {reply(429, ""), 250 * time.Millisecond, 750 * time.Millisecond},
		"Retry-After":            {reply(429, "", "Retry-After", "7"), 7 * time.Second, 7*time.Second + jitter},
		"Retry-After fraction":   {reply(429, "", "Retry-After", "1.5"), 1500 * time.Millisecond, 1500*time.Millisecond + jitter},
		"Retry-After on 503":     {reply(503, "", "Retry-After", "7"), 7 * time.Second, 7*time.Second + jitter},
		"Retry-After on 500":     {reply(500, "", "Retry-After", "7"), 7 * time.Second, 7*time.Second + jitter},
		"date":                   {reply(429, "", "Retry-After", date(90*time.Second)), 90 * time.Second, 90*time.Second + jitter},
		"date of another clock":  {reply(429, "", "Date", date(-time.Hour), "Retry-After", date(-time.Hour+time.Minute)), time.Minute, time.Minute + jitter},
		"ms before seconds":      {reply(429, "", "Retry-After-Ms", "300", "Retry-After", "7"), 300 * time.Millisecond, 300*time.Millisecond + jitter},
		"reset of what is gone":  {reply(429, "", "X-Ratelimit-Remaining-Requests", "5", "X-Ratelimit-Reset-Requests", "1h", "X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "6m3s"), 363 * time.Second, 363*time.Second + jitter},
		"anthropic":              {reply(429, "", "Anthropic-Ratelimit-Input-Tokens-Remaining", "0", "Anthropic-Ratelimit-Input-Tokens-Reset", "2000-01-01T00:00:30Z"), 30 * time.Second, 30*time.Second + jitter},
		"seconds since 1970":     {reply(429, "", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "946684820"), 20 * time.Second, 20*time.Second + jitter},
		"ms since 1970":          {reply(429, "", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "946684820000"), 20 * time.Second, 20*time.Second + jitter},
		"reset in seconds":       {reply(429, "", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "17.5"), 17500 * time.Millisecond, 17500*time.Millisecond + jitter},
		"reset that is past":     {reply(429, "", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1999-12-31T23:00:00Z"), 0, 750 * time.Millisecond},
		"reset that is far":      {reply(429, "", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "1e30"), cappedWait, cappedWait + jitter},
		"reset that is none":     {reply(429, "", "X-Ratelimit-Remaining", "0", "X-Ratelimit-Reset", "-3"), 250 * time.Millisecond, 750 * time.Millisecond},
		"google's retry info":    {reply(429, `{"error":{"code":429,"message":"m","details":[{"@type":"x","retryDelay":"34s"}]}}`), 34 * time.Second, 34*time.Second + jitter},
		"huge is capped":         {reply(429, "", "Retry-After", "100000"), cappedWait, cappedWait + jitter},
		"beyond numbers":         {reply(429, "", "Retry-After", "1e300"), cappedWait, cappedWait + jitter},
		"negative means nothing": {reply(429, "", "Retry-After", "-5"), 250 * time.Millisecond, 750 * time.Millisecond},
		"NaN means nothing much": {reply(429, "", "Retry-After", "NaN"), 250 * time.Millisecond, 750 * time.Millisecond},
	} {
		inTime(t, name, func(t *testing.T) {
			tr := New(Options{Base: &script{c.fault, reply(200, okReply)}})
			ctx, meter := WithMeter(t.Context())
			begin := time.Now()
			testkit.Must(ask(ctx, tr, fakeURL, `{}`))(t)
			assert.GreaterOrEqual(t, time.Since(begin), c.least)
			assert.LessOrEqual(t, time.Since(begin), c.most)
			assert.Zero(t, meter.Latency, "waiting is no latency")
		})
	}
}

// TestEndlessRefusal is refused for ever: the run stops when nobody is served
// all the while, and says what the server asked for.
func TestEndlessRefusal(t *testing.T) {
	for name, c := range map[string]struct {
		fault       *http.Response
		kind        string
		least, most time.Duration
		says        []string
	}{
		"429":                  {reply(429, ""), RateLimited, 14 * time.Minute, 15 * time.Minute, []string{"-resume"}},
		"429 with Retry-After": {reply(429, "", "Retry-After", "60"), RateLimited, 14 * time.Minute, 15 * time.Minute, []string{"-resume"}},
		"429 with a huge one":  {reply(429, "", "Retry-After", "90000"), RateLimited, time.Minute, 2 * time.Minute, []string{"25h0m0s", "15m0s", "-resume"}},
		"503":                  {reply(503, ""), ServerError, 3 * time.Second, 15 * time.Second, nil},
	} {
		inTime(t, name, func(t *testing.T) {
			tr := New(Options{Base: &script{c.fault}})
			begin := time.Now()
			e := failure(t)(ask(t.Context(), tr, fakeURL, `{}`))
			assert.Equal(t, c.kind, e.Kind)
			assert.Equal(t, c.kind == RateLimited, e.Fatal)
			assert.GreaterOrEqual(t, time.Since(begin), c.least)
			assert.LessOrEqual(t, time.Since(begin), c.most)
			for _, text := range c.says {
				assert.Contains(t, e.Error(), text)
			}
		})
	}
}

func TestBackoffGrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var waits []time.Duration
		base, last := &script{reply(200, okReply), reply(500, "")}, time.Now()
		tr := New(Options{Base: fake(func(r *http.Request) (*http.Response, error) {
			waits, last = append(waits, time.Since(last)), time.Now()
			return base.RoundTrip(r)
		})})
		testkit.Must(ask(t.Context(), tr, fakeURL, `{}`))(t)
		waits = nil
		assert.Equal(t, 10, failure(t)(ask(t.Context(), tr, fakeURL, `{}`)).Attempts)
		waits = waits[1:]
		require.Len(t, waits, 9)
		for i, wait := range waits {
			mean := min(500*time.Millisecond<<i, 30*time.Second)
			assert.InDelta(t, mean, wait, float64(mean)/2+1)
		}
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	for name, prepare := range map[string]func(tr *Transport){
		"retry":    func(*Transport) {},
		"in queue": func(tr *Transport) { _, _ = tr.limit.acquire(context.Background(), nil) },
		"pause":    func(tr *Transport) { tr.pace.pause(time.Hour) },
		"rate":     func(tr *Transport) { tr.pace.requests = newBucket(1, 1); tr.pace.requests.delay(1) },
	} {
		inTime(t, name, func(t *testing.T) {
			tr := New(Options{MaxInFlight: 1, Base: &script{reply(429, "", "Retry-After", "600")}})
			prepare(tr)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(5*time.Second, cancel)
			begin := time.Now()
			e := failure(t)(ask(ctx, tr, fakeURL, `{}`))
			assert.Equal(t, Canceled, e.Kind)
			assert.ErrorIs(t, AsInfra(e), context.Canceled)
			assert.Equal(t, 5*time.Second, time.Since(begin))

			ctx, cancel = context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			e = failure(t)(ask(ctx, tr, fakeURL, `{}`))
			assert.Equal(t, Timeout, e.Kind)
			assert.ErrorIs(t, AsInfra(e), context.DeadlineExceeded)
		})
	}
}

func TestLatencyIsTheLastAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		attempt := 0
		tr := New(Options{Base: fake(func(*http.Request) (*http.Response, error) {
			attempt++
			time.Sleep(time.Duration(attempt) * time.Second)
			if attempt < 3 {
				return reply(500, ""), nil
			}
			return reply(200, okReply), nil
		})})
		ctx, meter := WithMeter(t.Context())
		testkit.Must(ask(ctx, tr, fakeURL, `{}`))(t)
		assert.Equal(t, 3*time.Second, meter.Latency)
	})
}

func FuzzWaits(f *testing.F) {
	for _, seed := range []string{"6m0s", "1e309", "-1", "Fri, 31 Dec 1999 23:59:59 GMT", "9999-12-31T23:59:59Z", "Inf", "1772366410000", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, parse := range []func(string, time.Time) (time.Duration, bool){parseReset, parseRetryAfter} {
			if d, _ := parse(text, time.Now()); d < 0 {
				t.Errorf("%q: a wait of %v", text, d)
			}
		}
	})
}
