package web

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a server on the loopback device and a fetcher that may reach it.
func serving(t *testing.T, h http.HandlerFunc) (*httptest.Server, *Fetcher) {
	t.Helper()
	s := httptest.NewServer(h)
	u := testkit.Must(url.Parse(s.URL))(t)
	f := NewFetcher([]string{u.Host})
	t.Cleanup(func() {
		require.NoError(t, f.Close())
		s.Close()
	})
	return s, f
}

func text2xx(t *testing.T, f *Fetcher, url string) string {
	t.Helper()
	p := testkit.Must(f.Fetch(t.Context(), url))(t)
	return string(p.Body)
}

// refusal is the exception that a model sees.
func refusal(t *testing.T, f *Fetcher, url string) string {
	t.Helper()
	_, err := f.Fetch(t.Context(), url)
	var e *sim.Exception
	require.ErrorAs(t, err, &e, url)
	return e.Msg
}

func TestFetch(t *testing.T) {
	s, f := serving(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<p>hello")
		case "/moved":
			http.Redirect(w, r, "/", http.StatusMovedPermanently)
		case "/teapot":
			w.WriteHeader(http.StatusTeapot)
		}
	})
	p := testkit.Must(f.Fetch(t.Context(), s.URL+"/moved"))(t)
	assert.Equal(t, s.URL+"/", p.URL)
	assert.Equal(t, "<p>hello", string(p.Body))
	assert.Equal(t, "text/html; charset=utf-8", p.ContentType)
	assert.Equal(t, "OK", p.Reason)
	p = testkit.Must(f.Fetch(t.Context(), s.URL+"/teapot"))(t)
	assert.Equal(t, http.StatusTeapot, p.Status)
	assert.Equal(t, "I'm a teapot", p.Reason)
}

// TestGoldenRequests compares the headers on the wire with upstream's.
func TestGoldenRequests(t *testing.T) {
	var got http.Header
	s, f := serving(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Clone() })
	text2xx(t, f, s.URL)
	fetches, searches := 0, 0
	testkit.Rows(t, testkit.GoldenFile(t, "agentic", "web_search.jsonl"), func(_ int, row *pyval.Dict) {
		for _, item := range testkit.Field(row, "requests").(*pyval.List).Items {
			request := item.(*pyval.Dict)
			if params, ok := testkit.Field(request, "params").(*pyval.Dict); ok {
				searches++
				sameParams(t, testkit.Text(row, "id"), params)
				continue
			}
			fetches++
			want := testkit.Field(request, "headers").(*pyval.Dict)
			assert.Equal(t, want.Len(), len(headers))
			for name, value := range want.All() {
				if pyval.Text(name) != "Connection" { // which Go keeps to itself, alive by default
					assert.Equal(t, pyval.Text(value), got.Get(pyval.Text(name)), "%s of %s", pyval.Text(name), testkit.Text(row, "id"))
				}
			}
		}
	})
	t.Logf("the requests of %d fetches and %d searches compared", fetches, searches)
	assert.Equal(t, []int{81, 53}, []int{fetches, searches})
}

// TestRefusesLocal: no request reaches this machine, whatever way it is named,
// unless the host is allowed.
func TestRefusesLocal(t *testing.T) {
	reached := 0
	s, allowed := serving(t, func(http.ResponseWriter, *http.Request) { reached++ })
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	require.NoError(t, err)
	f := NewFetcher(nil)
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "127.1.2.3"} {
		assert.Equal(t, ErrClosed.Error(), refusal(t, f, "http://"+host+":"+port+"/"), host)
	}
	for _, address := range []string{"http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "https://10.0.0.1/", "http://192.168.0.1:8080/", "http://100.64.1.1/"} {
		assert.Equal(t, ErrClosed.Error(), refusal(t, f, address), address)
	}
	assert.Zero(t, reached)
	text2xx(t, allowed, s.URL)
	assert.Equal(t, 1, reached)
	text2xx(t, NewFetcher([]string{" LOCALHOST "}), "http://localhost:"+port+"/")
	assert.Equal(t, 2, reached)
}

