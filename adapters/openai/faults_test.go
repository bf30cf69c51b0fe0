package openai

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
)

// TestStatus checks that HTTP errors of the wire formats of several servers
// come out under the right kind, with the server's own words.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		status      int
		reply, kind string
		fatal       bool
		want        string
	}{
		{401, `{"error": {"message": "Incorrect API key provided", "type": "invalid_request_error", "param": null, "code": "invalid_api_key"}}`, "unauthorized", true, "Incorrect API key provided"},
		{404, `{"object": "error", "message": "The model 'x' does not exist.", "type": "NotFoundError", "param": null, "code": 404}`, "model_not_found", true, "does not exist"},
		{400, `{"error": {"message": "Invalid schema for function 'f'", "type": "invalid_request_error", "param": "tools[0]"}}`, "bad_request", false, "Invalid schema"},
		{400, `{"error": {"message": "Unsupported value: 'temperature' does not support 0.001 with this model."}}`, "bad_request", false, "temperature: null"},
		{400, `{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}`, "bad_request", false, "max_tokens_field: max_completion_tokens"},
		{422, `{"detail": [{"type": "extra_forbidden", "loc": ["body", "max_completion_tokens"], "msg": "Extra inputs are not permitted"}]}`, "bad_request", false, "max_tokens_field: max_tokens"},
		{400, `{"error": {"message": "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens"}}`, "bad_request", false, "4096 tokens"},
		{422, `{"detail": [{"type": "extra_forbidden", "loc": ["body", "store"], "msg": "Extra inputs are not permitted"}]}`, "bad_request", false, "store: null"},
		{500, `{"error": {"message": "boom"}}`, "server_error", false, "boom"},
	} {
		first := true
		a := adapter(t, Config{}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			if first && !c.fatal { // the endpoint works in general
				first = false
				adaptertest.Write(w, http.StatusOK, hello)
				return
			}
			adaptertest.Write(w, c.status, c.reply)
		})
		if !c.fatal {
			_, err := a.Generate(t.Context(), question(eval.FC))
			require.NoError(t, err)
		}
		_, err := a.Generate(t.Context(), question(eval.FC))
		require.ErrorContains(t, err, c.want)
		assert.Equal(t, c.kind, eval.InfraKind(err), "%v", err)
		assert.Equal(t, c.fatal, transport.IsFatal(err), "%v", err)
	}
}

// TestMalformed: what the server could not read is the model's answer, plain and
// streamed, with the text where the server tells it, and the next request is
// sent as if nothing had happened.
func TestMalformed(t *testing.T) {
	groq := `{"error": {"message": "Failed to call a function.", "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": "<function=f>{\"a\": 1"}}`
	llama := `{"error": {"code": 500, "message": "The model produced output that does not match the expected peg-native format", "type": "server_error"}}`
	for _, c := range []struct {
		status     int
		kind, body string
		want       pyval.Str
	}{
		{400, "application/json", groq, `<function=f>{"a": 1`},
		{500, "application/json", llama, ""},
		{500, "application/json", `{"error": {"message": "error parsing tool call: raw='{\"name\": ', err=unexpected end of JSON input", "type": "api_error"}}`, `{"name": `},
		{200, "text/event-stream", "data: " + llama + "\n\n", ""},
	} {
		asked := 0
		a := adapter(t, Config{Stream: c.status == 200}, transport.Options{MaxTries: 5}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			asked++
			w.Header().Set("Content-Type", c.kind)
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		})
		for range 30 { // neither a refusal of the run nor a server that is down
			resp, err := a.Generate(t.Context(), question(eval.FC))
			require.NoError(t, err)
			assert.Equal(t, c.want, resp.Result)
			assert.True(t, resp.Malformed)
			assert.Equal(t, "assistant", resp.Message.Role)
		}
		assert.Equal(t, 30, asked)
	}
}

// TestTokensField: OpenAI's models that reason get the newer field behind
// whatever gateway, others the one that all servers know, and the catalogue
// overrules both.
func TestTokensField(t *testing.T) {
	for _, c := range []struct{ model, base, stated, want string }{
		{"gpt-5-mini", "http://gateway.local/v1", "", `"max_completion_tokens":7`},
		{"openai/o3", "http://gateway.local/v1", "", `"max_completion_tokens":7`},
		{"openai/gpt-oss-20b", "http://gateway.local/v1", "", `"max_tokens":7`},
		{"qwen3", "http://gateway.local/v1", "", `"max_tokens":7`},
		{"gpt-4.1", "http://api.openai.com/v1", "", `"max_completion_tokens":7`},
		{"gpt-5-mini", "http://gateway.local/v1", "max_tokens", `"max_tokens":7`},
	} {
		var sent string
		a := adapter(t, Config{Model: c.model, BaseURL: c.base, MaxTokens: 7, MaxTokensField: c.stated}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Body
			adaptertest.Write(w, http.StatusOK, hello)
		})
		_, err := a.Generate(t.Context(), question(eval.FC))
		require.NoError(t, err)
		assert.Contains(t, sent, c.want, c.model)
	}
}

