package transport

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// outage is a server that is well until it is switched off.
func outage(down *atomic.Bool, sent *atomic.Int64, broken func() (*http.Response, error)) http.RoundTripper {
	return fake(func(*http.Request) (*http.Response, error) {
		sent.Add(1)
		time.Sleep(50 * time.Millisecond)
		if down.Load() {
			return broken()
		}
		return reply(200, okReply), nil
	})
}

func refuse() (*http.Response, error) { return nil, syscall.ECONNREFUSED }

// TestBreakerOpens switches a server off for good in the middle of a run.
func TestBreakerOpens(t *testing.T) {
	for name, broken := range map[string]func() (*http.Response, error){
		"refused":  refuse,
		"500":      func() (*http.Response, error) { return reply(500, `{"error":"dead"}`), nil },
		"503":      func() (*http.Response, error) { return reply(503, ""), nil },
		"web page": func() (*http.Response, error) { return reply(200, "<html>"), nil },
	} {
		inTime(t, name, func(t *testing.T) {
			var down atomic.Bool
			var sent atomic.Int64
			tr := New(Options{MaxInFlight: 30, Base: outage(&down, &sent, broken)})
			load(t, tr, 30, 60)
			down.Store(true)
			begin := time.Now()
			var wg sync.WaitGroup
			for range 100 {
				wg.Go(func() {
					e := failure(t)(ask(t.Context(), tr, fakeURL, `{}`))
					assert.Equal(t, CircuitOpen, e.Kind)
					assert.True(t, e.Fatal)
					assert.Contains(t, e.Error(), "http://model.test/v1/chat/completions has failed")
					assert.Contains(t, e.Error(), "-resume")
				})
			}
			wg.Wait()
			assert.GreaterOrEqual(t, time.Since(begin), time.Minute, "a restart takes a while")
			assert.LessOrEqual(t, time.Since(begin), 2*time.Minute)
			before := sent.Load()
			assert.Equal(t, CircuitOpen, failure(t)(ask(t.Context(), tr, fakeURL, `{}`)).Kind)
			assert.Equal(t, before, sent.Load(), "an open breaker sends nothing")
		})
	}
}

// TestBreakerSurvivesRestart switches a server off for most of a minute: no
// request is lost.
func TestBreakerSurvivesRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		var sent atomic.Int64
		tr := New(Options{MaxInFlight: 30, Base: outage(&down, &sent, refuse)})
		load(t, tr, 30, 60)
		down.Store(true)
		time.AfterFunc(50*time.Second, func() { down.Store(false) })
		load(t, tr, 30, 300)
	})
}

// TestBreakerSparesOneBadRequest has a request that always breaks a server
// that is well: nobody else asks, and still the endpoint is not to blame.
func TestBreakerSparesOneBadRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := New(Options{BreakAfter: 5, BreakSpan: time.Second, Base: fake(func(r *http.Request) (*http.Response, error) {
			if r.ContentLength == 3 {
				return reply(500, `{"error":{"message":"grammar"}}`), nil
			}
			return reply(200, okReply), nil
		})})
		for range 3 {
			for range 2 {
				e := failure(t)(ask(t.Context(), tr, fakeURL, `{1}`))
				assert.Equal(t, ServerError, e.Kind)
				assert.False(t, e.Fatal)
			}
			assert.NoError(t, testkit.Err(ask(t.Context(), tr, fakeURL, `{}`)))
		}
	})
}

// TestFatalStopsAll gives a wrong key to many requests: those that wait are
// not sent.
func TestFatalStopsAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		tr := New(Options{MaxInFlight: 4, KeyName: "MODEL_API_KEY", Base: fake(func(*http.Request) (*http.Response, error) {
			sent.Add(1)
			time.Sleep(time.Second)
			return reply(401, `{"error":{"message":"bad key"}}`), nil
		})})
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				e := failure(t)(ask(t.Context(), tr, fakeURL, `{}`))
				assert.Equal(t, Unauthorized, e.Kind)
				assert.Contains(t, e.Error(), "MODEL_API_KEY")
			})
		}
		wg.Wait()
		assert.LessOrEqual(t, sent.Load(), int64(8))
	})
}

