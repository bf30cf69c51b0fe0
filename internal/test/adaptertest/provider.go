package adaptertest

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Provider is what differs between the adapters of providers' own protocols, for
// the tests they share.
type Provider struct {
	// Open opens the adapter.
	Open func(provider.Config) (eval.Adapter, error)
	// Hello is a reply that says "Hello.".
	Hello string
	// Leak is a reply with calls and text, in which KEY is replaced by the key.
	Leak string
	// Fault is the body of an error, %s for its message.
	Fault string
	// Key returns the key in a request's headers.
	Key func(http.Header) string
}

// Secret is the key in the tests, which must not appear anywhere.
const Secret = "planted+0123456789/abcdef"

func (p Provider) open(t testing.TB, o transport.Options, reply func(http.ResponseWriter, Seen)) (eval.Adapter, provider.Config, func()) {
	t.Helper()
	carrier, end := Serve(t, o, reply)
	cfg := provider.Config{Model: "m", BaseURL: "http://localhost:8000", Key: Secret, Wording: Wording(t), Transport: carrier}
	a, err := p.Open(cfg)
	require.NoError(t, err)
	return a, cfg, end
}

func question() *eval.Request {
	return &eval.Request{ID: "simple_python_0", Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}}
}

// Run runs all tests.
func (p Provider) Run(t *testing.T) {
	t.Run("conformance", p.conformance)
	t.Run("recordings", func(t *testing.T) {
		Replay(t, func(cfg provider.Config) (eval.Adapter, error) {
			cfg.Key = Secret
			return p.Open(cfg)
		})
	})
	t.Run("statuses", p.statuses)
	t.Run("retried", p.retried)
	t.Run("timeout", p.timeout)
	t.Run("no key in outputs", p.noKey)
	t.Run("documents", p.documents)
}

// closer closes a server together with its adapter.
type closer struct {
	eval.Adapter
	end func()
}

// Close closes the server.
func (c closer) Close() error { c.end(); return nil }

func (p Provider) conformance(t *testing.T) {
	Run(t, func(t *testing.T) eval.Adapter {
		a, _, end := p.open(t, transport.Options{}, func(w http.ResponseWriter, seen Seen) {
			if _, err := pyval.ParseJSON(seen.Body); err != nil {
				t.Errorf("the request is not JSON: %v", err)
			}
			Write(w, http.StatusOK, p.Hello)
		})
		return closer{a, sync.OnceFunc(end)}
	})
}

// statuses checks that HTTP errors and broken replies are returned with the
// right kind and the server's own words.
func (p Provider) statuses(t *testing.T) {
	for _, c := range []struct {
		status      int
		reply, kind string
		said        string
	}{
		{400, p.fault("Invalid schema for f"), transport.BadRequest, "Invalid schema for f"},
		{401, p.fault("no such key"), transport.Unauthorized, "no such key"},
		{404, p.fault("no such model"), transport.ModelNotFound, "no such model"},
		{429, p.fault("slow down"), transport.RateLimited, "slow down"},
		{500, p.fault("boom"), transport.ServerError, "boom"},
		{503, p.fault("overloaded"), transport.ServerError, "overloaded"},
		{200, `{"x": `, transport.NotJSON, ""},
		{200, `<html>Bad gateway</html>`, transport.NotJSON, ""},
		{200, ``, transport.NotJSON, ""},
		{200, `[1]`, "bad_reply", ""},
		{200, `[{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}]`, transport.ServerError, "overloaded"},
		{200, `[{"error": {"code": 400, "message": "bad schema", "status": "INVALID_ARGUMENT"}}]`, transport.BadRequest, "bad schema"},
		{200, `"hello"`, "bad_reply", ""},
	} {
		var n atomic.Int64
		a, _, _ := p.open(t, transport.Options{MaxElapsed: time.Nanosecond}, func(w http.ResponseWriter, _ Seen) {
			if n.Add(1) == 1 { // the endpoint exists
				Write(w, http.StatusOK, p.Hello)
				return
			}
			Write(w, c.status, c.reply)
		})
		resp, err := a.Generate(t.Context(), question())
		require.NoError(t, err)
		require.Equal(t, pyval.Str("Hello."), resp.Result)
		resp, err = a.Generate(t.Context(), question())
		require.Error(t, err, c.reply)
		assert.Nil(t, resp)
		assert.Equal(t, c.kind, eval.InfraKind(err), "%d %s: %v", c.status, c.reply, err)
		assert.Equal(t, int64(2), n.Load(), "asked again")
		assert.ErrorContains(t, err, c.said)
	}
}

