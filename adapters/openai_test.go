package adapters_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/openai"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// chat opens the adapter of Chat Completions over a server.
func chat(t testing.TB, cfg provider.Config, o transport.Options, reply func(http.ResponseWriter, adaptertest.Seen)) *provider.Adapter {
	t.Helper()
	a, _, _ := named(t, "openai").over(t, cfg, o, reply)
	return a
}

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
		a := chat(t, provider.Config{}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			if first && !c.fatal { // the endpoint works in general
				first = false
				adaptertest.Write(w, http.StatusOK, named(t, "openai").hello)
				return
			}
			adaptertest.Write(w, c.status, c.reply)
		})
		if !c.fatal {
			testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		}
		_, err := a.Generate(t.Context(), hi(eval.FC))
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
		a := chat(t, provider.Config{Stream: c.status == 200}, transport.Options{MaxTries: 5}, func(w http.ResponseWriter, _ adaptertest.Seen) {
			asked++
			w.Header().Set("Content-Type", c.kind)
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		})
		for range 30 { // neither a refusal of the run nor a server that is down
			resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
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
		a := chat(t, provider.Config{Model: c.model, BaseURL: c.base, MaxTokens: 7, MaxTokensField: c.stated}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			sent = seen.Body
			adaptertest.Write(w, http.StatusOK, named(t, "openai").hello)
		})
		testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		assert.Contains(t, sent, c.want, c.model)
	}
}

// TestPlaceholderKey checks that a key which is a plain word does not eat that
// word out of answers.
func TestPlaceholderKey(t *testing.T) {
	a := chat(t, provider.Config{Key: "EMPTY", Headers: http.Header{"X-Title": {"function calling"}}}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		adaptertest.Write(w, http.StatusOK, `{"choices": [{"message": {"content": "EMPTY function calling"}}]}`)
	})
	resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
	assert.Equal(t, pyval.Str("EMPTY function calling"), resp.Result)
}

// TestLaterChoice: calls that stand where no client looks are marked.
func TestLaterChoice(t *testing.T) {
	for reply, want := range map[string]string{
		`{"choices": [{"message": {"content": "I will."}}, {"message": {"tool_calls": [{"function": {"name": "f", "arguments": "{}"}}]}}]}`: eval.LaterChoice,
		`{"choices": [{"message": {"content": "I will."}}, {"message": {"content": "I will."}}]}`:                                           "",
	} {
		a := chat(t, provider.Config{}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) { adaptertest.Write(w, http.StatusOK, reply) })
		resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		assert.Equal(t, want, resp.Finish)
		assert.Equal(t, "'I will.'", pyval.Repr(resp.Result))
	}
}

