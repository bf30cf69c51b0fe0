package adapters_test

import (
	"io"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// A streamer is what differs between the streams of protocols.
type streamer struct {
	subject
	// asks is what a request for a stream has, served the model that the replies name.
	asks, served string
	// whole are streams as servers write them: the body, the result as Python writes
	// it, the reasoning, and the message that is sent back, "" for any.
	whole []struct{ name, body, want, reasoning, raw string }
	// broken are streams that end before their end, or with an error in them: the
	// body, the kind and a part of the error, and whether it is asked for again.
	broken []struct {
		name, body, kind, said string
		again                  bool
	}
	// cut is a stream to be cut, last its last event.
	cut, last string
	// saying is a stream of a text in pieces. Before the first piece of its events
	// nothing is a token.
	saying func(pieces ...string) (events []string)
	// seeds are for the fuzzer.
	seeds []string
}

func streamers(t testing.TB) []streamer { return []streamer{openAIStreams(t), anthropicStreams(t)} }

// chunks are events as OpenAI's protocol has them, with the last event.
func chunks(list ...string) string {
	return "data: " + strings.Join(append(list, "[DONE]"), "\n\ndata: ") + "\n\n"
}

// delta is a chunk with one delta.
func delta(d string) string { return `{"choices": [{"index": 0, "delta": ` + d + `}]}` }

// stopped is the chunk with the reason to stop.
const stopped = `{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}`

func openAIStreams(t testing.TB) streamer {
	const counted = `{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 15}}`
	const done = "[DONE]"
	half := "data: " + delta(`{"content": "Ye"}`) + "\n\n"
	events := chunks
	return streamer{
		subject: named(t, "openai"), asks: `"stream":true,"stream_options":{"include_usage":true}`,
		whole: []struct{ name, body, want, reasoning, raw string }{
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
			{"no last event", strings.Replace(events(delta(`{"content": "Yes"}`), stopped), "data: "+done, "", 1), `'Yes'`, "", ""},
			{"no reason to stop", events(delta(`{"content": "Yes"}`), counted), `'Yes'`, "", ""},
			{"comments, names and CRLF", ": ping\r\n\r\nevent: chunk\r\nid: 1\r\ndata: " + delta(`{"content": "Yes"}`) + "\r\n\r\ndata: " + stopped + "\r\n\r\n: ping\r\n\r\ndata:  [DONE] \r\n\r\ndata: not read\r\n\r\n", `'Yes'`, "", ""},
			{"an event in two lines of data", "data: {\"choices\": [{\"delta\":\ndata: {\"content\": \"Y\ndata: es\"}, \"finish_reason\":\ndata:  \"stop\"}]}\n\ndata: [DONE]\n\n", `'Yes'`, "", ""},
			{"no empty line at the end", "data: " + delta(`{"content": "Yes"}`) + "\n\ndata: " + stopped + "\n\ndata: [DONE]", `'Yes'`, "", ""},
			{"another choice", events(delta(`{"content": "Yes"}`), `{"choices": [{"index": 1, "delta": {"content": "No"}}]}`, stopped), `'Yes'`, "", ""},
			{"function_call", events(delta(`{"function_call": {"name": "f", "arguments": "{"}}`), delta(`{"function_call": {"arguments": "}"}}`), stopped), `[{'f': '{}'}]`, "", ""},
			{"not UTF-8", chunks(delta("{\"content\": \"Y\xff\"}"), stopped), `'Y�'`, "", ""},
			{"nothing said", events(delta(`{"role": "assistant", "content": ""}`), stopped), `''`, "", ""},
			{"a reply in one piece", named(t, "openai").hello, `'Hello.'`, "", ""},
		},
		broken: []struct {
			name, body, kind, said string
			again                  bool
		}{
			{"cut between events", half, transport.Body, "the stream broke off", true},
			{"an end in the middle", half + "data: [DONE]\n\n", transport.Body, "without a reason to stop", true},
			{"an end in the middle of arguments", events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x"}}]}`), counted), transport.Body, "without a reason to stop", true},
			{"calls that are no list", events(delta(`{"tool_calls": {"id": "a", "function": {"name": "f", "arguments": "{}"}}}`), stopped), "bad_reply", "tool_calls must be a list", false},
			{"a call without a name", events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"arguments": "{}"}}]}`), stopped), "bad_reply", "call 1 has no name", false},
			{"arguments of several calls", events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"x\": 1}"}}, {"index": 0, "function": {"name": "", "arguments": "{\"x\": 2}"}}]}`), stopped), "bad_reply", "arguments of several calls", false},
			{"several objects in function_call", events(delta(`{"function_call": {"name": "f", "arguments": "{\"x\": 1}{\"x\": 2}"}}`), stopped), "bad_reply", "arguments of several calls", false},
			{"a call that is null", events(delta(`{"tool_calls": [null]}`), stopped), "bad_reply", "sends none of it", false},
			{"cut in an event", half + `data: {"choices": [{"del`, transport.Body, "not a JSON object", true},
			{"nothing", ": ping\n\n", transport.Body, "the stream is empty", true},
			{"an event that is a list", half + "data: []\n\n", transport.Body, "not a JSON object", true},
			{"the last event alone", "data: [DONE]\n\n", transport.Body, "the stream is empty", true},
			{"overloaded", half + `data: {"error": {"message": "overloaded", "code": 503}}` + "\n\n", "server_error", "overloaded", true},
			{"refused", half + `data: {"error": {"message": "bad tool", "code": 400}}` + "\n\n", "bad_request", "bad tool", false},
			{"an error without a status", half + `data: {"error": {"message": "boom", "type": "internal_error"}}` + "\n\n", "server_error", "boom", false},
		},
		last: "data: [DONE]\n\n",
		cut: events(
			delta(`{"role": "assistant", "content": null}`),
			delta(`{"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\""}}]}`),
			delta(`{"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "g", "arguments": "{"}}]}`),
			delta(`{"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}, {"index": 1, "function": {"arguments": "}"}}]}`), stopped, counted),
		saying: func(pieces ...string) (out []string) {
			list := []string{delta(`{"role": "assistant", "content": ""}`)}
			for _, piece := range pieces {
				list = append(list, delta(`{"content": "`+piece+`"}`))
			}
			for _, event := range append(list, stopped, done) {
				out = append(out, "data: "+event+"\n\n")
			}
			return out
		},
		seeds: []string{
			events(delta(`{"content": "x", "reasoning": "y"}`), stopped),
			events(delta(`{"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}, {"function": {"arguments": [1]}}, null]}`), stopped),
			"data: {\"error\": {\"code\": \"x\"}}\r\r: c\ndata\n\n",
			events(delta(`{"content": [{"type": "thinking"}, 5], "reasoning_details": [{"index": 0}, {"index": 0, "text": 5}, 7], "function_call": {}}`)),
		},
	}
}

