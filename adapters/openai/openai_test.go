package openai

import (
	"encoding/json"
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

const hello = `{"choices": [{"message": {"role": "assistant", "content": "Hello."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1, "completion_tokens": 2}}`

func question(mode eval.Mode, tools ...*pyval.Dict) *eval.Request {
	return &eval.Request{ID: "simple_python_0", Mode: mode, Tools: tools, Messages: []eval.Message{{Role: "user", Content: "Hi."}}}
}

// adapter opens an adapter over a server with the given behaviour.
func adapter(t testing.TB, cfg Config, o transport.Options, reply func(http.ResponseWriter, adaptertest.Seen)) *Adapter {
	t.Helper()
	cfg.Transport, _ = adaptertest.Serve(t, o, reply)
	if cfg.Model == "" {
		cfg.Model = "m"
	}
	if cfg.BaseURL == "" {
		cfg.BaseURL = "http://localhost:8000"
	}
	a, err := New(cfg)
	require.NoError(t, err)
	return a
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
		carrier, end := adaptertest.Serve(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			if _, err := pyval.ParseJSON(seen.Body); err != nil {
				t.Errorf("the request is not JSON: %v", err)
			}
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
	adaptertest.Replies(t, [][4]string{
		{"part of another kind", `{"choices": [{"message": {"content": ["a", {"type": "text", "text": "b"}, {"type": "refusal", "refusal": "c"}, {"type": "image"}, null, 5]}}]}`, `'abc'`, ""},
		{"no content", `{"choices": [{"message": {"role": "assistant"}}]}`, `None`, ""},
		{"empty list of calls", `{"choices": [{"message": {"content": null, "tool_calls": []}}]}`, `[]`, ""},
		{"text beside an empty list", `{"choices": [{"message": {"content": "t", "tool_calls": []}}]}`, `'t'`, ""},
		{"content is a number", `{"choices": [{"message": {"content": 5}}]}`, `''`, ""},
		{"calls beside text", `{"choices": [{"message": {"content": "t", "tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}}]}`, `[{'f': '{}'}]`, ""},
		{"calls are null", `{"choices": [{"message": {"content": "t", "tool_calls": null}}]}`, `'t'`, ""},
		{"call without function", `{"choices": [{"message": {"tool_calls": [{"name": "f", "arguments": {"a": [1, 1.0, null]}}]}}]}`, `[{'f': '{"a": [1, 1.0, null]}'}]`, ""},
		{"call without anything", `{"choices": [{"message": {"tool_calls": [null, {}, 5]}}]}`, `[{'': ''}, {'': ''}, {'': ''}]`, ""},
		{"arguments null", `{"choices": [{"message": {"tool_calls": [{"function": {"name": "f", "arguments": null}}]}}]}`, `[{'f': ''}]`, ""},
		{"call wins over legacy", `{"choices": [{"message": {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}], "function_call": {"name": "g"}}}]}`, `[{'f': '{}'}]`, ""},
		{"error null", `{"error": null, "choices": [{"error": null, "message": {"content": "t"}}]}`, `'t'`, ""},
		{"lone surrogate", `{"choices": [{"message": {"content": "a\ud800b"}}]}`, `'a\ud800b'`, ""},
		{"not UTF-8", "{\"choices\": [{\"message\": {\"content\": \"a\xff\xfeb\xe2\x82\"}}]}", `'a�b�'`, ""},
		{"control bytes", `{"choices": [{"message": {"content": "\u0016--- PASS: x\n"}}]}`, `'\x16--- PASS: x\n'`, ""},
		{"negative usage", `{"choices": [{"message": {"content": "t"}}], "usage": {"prompt_tokens": -5, "completion_tokens": 1e99}}`, `'t'`, ""},
		{"second choice", `{"choices": [{"message": {"content": "1"}}, {"message": {"content": "2"}}]}`, `'1'`, ""},
		{"cut off: text cut off", `{"choices": [{"message": {"content": "[f(a=1, b="}, "finish_reason": "length"}]}`, `'[f(a=1, b='`, ""},
		{"cut off: context used up", `{"choices": [{"message": {"content": "x"}, "finish_reason": "model_length"}]}`, `'x'`, ""},
		{"ended with an error", `{"choices": [{"message": {"content": ""}, "finish_reason": "error"}]}`, "", "server_error"},
		{"choices null", `{"choices": null}`, "", "empty_reply"},
		{"choice null", `{"choices": [null]}`, "", "empty_reply"},
		{"message null", `{"choices": [{"message": null}]}`, "", "empty_reply"},
		{"calls that are no list", `{"choices": [{"message": {"tool_calls": {"function": {"name": "f", "arguments": "{}"}}}}]}`, "", "bad_reply"},
		{"a list", `[1]`, "", "bad_reply"},
		{"a text", `"hello"`, "", "bad_reply"},
		{"HTML", `<html><body>Bad gateway</body></html>`, "", "not_json"},
		{"nothing", ``, "", "not_json"},
		{"error as text", `{"error": "model is loading"}`, "", "server_error"},
		{"error object", `{"error": {"message": "slow down", "type": "rate_limit_error", "code": null}}`, "", "rate_limited"},
		{"vLLM's error", `{"object": "error", "message": "too long", "type": "BadRequestError", "param": null, "code": 400}`, "", "bad_request"},
		{"error with code", `{"error": {"message": "no", "code": "429"}}`, "", "rate_limited"},
		{"moderated", `{"choices": [{"error": {"code": 403, "message": "flagged"}}]}`, "", "unauthorized"},
	}, adaptertest.Answered(func(t *testing.T, reply string) (*eval.Response, error) {
		a := adapter(t, Config{}, transport.Options{AnyBody: true}, func(w http.ResponseWriter, _ adaptertest.Seen) { adaptertest.Write(w, http.StatusOK, reply) })
		return a.Generate(t.Context(), question(eval.FC))
	}))
}

// TestLaterChoice: calls that stand where no client looks are marked.
func TestLaterChoice(t *testing.T) {
	for reply, want := range map[string]string{
		`{"choices": [{"message": {"content": "I will."}}, {"message": {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}}]}`: eval.LaterChoice,
		`{"choices": [{"message": {"content": "I will."}}, {"message": {"content": "I will."}}]}`:                                           "",
	} {
		a := adapter(t, Config{}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) { adaptertest.Write(w, http.StatusOK, reply) })
		resp, err := a.Generate(t.Context(), question(eval.FC))
		require.NoError(t, err)
		assert.Equal(t, want, resp.Finish)
		assert.Equal(t, "'I will.'", pyval.Repr(resp.Result))
	}
}

// TestFinishReasons: an answer that the server gave up on is none, whether it
// came in one piece or as a stream, and whatever came of it. Others are judged,
// and what is odd about their end is said.
func TestFinishReasons(t *testing.T) {
	for reason, want := range map[string]struct{ kind, finish string }{
		"stop": {}, "tool_calls": {}, "function_call": {}, "eos": {},
		"abort": {kind: "server_error"}, "error": {kind: "server_error"}, "insufficient_system_resource": {kind: "server_error"}, "network_error": {kind: "server_error"}, "timeout": {kind: "timeout"},
		"content_filter": {finish: "filtered: content_filter"}, "tired\x1b[2J": {finish: `unknown: tired\x1b[2J`},
	} {
		for _, message := range []string{`{"content": "I cannot"}`, `{"content": "", "tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{}"}}]}`, `{"content": ""}`} {
			for _, body := range []string{
				fmt.Sprintf(`{"choices": [{"message": %s, "finish_reason": %s}]}`, message, jsonText(reason)),
				events(delta(message), fmt.Sprintf(`{"choices": [{"index": 0, "delta": {}, "finish_reason": %s}]}`, jsonText(reason))),
			} {
				streams := strings.HasPrefix(body, "data")
				a := adapter(t, Config{Stream: streams}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
					if streams {
						sendEvents(w, body)
						return
					}
					adaptertest.Write(w, http.StatusOK, body)
				})
				resp, err := a.Generate(t.Context(), question(eval.FC))
				if want.kind != "" {
					require.Errorf(t, err, "%s", body)
					assert.Equal(t, want.kind, eval.InfraKind(err), body)
					continue
				}
				require.NoErrorf(t, err, "%s", body)
				assert.Equal(t, want.finish, resp.Finish, body)
				assert.False(t, resp.CutOff, body)
			}
		}
	}
}

