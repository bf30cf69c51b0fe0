package transport

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
		t.Run(fmt.Sprint(rpm), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &clocked{reply: func(int) *http.Response { return reply(200, okReply) }}
				tr := New(Options{RPM: rpm, MaxInFlight: 50, Base: server})
				load(t, tr, 50, 3*rpm)
				assert.LessOrEqual(t, server.busiestMinute(), rpm+max(1, rpm/60))
				assert.LessOrEqual(t, server.times[3*rpm-1], 3*time.Minute, "the budget is used")
			})
		})
	}
}

// TestTokensPerMinute sends requests that cost four times what was guessed:
// the replies' usage puts it right.
func TestTokensPerMinute(t *testing.T) {
	for _, cost := range []int{50, 200, 800} {
		t.Run(fmt.Sprint(cost), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				body := fmt.Sprintf(`{"usage":{"total_tokens":%d}}`, cost)
				server := &clocked{reply: func(int) *http.Response { return reply(200, body) }}
				const tpm, requests = 60_000, 600
				tr := New(Options{TPM: tpm, MaxInFlight: 4, Base: server})
				load(t, tr, 4, requests)
				took, want := server.times[requests-1], time.Duration(float64(requests*cost)/tpm*float64(time.Minute))
				assert.InDelta(t, want.Seconds(), took.Seconds(), 15)
			})
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
		_, err := ask(t.Context(), tr, fakeURL, `{}`)
		require.NoError(t, err)
		assert.Equal(t, 40*time.Second, time.Since(begin))
		wg.Wait()

		tr = New(Options{Base: &script{reply(200, okReply, "X-Ratelimit-Remaining-Requests", "0", "X-Ratelimit-Reset-Requests", "60s")}})
		_, err = ask(t.Context(), tr, fakeURL, `{}`)
		require.NoError(t, err)
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