// TestEnds: an answer that the server gave up on is none, whether it
// came in one piece or as a stream, and whatever came of it. Others are judged,
// and what is odd about their end is said.
func TestEnds(t *testing.T) {
	for reason, want := range map[string]struct{ kind, finish string }{
		"stop": {}, "tool_calls": {}, "function_call": {}, "eos": {},
		"abort": {kind: "server_error"}, "error": {kind: "server_error"}, "insufficient_system_resource": {kind: "server_error"}, "network_error": {kind: "server_error"}, "timeout": {kind: "timeout"},
		"content_filter": {finish: "filtered: content_filter"}, "tired\x1b[2J": {finish: `unknown: tired\x1b[2J`},
	} {
		for _, message := range []string{`{"content": "I cannot"}`, `{"content": "", "tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{}"}}]}`, `{"content": ""}`} {
			for _, body := range []string{
				fmt.Sprintf(`{"choices": [{"message": %s, "finish_reason": %s}]}`, message, jsonText(reason)),
				chunks(delta(message), fmt.Sprintf(`{"choices": [{"index": 0, "delta": {}, "finish_reason": %s}]}`, jsonText(reason))),
			} {
				streams := strings.HasPrefix(body, "data")
				a := chat(t, provider.Config{Stream: streams}, transport.Options{}, func(w http.ResponseWriter, _ adaptertest.Seen) {
					if streams {
						sendEvents(w, body)
						return
					}
					adaptertest.Write(w, http.StatusOK, body)
				})
				resp, err := a.Generate(t.Context(), hi(eval.FC))
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
		r := testkit.Must(openai.Read(adaptertest.Doc(t, `{"choices": [{"message": `+message+`}]}`)))(t)
		assert.Equal(t, []string{"hm", "x"}, []string{r.Reasoning, r.Text}, message)
	}
	r := testkit.Must(openai.Read(adaptertest.Doc(t, `{"choices": [{"message": {"tool_calls": [{"id": "a"}, {}, {"id": "b"}]}}]}`)))(t)
	assert.Equal(t, []eval.ToolCall{{ID: "a"}, {}, {ID: "b"}}, r.Calls)
}

// TestMislabelled: a stream that calls itself JSON is a stream.
func TestMislabelled(t *testing.T) {
	a := chat(t, provider.Config{Stream: true}, transport.Options{MaxTries: 2}, func(w http.ResponseWriter, _ adaptertest.Seen) {
		adaptertest.Write(w, http.StatusOK, chunks(delta(`{"content": "Yes"}`), stopped))
	})
	resp := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
	assert.Equal(t, pyval.Str("Yes"), resp.Result)
}

// TestOnlyStreams: a server that only streams says so; the hint tells how.
func TestOnlyStreams(t *testing.T) {
	reply := func(w http.ResponseWriter, seen adaptertest.Seen) {
		if !strings.Contains(seen.Body, `"stream":true`) {
			adaptertest.Write(w, http.StatusBadRequest, `{"error": {"message": "This model only support stream mode, please enable the stream parameter to access the model."}}`)
			return
		}
		sendEvents(w, chunks(delta(`{"content": "Yes"}`), stopped))
	}
	testkit.Fails(chat(t, provider.Config{}, transport.Options{}, reply).Generate(t.Context(), hi(eval.FC)))(t, "-stream")
	resp := testkit.Must(chat(t, provider.Config{Stream: true}, transport.Options{}, reply).Generate(t.Context(), hi(eval.FC)))(t)
	assert.Equal(t, pyval.Str("Yes"), resp.Result)
}

// completionOf is the chat completion that a recorded result came from.
func completionOf(row *pyval.Dict) *pyval.Dict {
	message := pyval.Object("role", pyval.Str("assistant"), "content", pyval.None)
	switch result := testkit.Field(row, "result").(type) {
	case *pyval.List:
		calls := pyval.NewList()
		for _, item := range result.Items {
			name, args := item.(*pyval.Dict).At(0)
			calls.Items = append(calls.Items, pyval.Object("type", pyval.Str("function"), "function", pyval.Object("name", name, "arguments", args)))
		}
		message.SetStr("tool_calls", calls)
	default:
		message.SetStr("content", result)
	}
	return pyval.Object(
		"choices", pyval.NewList(pyval.Object("message", message, "finish_reason", pyval.Str("stop"))),
		"usage", pyval.Object("prompt_tokens", testkit.Field(row, "input_token_count"), "completion_tokens", testkit.Field(row, "output_token_count")),
	)
}

// TestGoldenRecorded sends a real model's recorded answers through the wire
// format: each must come out as it was recorded. Two requests that failed are
// not answers.
func TestGoldenRecorded(t *testing.T) {
	root := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result")
	files := testkit.Must(filepath.Glob(filepath.Join(root, "*", "*live", "*_result.json")))(t)
	require.NotEmpty(t, files)
	adapter := chat(t, provider.Config{}, transport.Options{}, nil)
	rows, bad, failed := 0, 0, 0
	for _, file := range files {
		testkit.Rows(t, file, func(line int, row *pyval.Dict) {
			if !row.Has("output_token_count") {
				failed++
				return
			}
			rows++
			wire := testkit.Must(pyval.JSON(completionOf(row), 0))(t)
			raw := testkit.Must(pyval.ParseJSON(wire))(t)
			r := testkit.Must(adapter.Read(raw.(*pyval.Dict)))(t)
			got, want := pyval.Repr(r.Result(eval.FC)), pyval.Repr(testkit.Field(row, "result"))
			if got != want || pyval.MakeInt(int64(r.Output)) != testkit.Field(row, "output_token_count") {
				if bad++; bad <= 10 {
					t.Errorf("%s:%d: %q: got %.200q, want %.200q", filepath.Base(file), line, testkit.Text(row, "id"), got, want)
				}
			}
		})
	}
	t.Logf("%d recorded answers compared, %d differ; %d rows are failed requests", rows, bad, failed)
}