// TestRetried checks that faults which pass are not the case's: the answer
// comes, its latency is the last attempt's.
func TestRetried(t *testing.T) {
	var n atomic.Int64
	a := adapter(t, Config{}, transport.Options{MaxTries: 5}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		switch n.Add(1) {
		case 1:
			w.Header().Set("Retry-After", "0")
			adaptertest.Write(w, http.StatusTooManyRequests, `{"error": {"message": "slow down"}}`)
		case 2:
			adaptertest.Write(w, http.StatusOK, `{"error": {"code": 502, "message": "upstream"}}`)
		case 3:
			w.Header().Set("Content-Length", "1000")
			adaptertest.Write(w, http.StatusOK, hello)
		default:
			adaptertest.Write(w, http.StatusOK, hello)
		}
	})
	resp, err := a.Generate(t.Context(), question(eval.FC))
	require.NoError(t, err)
	assert.Equal(t, pyval.Str("Hello."), resp.Result)
	assert.Equal(t, int64(4), n.Load())
}

// TestRedirect checks that a redirect does not take the key elsewhere.
func TestRedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed with %v", r.Header)
	}))
	defer other.Close()
	a := adapter(t, Config{Key: secret}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		w.Header().Set("Location", other.URL)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	_, err := a.Generate(t.Context(), question(eval.FC))
	require.Error(t, err)
	assert.Equal(t, "bad_request", eval.InfraKind(err), "%v", err)
}

func TestTimeout(t *testing.T) {
	release := make(chan struct{})
	a := adapter(t, Config{}, transport.Options{Timeout: 20 * time.Millisecond}, func(w http.ResponseWriter, _ adaptertest.Seen) { <-release })
	defer close(release)
	_, err := a.Generate(t.Context(), question(eval.FC))
	require.Error(t, err)
	assert.Equal(t, "timeout", eval.InfraKind(err), "%v", err)
}

const secret = "sk-planted-0123456789abcdef"

// TestNoKeyInOutputs plants a key, lets a server send it back in every way,
// and searches all that comes out.
func TestNoKeyInOutputs(t *testing.T) {
	header := http.Header{"X-Auth-Token": {secret + "-in-header"}}
	for _, c := range []struct {
		status int
		reply  string
	}{
		{200, `{"choices": [{"message": {"content": "your key is KEY and HEADER", "tool_calls": [{"function": {"name": "KEY", "arguments": "{\"k\": \"KEY\"}"}}]}}]}`},
		{200, `{"choices": [{"message": {"content": "your key is KEY and HEADER"}}]}`},
		{200, `{"choices": [], "KEY": "HEADER"}`},
		{200, `{"error": {"message": "bad key KEY", "code": "KEY"}}`},
		{200, `KEY`},
		{200, `["KEY"]`},
		{400, `{"error": {"message": "bad key KEY, header HEADER"}}`},
		{401, `{"error": {"message": "Incorrect API key provided: KEY"}}`},
		{500, `<html>KEY</html>`},
	} {
		reply := strings.NewReplacer("KEY", secret, "HEADER", secret+"-in-header").Replace(c.reply)
		cfg := Config{Key: secret, Headers: header, BaseURL: "http://user:" + secret + "@localhost:8000/v1?api_key=" + secret}
		var sent http.Header
		a := adapter(t, cfg, transport.Options{AnyBody: true}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Header
			adaptertest.Write(w, c.status, reply)
		})
		resp, err := a.Generate(t.Context(), question(eval.FC))
		require.Equal(t, "Bearer "+secret, sent.Get("Authorization"))
		require.Equal(t, secret+"-in-header", sent.Get("X-Auth-Token"))
		var texts []string
		if resp != nil {
			texts = append(texts, pyval.Repr(resp.Result))
		}
		for _, v := range []any{a, *a, struct{ a Adapter }{*a}, a.Protocol, cfg, &cfg, []Config{cfg}, struct{ C Config }{cfg}} {
			texts = append(texts, adaptertest.Print(v)...)
		}
		adaptertest.FindSecret(t, secret, texts, err)
	}
}

// TestPlaceholderKey checks that a key which is a plain word does not eat that
// word out of answers.
func TestPlaceholderKey(t *testing.T) {
	a := adapter(t, Config{Key: "EMPTY", Headers: http.Header{"X-Title": {"function calling"}}}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		adaptertest.Write(w, http.StatusOK, `{"choices": [{"message": {"content": "EMPTY function calling"}}]}`)
	})
	resp, err := a.Generate(t.Context(), question(eval.FC))
	require.NoError(t, err)
	assert.Equal(t, pyval.Str("EMPTY function calling"), resp.Result)
}
