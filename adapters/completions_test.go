package adapters_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/completions"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/jinja"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const template = `{{ bos_token }}{% if tools %}<tools>{{ tools|map(attribute='function.name')|join(',') }}</tools>{% endif %}
{%- for m in messages %}<{{ m.role }}{% if m.tool_call_id %} {{ m.name }} {{ m.tool_call_id }}{% endif %}>{{ m.content }}
{%- for c in m.tool_calls %}[{{ c.id }} {{ c.function.name }} {{ c.function.arguments|tojson }}]{% endfor %}{% endfor %}<assistant>`

// folder is a model's folder with a chat template.
func folder(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	files = append([]string{"chat_template.jinja", template, "tokenizer_config.json", `{"bos_token": {"content": "<s>"}}`}, files...)
	for i := 0; i < len(files); i += 2 {
		require.NoError(t, os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600))
	}
	return dir
}

func adapter(t testing.TB, dir, name string, mode eval.Mode, reply func(http.ResponseWriter, adaptertest.Seen)) *completions.Adapter {
	t.Helper()
	a, _ := open(t, dir, name, mode, reply)
	return a
}

func open(t testing.TB, dir, name string, mode eval.Mode, reply func(http.ResponseWriter, adaptertest.Seen)) (*completions.Adapter, func()) {
	t.Helper()
	writer := testkit.Must(completion.Own(dir, mode, adaptertest.Wording(t), jinja.Transformers()))(t)
	carrier, stop := adaptertest.Serve(t, transport.Options{}, reply)
	a := testkit.Must(completions.New(completions.Config{Server: provider.Config{Model: "m", BaseURL: "http://localhost:8000/v1", Transport: carrier}, Writer: writer, Dialect: dialect.Find(name)}))(t)
	return a, stop
}

func answer(text string) string {
	return fmt.Sprintf(`{"choices": [{"text": %q, "finish_reason": "stop"}], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}`, text)
}

func body(t testing.TB, seen adaptertest.Seen) *pyval.Dict {
	t.Helper()
	strict(t, seen.Body)
	return adaptertest.Doc(t, seen.Body)
}

// strict reads a body as a strict server does: the fields that vLLM's reference
// of the completions endpoint has and we send, with their types, and no other.
func strict(t testing.TB, text string) {
	t.Helper()
	var known struct {
		Model             *string  `json:"model"`
		Prompt            *string  `json:"prompt"`
		Temperature       *float64 `json:"temperature"`
		MaxTokens         *int     `json:"max_tokens"`
		AddSpecialTokens  *bool    `json:"add_special_tokens"`
		SkipSpecialTokens *bool    `json:"skip_special_tokens"`
		StopTokenIDs      []int    `json:"stop_token_ids"`
	}
	in := json.NewDecoder(strings.NewReader(text))
	in.DisallowUnknownFields()
	require.NoError(t, in.Decode(&known), text)
	require.NotNil(t, known.Model, text)
	require.NotNil(t, known.Prompt, text)
	require.NotNil(t, known.MaxTokens, text)
}

func question(mode eval.Mode, messages ...eval.Message) *eval.Request {
	req := &eval.Request{ID: "x", Mode: mode, Messages: append([]eval.Message{{Role: "user", Content: "Hi."}}, messages...)}
	if mode == eval.FC {
		doc, _ := pyval.ParseJSON(`{"name": "f", "description": "F.", "parameters": {"type": "dict", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, "response": {}}`)
		req.Tools = []*pyval.Dict{doc.(*pyval.Dict)}
	}
	return req
}

func TestCompletionsConformance(t *testing.T) {
	dir := folder(t)
	adaptertest.Run(t, func(t *testing.T) eval.Adapter {
		a, stop := open(t, dir, "qwen-fc", eval.FC, func(w http.ResponseWriter, _ adaptertest.Seen) {
			adaptertest.Write(w, http.StatusOK, answer("Hello."))
		})
		return closer{a, sync.OnceFunc(stop)}
	})
}

