package openai

import (
	"io"
	"net/http"
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

// events are chunks as a server sends them, with the last event.
func events(chunks ...string) string {
	return "data: " + strings.Join(append(chunks, streamed.Done), "\n\ndata: ") + "\n\n"
}

// delta is a chunk with one delta.
func delta(d string) string { return `{"choices": [{"index": 0, "delta": ` + d + `}]}` }

const (
	counted = `{"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}}`
	stopped = `{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}`
)

// stream answers with server-sent events.
func sendEvents(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	_, _ = io.WriteString(w, body)
}

// TestStreams reads streams as servers write them: the answer is that of a
// reply in one piece.
func TestStreams(t *testing.T) {
	for _, c := range []struct{ name, body, want, reasoning, message string }{
		{"text", events(delta(`{"role": "assistant", "content": ""}`), delta(`{"content": "Hel"}`), delta(`{"content": "lo."}`), stopped,
			counted), `'Hello.'`, "", `{"role": "assistant", "content": "Hello."}`},
		{"calls by index", events(
			delta(`{"role": "assistant", "content": null}`),
			delta(`{"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}]}`),
			delta(`{"tool_calls": [{"index": 0, "function": {"arguments": "{\"x\""}}]}`),
			delta(`{"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "g", "arguments": "{"}}]}`),
			delta(`{"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}, {"index": 1, "function": {"arguments": "}"}}]}`), stopped,
		), `[{'f': '{"x": 1}'}, {'g': '{}'}]`, "", `{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\": 1}"}}, {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}}]}`},
		{"empty ids and repeated names later on", events(
			delta(`{"content": "", "tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}]}`),
			delta(`{"content": "", "tool_calls": [{"index": 0, "id": "", "function": {"name": "", "arguments": "}"}}]}`),
			delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": null}}]}`), stopped,
		), `[{'f': '{}'}]`, "", ""},
		{"one number for all calls", events(
			delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"signature": "s"}}]}`),
			delta(`{"tool_calls": [{"index": 0, "id": "b", "function": {"name": "f", "arguments": "{}"}}]}`), stopped,
		), `[{'f': '{}'}, {'f': '{}'}]`, "", `{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"signature": "s"}}, {"id": "b", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}`},
		{"arguments at the next number", events(
			delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}}]}`), delta(`{"tool_calls": [{"index": 0, "function": {"arguments": "{\"x\": 1}"}}]}`),
			delta(`{"tool_calls": [{"index": 0, "id": "b", "function": {"name": "f", "arguments": ""}}, {"index": 1, "function": {"arguments": "{\"x\": 2}"}}]}`), stopped,
		), `[{'f': '{"x": 1}'}, {'f': '{"x": 2}'}]`, "", ""},
		{"one number, empty ids, fields that are null", events(
			delta(`{"tool_calls": [{"index": 0, "id": "", "function": {"name": "f", "arguments": "{\"x\": 1}"}}]}`),
			delta(`{"tool_calls": [{"index": null, "id": null, "function": {"name": null, "arguments": null}}]}`),
			delta(`{"tool_calls": [{"index": 0, "id": "", "function": {"name": "f", "arguments": "{\"x\": 2}"}}]}`), stopped,
		), `[{'f': '{"x": 1}'}, {'f': '{"x": 2}'}]`, "", ""},
		{"no numbers", events(
			delta(`{"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{"}}]}`),
			delta(`{"tool_calls": [{"function": {"arguments": "}"}}]}`),
			delta(`{"tool_calls": [{"id": "b", "function": {"name": "g", "arguments": {"x": 5.0}}}]}`), stopped,
		), `[{'f': '{}'}, {'g': '{"x": 5.0}'}]`, "", ""},
		{"reasoning", events(delta(`{"reasoning_content": "Be"}`), delta(`{"reasoning_content": "cause.", "content": null}`), delta(`{"content": "Yes"}`), stopped),
			`'Yes'`, "Because.", `{"role": "assistant", "content": "Yes", "reasoning_content": "Because."}`},
		{"blocks of reasoning", events(
			delta(`{"reasoning": "a", "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "a"}]}`),
			delta(`{"reasoning": "b", "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "b", "signature": "s"}]}`), delta(`{"content": "Yes"}`), stopped),
			`'Yes'`, "ab", `{"role": "assistant", "content": "Yes", "reasoning": "ab", "reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "ab", "signature": "s"}]}`},
		{"parts", events(delta(`{"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]}`), delta(`{"content": "Y"}`), delta(`{"content": "es"}`), stopped),
			`'Yes'`, "Hm", ""},
		{"no last event", strings.Replace(events(delta(`{"content": "Yes"}`), stopped), "data: "+streamed.Done, "", 1), `'Yes'`, "", ""},
		{"no reason to stop", events(delta(`{"content": "Yes"}`), counted), `'Yes'`, "", ""},
		{"comments, names and CRLF", ": ping\r\n\r\nevent: chunk\r\nid: 1\r\ndata: " + delta(`{"content": "Yes"}`) + "\r\n\r\ndata: " + stopped + "\r\n\r\n: ping\r\n\r\ndata:[DONE]\r\n\r\n", `'Yes'`, "", ""},
		{"an event in two lines of data", "data: {\"choices\": [{\"delta\":\ndata: {\"content\": \"Y\ndata: es\"}, \"finish_reason\":\ndata:  \"stop\"}]}\n\ndata: [DONE]\n\n", `'Yes'`, "", ""},
		{"no empty line at the end", "data: " + delta(`{"content": "Yes"}`) + "\n\ndata: " + stopped + "\n\ndata: [DONE]", `'Yes'`, "", ""},
		{"another choice", events(delta(`{"content": "Yes"}`), `{"choices": [{"index": 1, "delta": {"content": "No"}}]}`, stopped), `'Yes'`, "", ""},
		{"function_call", events(delta(`{"function_call": {"name": "f", "arguments": "{"}}`), delta(`{"function_call": {"arguments": "}"}}`), stopped), `[{'f': '{}'}]`, "", ""},
		{"nothing said", events(delta(`{"role": "assistant", "content": ""}`), stopped), `''`, "", ""},
		{"a reply in one piece", hello, `'Hello.'`, "", ""},
	} {
		var sent string
		a := adapter(t, Config{Stream: true}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Body
			if strings.HasPrefix(c.body, "{") {
				adaptertest.Write(w, http.StatusOK, c.body)
				return
			}
			sendEvents(w, c.body)
		})
		resp, err := a.Generate(t.Context(), question(eval.FC))
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, pyval.Repr(resp.Result), c.name)
		assert.Equal(t, c.reasoning, resp.Reasoning, c.name)
		assert.Contains(t, sent, `"stream":true,"stream_options":{"include_usage":true}`)
		if c.message != "" {
			assert.Equal(t, pyval.Repr(adaptertest.Doc(t, c.message)), pyval.Repr(resp.AsMessage().Raw), c.name)
		}
		if c.name == "text" {
			assert.Equal(t, 5, resp.InputTokens)
			assert.Equal(t, 2, resp.OutputTokens)
		}
	}
}