// TestRedirects: each hop's address is checked, and their number is limited.
func TestRedirects(t *testing.T) {
	var s *httptest.Server
	s, f := serving(t, func(w http.ResponseWriter, r *http.Request) {
		n := 0
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
		switch {
		case r.URL.Path == "/metadata":
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		case r.URL.Path == "/name":
			http.Redirect(w, r, strings.Replace(s.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
		case r.URL.Path == "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case n > 0:
			http.Redirect(w, r, fmt.Sprintf("/%d", n-1), http.StatusFound)
		default:
			_, _ = io.WriteString(w, "there")
		}
	})
	assert.Equal(t, "there", text2xx(t, f, s.URL+"/5"))
	assert.Equal(t, "Exceeded 5 redirects.", refusal(t, f, s.URL+"/6"))
	assert.Equal(t, ErrClosed.Error(), refusal(t, f, s.URL+"/metadata"))
	assert.Equal(t, ErrClosed.Error(), refusal(t, f, s.URL+"/name"))
	assert.Equal(t, "No connection adapters were found for 'file:///etc/passwd'", refusal(t, f, s.URL+"/file"))
}

func packed(t *testing.T, encoding string, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriter(&b)
	case "deflate":
		w = zlib.NewWriter(&b)
	case "raw":
		fw := testkit.Must(flate.NewWriter(&b, flate.BestSpeed))(t)
		w = fw
	default:
		return body
	}
	testkit.Must(w.Write(body))(t)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestCompression(t *testing.T) {
	bomb := make([]byte, maxBody+1)
	s, f := serving(t, func(w http.ResponseWriter, r *http.Request) {
		encoding, what, _ := strings.Cut(r.URL.Path[1:], "/")
		body := []byte("hello")
		if what == "bomb" {
			body = bomb
		}
		body = packed(t, encoding, body)
		switch what {
		case "torn":
			body = body[:len(body)-5]
		case "none":
			body = []byte("\xff\xff not compressed")
		case "twice":
			body = packed(t, encoding, body)
			w.Header().Add("Content-Encoding", encoding)
		}
		w.Header().Add("Content-Encoding", strings.Replace(encoding, "raw", "deflate", 1))
		_, _ = w.Write(body)
	})
	for _, encoding := range []string{"gzip", "br", "deflate", "raw", "identity", "unknown"} {
		assert.Equal(t, "hello", text2xx(t, f, s.URL+"/"+encoding+"/fine"), encoding)
		assert.Equal(t, "the page is larger than 10 MB", refusal(t, f, s.URL+"/"+encoding+"/bomb"), encoding)
	}
	for _, encoding := range []string{"gzip", "br"} {
		assert.Equal(t, "hello", text2xx(t, f, s.URL+"/"+encoding+"/twice"), encoding)
		assert.Equal(t, errEncoding.Error(), refusal(t, f, s.URL+"/"+encoding+"/torn"), encoding)
		assert.Equal(t, errEncoding.Error(), refusal(t, f, s.URL+"/"+encoding+"/none"), encoding)
	}
}

// TestEndless: a page that never ends is refused by its size or by the time
// limit.
func TestEndless(t *testing.T) {
	s, f := serving(t, func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if r.URL.Path == "/slow" {
				_, _ = io.WriteString(w, "x")
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
				return
			}
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	assert.Equal(t, "the page is larger than 10 MB", refusal(t, f, s.URL+"/fast"))
	f.whole = 50 * time.Millisecond
	assert.Equal(t, "Read timed out. (read timeout=20)", refusal(t, f, s.URL+"/slow"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, testkit.Err(f.Fetch(ctx, s.URL+"/slow")), context.Canceled, "an interrupt is no answer for the model")
}

func TestUnreachable(t *testing.T) {
	s, f := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	})
	assert.Equal(t, "Connection broken before the whole page had come", refusal(t, f, s.URL))
	assert.Contains(t, refusal(t, f, "http://"), "Invalid URL")
	assert.Contains(t, refusal(t, f, "http://a b\x00/"), "Invalid URL")
	assert.Contains(t, refusal(t, f, "http://x/"+strings.Repeat("y", maxURL)), "too long")
	s.Close()
	assert.Equal(t, "the connection failed", refusal(t, f, s.URL), "neither the error nor the address shows")
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	f := NewFetcher([]string{"127.0.0.1"})
	defer func() { _ = f.Close() }()
	assert.Contains(t, refusal(t, f, s.URL), "certificate")
}
