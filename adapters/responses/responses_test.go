package responses

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

const hello = `{"status": "completed", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]}], "usage": {"input_tokens": 1, "output_tokens": 2}}`

func question(mode eval.Mode) *eval.Request {
	return &eval.Request{ID: "simple_python_0", Mode: mode, Messages: []eval.Message{{Role: "user", Content: "Hi."}}}
}

// answer is what an adapter makes of one reply.
func answer(t *testing.T, cfg Config, status int, reply string, mode eval.Mode) (*Adapter, *eval.Response, error) {
	t.Helper()
	cfg.Transport, _ = adaptertest.Serve(t, transport.Options{AnyBody: true}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		adaptertest.Write(w, status, reply)
	})
	cfg.Model = "m"
	if cfg.BaseURL == "" {
		cfg.BaseURL = "http://localhost:8000"
	}
	a, err := New(cfg)
	require.NoError(t, err)
	resp, err := a.Generate(t.Context(), question(mode))
	return a, resp, err
}

// closer ends an adapter's server with it.
type closer struct {
	*Adapter
	end func()
}

func (c closer) Close() error {
	defer c.end()
	return c.Adapter.Close()
}

func TestConformance(t *testing.T) {
	adaptertest.Run(t, func(t *testing.T) eval.Adapter {
		carrier, end := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			adaptertest.Write(w, http.StatusOK, hello)
		})
		a, err := New(Config{Model: "m", BaseURL: "http://localhost:8000", Wording: adaptertest.Wording(t), Transport: carrier})
		require.NoError(t, err)
		return closer{a, sync.OnceFunc(end)}
	})
}

func TestRecordings(t *testing.T) {
	adaptertest.Replay(t, func(cfg Config) (eval.Adapter, error) { return New(cfg) })
}

// TestReplies reads replies that are odd in one way.
func TestReplies(t *testing.T) {
	const call = `{"type": "function_call", "name": "f", "arguments": "{}"}`
	adaptertest.Replies(t, [][4]string{
		{"no status", `{"output": [` + call + `]}`, `[{'f': '{}'}]`, ""},
		{"only reasoning", `{"status": "completed", "output": [{"type": "reasoning", "summary": []}]}`, `''`, ""},
		{"content as text", `{"output": [{"type": "message", "content": "x"}]}`, `'x'`, ""},
		{"call beside text", `{"output": [{"type": "message", "content": [{"text": "x"}]}, ` + call + `]}`, `[{'f': '{}'}]`, ""},
		{"arguments as object", `{"output": [{"type": "function_call", "name": "f", "arguments": {"b": 1.0, "a": "ü"}}]}`, `[{'f': '{"b": 1.0, "a": "ü"}'}]`, ""},
		{"broken arguments", `{"output": [{"type": "function_call", "name": "f", "arguments": "{a"}]}`, `[{'f': '{a'}]`, ""},
		{"call without anything", `{"output": [{"type": "function_call"}]}`, `[{'': ''}]`, ""},
		{"odd items", `{"output": [null, 5, {}, {"type": "new_thing"}, {"type": "message", "content": [null, 5, {}]}]}`, `''`, ""},
		{"cut off: whole call before the limit", `{"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [` + call + `]}`, `[{'f': '{}'}]`, ""},
		{"cut off: call cut off", `{"status": "incomplete", "output": [{"type": "function_call", "name": "f", "arguments": "{\"a"}]}`, `[{'f': '{"a'}]`, ""},
		{"cut off: text cut off", `{"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}, "output": [{"type": "message", "content": "x"}]}`, `'x'`, ""},
		{"not UTF-8", "{\"output\": [{\"type\": \"message\", \"content\": \"a\xffb\"}]}", `'a�b'`, ""},
		{"cancelled", `{"status": "cancelled", "output": []}`, "", "server_error"},
		{"in progress", `{"status": "in_progress", "output": []}`, "", "server_error"},
		{"rate limit", `{"status": "failed", "error": {"code": "rate_limit_exceeded", "message": "slow down"}, "output": []}`, "", "rate_limited"},
		{"bad prompt", `{"status": "failed", "error": {"code": "invalid_prompt", "message": "no"}, "output": []}`, "", "bad_request"},
		{"no output", `{"status": "completed"}`, "", "bad_reply"},
		{"output null", `{"status": "completed", "output": null}`, "", "bad_reply"},
		{"output empty", `{"status": "completed", "output": []}`, "", "empty_reply"},
		{"a chat completion", `{"object": "chat.completion", "choices": []}`, "", "bad_reply"},
		{"HTML", `<html>`, "", "not_json"},
	}, adaptertest.Answered(func(t *testing.T, reply string) (*eval.Response, error) {
		_, resp, err := answer(t, Config{}, http.StatusOK, reply, eval.FC)
		return resp, err
	}))
	_, resp, err := answer(t, Config{}, http.StatusOK, `{"output": [`+call+`, {"type": "message", "content": "t"}]}`, eval.Prompt)
	require.NoError(t, err)
	assert.Equal(t, pyval.Str("t"), resp.Result, "prompt mode looks at the text alone")
}