// TestCompletionsConversation checks two steps: what is sent, and how the answer of the
// first stands in the second.
func TestCompletionsConversation(t *testing.T) {
	t.Parallel()
	said := "hm</think>\n\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"
	var sent []*pyval.Dict
	a := adapter(t, folder(t), "qwen-fc", eval.FC, func(w http.ResponseWriter, seen adaptertest.Seen) {
		assert.Equal(t, "http://localhost:8000/v1/completions", seen.URL)
		sent = append(sent, body(t, seen))
		adaptertest.Write(w, http.StatusOK, answer(said))
	})
	resp := testkit.Must(a.Generate(t.Context(), question(eval.FC)))(t)
	assert.Equal(t, `{'model': 'm', 'prompt': '<s><tools>f</tools><user>Hi.<assistant>', 'temperature': 0.001, 'max_tokens': 4096, 'add_special_tokens': False}`, pyval.Repr(sent[0]))
	assert.Equal(t, "hm", resp.Reasoning)
	assert.Equal(t, pyval.Str("<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"), resp.Result)
	assert.Equal(t, []int{7, 3}, []int{resp.InputTokens, resp.OutputTokens})

	testkit.Must(a.Generate(t.Context(), question(eval.FC, resp.Message, eval.Message{Role: "tool", Name: "f(a=1)", Content: "2"})))(t)
	assert.Equal(t, `<s><tools>f</tools><user>Hi.<assistant>[call00000 f {"a": 1}]<tool f call00000>2<assistant>`, provider.Text(sent[1], "prompt"))
	assert.Equal(t, eval.Manner{ToolMessages: true}, a.Manner())
}

// TestCompletionsRoom checks how long answers may be on servers that refuse more than the
// context holds, in their own words, and of which some count tokens.
func TestCompletionsRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, refusal, count, want string }{
		{"vLLM", "This model's maximum context length is 5000 tokens. However, you requested 5196 tokens (1100 in the messages, 4096 in the completion).", `{"count": 1100, "max_model_len": 5000, "tokens": []}`, "4096 3898 3898"},
		{"vLLM, new", "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 5000 tokens and your request has 1100 input tokens (4096 > 5000 - 1100).", "", "4096 3898 4096 3898"},
		{"SGLang", "Requested token count exceeds the model's maximum context length of 5000 tokens. You requested a total of 5196 tokens: 1100 tokens from the input messages and 4096 tokens for the completion.", `{"tokens": [1, 2], "count": 1100}`, "4096 3898 3898"},
		{"llama.cpp", "request (1100 tokens) exceeds the available context size (5000 tokens), try increasing it", `{"tokens": [1, 2, 3]}`, "4096 3898 4096"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sizes []string
			a := adapter(t, folder(t), "", eval.Prompt, func(w http.ResponseWriter, seen adaptertest.Seen) {
				if strings.HasSuffix(seen.URL, ":8000/tokenize") {
					if c.count == "" {
						adaptertest.Write(w, http.StatusNotFound, `{"detail": "Not Found"}`)
						return
					}
					adaptertest.Write(w, http.StatusOK, c.count)
					return
				}
				most := provider.Count(body(t, seen), "max_tokens")
				sizes = append(sizes, fmt.Sprint(most))
				if len(sizes) == 1 || most > 3898 && c.count == "" {
					adaptertest.Write(w, http.StatusBadRequest, fmt.Sprintf(`{"error": {"message": %q}}`, c.refusal))
					return
				}
				adaptertest.Write(w, http.StatusOK, answer("x"))
			})
			for range 2 {
				req := question(eval.Prompt)
				req.Messages[0].Content = strings.Repeat("x", 2000)
				testkit.Must(a.Generate(t.Context(), req))(t)
			}
			assert.Equal(t, c.want, strings.Join(sizes, " "))
		})
	}
}

// TestCompletionsFull checks that a prompt without room for an answer is an error of its
// own, from the server's refusal or from what is known of the context.
func TestCompletionsFull(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	refuse := func(w http.ResponseWriter, seen adaptertest.Seen) {
		if strings.HasSuffix(seen.URL, "/tokenize") {
			adaptertest.Write(w, http.StatusOK, `{"count": 99}`)
			return
		}
		asked.Add(1)
		adaptertest.Write(w, http.StatusBadRequest, `{"object": "error", "message": "This model's maximum context length is 100 tokens. However, you requested 4195 tokens (99 in the messages, 4096 in the completion).", "code": 400}`)
	}
	for _, dir := range []string{folder(t), folder(t, "config.json", `{"max_position_embeddings": 100}`)} {
		_, err := adapter(t, dir, "", eval.Prompt, refuse).Generate(t.Context(), question(eval.Prompt))
		require.ErrorContains(t, err, "the prompt has 99 tokens and the model's context 100")
		assert.Equal(t, "context_full", eval.InfraKind(err))
	}
	assert.EqualValues(t, 1, asked.Load(), "a prompt that is known to be too long is not sent")
}