func (p Provider) fault(message string) string { return strings.ReplaceAll(p.Fault, "%s", message) }

// retried checks that temporary faults do not reach the case.
func (p Provider) retried(t *testing.T) {
	var n atomic.Int64
	a, _, _ := p.open(t, transport.Options{MaxTries: 5}, func(w http.ResponseWriter, seen Seen) {
		assert.Contains(t, seen.Body, `"Hi."`)
		switch n.Add(1) {
		case 1:
			w.Header().Set("Retry-After", "0")
			Write(w, http.StatusTooManyRequests, p.fault("slow down"))
		case 2:
			Write(w, http.StatusInternalServerError, p.fault("boom"))
		case 3:
			w.Header().Set("Content-Length", "100000")
			Write(w, http.StatusOK, p.Hello)
		default:
			Write(w, http.StatusOK, p.Hello)
		}
	})
	resp, err := a.Generate(t.Context(), question())
	require.NoError(t, err)
	assert.Equal(t, pyval.Str("Hello."), resp.Result)
	assert.Positive(t, resp.Latency)
	assert.Equal(t, int64(4), n.Load())
}

func (p Provider) timeout(t *testing.T) {
	release := make(chan struct{})
	a, _, _ := p.open(t, transport.Options{Timeout: 20 * time.Millisecond}, func(http.ResponseWriter, Seen) { <-release })
	defer close(release)
	_, err := a.Generate(t.Context(), question())
	require.Error(t, err)
	assert.Equal(t, transport.Timeout, eval.InfraKind(err), "%v", err)
}

// noKey lets a server send the key back in every way, and searches everything
// that comes out for it.
func (p Provider) noKey(t *testing.T) {
	for _, c := range []struct {
		status int
		reply  string
	}{
		{200, p.Leak}, {200, `{"error": {"message": "bad key KEY", "code": "KEY"}}`}, {200, `{"KEY": "KEY"}`}, {200, `KEY`}, {200, `["KEY"]`},
		{400, p.fault("bad key KEY")}, {401, p.fault("bad key KEY")}, {500, `<html>KEY</html>`},
	} {
		var sent http.Header
		a, cfg, _ := p.open(t, transport.Options{AnyBody: true}, func(w http.ResponseWriter, seen Seen) {
			sent = seen.Header
			Write(w, c.status, strings.ReplaceAll(c.reply, "KEY", Secret))
		})
		resp, err := a.Generate(t.Context(), question())
		require.Equal(t, Secret, p.Key(sent))
		var texts []string
		if resp != nil {
			texts = append(texts, pyval.Repr(resp.Result))
		}
		for _, v := range []any{a, cfg, &cfg} {
			texts = append(texts, Print(v)...)
		}
		FindSecret(t, Secret, texts, err)
	}
}

// documents checks that tool schemas reach the wire unchanged, and which ones
// cannot be sent.
func (p Provider) documents(t *testing.T) {
	var sent string
	a, _, _ := p.open(t, transport.Options{}, func(w http.ResponseWriter, seen Seen) {
		sent = seen.Body
		Write(w, http.StatusOK, p.Hello)
	})
	req := question()
	req.Tools = []*pyval.Dict{Doc(t, `{"name": "a.b", "description": "<d>", "parameters": {"type": "dict", "properties": {
		"z": {"type": "tuple", "description": "how far", "items": {"type": "float", "enum": [5.0, 5, 1e3]}}, "a": {"type": "integer", "description": "x"}}}}`)}
	_, err := a.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Contains(t, sent, `"name":"a_b"`)
	assert.Contains(t, sent, `"properties":{"z":{"type":"array","description":"how far`)
	assert.Contains(t, sent, `"items":{"type":"number","enum":[5.0,5,1000.0]`)
	assert.Less(t, strings.Index(sent, `"z":`), strings.Index(sent, `"a":`))

	req.Mode = eval.Prompt
	_, err = a.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.NotContains(t, sent, "a_b")

	req.Mode, req.Tools = eval.FC, []*pyval.Dict{Doc(t, `{"name": "f"}`)}
	_, err = a.Generate(t.Context(), req)
	assert.Equal(t, "tool_schema", eval.InfraKind(err))
}
