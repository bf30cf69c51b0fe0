package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestFinalStatus(t *testing.T) {
	for _, c := range []struct {
		status  int
		body    string
		kind    string
		fatal   bool
		message string
		hint    string
	}{
		{401, `{"error":{"message":"Incorrect API key provided"}}`, Unauthorized, true, "Incorrect API key provided", "MODEL_API_KEY"},
		{403, `{"message":"no access"}`, Unauthorized, true, "no access", "MODEL_API_KEY"},
		{404, `{"object":"error","message":"The model x does not exist","code":404}`, ModelNotFound, true, "The model x does not exist", "/v1/chat/completions"},
		{400, `{"error":{"message":"Invalid schema for function 'f'"}}`, BadRequest, false, "Invalid schema for function 'f'", ""},
		{422, `{"detail":[{"loc":["body","tools"],"msg":"field required"}]}`, BadRequest, false, `[{"loc":["body","tools"],"msg":"field required"}]`, ""},
		{400, `[{"error":{"code":400,"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}]`, Unauthorized, true, "API key not valid.", "MODEL_API_KEY"},
		{402, `{"error":{"message":"Insufficient Balance"}}`, Quota, true, "Insufficient Balance", "credit"},
		{429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, Quota, true, "You exceeded your current quota", "credit"},
		{413, `too big`, BadRequest, false, "too big", ""},
		{501, ``, ServerError, false, "", ""},
		{307, ``, BadRequest, true, "", "redirect"},
	} {
		t.Run(fmt.Sprint(c.status, " ", c.kind), func(t *testing.T) {
			e := refused(t, c.status, c.body)
			assert.Equal(t, c.kind, e.Kind)
			assert.Equal(t, c.status, e.Status)
			assert.Equal(t, c.message, e.Message)
			assert.Equal(t, c.fatal, e.Fatal)
			assert.Contains(t, e.Hint, c.hint)
			assert.Equal(t, c.kind, eval.InfraKind(AsInfra(e)))
			assert.Equal(t, c.fatal, IsFatal(AsInfra(e)))
		})
	}
}