// TestCompletionsCut: a prompt that fills the context of a server that cuts is no answer.
func TestCompletionsCut(t *testing.T) {
	t.Parallel()
	a := adapter(t, folder(t), "", eval.Prompt, func(w http.ResponseWriter, seen adaptertest.Seen) {
		switch {
		case strings.HasSuffix(seen.URL, "/api/version"):
			adaptertest.Write(w, http.StatusOK, `{"version": "0.17.4"}`)
		case strings.HasSuffix(seen.URL, "/api/ps"):
			adaptertest.Write(w, http.StatusOK, `{"models": [{"name": "m", "context_length": 4096}]}`)
		case strings.HasSuffix(seen.URL, "/completions"):
			adaptertest.Write(w, http.StatusOK, `{"choices": [{"text": "[f(", "finish_reason": "stop"}], "usage": {"prompt_tokens": 4096, "completion_tokens": 3}}`)
		default:
			http.NotFound(w, nil)
		}
	})
	resp := testkit.Must(a.Generate(t.Context(), question(eval.Prompt)))(t)
	assert.Equal(t, "context_full", eval.InfraKind(eval.Adapter(a).(eval.Guard).Full(t.Context(), &eval.Request{}, resp.InputTokens, true)))
}

func TestCompletionsErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status     int
		reply      string
		kind, want string
	}{
		{404, `{"detail": "Not Found"}`, "model_not_found", "for a server that has only a chat endpoint use openai:<id>"},
		{200, `{"choices": []}`, "empty_reply", "no choices"},
		{200, `{"choices": [{"message": {"content": "x"}}]}`, "empty_reply", "no text"},
		{400, `{"error": {"message": "prompt is required"}}`, "bad_request", "prompt is required"},
	} {
		a := adapter(t, folder(t), "", eval.Prompt, func(w http.ResponseWriter, _ adaptertest.Seen) { adaptertest.Write(w, c.status, c.reply) })
		_, err := a.Generate(t.Context(), question(eval.Prompt))
		require.ErrorContains(t, err, c.want)
		assert.Equal(t, c.kind, eval.InfraKind(err))
	}
	assert.ErrorContains(t, testkit.Err(completions.New(completions.Config{Server: provider.Config{Model: "m"}})), "give -base-url")
	dir := folder(t, "chat_template.jinja", "a\n{{ raise_exception('no ' + messages[0].role) }}")
	a := adapter(t, dir, "", eval.Prompt, func(http.ResponseWriter, adaptertest.Seen) { t.Error("asked") })
	_, err := a.Generate(t.Context(), question(eval.Prompt))
	require.ErrorContains(t, err, "chat_template.jinja, line 2: the template refuses: no user")
	assert.Equal(t, "chat_template", eval.InfraKind(err))
}

// A fixed adapter always answers the same.
type fixed struct{ result pyval.Value }

func (f fixed) Generate(context.Context, *eval.Request) (*eval.Response, error) {
	return &eval.Response{Result: f.result}, nil
}

func TestCompletionsReread(t *testing.T) {
	t.Parallel()
	testkit.Fails(completions.Reread(nil, nil))(t, "needs a dialect")
	text := "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"é\"}}\n</tool_call>"
	for _, c := range []struct {
		result pyval.Value
		want   string
		calls  []eval.ToolCall
	}{
		{pyval.Str(text), text, []eval.ToolCall{{Name: "f", Arguments: `{"a": "é"}`}}},
		{pyval.Str("Hello."), "Hello.", nil},
		{pyval.None, "", nil},
	} {
		a := testkit.Must(completions.Reread(fixed{c.result}, dialect.Find("qwen-fc")))(t)
		resp := testkit.Must(a.Generate(t.Context(), question(eval.FC)))(t)
		assert.Equal(t, pyval.Str(c.want), resp.Result)
		assert.Equal(t, c.calls, resp.Message.Calls)
	}
	a := testkit.Must(completions.Reread(fixed{eval.CallsResult([]eval.ToolCall{{Name: "f"}})}, dialect.Find("qwen-fc")))(t)
	_, err := a.Generate(t.Context(), question(eval.FC))
	assert.Equal(t, "tool_choice", eval.InfraKind(err))
}