// TestBrokenStreams: a stream that ends before its end, or with an error in it,
// is trouble of the infrastructure, and asked for again where that may help.
func TestBrokenStreams(t *testing.T) {
	half := "data: " + delta(`{"content": "Ye"}`) + "\n\n"
	for _, c := range []struct {
		name, body, kind, said string
		again                  bool
	}{
		{"cut between events", half, "body", "the stream broke off", true},
		{"an end in the middle", half + "data: [DONE]\n\n", "body", "without a reason to stop", true},
		{"an end in the middle of arguments", events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x"}}]}`), counted), "body", "without a reason to stop", true},
		{"calls that are no list", events(delta(`{"tool_calls": {"id": "a", "function": {"name": "f", "arguments": "{}"}}}`), stopped), "bad_reply", "tool_calls must be a list", false},
		{"a call without a name", events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"arguments": "{}"}}]}`), stopped), "bad_reply", "call 1 has no name", false},
		{"arguments of several calls", events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\": 1}"}}, {"index": 0, "function": {"name": "", "arguments": "{\"x\": 2}"}}]}`), stopped), "bad_reply", "arguments of several calls", false},
		{"several objects in function_call", events(delta(`{"function_call": {"name": "f", "arguments": "{\"x\": 1}{\"x\": 2}"}}`), stopped), "bad_reply", "arguments of several calls", false},
		{"a call that is null", events(delta(`{"tool_calls": [null]}`), stopped), "bad_reply", "sends none of it", false},
		{"cut in an event", half + `data: {"choices": [{"del`, "body", "not a JSON object", true},
		{"nothing", ": ping\n\n", "body", "the stream is empty", true},
		{"overloaded", half + `data: {"error": {"message": "overloaded", "code": 503}}` + "\n\n", "server_error", "overloaded", true},
		{"refused", half + `data: {"error": {"message": "bad tool", "code": 400}}` + "\n\n", "bad_request", "bad tool", false},
		{"an error without a status", half + `data: {"error": {"message": "boom", "type": "internal_error"}}` + "\n\n", "server_error", "boom", false},
	} {
		var asked atomic.Int64
		a := adapter(t, Config{Stream: true}, transport.Options{MaxTries: 3}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			asked.Add(1)
			sendEvents(w, c.body)
		})
		_, err := a.Generate(t.Context(), question(eval.FC))
		require.ErrorContains(t, err, c.said, c.name)
		assert.Equal(t, c.kind, eval.InfraKind(err), "%s: %v", c.name, err)
		assert.Equal(t, c.again, asked.Load() > 1, c.name)
	}
	cut := adapter(t, Config{Stream: true}, transport.Options{MaxTries: 2}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		w.Header().Set("Content-Length", "10000")
		sendEvents(w, half)
	})
	_, err := cut.Generate(t.Context(), question(eval.FC))
	require.Error(t, err)
	assert.Equal(t, transport.Body, eval.InfraKind(err))
}