// refused is the error of a request that is refused, and not sent again.
func refused(t *testing.T, status int, body string) *Error {
	seen := 0
	tr, url := start(t, quick(), func(w http.ResponseWriter, _ *http.Request, attempt int) {
		seen = attempt
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
	e := failure(t)(ask(t.Context(), tr, url, `{}`))
	assert.Equal(t, 1, seen, "a final status is not retried")
	return e
}

// TestPassingFaults sends three faults of a kind, then a good reply.
func TestPassingFaults(t *testing.T) {
	status := func(code int, headers ...string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			for i := 0; i+1 < len(headers); i += 2 {
				w.Header().Set(headers[i], headers[i+1])
			}
			w.WriteHeader(code)
			_, _ = io.WriteString(w, `{"error":{"message":"later"}}`)
		}
	}
	raw := func(text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) { hijack(w, text) }
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for name, fault := range map[string]func(http.ResponseWriter){
		"429":                        status(429),
		"429 Retry-After":            status(429, "Retry-After", "0.001"),
		"429 retry-after-ms":         status(429, "Retry-After-Ms", "2"),
		"429 Retry-After past":       status(429, "Retry-After", "Fri, 31 Dec 1999 23:59:59 GMT"),
		"429 reset":                  status(429, "X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "2ms"),
		"429 Retry-After garbage":    status(429, "Retry-After", "soon"),
		"500":                        status(500),
		"502":                        status(502),
		"503":                        status(503),
		"504":                        status(504),
		"529":                        status(529),
		"408":                        status(408),
		"421":                        status(421),
		"423":                        status(423),
		"499":                        status(499),
		"reset":                      reset,
		"closed":                     raw(""),
		"not HTTP":                   raw("what?\r\n\r\n"),
		"cut by length":              raw(head + "Content-Length: 100\r\n\r\n{\"choices\":"),
		"cut chunk":                  raw(head + "Transfer-Encoding: chunked\r\n\r\n40\r\n{\"choices\":"),
		"chunks end early":           raw(head + "Transfer-Encoding: chunked\r\n\r\nb\r\n{\"choices\":\r\n"),
		"chunked garbage":            raw(head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nnonsense\r\n0\r\n\r\n"),
		"cut without length":         raw(head + "Connection: close\r\n\r\n{\"choices\":"),
		"gzip garbage":               raw(head + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope"),
		"web page":                   raw("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 44\r\n\r\n<html><title>Maintenance</title></html>     "),
		"empty":                      raw(head + "Content-Length: 0\r\n\r\n"),
		"error with status 200":      raw(head + "Connection: close\r\n\r\n{\"error\":{\"code\":502,\"message\":\"upstream\"}}"),
		"500 whose body is cut":      raw("HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\n{\"err"),
		"headers never end, then go": raw("HTTP/1.1 200 OK\r\nContent-Ty"),
	} {
		t.Run(name, func(t *testing.T) {
			tr, url := start(t, quick(), func(w http.ResponseWriter, r *http.Request, attempt int) {
				body, _ := io.ReadAll(r.Body)
				if string(body) != `{"n":1}` {
					t.Errorf("attempt %d was sent the body %q", attempt, body)
				}
				if attempt <= 3 {
					fault(w)
					return
				}
				_, _ = io.WriteString(w, okReply)
			})
			ctx, meter := WithMeter(t.Context())
			text := testkit.Must(ask(ctx, tr, url, `{"n":1}`))(t)
			assert.Equal(t, okReply, text)
			assert.Positive(t, meter.Latency)
			assert.Zero(t, tr.limit.crowd())
		})
	}
}

func reset(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	_ = conn.(*net.TCPConn).SetLinger(0)
	_ = conn.Close()
}

// TestLoginPage: a page to log in at is named at once, though it has status 200;
// other words in a page are not.
func TestLoginPage(t *testing.T) {
	for page, login := range map[string]bool{
		"<html><title>Sign in - Corp</title>":                                   true,
		"<!doctype html><body><form><input name=p type='password'></form>":      true,
		"<html><title>Bad gateway</title><p>sign in the log of the gateway</p>": false,
		`{"text": "<title>Sign in</title>"}`:                                    false,
	} {
		o := quick()
		o.MaxTries = 2
		tr, url := start(t, o, func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = io.WriteString(w, page) })
		_, err := ask(t.Context(), tr, url, `{}`)
		if !login {
			assert.NotContains(t, fmt.Sprint(err), "login page", page)
			continue
		}
		e := failure(t)("", err)
		assert.Equal(t, Unauthorized, e.Kind)
		assert.True(t, e.Fatal)
		assert.Equal(t, 1, e.Attempts)
		assert.Contains(t, e.Error(), "a login page answers instead of the API")
	}
}

// TestLastingFaults meets a fault again and again, after the endpoint has
// answered once.
func TestLastingFaults(t *testing.T) {
	for kind, fault := range map[string]func(http.ResponseWriter){
		ServerError: func(w http.ResponseWriter) { w.WriteHeader(500) },
		Body: func(w http.ResponseWriter) {
			hijack(w, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
		},
		NotJSON:    func(w http.ResponseWriter) { _, _ = io.WriteString(w, "<html><title>Welcome</title>") },
		Connection: reset,
	} {
		t.Run(kind, func(t *testing.T) {
			o := quick()
			o.MaxTries = 6
			tr, url := start(t, o, func(w http.ResponseWriter, _ *http.Request, attempt int) {
				if attempt == 1 {
					_, _ = io.WriteString(w, okReply)
					return
				}
				fault(w)
			})
			testkit.Must(ask(t.Context(), tr, url, `{}`))(t)
			e := failure(t)(ask(t.Context(), tr, url, `{}`))
			assert.Equal(t, kind, e.Kind)
			assert.Equal(t, 6, e.Attempts)
			assert.False(t, e.Fatal)
			assert.Contains(t, e.Error(), "(6 attempts)")
		})
	}
}

func TestTimeouts(t *testing.T) {
	for name, handle := range map[string]func(w http.ResponseWriter, done <-chan struct{}){
		"slow headers": func(_ http.ResponseWriter, done <-chan struct{}) { <-done },
		"slow body": func(w http.ResponseWriter, done <-chan struct{}) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			<-done
		},
		"dripping body": func(w http.ResponseWriter, done <-chan struct{}) {
			for {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
					_, _ = io.WriteString(w, " ")
					w.(http.Flusher).Flush()
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := quick()
			o.Timeout, o.MaxTries = 60*time.Millisecond, 2
			tr, url := start(t, o, func(w http.ResponseWriter, r *http.Request, _ int) {
				_, _ = io.Copy(io.Discard, r.Body)
				handle(w, r.Context().Done())
			})
			e := failure(t)(ask(t.Context(), tr, url, `{}`))
			assert.Equal(t, Timeout, e.Kind)
			assert.Equal(t, 2, e.Attempts)
			assert.ErrorIs(t, e, context.DeadlineExceeded)
			assert.Contains(t, e.Hint, "-request-timeout")
		})
	}
}

func TestRefusedConnection(t *testing.T) {
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	tr := New(quick())
	e := failure(t)(ask(t.Context(), tr, "http://"+address+"/v1", `{}`))
	assert.Equal(t, CircuitOpen, e.Kind)
	assert.True(t, e.Fatal)
	assert.Equal(t, firstTries, e.Attempts)
	assert.ErrorIs(t, AsInfra(e), syscall.ECONNREFUSED)
	assert.Contains(t, e.Error(), address)

	again := failure(t)(ask(t.Context(), tr, "http://"+address+"/v1", `{}`))
	assert.Equal(t, CircuitOpen, again.Kind)
	assert.Zero(t, again.Attempts, "once the breaker is open nothing is sent")
}

func TestSelfSignedCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = discardLog
	server.StartTLS()
	defer server.Close()
	tr := New(quick())
	e := failure(t)(ask(t.Context(), tr, server.URL, `{}`))
	assert.Equal(t, TLS, e.Kind)
	assert.True(t, e.Fatal)
	assert.Equal(t, 1, e.Attempts)
	assert.Contains(t, e.Message, "certificate")
}

func TestPlainServerBehindHTTPS(t *testing.T) {
	tr, url := start(t, quick(), func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = io.WriteString(w, okReply) })
	assert.Equal(t, TLS, failure(t)(ask(t.Context(), tr, strings.Replace(url, "http://", "https://", 1), `{}`)).Kind)
}

// TestEndlessReply: what is too long is not read to its end.
func TestEndlessReply(t *testing.T) {
	const most, chunk = 1 << 16, 1 << 20
	var written atomic.Int64
	o := quick()
	o.MaxBody = most
	tr, url := start(t, o, func(w http.ResponseWriter, _ *http.Request, _ int) {
		for range 100 {
			n, err := w.Write(make([]byte, chunk))
			written.Add(int64(n))
			if err != nil {
				return
			}
		}
	})
	assert.Equal(t, TooLarge, failure(t)(ask(t.Context(), tr, url, `{}`)).Kind)
	tr.CloseIdleConnections()
	assert.Less(t, written.Load(), int64(50*chunk))
}

func TestLongReplies(t *testing.T) {
	fill := func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }
	for _, c := range []struct {
		most, length int
		zipped, fits bool
	}{
		{0, 10 << 20, false, true}, // the default
		{0, 10<<20 + 1, false, false},
		{0, 30 << 20, false, false},
		{1 << 16, 1 << 16, true, true},
		{1 << 16, 1<<16 + 1, true, false},
		{1 << 16, 1 << 22, true, false},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			o := quick()
			o.MaxBody = int64(c.most)
			tr, url := start(t, o, func(w http.ResponseWriter, _ *http.Request, _ int) {
				if !c.zipped {
					_, _ = io.WriteString(w, fill(c.length))
					return
				}
				w.Header().Set("Content-Encoding", "gzip")
				zip := gzip.NewWriter(w)
				_, _ = io.WriteString(zip, fill(c.length))
				_ = zip.Close()
			})
			text, err := ask(t.Context(), tr, url, `{}`)
			if c.fits {
				require.NoError(t, err)
				assert.Len(t, text, c.length)
				return
			}
			e := failure(t)("", err)
			assert.Equal(t, TooLarge, e.Kind)
			assert.Equal(t, 1, e.Attempts)
		})
	}
}

