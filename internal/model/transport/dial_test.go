package transport

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func exhausted() error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", syscall.EMFILE)}
}

// TestNoDescriptorLeft: that this process can open nothing more is no word on
// the server: the request waits for others, fewer are in flight, and the run
// goes on.
func TestNoDescriptorLeft(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(time.Millisecond)
		_, _ = io.WriteString(w, okReply)
	}))
	defer server.Close()
	const room = 3
	var open, refused atomic.Int64
	base := server.Client().Transport.(*http.Transport).Clone()
	defer base.CloseIdleConnections()
	o := quick()
	o.MaxInFlight, o.MaxTries, o.BreakAfter, o.BreakSpan = 20, 50, 5, time.Nanosecond
	o.Base = sending(func(r *http.Request) (*http.Response, error) {
		defer open.Add(-1)
		if open.Add(1) > room {
			refused.Add(1)
			return nil, exhausted()
		}
		return base.RoundTrip(r)
	})
	tr := New(o)
	var wg sync.WaitGroup
	for range 60 {
		wg.Go(func() {
			_, err := ask(t.Context(), tr, server.URL, `{}`)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	assert.Positive(t, refused.Load())
	assert.Less(t, allowed(tr), 20, "fewer are in flight")
}

// TestNoDescriptorAtAll: a request that gets none for good says what is short.
func TestNoDescriptorAtAll(t *testing.T) {
	o := quick()
	o.MaxTries = 3
	o.Base = sending(func(*http.Request) (*http.Response, error) { return nil, exhausted() })
	_, err := ask(t.Context(), New(o), "http://127.0.0.1:1", `{}`)
	require.ErrorContains(t, err, "too many open files")
	require.ErrorContains(t, err, "lower -concurrency")
	require.ErrorIs(t, err, syscall.EMFILE)
	assert.False(t, IsFatal(err))
}

type sending func(*http.Request) (*http.Response, error)

func (s sending) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

// TestFewDialsAtOnce: where files are few, no more connections are opened at
// once than are counted with, and none beyond MaxConnections.
func TestFewDialsAtOnce(t *testing.T) {
	var now, most atomic.Int64
	connect := fewAtOnce(func(context.Context, string, string) (net.Conn, error) {
		defer now.Add(-1)
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		time.Sleep(time.Millisecond)
		return nil, io.EOF
	}, 2)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { _, _ = connect(t.Context(), "tcp", "x") })
	}
	wg.Wait()
	assert.LessOrEqual(t, most.Load(), int64(2))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	blocked := fewAtOnce(connect, 0)
	_, err := blocked(ended, "tcp", "x")
	require.ErrorIs(t, err, context.Canceled)

	for _, c := range []struct{ asked, room, start, most int }{
		{0, 0, firstInFlight, mostInFlight}, {0, 5, 5, 5}, {0, 40, firstInFlight, 40}, {100, 26, 26, 26}, {10, 26, 10, 10},
	} {
		tr := New(Options{MaxInFlight: c.asked, MaxConnections: c.room})
		assert.Equal(t, c.start, int(tr.limit.size), "%+v", c)
		assert.Equal(t, c.most, tr.limit.max, "%+v", c)
		assert.Equal(t, c.most, tr.base.(*http.Transport).MaxConnsPerHost)
	}
}