func TestMissingKeyIsNamed(t *testing.T) {
	tr := New(Options{KeyName: "MODEL_API_KEY", Base: &script{reply(401, "")}})
	req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, fakeURL, nil))(t)
	_, err := tr.RoundTrip(req)
	assert.Contains(t, failure(t)("", err).Hint, "no key was sent: set MODEL_API_KEY")
}

// TestLateRefusals are refusals after the endpoint has answered: of one
// request at first, of the run when nothing else comes.
func TestLateRefusals(t *testing.T) {
	for _, status := range []int{403, 404} {
		inTime(t, fmt.Sprint(status), func(t *testing.T) {
			tr := New(Options{Base: &script{reply(200, okReply), reply(status, `{}`)}})
			testkit.Must(ask(t.Context(), tr, fakeURL, `{}`))(t)
			last := &Error{}
			for i := range 30 {
				e := failure(t)(ask(t.Context(), tr, fakeURL, `{}`))
				assert.Equal(t, i >= 19, e.Fatal, "refusal %d", i+1)
				last = e
			}
			assert.Equal(t, CircuitOpen, last.Kind)
		})
	}
}

// TestCancelIsNoVerdict: a user's interrupt during the first tries says nothing
// about the endpoint.
func TestCancelIsNoVerdict(t *testing.T) {
	for name, broken := range map[string]func() (*http.Response, error){
		"refused":  refuse,
		"500":      func() (*http.Response, error) { return reply(500, ""), nil },
		"web page": func() (*http.Response, error) { return reply(200, "<html>"), nil },
	} {
		inTime(t, name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			tr := New(Options{Base: fake(func(*http.Request) (*http.Response, error) {
				cancel()
				return broken()
			})})
			assert.Equal(t, Canceled, failure(t)(ask(ctx, tr, fakeURL, `{}`)).Kind)
			assert.Nil(t, tr.breaker.err())
		})
	}
}

// TestTripKeepsACopy: the request that tripped the breaker goes on to change its
// own error, which others read at the same time.
func TestTripKeepsACopy(t *testing.T) {
	t.Parallel()
	b := &breaker{opened: make(chan struct{})}
	e := &Error{Message: "the key is refused", Fatal: true}
	b.trip(e)
	e.Message = "changed"
	assert.Equal(t, "the key is refused", b.err().Message)
}

const (
	okReply = `{"choices":[{"message":{"content":"hi"}}],"usage":{"total_tokens":12}}`
	aKey    = "k3y-Zu9/planted+secret="
)

// quick are options that do not make a test wait.
func quick() Options {
	return Options{RetryWait: time.Millisecond, Timeout: time.Minute, KeyName: "MODEL_API_KEY"}
}

// start serves a handler that is told which attempt it sees, from 1.
func start(t testing.TB, o Options, handle func(w http.ResponseWriter, r *http.Request, attempt int)) (*Transport, string) {
	t.Helper()
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handle(w, r, int(n.Add(1)))
	}))
	tr := New(o)
	t.Cleanup(func() { tr.CloseIdleConnections(); server.Close() })
	return tr, server.URL + "/v1/chat/completions"
}

// ask posts a request with a key, as an adapter does, and returns the reply's
// text.
func ask(ctx context.Context, tr *Transport, url, body string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+aKey)
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// failure is the *Error of a request that must fail.
func failure(t testing.TB) func(text string, err error) *Error {
	return func(_ string, err error) (e *Error) {
		t.Helper()
		require.ErrorAs(t, err, &e)
		return e
	}
}

// inTime runs a test in fake time.
func inTime(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// allowed is the Transport's adaptive limit.
func allowed(tr *Transport) int {
	tr.limit.mu.Lock()
	defer tr.limit.mu.Unlock()
	return int(tr.limit.size)
}

// fake is a server without a network, for tests in fake time.
type fake func(*http.Request) (*http.Response, error)

func (f fake) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func reply(status int, body string, headers ...string) *http.Response {
	h := http.Header{}
	for i := 0; i+1 < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewBufferString(body))}
}

const fakeURL = "http://model.test/v1/chat/completions"

// hijack takes the connection over to break it.
func hijack(w http.ResponseWriter, raw string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(conn, raw)
	_ = conn.Close()
}

// discardLog keeps the handshake errors that a test provokes out of its output.
var discardLog = log.New(io.Discard, "", 0)