// typed are server-sent events, each named by its type, as Anthropic sends them.
func typed(list ...string) string {
	var b strings.Builder
	for _, data := range list {
		_, kind, _ := strings.Cut(data, `"type": "`)
		kind, _, _ = strings.Cut(kind, `"`)
		b.WriteString("event: " + kind + "\ndata: " + data + "\n\n")
	}
	return b.String()
}

func anthropicStreams(t testing.TB) streamer {
	const (
		begun   = `{"type": "message_start", "message": {"id": "m1", "type": "message", "role": "assistant", "model": "served", "content": [], "stop_reason": null, "usage": {"input_tokens": 7, "cache_read_input_tokens": 2, "output_tokens": 1}}}`
		ping    = `{"type": "ping"}`
		stopped = `{"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": null}, "usage": {"output_tokens": 15}}`
		over    = `{"type": "message_stop"}`
		textOn  = `{"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}`
		say     = `{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hel"}}`
		sayMore = `{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "lo."}}`
		textOff = `{"type": "content_block_stop", "index": 0}`
	)
	thinking := `{"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}`
	thought := `{"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "Hm."}}`
	signed := `{"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s1"}}`
	calling := `{"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t1", "name": "f", "input": {}}}`
	input := func(text string) string {
		return `{"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ` + string(pyval.AppendJSONString(nil, text, 0)) + `}}`
	}
	events := typed
	half := events(begun, textOn, say)
	return streamer{
		subject: named(t, "anthropic"), asks: `"stream":true`, served: "served",
		whole: []struct{ name, body, want, reasoning, raw string }{
			{"text", events(begun, ping, textOn, say, sayMore, textOff, stopped, over), `'Hello.'`, "", `[{"type": "text", "text": "Hello."}]`},
			{"a call behind thoughts", events(begun, thinking, thought, signed, calling, input(""), input(`{"b": 5.0,`), input(` "a": 1}`), stopped, over),
				`[{'f': '{"b": 5.0, "a": 1}'}]`, "Hm.", `[{"type": "thinking", "thinking": "Hm.", "signature": "s1"}, {"type": "tool_use", "id": "t1", "name": "f", "input": {"b": 5.0, "a": 1}}]`},
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
			{"a reply in one piece", named(t, "anthropic").hello, `'Hello.'`, "", ""},
		},
		broken: []struct {
			name, body, kind, said string
			again                  bool
		}{
			{"cut between events", half, transport.Body, "the stream broke off", true},
			{"cut in an event", half + `data: {"type": "content_b`, transport.Body, "not a JSON object", true},
			{"nothing", events(ping), transport.Body, "the stream is empty", true},
			{"an input without a call", events(begun, `{"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}}`, stopped, over), "bad_reply", "call 1 has no name", false},
			{"overloaded", half + events(`{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}`), "server_error", "Overloaded", true},
			{"refused", half + events(`{"type": "error", "error": {"type": "invalid_request_error", "message": "bad tool"}}`), "bad_request", "bad tool", false},
		},
		last: events(over),
		cut: events(begun, ping, textOn, say, sayMore, textOff,
			`{"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}`,
			`{"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"a\": 1"}}`,
			`{"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "}"}}`, stopped, over),
		saying: func(pieces ...string) []string {
			out := []string{events(begun), events(ping), events(textOn)}
			for _, piece := range pieces {
				out = append(out, events(strings.Replace(say, "Hel", piece, 1)))
			}
			return append(out, events(stopped), events(over))
		},
		seeds: []string{
			events(begun, textOn, say, stopped, over),
			events(begun, `{"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "input": 5}}`, `{"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{"}}`, over),
			"data: {\"error\": {\"type\": \"x\"}}\r\r: c\ndata\n\n",
		},
	}
}

