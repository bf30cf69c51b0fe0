package anthropic

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

// events are server-sent events, each named by its type, as Anthropic sends
// them.
func events(list ...string) string {
	var b strings.Builder
	for _, data := range list {
		_, kind, _ := strings.Cut(data, `"type": "`)
		kind, _, _ = strings.Cut(kind, `"`)
		b.WriteString("event: " + kind + "\ndata: " + data + "\n\n")
	}
	return b.String()
}

const (
	begun   = `{"type": "message_start", "message": {"id": "m1", "type": "message", "role": "assistant", "model": "claude-x", "content": [], "stop_reason": null, "usage": {"input_tokens": 7, "cache_read_input_tokens": 2, "output_tokens": 1}}}`
	ping    = `{"type": "ping"}`
	stopped = `{"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 15}}`
	over    = `{"type": "message_stop"}`
	textOn  = `{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}`
	say     = `{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}}`
	sayMore = `{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "lo."}}`
	textOff = `{"type": "content_block_stop", "index": 0}`
)

func streaming(t *testing.T, o transport.Options, reply func(w http.ResponseWriter, seen adaptertest.Seen)) eval.Adapter {
	t.Helper()
	carrier, _ := adaptertest.Serve(t, o, reply)
	a, err := New(Config{Model: "claude-opus-4-6", BaseURL: "http://models.example.com", Key: adaptertest.Secret, Stream: true, Transport: carrier})
	require.NoError(t, err)
	return a
}

func send(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	_, _ = io.WriteString(w, body)
}

var question = &eval.Request{Mode: eval.FC, Messages: []eval.Message{{Role: "user", Content: "Hi."}}}

// TestStreams reads streams as the service sends them: the answer is that of a
// reply in one piece.
func TestStreams(t *testing.T) {
	thinking := `{"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}`
	thought := `{"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}}`
	signed := `{"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s1"}}`
	calling := `{"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "f", "input": {}}}`
	input := func(text string) string {
		return `{"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ` + string(pyval.AppendJSONString(nil, text, 0)) + `}}`
	}
	for _, c := range []struct{ name, body, want, reasoning, content string }{
		{"text", events(begun, ping, textOn, say, sayMore, textOff, stopped, over), `'Hello.'`, "", `[{'type': 'text', 'text': 'Hello.'}]`},
		{"a call behind thoughts", events(begun, thinking, thought, signed, calling, input(""), input(`{"b": 5.0,`), input(` "a": 1}`), stopped, over),
			`[{'f': '{"b": 5.0, "a": 1}'}]`, "Hm.", `[{'type': 'thinking', 'thinking': 'Hm.', 'signature': 's1'}, {'type': 'tool_use', 'id': 't1', 'name': 'f', 'input': {'b': 5.0, 'a': 1}}]`},
		{"a call without arguments", events(begun, calling, stopped, over), `[{'f': '{}'}]`, "", ""},
		{"two calls with one index", events(begun, calling, input(`{"a": 1}`), strings.Replace(calling, "t1", "t2", 1), input(`{"a": 2}`), stopped, over), `[{'f': '{"a": 1}'}, {'f': '{"a": 2}'}]`, "", ""},
		{"an input at another index", events(begun, textOn, say, calling, strings.Replace(input(`{"a": `), `"index": 1`, `"index": 2`, 1), strings.Replace(input(`1}`), `"index": 1`, `"index": 0`, 1), stopped, over), `[{'f': '{"a": 1}'}]`, "", ""},
		{"the whole input at the beginning", events(begun, strings.Replace(calling, "{}", `{"a": 5.0}`, 1), stopped, over), `[{'f': '{"a": 5.0}'}]`, "", ""},
		{"a text at another index", events(begun, textOn, say, strings.Replace(sayMore, `"index": 0`, `"index": 7`, 1), stopped, over), `'Hello.'`, "", ""},
		{"a text without a beginning", events(begun, say, sayMore, stopped, over), `'Hello.'`, "", ""},
		{"an input that broke off", events(begun, calling, input(`{"a": `), stopped, over), `[{'f': '{"a": '}]`, "", ""},
		{"no last event", events(begun, textOn, say, stopped), `'Hel'`, "", ""},
		{"events to come", events(begun, `{"type": "news"}`, textOn, say, `{"type": "content_block_delta", "index": 0, "delta": {"type": "news"}}`, stopped, over), `'Hel'`, "", ""},
		{"odd indices", events(begun, textOn, say, `{"type": "content_block_delta", "index": 99}`, `{"type": "content_block_start", "index": 99999999, "content_block": {}}`, stopped, over), `'Hel'`, "", ""},
		{"a reply in one piece", hello, `'Hello.'`, "", ""},
	} {
		var sent string
		a := streaming(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Body
			if strings.HasPrefix(c.body, "{") {
				adaptertest.Write(w, http.StatusOK, c.body)
				return
			}
			send(w, c.body)
		})
		resp, err := a.Generate(t.Context(), question)
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, pyval.Repr(resp.Result), c.name)
		assert.Equal(t, c.reasoning, resp.Reasoning, c.name)
		assert.Contains(t, sent, `"stream":true`)
		if c.content != "" {
			assert.Equal(t, c.content, pyval.Repr(resp.AsMessage().Raw), c.name)
		}
		if c.name == "text" {
			assert.Equal(t, []int{9, 15}, []int{resp.InputTokens, resp.OutputTokens})
			assert.Equal(t, "claude-x", resp.Served)
		}
	}
}