// TestCuts: wherever a stream is cut, and however it then ends, it is an error or
// the whole answer.
func TestCuts(t *testing.T) {
	adaptertest.Cuts(t, streamed, "data: [DONE]\n\n", events(
		delta(`{"role": "assistant", "content": null}`),
		delta(`{"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\""}}]}`),
		delta(`{"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "g", "arguments": "{"}}]}`),
		delta(`{"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}, {"index": 1, "function": {"arguments": "}"}}]}`), stopped, counted))
}

// TestMislabelled: a stream that calls itself JSON is a stream.
func TestMislabelled(t *testing.T) {
	a := adapter(t, Config{Stream: true}, transport.Options{MaxTries: 2}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		adaptertest.Write(w, http.StatusOK, events(delta(`{"content": "Yes"}`), stopped))
	})
	resp, err := a.Generate(t.Context(), question(eval.FC))
	require.NoError(t, err)
	assert.Equal(t, pyval.Str("Yes"), resp.Result)
}

// TestOnlyStreams: a server that only streams says so; the hint tells how.
func TestOnlyStreams(t *testing.T) {
	reply := func(w http.ResponseWriter, seen adaptertest.Seen) {
		if !strings.Contains(seen.Body, `"stream":true`) {
			adaptertest.Write(w, http.StatusBadRequest, `{"error": {"message": "This model only support stream mode, please enable the stream parameter to access the model."}}`)
			return
		}
		sendEvents(w, events(delta(`{"content": "Yes"}`), stopped))
	}
	_, err := adapter(t, Config{}, transport.Options{}, reply).Generate(t.Context(), question(eval.FC))
	require.ErrorContains(t, err, "-stream")
	resp, err := adapter(t, Config{Stream: true}, transport.Options{}, reply).Generate(t.Context(), question(eval.FC))
	require.NoError(t, err)
	assert.Equal(t, pyval.Str("Yes"), resp.Result)
}

// TestFirstToken: the chunk that names the role alone is no token, and a reply
// in one piece has none.
func TestFirstToken(t *testing.T) {
	held := make(chan struct{})
	a := adapter(t, Config{Stream: true}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		w.Header().Set("Content-Type", "text/event-stream")
		flush := w.(http.Flusher)
		for _, part := range []string{delta(`{"role": "assistant", "content": ""}`), delta(`{"content": "Yes"}`), stopped, streamed.Done} {
			if strings.Contains(part, "Yes") {
				<-held
			}
			_, _ = io.WriteString(w, "data: "+part+"\n\n")
			flush.Flush()
		}
	})
	const wait = 30 * time.Millisecond
	time.AfterFunc(wait, func() { close(held) })
	resp, err := a.Generate(t.Context(), question(eval.FC))
	require.NoError(t, err)
	assert.GreaterOrEqual(t, resp.TTFT, wait-5*time.Millisecond)
	assert.LessOrEqual(t, resp.TTFT, resp.Latency)

	whole := adapter(t, Config{}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) { adaptertest.Write(w, http.StatusOK, hello) })
	resp, err = whole.Generate(t.Context(), question(eval.FC))
	require.NoError(t, err)
	assert.Zero(t, resp.TTFT)
}

// TestStreamHidesKeys: what a server sends back of a key is hidden in a stream,
// too, also where it comes in pieces.
func TestStreamHidesKeys(t *testing.T) {
	a := adapter(t, Config{Key: secret, Stream: true}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		sendEvents(w, events(delta(`{"content": "`+secret+`"}`), delta(`{"content": " `+secret[:8]+`"}`), delta(`{"content": "`+secret[8:]+`"}`), stopped))
	})
	resp, err := a.Generate(t.Context(), question(eval.FC))
	require.NoError(t, err)
	adaptertest.FindSecret(t, secret, []string{pyval.Repr(resp.Result), pyval.Repr(resp.AsMessage().Raw)}, nil)
}

// FuzzStream: no stream panics, and one that is whole can be read as a reply.
func FuzzStream(f *testing.F) {
	adaptertest.FuzzStream(f, streamed, isToken, parse,
		events(delta(`{"content": "x", "reasoning": "y"}`), stopped),
		events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}, {"function": {"arguments": [1]}}, null]}`), stopped),
		"data: {\"error\": {\"code\": \"x\"}}\r\r: c\ndata\n\n",
		events(delta(`{"content": [{"type": "thinking"}, 5], "reasoning_details": [{"index": 0}, {"index": 0, "text": 5}, 7], "function_call": {}}`)),
	)
}