// streaming opens the adapter, which asks for streams, over a server.
func (s streamer) streaming(t testing.TB, o transport.Options, reply func(http.ResponseWriter, adaptertest.Seen)) *provider.Adapter {
	t.Helper()
	a, _, _ := s.over(t, provider.Config{Stream: true}, o, reply)
	return a
}

func sendEvents(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	_, _ = io.WriteString(w, body)
}

// TestStreams reads streams as servers write them: the answer is that of a reply in
// one piece.
func TestStreams(t *testing.T) {
	for _, s := range streamers(t) {
		for _, c := range s.whole {
			var sent string
			a := s.streaming(t, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
				sent = seen.Body
				if strings.HasPrefix(c.body, "{") {
					adaptertest.Write(w, http.StatusOK, c.body)
					return
				}
				sendEvents(w, c.body)
			})
			resp, err := a.Generate(t.Context(), hi(eval.FC))
			require.NoError(t, err, c.name)
			assert.Equal(t, c.want, pyval.Repr(resp.Result), c.name)
			assert.Equal(t, c.reasoning, resp.Reasoning, c.name)
			assert.Contains(t, sent, s.asks)
			if c.raw != "" {
				assert.Equal(t, pyval.Repr(parse(t, c.raw)), pyval.Repr(resp.AsMessage().Raw), c.name)
			}
			if c.name == "text" {
				assert.Equal(t, []any{9, 15, s.served}, []any{resp.InputTokens, resp.OutputTokens, resp.Served})
			}
		}
	}
}