func TestGzip(t *testing.T) {
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	_, _ = io.WriteString(zip, okReply)
	require.NoError(t, zip.Close())
	tr, url := start(t, quick(), func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(zipped.Bytes())
	})
	for _, accept := range []string{"", "gzip", "identity"} {
		req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{}`)))(t)
		if accept != "" {
			req.Header.Set("Accept-Encoding", accept)
		}
		resp := testkit.Must(tr.RoundTrip(req))(t)
		text, _ := io.ReadAll(resp.Body)
		assert.Equal(t, okReply, string(text), "Accept-Encoding %q", accept)
		assert.Empty(t, resp.Header.Get("Content-Encoding"))
		assert.EqualValues(t, len(okReply), resp.ContentLength)
		_ = resp.Body.Close()
	}
}

func TestInvalidUTF8Passes(t *testing.T) {
	odd := "{\"choices\":\"\xff\xfe\",\"unknown\":[null]}"
	tr, url := start(t, quick(), func(w http.ResponseWriter, _ *http.Request, _ int) { _, _ = io.WriteString(w, odd) })
	text := testkit.Must(ask(t.Context(), tr, url, `{}`))(t)
	assert.Equal(t, odd, text)
}

func TestUnsendable(t *testing.T) {
	tr := New(quick())
	for _, url := range []string{"ftp://x/", "localhost:8000/v1", "http:///v1"} {
		e := failure(t)(ask(t.Context(), tr, url, `{}`))
		assert.Equal(t, BadRequest, e.Kind, url)
		assert.True(t, e.Fatal)
	}
	req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost", nil))(t)
	req.Header["Authorization"] = []string{"Bearer " + aKey + "\n"}
	_, err := tr.RoundTrip(req)
	assert.Contains(t, failure(t)("", err).Hint, "MODEL_API_KEY")
	assert.NotContains(t, err.Error(), aKey)
}

func TestAsInfra(t *testing.T) {
	assert.NoError(t, AsInfra(nil))
	infra := eval.Infra("max_tokens", "cut")
	assert.Equal(t, infra, AsInfra(infra))
	assert.Equal(t, Canceled, eval.InfraKind(AsInfra(context.Canceled)))
	assert.Equal(t, Timeout, eval.InfraKind(AsInfra(fmt.Errorf("x: %w", context.DeadlineExceeded))))
	other := AsInfra(errors.New("decode https://x/?key=" + aKey + "\nline"))
	assert.Equal(t, "adapter", eval.InfraKind(other))
	assert.NotContains(t, other.Error(), "planted")
	assert.NotContains(t, other.Error(), "\n")
}
