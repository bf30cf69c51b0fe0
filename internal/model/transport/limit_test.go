package transport

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A capped server serves so many requests at once, each for a while, and
// refuses the rest.
type capped struct {
	mu                       sync.Mutex
	room, serving            int
	most, accepted, rejected int
	status                   int
	headers                  []string
}

const serviceTime = 100 * time.Millisecond

func (s *capped) RoundTrip(*http.Request) (*http.Response, error) {
	time.Sleep(5 * time.Millisecond) // the network
	s.mu.Lock()
	if s.serving >= s.room {
		s.rejected++
		s.mu.Unlock()
		return reply(s.status, `{"error":{"message":"too many requests"}}`, s.headers...), nil
	}
	s.serving++
	s.accepted++
	s.most = max(s.most, s.serving)
	s.mu.Unlock()
	time.Sleep(serviceTime)
	s.mu.Lock()
	s.serving--
	s.mu.Unlock()
	return reply(200, okReply), nil
}

func (s *capped) grow(room int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.room = room
}

// load sends so many requests from so many workers and tells how long it took.
func load(t *testing.T, tr *Transport, workers, requests int, tokens ...int) time.Duration {
	begin := time.Now()
	var wg sync.WaitGroup
	jobs := make(chan struct{}, requests)
	for range requests {
		jobs <- struct{}{}
	}
	close(jobs)
	for range workers {
		wg.Go(func() {
			for range jobs {
				ctx, meter := WithMeter(t.Context())
				assert.NoError(t, testkit.Err(ask(ctx, tr, fakeURL, `{}`)))
				for _, n := range tokens {
					meter.Used(n/2, n-n/2)
				}
			}
		})
	}
	wg.Wait()
	return time.Since(begin)
}

// TestLimitFindsCapacity lets the limit meet servers of several sizes, from
// below and from above: time stays near the best possible, refusals stay few,
// and in the end the limit is the server's size.
func TestLimitFindsCapacity(t *testing.T) {
	for _, c := range []struct{ room, asked int }{
		{1, 0}, {8, 0}, {50, 0}, {100, 0}, {1, 100}, {8, 100}, {20, 200}, {90, 100}, {100, 100}, {100, 1000},
	} {
		for _, headers := range [][]string{nil, {"Retry-After", "1"}} {
			inTime(t, fmt.Sprintf("room %d asked %d %v", c.room, c.asked, headers), func(t *testing.T) {
				server := &capped{room: c.room, status: 429, headers: headers}
				tr := New(Options{MaxInFlight: c.asked, Base: server})
				const rounds, workers = 60, 300
				requests := rounds * c.room
				took := load(t, tr, workers, requests)
				best := rounds * (serviceTime + 5*time.Millisecond)
				t.Logf("took %v, best %v; %d refusals for %d requests; limit %d", took, best, server.rejected, requests, allowed(tr))
				assert.Equal(t, requests, server.accepted)
				assert.Equal(t, c.room, server.most)
				slack := 2500 * time.Millisecond // for the first and the last retries
				if c.room == 1 {
					slack *= 2 // nobody fills the gap while the last ones back off
				}
				assert.LessOrEqual(t, took, best*21/20+slack)
				crowd := min(workers, max(c.asked, 2*c.room))
				assert.LessOrEqual(t, server.rejected, 2*crowd+requests/(3*c.room)+requests/50)
				assert.InDelta(t, c.room, allowed(tr), 1)
			})
		}
	}
}

// TestLimitOvercomesChance has a server with room for all that refuses some
// requests at random: fewer requests in flight would not help. How long it
// takes depends on the order in which goroutines run, 15 to 22 seconds; a limit
// that believes each refusal takes two minutes and ends at 6.
func TestLimitOvercomesChance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		tr := New(Options{MaxInFlight: 100, Base: fake(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			refused := random.Float64() < 0.05
			mu.Unlock()
			if refused {
				return reply(429, ""), nil
			}
			time.Sleep(serviceTime)
			return reply(200, okReply), nil
		})})
		took := load(t, tr, 100, 10_000)
		t.Logf("took %v, limit %d", took, allowed(tr))
		assert.Less(t, took, 40*time.Second)
		assert.Greater(t, allowed(tr), 30)
	})
}