// TestBrokenStreams: a stream that ends before its end, or with an error in it,
// is trouble of the infrastructure, and asked for again where that may help.
func TestBrokenStreams(t *testing.T) {
	for _, s := range streamers(t) {
		for _, c := range s.broken {
			var asked atomic.Int64
			a := s.streaming(t, transport.Options{MaxTries: 2}, func(w http.ResponseWriter, _ adaptertest.Seen) {
				asked.Add(1)
				sendEvents(w, c.body)
			})
			_, err := a.Generate(t.Context(), hi(eval.FC))
			require.ErrorContains(t, err, c.said, c.name)
			assert.Equal(t, c.kind, eval.InfraKind(err), "%s: %v", c.name, err)
			assert.Equal(t, c.again, asked.Load() > 1, c.name)
		}
		cut := s.streaming(t, transport.Options{MaxTries: 2}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			w.Header().Set("Content-Length", "10000")
			sendEvents(w, s.saying("Ye")[0])
		})
		_, err := cut.Generate(t.Context(), hi(eval.FC))
		assert.Equal(t, transport.Body, eval.InfraKind(err), "%v", err)
	}
}

// TestCuts: wherever a stream is cut, closed with its last event and without, it is an
// error or the whole answer, but for its usage.
func TestCuts(t *testing.T) {
	for _, s := range streamers(t) {
		body := ""
		a := s.streaming(t, transport.Options{BreakAfter: math.MaxInt}, func(w http.ResponseWriter, _ adaptertest.Seen) { sendEvents(w, body) })
		request := testkit.Must(a.Body(hi(eval.FC)))(t)
		answer := func(text string) (string, error) {
			body = text
			reply, _, err := a.Ask(t.Context(), request)
			if err != nil {
				return "", err
			}
			reply.Delete(pyval.Str("usage"))
			return pyval.Repr(reply), nil
		}
		want := testkit.Must(answer(s.cut))(t)
		whole := 0
		for at := range s.cut {
			for _, rest := range []string{"", "\n\n" + s.last, s.last} {
				if got, err := answer(s.cut[:at] + rest); err == nil {
					assert.Equal(t, want, got, "cut at %d", at)
					whole++
				}
			}
		}
		assert.Positive(t, whole)
		t.Logf("%s: %d cuts: %d are whole, the others errors", s.name, 3*len(s.cut), whole)
	}
}

// TestFirstToken: what begins a message is no token, and a reply in one piece has none.
func TestFirstToken(t *testing.T) {
	for _, s := range streamers(t) {
		held := make(chan struct{})
		a := s.streaming(t, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, part := range s.saying("Yes") {
				if strings.Contains(part, "Yes") {
					<-held
				}
				_, _ = io.WriteString(w, part)
				w.(http.Flusher).Flush()
			}
		})
		const wait = 30 * time.Millisecond
		time.AfterFunc(wait, func() { close(held) })
		resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		assert.GreaterOrEqual(t, resp.TTFT, wait-5*time.Millisecond)
		assert.LessOrEqual(t, resp.TTFT, resp.Latency)
		resp = testkit.Must(s.subject.saying(t, provider.Config{}, http.StatusOK, s.hello).Generate(t.Context(), hi(eval.FC)))(t)
		assert.Zero(t, resp.TTFT)
	}
}

// TestStreamHidesKeys: what a server sends back of a key is hidden in a stream, too,
// also where it comes in pieces.
func TestStreamHidesKeys(t *testing.T) {
	for _, s := range streamers(t) {
		a := s.streaming(t, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			sendEvents(w, strings.Join(s.saying(secret, " "+secret[:8], secret[8:]), ""))
		})
		resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		adaptertest.FindSecret(t, secret, []string{pyval.Repr(resp.Result), pyval.Repr(resp.AsMessage().Raw)}, nil)
	}
}

// FuzzStream: no stream panics, and one that is whole can be read as a reply.
func FuzzStream(f *testing.F) {
	body := ""
	var all []*provider.Adapter
	for i, s := range streamers(f) {
		all = append(all, s.streaming(f, transport.Options{BreakAfter: math.MaxInt}, func(w http.ResponseWriter, _ adaptertest.Seen) { sendEvents(w, body) }))
		body = s.cut // the endpoint exists
		testkit.Must(all[i].Generate(f.Context(), hi(eval.FC)))(f)
		for _, seed := range s.seeds {
			f.Add(uint8(i), seed)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		body = text
		resp, err := all[int(which)%len(all)].Generate(t.Context(), hi(eval.FC))
		if (resp == nil) == (err == nil) {
			t.Fatalf("Generate gave %v and %v", resp, err)
		}
	})
}