// TestCompletionsCutOff: an answer that the limit of tokens ended says so.
func TestCompletionsCutOff(t *testing.T) {
	t.Parallel()
	for finish, want := range map[string]bool{"length": true, "stop": false, "content_filter": false, "odd": false} {
		a := adapter(t, folder(t), "", eval.Prompt, func(w http.ResponseWriter, _ adaptertest.Seen) {
			adaptertest.Write(w, http.StatusOK, fmt.Sprintf(`{"choices": [{"text": "[f(", "finish_reason": %q}]}`, finish))
		})
		resp := testkit.Must(a.Generate(t.Context(), question(eval.Prompt)))(t)
		assert.Equal(t, want, resp.CutOff)
		assert.Equal(t, map[string]string{"content_filter": "filtered: content_filter", "odd": "unknown: odd"}[finish], resp.Finish)
	}
	for _, finish := range []string{"abort", "error"} {
		a := adapter(t, folder(t), "", eval.Prompt, func(w http.ResponseWriter, _ adaptertest.Seen) {
			adaptertest.Write(w, http.StatusOK, fmt.Sprintf(`{"choices": [{"text": "I cannot", "finish_reason": %q}]}`, finish))
		})
		_, err := a.Generate(t.Context(), question(eval.Prompt))
		assert.Equal(t, "server_error", eval.InfraKind(err), finish)
	}
}

// TestCompletionsOllama: a server that says that it is Ollama ends the run.
func TestCompletionsOllama(t *testing.T) {
	t.Parallel()
	a := adapter(t, folder(t), "qwen-fc", eval.FC, func(w http.ResponseWriter, _ adaptertest.Seen) {
		adaptertest.Write(w, http.StatusOK, `{"system_fingerprint": "fp_ollama", "choices": [{"text": "twice", "finish_reason": "stop"}]}`)
	})
	_, err := a.Generate(t.Context(), question(eval.FC))
	assert.Equal(t, transport.Unequipped, eval.InfraKind(err))
	assert.True(t, transport.IsFatal(err))
	assert.ErrorContains(t, err, "use openai:<id>")
}

// TestCompletionsMarked: marks may be special tokens, which the server is asked
// to leave in; what stands between them has the types of the function's
// parameters, in the record and in the next prompt.
func TestCompletionsMarked(t *testing.T) {
	t.Parallel()
	a := adapter(t, folder(t), "glm-4.5", eval.FC, func(w http.ResponseWriter, seen adaptertest.Seen) {
		assert.Contains(t, seen.Body, `"skip_special_tokens":false`)
		body(t, seen)
		adaptertest.Write(w, http.StatusOK, answer("<think>Hm.</think>I look.<tool_call>f<arg_key>a</arg_key><arg_value>5</arg_value><arg_key>b</arg_key><arg_value>5</arg_value></tool_call>"))
	})
	req := question(eval.FC)
	properties, _ := req.Tools[0].GetStr("parameters")
	members, _ := properties.(*pyval.Dict).GetStr("properties")
	members.(*pyval.Dict).SetStr("b", adaptertest.Doc(t, `{"type": "string"}`))
	resp := testkit.Must(a.Generate(t.Context(), req))(t)
	assert.Equal(t, `[{'f': '{"a": 5, "b": "5"}'}]`, pyval.Repr(resp.Result))
	assert.Equal(t, "Hm.", resp.Reasoning)
	assert.Equal(t, "I look.", resp.Message.Content)
	calls, _ := resp.Message.Raw.(*pyval.Dict).GetStr("tool_calls")
	assert.Equal(t, "[{'name': 'f', 'arguments': {'a': 5, 'b': '5'}}]", pyval.Repr(calls))
}