// TestStreamedFieldsHaveAnOrder: a block that begins without its fields is recorded
// and sent back with them in one order.
func TestStreamedFieldsHaveAnOrder(t *testing.T) {
	body := events(begun, `{"type": "content_block_start", "index": 0, "content_block": {"type": "thinking"}}`,
		`{"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}}`,
		`{"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s1"}}`, stopped, over)
	a := streaming(t, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) { send(w, body) })
	for range 30 {
		resp, err := a.Generate(t.Context(), question)
		require.NoError(t, err)
		require.Equal(t, `[{'type': 'thinking', 'thinking': 'Hm.', 'signature': 's1'}]`, pyval.Repr(resp.AsMessage().Raw))
	}
}

// TestBrokenStreams: a stream that ends before its end, or with an error in it,
// is trouble of the infrastructure, and asked for again where that may help.
func TestBrokenStreams(t *testing.T) {
	half := events(begun, textOn, say)
	for _, c := range []struct {
		name, body, kind, said string
		again                  bool
	}{
		{"cut between events", half, transport.Body, "the stream broke off", true},
		{"cut in an event", half + `data: {"type": "content_b`, transport.Body, "not a JSON object", true},
		{"nothing", events(ping), transport.Body, "the stream is empty", true},
		{"an input without a call", events(begun, `{"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}}`, stopped, over), "bad_reply", "call 1 has no name", false},
		{"overloaded", half + events(`{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}`), "server_error", "Overloaded", true},
		{"refused", half + events(`{"type": "error", "error": {"type": "invalid_request_error", "message": "bad tool"}}`), "bad_request", "bad tool", false},
	} {
		var asked atomic.Int64
		a := streaming(t, transport.Options{MaxTries: 2}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			asked.Add(1)
			send(w, c.body)
		})
		_, err := a.Generate(t.Context(), question)
		require.ErrorContains(t, err, c.said, c.name)
		assert.Equal(t, c.kind, eval.InfraKind(err), "%s: %v", c.name, err)
		assert.Equal(t, c.again, asked.Load() > 1, c.name)
	}
}

// TestCuts: wherever a stream is cut, it is an error or the whole answer.
func TestCuts(t *testing.T) {
	adaptertest.Cuts(t, streamed, events(over), events(begun, ping, textOn, say, sayMore, textOff,
		`{"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}`,
		`{"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"a\": 1"}}`,
		`{"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "}"}}`, stopped, over))
}

// TestFirstToken: what begins a message is no token.
func TestFirstToken(t *testing.T) {
	held := make(chan struct{})
	a := streaming(t, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, part := range []string{begun, ping, textOn, say, stopped, over} {
			if part == say {
				<-held
			}
			_, _ = io.WriteString(w, events(part))
			w.(http.Flusher).Flush()
		}
	})
	const wait = 30 * time.Millisecond
	time.AfterFunc(wait, func() { close(held) })
	resp, err := a.Generate(t.Context(), question)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, resp.TTFT, wait-5*time.Millisecond)
	assert.LessOrEqual(t, resp.TTFT, resp.Latency)
}

// TestStreamHidesKeys: also what comes in pieces.
func TestStreamHidesKeys(t *testing.T) {
	piece := func(text string) string {
		return strings.Replace(say, "Hel", text, 1)
	}
	a := streaming(t, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		send(w, events(begun, textOn, piece(adaptertest.Secret), piece(" "+adaptertest.Secret[:8]), piece(adaptertest.Secret[8:]), stopped, over))
	})
	resp, err := a.Generate(t.Context(), question)
	require.NoError(t, err)
	adaptertest.FindSecret(t, adaptertest.Secret, []string{pyval.Repr(resp.Result), pyval.Repr(resp.AsMessage().Raw)}, nil)
}

// FuzzStream: no stream panics, and one that is whole can be read as a reply.
func FuzzStream(f *testing.F) {
	adaptertest.FuzzStream(f, streamed, isToken, parse,
		events(begun, textOn, say, stopped, over),
		events(begun, `{"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "input": 5}}`, `{"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{"}}`, over),
		"data: {\"error\": {\"type\": \"x\"}}\r\r: c\ndata\n\n",
	)
}
