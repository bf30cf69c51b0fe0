package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

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
func failure(t testing.TB, err error) *Error {
	t.Helper()
	require.Error(t, err)
	var e *Error
	require.True(t, errors.As(err, &e), "%v is no *Error", err)
	return e
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