func jsonText(s string) string {
	text, _ := json.Marshal(s)
	return string(text)
}

// TestReasoning finds the reasoning that later turns and traces need, and the
// calls' ids.
func TestReasoning(t *testing.T) {
	for _, message := range []string{
		`{"reasoning_content": "hm", "content": "x"}`, `{"reasoning": "hm", "content": "x"}`,
		`{"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "h"}, {"type": "text", "text": "m"}]}, {"type": "text", "text": "x"}]}`,
		`{"content": [{"type": "reasoning", "text": "hm"}, "x"]}`,
	} {
		r, err := parse(adaptertest.Doc(t, `{"choices": [{"message": `+message+`}]}`))
		require.NoError(t, err)
		assert.Equal(t, []string{"hm", "x"}, []string{r.Reasoning, r.Text}, message)
	}
	r, err := parse(adaptertest.Doc(t, `{"choices": [{"message": {"tool_calls": [{"id": "a"}, {}, {"id": "b"}]}}]}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "", "b"}, adaptertest.IDs(r.Calls))
}

func TestToolDocuments(t *testing.T) {
	float := adaptertest.Doc(t, `{"name": "a.b", "description": "d", "parameters": {"type": "dict", "properties": {"z": {"type": "float", "default": 5.0, "description": "how far"}, "a": {"type": "integer", "default": 5}}}}`)
	var sent string
	reply := func(w http.ResponseWriter, seen adaptertest.Seen) {
		sent = seen.Body
		adaptertest.Write(w, http.StatusOK, hello)
	}
	a := adapter(t, Config{Wording: adaptertest.Wording(t)}, transport.Options{}, reply)
	_, err := a.Generate(t.Context(), question(eval.FC, float))
	require.NoError(t, err)
	assert.Contains(t, sent, `"name":"a_b"`)
	assert.Contains(t, sent, `"z":{"type":"number","default":5.0,"description":"how far`)
	assert.Contains(t, sent, `"a":{"type":"integer","default":5}`)

	_, err = a.Generate(t.Context(), question(eval.FC, adaptertest.Doc(t, `{"name": "f"}`)))
	assert.Equal(t, "tool_schema", eval.InfraKind(err))
	endless := adaptertest.Doc(t, `{"name": "f", "parameters": {"type": "dict", "properties": {"a": {"type": "integer", "default": 1e999}}}}`)
	_, err = a.Generate(t.Context(), question(eval.FC, endless))
	assert.Equal(t, "request", eval.InfraKind(err))
	_, err = adapter(t, Config{}, transport.Options{}, reply).Generate(t.Context(), question(eval.FC, float))
	assert.Equal(t, "config", eval.InfraKind(err))
}

func FuzzReply(f *testing.F) {
	adaptertest.FuzzReply(f, parse, hello, `{"choices": [{"message": {"content": [{"type": "thinking", "thinking": [{"text": "x"}]}], "tool_calls": [{"function": {"name": 1, "arguments": {"a": NaN}}}]}, "finish_reason": "length"}], "usage": {"prompt_tokens": 1e400}}`, `{"choices": [{"error": {"code": "x", "status": 999, "message": {}}}]}`)
}

func BenchmarkGenerate(b *testing.B) {
	a := adapter(b, Config{}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) { adaptertest.Write(w, http.StatusOK, hello) })
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.Generate(b.Context(), question(eval.FC)); err != nil {
			b.Fatal(err)
		}
	}
}