// TestKept finds what later turns need: ids, reasoning, and the output as it
// came.
func TestKept(t *testing.T) {
	r, err := parse(adaptertest.Doc(t, `{"output": [{"type": "reasoning", "summary": [{"text": "a"}, {"text": "b"}], "encrypted_content": "opaque"}, {"type": "function_call", "call_id": "c1"}]}`))
	require.NoError(t, err)
	assert.Equal(t, "a\nb\n", r.Reasoning)
	assert.Equal(t, []string{"c1"}, adaptertest.IDs(r.Calls))
	require.Len(t, r.items, 2)
	assert.Contains(t, pyval.Repr(r.items[0]), "'encrypted_content': 'opaque'")
}

func TestNoKeyInOutputs(t *testing.T) {
	const secret = "sk-planted-0123456789abcdef"
	for _, c := range []struct {
		status int
		reply  string
	}{
		{200, `{"output": [{"type": "function_call", "name": "KEY", "arguments": "KEY"}]}`},
		{200, `{"output": [{"type": "message", "content": "KEY"}]}`},
		{200, `{"KEY": 1}`},
		{200, `{"status": "failed", "error": {"code": "KEY", "message": "KEY"}}`},
		{401, `{"error": {"message": "Incorrect API key provided: KEY"}}`},
	} {
		cfg := Config{Key: secret, BaseURL: "http://u:" + secret + "@h/v1?key=" + secret}
		a, resp, err := answer(t, cfg, c.status, strings.ReplaceAll(c.reply, "KEY", secret), eval.FC)
		var texts []string
		if resp != nil {
			texts = append(texts, pyval.Repr(resp.Result))
		}
		for _, v := range []any{a, *a, cfg, &cfg} {
			texts = append(texts, adaptertest.Print(v)...)
		}
		adaptertest.FindSecret(t, secret, texts, err)
	}
}

func FuzzReply(f *testing.F) {
	adaptertest.FuzzReply(f, parse, hello, `{"status": "incomplete", "output": [{"type": "function_call", "arguments": {"a": NaN}}, {"type": "reasoning", "summary": [null], "content": [{"text": 5}]}], "usage": {"input_tokens": -1}}`)
}

// TestFinishReasons: what is odd about the end of an answer is said.
func TestFinishReasons(t *testing.T) {
	for reason, want := range map[string]string{"max_output_tokens": "", "content_filter": "filtered: content_filter", "odd": "unknown: odd"} {
		r, err := parse(adaptertest.Doc(t, fmt.Sprintf(`{"status": "incomplete", "incomplete_details": {"reason": %q}, "output": [{"type": "message", "content": "x"}]}`, reason)))
		require.NoError(t, err, reason)
		assert.Equal(t, want, r.Finish)
		assert.Equal(t, reason == "max_output_tokens", r.CutOff)
	}
}
