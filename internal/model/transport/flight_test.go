package transport

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func slow(sent *atomic.Int64, status int) http.RoundTripper {
	return fake(func(r *http.Request) (*http.Response, error) {
		sent.Add(1)
		select {
		case <-time.After(time.Second):
			return reply(status, okReply), nil
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	})
}

func TestSharing(t *testing.T) {
	for _, status := range []int{200, 400} {
		synctest.Test(t, func(t *testing.T) {
			var sent atomic.Int64
			tr := New(Options{Base: slow(&sent, status)})
			var wg sync.WaitGroup
			var joined atomic.Int64
			for range 10 {
				wg.Go(func() {
					ctx, meter := WithMeter(sharing(t.Context()))
					text, err := ask(ctx, tr, fakeURL, `{}`)
					if status == 200 {
						assert.NoError(t, err)
						assert.Equal(t, okReply, text)
					} else {
						assert.Equal(t, BadRequest, failure(t, err).Kind)
					}
					assert.Equal(t, time.Second, meter.Latency)
					if meter.Joined {
						joined.Add(1)
					}
				})
			}
			wg.Wait()
			assert.EqualValues(t, 1, sent.Load())
			assert.EqualValues(t, 9, joined.Load())
			assert.Empty(t, tr.flights.byKey)

			_, _ = ask(sharing(t.Context()), tr, fakeURL, `{}`)
			assert.EqualValues(t, 2, sent.Load(), "only requests in flight are shared")
		})
	}
}

func TestNoSharing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		tr := New(Options{Base: slow(&sent, 200)})
		var wg sync.WaitGroup
		for _, body := range []string{`{}`, `{}`, `{"a":1}`, `{"b":1}`} {
			wg.Go(func() { _, _ = ask(t.Context(), tr, fakeURL, body) })
		}
		for _, body := range []string{`{}`, `{"a":1}`} {
			wg.Go(func() { _, _ = ask(sharing(t.Context()), tr, fakeURL, body) })
		}
		wg.Wait()
		assert.EqualValues(t, 6, sent.Load())
	})
}

// TestSharingOutlivesItsSender cancels the caller whose request is on its way;
// the others still get their reply. When the last one goes, so does it.
func TestSharingOutlivesItsSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		tr := New(Options{Base: slow(&sent, 200)})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := ask(sharing(ctx), tr, fakeURL, `{}`)
			assert.Equal(t, Canceled, failure(t, err).Kind)
		})
		synctest.Wait()
		wg.Go(func() {
			_, err := ask(sharing(t.Context()), tr, fakeURL, `{}`)
			assert.NoError(t, err)
		})
		synctest.Wait()
		cancel()
		wg.Wait()
		require.EqualValues(t, 1, sent.Load())

		ctx, cancel = context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		_, err := ask(sharing(ctx), tr, fakeURL, `{}`)
		assert.Equal(t, Canceled, failure(t, err).Kind)
		synctest.Wait()
		assert.Zero(t, tr.Stats().InFlight, "a request nobody waits for is given up")
		assert.Empty(t, tr.flights.byKey)
	})
}

func sharing(ctx context.Context) context.Context {
	ctx, _ = WithSharing(ctx)
	return ctx
}
