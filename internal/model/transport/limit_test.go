package transport

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
func load(t *testing.T, tr *Transport, workers, requests int) time.Duration {
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
				_, err := ask(t.Context(), tr, fakeURL, `{}`)
				assert.NoError(t, err)
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
			t.Run(fmt.Sprintf("room %d asked %d %v", c.room, c.asked, headers), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
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
		_, err := l.acquire(t.Context(), nil)
		require.NoError(t, err)
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
	_, err := l.acquire(t.Context(), nil)
	require.NoError(t, err)
	stop := make(chan struct{})
	close(stop)
	_, err = l.acquire(t.Context(), stop)
	assert.ErrorIs(t, err, errStopped)
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