func TestLimitRecovers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &capped{room: 60, status: 503}
		tr := New(Options{MaxInFlight: 60, Base: server})
		load(t, tr, 60, 600)
		assert.Equal(t, 60, allowed(tr))
		server.grow(5)
		load(t, tr, 60, 300)
		assert.InDelta(t, 5, allowed(tr), 1.5)
		server.grow(60)
		load(t, tr, 60, 3000)
		assert.Greater(t, allowed(tr), 20)
	})
}

// TestLimitSurvivesOutage fails everything in flight at once, as a restarting
// server does.
func TestLimitSurvivesOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &capped{room: 100, status: 529}
		tr := New(Options{MaxInFlight: 100, Base: server})
		load(t, tr, 100, 300)
		server.grow(0)
		time.AfterFunc(3*time.Second, func() { server.grow(100) })
		load(t, tr, 100, 3000)
		assert.Greater(t, allowed(tr), 45)
	})
}

func TestLimitQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimit(1, 1)
		testkit.Must(l.acquire(t.Context(), nil))(t)
		ctx, cancel := context.WithCancel(t.Context())
		var order []int
		var wg sync.WaitGroup
		for i := range 3 {
			wg.Go(func() {
				who := t.Context()
				if i == 1 {
					who = ctx
				}
				if level, err := l.acquire(who, nil); err == nil {
					order = append(order, i)
					l.release(served, level)
				}
			})
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		assert.Equal(t, 2, l.queue.Len(), "a cancelled request leaves the queue")
		l.release(served, 1)
		wg.Wait()
		assert.Equal(t, []int{0, 2}, order, "first come, first served")
		assert.Equal(t, []int{0, 0, 1}, []int{l.inFlight, l.queue.Len(), int(l.size)})
	})
}

func TestLimitStops(t *testing.T) {
	l := newLimit(1, 1)
	testkit.Must(l.acquire(t.Context(), nil))(t)
	stop := make(chan struct{})
	close(stop)
	assert.ErrorIs(t, testkit.Err(l.acquire(t.Context(), stop)), errStopped)
}

// TestLimitBounds keeps the limit between one and its most, whatever happens.
func TestLimitBounds(t *testing.T) {
	l := newLimit(4, 16)
	for i := range 10_000 {
		level, _ := l.acquire(t.Context(), nil)
		o := served
		if i%3 == 0 || i > 6000 && i < 7000 {
			o = overloaded
		}
		l.release(o, level)
		require.GreaterOrEqual(t, int(l.size), 1)
		require.LessOrEqual(t, int(l.size), 16)
	}
}

// clocked records when requests arrive.
type clocked struct {
	mu    sync.Mutex
	begin time.Time
	times []time.Duration
	reply func(n int) *http.Response
}

func (c *clocked) RoundTrip(*http.Request) (*http.Response, error) {
	c.mu.Lock()
	if c.begin.IsZero() {
		c.begin = time.Now()
	}
	c.times = append(c.times, time.Since(c.begin))
	n := len(c.times)
	c.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	return c.reply(n), nil
}

// busiestMinute is the most requests that arrived within any minute.
func (c *clocked) busiestMinute() int {
	most, from := 0, 0
	for to, at := range c.times {
		for at-c.times[from] >= time.Minute {
			from++
		}
		most = max(most, to-from+1)
	}
	return most
}

func TestRequestsPerMinute(t *testing.T) {
	for _, rpm := range []int{1, 30, 60, 600, 6000} {
		inTime(t, fmt.Sprint(rpm), func(t *testing.T) {
			server := &clocked{reply: func(int) *http.Response { return reply(200, okReply) }}
			tr := New(Options{RPM: rpm, MaxInFlight: 50, Base: server})
			load(t, tr, 50, 3*rpm)
			assert.LessOrEqual(t, server.busiestMinute(), rpm+max(1, rpm/60))
			assert.LessOrEqual(t, server.times[3*rpm-1], 3*time.Minute, "the budget is used")
		})
	}
}

// TestTokensPerMinute sends requests that cost four times what was guessed:
// what their reader says puts it right.
func TestTokensPerMinute(t *testing.T) {
	for _, cost := range []int{50, 200, 800} {
		inTime(t, fmt.Sprint(cost), func(t *testing.T) {
			server := &clocked{reply: func(int) *http.Response { return reply(200, okReply) }}
			const tpm, requests = 60_000, 600
			tr := New(Options{TPM: tpm, MaxInFlight: 4, Base: server})
			load(t, tr, 4, requests, cost)
			took, want := server.times[requests-1], time.Duration(float64(requests*cost)/tpm*float64(time.Minute))
			assert.InDelta(t, want.Seconds(), took.Seconds(), 15)
		})
	}
}

func TestTokensBeyondBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBucket(60, 10)
		require.Zero(t, b.delay(10))
		require.Equal(t, 10*time.Second, b.delay(1000), "a charge beyond the burst is paid in parts")
		require.Equal(t, 20*time.Second, b.delay(1))
	})
}

// TestBudgetUsedUp holds everyone back when the server says so, at a refusal
// and, shortly, at a success.
func TestBudgetUsedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := New(Options{Base: &script{
			reply(429, "", "Retry-After", "40", "X-Ratelimit-Remaining-Requests", "0"), reply(200, okReply)}})
		begin := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() { _, _ = ask(t.Context(), tr, fakeURL, `{}`) })
		synctest.Wait()
		assert.Equal(t, 40*time.Second, tr.pace.rest())
		testkit.Must(ask(t.Context(), tr, fakeURL, `{}`))(t)
		assert.Equal(t, 40*time.Second, time.Since(begin))
		wg.Wait()

		tr = New(Options{Base: &script{reply(200, okReply, "X-Ratelimit-Remaining-Requests", "0", "X-Ratelimit-Reset-Requests", "60s")}})
		testkit.Must(ask(t.Context(), tr, fakeURL, `{}`))(t)
		assert.Equal(t, longestCourtesy, tr.pace.rest())
	})
}

// TestRateLimitedServer has a server with 120 requests a minute that names
// its Retry-After: the run uses the rate without hammering.
func TestRateLimitedServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		window, used, refused := time.Now(), 0, 0
		var mu sync.Mutex
		server := fake(func(*http.Request) (*http.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if time.Since(window) >= time.Minute {
				window, used = time.Now(), 0
			}
			if used >= 120 {
				refused++
				rest := time.Minute - time.Since(window)
				return reply(429, "", "Retry-After", fmt.Sprint(int(rest.Seconds())+1)), nil
			}
			used++
			return reply(200, okReply), nil
		})
		tr := New(Options{MaxInFlight: 64, Base: server})
		took := load(t, tr, 64, 1200)
		t.Logf("took %v, %d refusals", took, refused)
		assert.LessOrEqual(t, took, 11*time.Minute)
		assert.LessOrEqual(t, refused, 10*64+100)
	})
}

// TestWaitOfSeveral: of several servers the one that asks for most is named with
// what it asks for.
func TestWaitOfSeveral(t *testing.T) {
	tr := New(Options{})
	for i, host := range []string{"a", "b", "c", "d", "e"} {
		c := &call{req: &http.Request{URL: &url.URL{Host: host}}}
		defer tr.waits.begin(c, Wait{Until: time.Now().Add(time.Second), Asked: time.Duration(i%4) * time.Minute})()
	}
	for range 100 {
		got := tr.Wait()
		require.Equal(t, []any{"d", 5, 3 * time.Minute}, []any{got.Server, got.Requests, got.Asked})
	}
}

// TestWaitIsKnown: while a request waits as long as the server asked, or as long
// as it gets of that, this can be seen from outside.
func TestWaitIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		tr := New(Options{Base: &clocked{reply: func(n int) *http.Response {
			status, header := http.StatusOK, http.Header{}
			if n == 1 {
				status = http.StatusTooManyRequests
				header.Set("Retry-After", "3600")
			}
			return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("{}"))}
		}}})
		assert.Zero(t, tr.Wait())
		done := make(chan error, 1)
		go func() {
			req, err := http.NewRequest(http.MethodGet, "http://slow.example:8000/v1", nil)
			if err == nil {
				_, err = tr.RoundTrip(req) //nolint:bodyclose // it is text
			}
			done <- err
		}()
		time.Sleep(time.Second)
		got := tr.Wait()
		assert.Equal(t, []any{"slow.example:8000", 1, time.Hour}, []any{got.Server, got.Requests, got.Asked})
		assert.Greater(t, got.Until.Sub(begin), cappedWait)
		assert.Less(t, got.Until.Sub(begin), 2*cappedWait)
		require.NoError(t, <-done)
		assert.Zero(t, tr.Wait())
	})
}
