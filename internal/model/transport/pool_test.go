package transport

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// TestConnectionsAreBounded asks a lot: no more connections are opened than
// may be in flight, and they are used again.
func TestConnectionsAreBounded(t *testing.T) {
	before := goleak.IgnoreCurrent()
	var open, most, opened atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(time.Millisecond)
		_, _ = io.WriteString(w, okReply)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			opened.Add(1)
			most.Store(max(most.Load(), open.Add(1)))
		case http.StateClosed:
			open.Add(-1)
		}
	}
	server.Start()
	o := quick()
	o.MaxInFlight = 40
	tr := New(o)
	var wg sync.WaitGroup
	for range 400 {
		wg.Go(func() {
			for range 5 {
				_, err := ask(t.Context(), tr, server.URL, `{}`)
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, most.Load(), int64(48), "a server hears late that a connection is closed")
	assert.LessOrEqual(t, opened.Load(), int64(60), "connections are used again")
	tr.CloseIdleConnections()
	server.Close()
	assert.NoError(t, goleak.Find(before))
}

// TestNoGoroutineStays breaks requests in every way and looks for leftovers.
func TestNoGoroutineStays(t *testing.T) {
	before := goleak.IgnoreCurrent()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		switch r.URL.Query().Get("fault") {
		case "hang":
			<-r.Context().Done()
		case "cut":
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
		case "long":
			for range 100 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
		default:
			w.WriteHeader(500)
		}
	}))
	o := quick()
	o.MaxTries, o.Timeout, o.MaxBody = 2, 50*time.Millisecond, 1000
	tr := New(o)
	var wg sync.WaitGroup
	for _, fault := range []string{"hang", "cut", "long", "500"} {
		for i := range 10 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*20*time.Millisecond)
				defer cancel()
				_, err := ask(ctx, tr, server.URL+"?fault="+fault, `{}`)
				assert.Error(t, err)
			})
		}
	}
	wg.Wait()
	tr.CloseIdleConnections()
	server.Close()
	assert.NoError(t, goleak.Find(before))
}

func TestCancelInFlight(t *testing.T) {
	arrived := make(chan struct{})
	tr, url := start(t, quick(), func(_ http.ResponseWriter, r *http.Request, _ int) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(arrived)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	ctx, meter := WithMeter(ctx)
	_, err := ask(ctx, tr, url, `{}`)
	assert.Equal(t, Canceled, failure(t, err).Kind)
	assert.Equal(t, 1, meter.Attempts)
	assert.Zero(t, tr.limit.crowd())
}

func TestProxy(t *testing.T) {
	var seen atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r.URL.String())
		_, _ = io.WriteString(w, okReply)
	}))
	defer proxy.Close()
	address, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	o := quick()
	o.Proxy = http.ProxyURL(address)
	tr := New(o)
	defer tr.CloseIdleConnections()
	_, err = ask(t.Context(), tr, fakeURL, `{}`)
	require.NoError(t, err)
	assert.Equal(t, fakeURL, seen.Load())

	assert.NotNil(t, New(Options{}).base.(*http.Transport).Proxy, "by default HTTP_PROXY and its like count")
}

func TestHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"proto":"`+r.Proto+`"}`)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	tr := New(quick())
	tr.base.(*http.Transport).TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	defer tr.CloseIdleConnections()
	text, err := ask(t.Context(), tr, server.URL, `{}`)
	require.NoError(t, err)
	assert.JSONEq(t, `{"proto":"HTTP/2.0"}`, text)
}
