package transport

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/test/testkit"
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
				assert.NoError(t, testkit.Err(ask(t.Context(), tr, server.URL, `{}`)))
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
				assert.Error(t, testkit.Err(ask(ctx, tr, server.URL+"?fault="+fault, `{}`)))
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
	e := failure(t)(ask(ctx, tr, url, `{}`))
	assert.Equal(t, Canceled, e.Kind)
	assert.Equal(t, 1, e.Attempts)
	assert.Zero(t, tr.limit.crowd())
}

func TestProxy(t *testing.T) {
	var seen atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen.Store(r.URL.String())
		_, _ = io.WriteString(w, okReply)
	}))
	defer proxy.Close()
	address := testkit.Must(url.Parse(proxy.URL))(t)
	o := quick()
	o.Proxy = http.ProxyURL(address)
	tr := New(o)
	defer tr.CloseIdleConnections()
	testkit.Must(ask(t.Context(), tr, fakeURL, `{}`))(t)
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
	text := testkit.Must(ask(t.Context(), tr, server.URL, `{}`))(t)
	assert.JSONEq(t, `{"proto":"HTTP/2.0"}`, text)
}

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
			assert.NoError(t, testkit.Err(ask(t.Context(), tr, server.URL, `{}`)))
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
	require.ErrorIs(t, testkit.Err(blocked(ended, "tcp", "x")), context.Canceled)

	for _, c := range []struct{ asked, room, start, most int }{
		{0, 0, firstInFlight, mostInFlight}, {0, 5, 5, 5}, {0, 40, firstInFlight, 40}, {100, 26, 26, 26}, {10, 26, 10, 10},
	} {
		tr := New(Options{MaxInFlight: c.asked, MaxConnections: c.room})
		assert.Equal(t, c.start, int(tr.limit.size), "%+v", c)
		assert.Equal(t, c.most, tr.limit.max, "%+v", c)
		assert.Equal(t, c.most, tr.base.(*http.Transport).MaxConnsPerHost)
	}
}

// A counted connection counts what is written to it.
type counted struct {
	net.Conn
	writes *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// TestOneWrite sends bodies of each kind: header and body leave in one write,
// where they fit.
func TestOneWrite(t *testing.T) {
	var writes atomic.Int64
	o := quick()
	o.Base = &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return counted{conn, &writes}, err
	}}
	var got string
	tr, url := start(t, o, func(w http.ResponseWriter, r *http.Request, _ int) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		_, _ = io.WriteString(w, okReply)
	})
	want := `{"a":"` + strings.Repeat("x", 1000) + `"}`
	for _, body := range []io.Reader{strings.NewReader(want), NewPayload([]byte(want)), io.MultiReader(strings.NewReader(want))} {
		for range 2 { // the second time with a body of unknown kind
			if seeker, ok := body.(io.Seeker); ok {
				_, _ = seeker.Seek(0, io.SeekStart)
			} else {
				body = bytes.NewBufferString(want)
			}
			req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, url, body))(t)
			writes.Store(0)
			resp := testkit.Must(tr.RoundTrip(req))(t)
			text := testkit.Must(ReadAll(resp.Body))(t)
			assert.Equal(t, okReply, string(text))
			assert.Equal(t, want, got)
			assert.EqualValues(t, 1, writes.Load(), "%T", body)
		}
	}
}

func TestReadAll(t *testing.T) {
	p := NewPayload([]byte("abcd"))
	start := make([]byte, 1)
	testkit.Must(p.Read(start))(t)
	for _, want := range []string{"bcd", ""} {
		rest := testkit.Must(ReadAll(p))(t)
		assert.Equal(t, want, string(rest))
	}
	other := testkit.Must(ReadAll(strings.NewReader("xyz")))(t)
	assert.Equal(t, "xyz", string(other))
}
