package adapters_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const thoughtful = `{"choices": [{"message": {"role": "assistant", "content": null, "reasoning_content": "Because.", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}}]}`

// The refusals of servers, in their own words.
var (
	wants = []string{
		"The `reasoning_content` in the thinking mode must be passed back to the API.",
		"thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
	}
	refuses = []string{
		`'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]`,
		`messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported`,
		`[{"type":"extra_forbidden","loc":["body","messages",1,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}]`,
	}
)

// talk asks twice: a question, and with the answer's result again.
func talk(t *testing.T, a *provider.Adapter, first *eval.Response) (*eval.Response, error) {
	t.Helper()
	req := hi(eval.FC)
	req.Messages = append(req.Messages, first.AsMessage(), eval.Message{Role: "tool", CallID: "c", Content: "ok"})
	return a.Generate(t.Context(), req)
}

// reasoning refuses messages in which the reasoning is not as it wants it, with
// the given words, and counts.
func reasoning(want bool, words string, refused *atomic.Int64) func(http.ResponseWriter, adaptertest.Seen) {
	return func(w http.ResponseWriter, seen adaptertest.Seen) {
		second := strings.Contains(seen.Body, `"role":"tool"`)
		if second && strings.Contains(seen.Body, `"reasoning_content"`) != want {
			refused.Add(1)
			adaptertest.Write(w, http.StatusBadRequest, `{"error": {"message": `+quoted(words)+`}}`)
			return
		}
		adaptertest.Write(w, http.StatusOK, thoughtful)
	}
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

// TestReasoningLearned: a server that refuses what it gets back, or wants back
// what it does not get, is understood: the request is sent again, all further
// ones are right at once, and what was learned is told.
func TestReasoningLearned(t *testing.T) {
	for _, c := range []struct {
		model string
		want  bool
		words []string
	}{
		{"unknown-model", false, refuses},
		{"magistral-at-home", true, wants},
	} {
		for _, words := range c.words {
			var refused atomic.Int64
			a := chat(t, provider.Config{Model: c.model}, transport.Options{}, reasoning(c.want, words, &refused))
			first := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
			assert.Empty(t, a.Learned())
			for range 3 {
				_, err := talk(t, a, first)
				require.NoError(t, err, words)
			}
			assert.Equal(t, int64(1), refused.Load(), words)
			assert.Contains(t, a.Learned(), "repeat_reasoning")
			assert.Contains(t, a.Learned(), "reasoning_content")
		}
	}
}

// TestReasoningLearnedTogether: of requests that are refused at once each is
// sent again.
func TestReasoningLearnedTogether(t *testing.T) {
	var refused atomic.Int64
	a := chat(t, provider.Config{}, transport.Options{}, reasoning(false, refuses[0], &refused))
	first := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			assert.NoError(t, testkit.Err(talk(t, a, first)))
		})
	}
	all.Wait()
}

// TestReasoningStated: what the catalogue states is kept to, and the error
// tells of it.
func TestReasoningStated(t *testing.T) {
	for _, repeats := range []bool{true, false} {
		var refused atomic.Int64
		words := map[bool]string{true: refuses[0], false: wants[0]}[repeats]
		a := chat(t, provider.Config{RepeatReasoning: &repeats}, transport.Options{}, reasoning(!repeats, words, &refused))
		first := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		_, err := talk(t, a, first)
		require.ErrorContains(t, err, "repeat_reasoning")
		assert.Equal(t, "bad_request", eval.InfraKind(err))
		assert.Equal(t, int64(1), refused.Load())
		assert.Empty(t, a.Learned())
	}
}

// TestReasoningFilled: a server that wants the field in every message gets it
// also where the model thought nothing.
func TestReasoningFilled(t *testing.T) {
	a := chat(t, provider.Config{}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		if strings.Contains(seen.Body, `"role":"tool"`) && !strings.Contains(seen.Body, `"reasoning_content":""`) {
			adaptertest.Write(w, http.StatusBadRequest, `{"error": {"message": `+quoted(wants[1])+`}}`)
			return
		}
		adaptertest.Write(w, http.StatusOK, strings.Replace(thoughtful, `"Because."`, "null", 1))
	})
	first := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
	testkit.Must(talk(t, a, first))(t)
	assert.NotEmpty(t, a.Learned())
}

// TestReasoningOfOthers: other refusals teach nothing, and a server that wants
// it both ways is not asked for ever.
func TestReasoningOfOthers(t *testing.T) {
	for _, words := range []string{"reasoning_effort is not supported with this model", "temperature must be 1"} {
		asked := 0
		a := chat(t, provider.Config{}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
			if asked++; asked > 1 {
				adaptertest.Write(w, http.StatusBadRequest, `{"error": {"message": `+quoted(words)+`}}`)
				return
			}
			adaptertest.Write(w, http.StatusOK, thoughtful)
		})
		first := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
		require.Error(t, testkit.Err(talk(t, a, first)))
		assert.Equal(t, 2, asked, words)
		assert.Empty(t, a.Learned())
	}
	asked := 0
	a := chat(t, provider.Config{}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		asked++
		switch {
		case !strings.Contains(seen.Body, `"role":"tool"`):
			adaptertest.Write(w, http.StatusOK, thoughtful)
		case strings.Contains(seen.Body, `"reasoning_content"`):
			adaptertest.Write(w, http.StatusBadRequest, `{"error": {"message": `+quoted(refuses[0])+`}}`)
		default:
			adaptertest.Write(w, http.StatusBadRequest, `{"error": {"message": `+quoted(wants[0])+`}}`)
		}
	})
	first := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
	for range 2 {
		require.Error(t, testkit.Err(talk(t, a, first)))
	}
	assert.Equal(t, 4, asked, "the question, twice the second step, once more after all that could be learned")
}

// TestThinkChunks: Mistral's thinking stands among the parts of a content and
// does not go back.
func TestThinkChunks(t *testing.T) {
	var sent string
	a := chat(t, provider.Config{Model: "magistral-medium"}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		sent = seen.Body
		adaptertest.Write(w, http.StatusOK, `{"choices": [{"message": {"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "secretly"}]}, {"type": "text", "text": "Yes."}]}}]}`)
	})
	first := testkit.Must(a.Generate(t.Context(), hi(eval.FC)))(t)
	assert.Equal(t, "secretly", first.Reasoning)
	testkit.Must(talk(t, a, first))(t)
	assert.Contains(t, sent, `{"role":"assistant","content":[{"type":"text","text":"Yes."}]}`)
	assert.NotContains(t, sent, "secretly")
}

// known are the fields that a strict server takes, by where they stand.
var known = map[string][]string{
	"":                             {"model", "messages", "temperature", "max_tokens", "tools", "stream"},
	"messages":                     {"role", "content", "tool_calls", "tool_call_id"},
	"messages.tool_calls":          {"id", "type", "function"},
	"messages.tool_calls.function": {"name", "arguments"},
	"tools":                        {"type", "function"},
	"tools.function":               {"name", "description", "parameters"},
	"tools.function.parameters":    nil, // anything
}

// unknown is the first field of a value that a strict server refuses; "" where
// it takes all.
func unknown(v pyval.Value, at string) string {
	switch v := v.(type) {
	case *pyval.List:
		for _, item := range v.Items {
			if field := unknown(item, at); field != "" {
				return field
			}
		}
	case *pyval.Dict:
		fields, listed := known[at]
		if listed && fields == nil {
			return ""
		}
		for key, inner := range v.All() {
			name := pyval.Text(key)
			place := name
			if at != "" {
				place = at + "." + name
			}
			if !slices.Contains(fields, name) {
				return place
			}
			if field := unknown(inner, place); field != "" {
				return field
			}
		}
	}
	return ""
}

// TestStrictServer: a server that refuses every field it does not know is asked
// without trouble, two steps long: no store, no response among tools, no place
// in a stream among calls, and the reasoning but once.
func TestStrictServer(t *testing.T) {
	refused := 0
	a := chat(t, provider.Config{Wording: adaptertest.Wording(t), ToolStyle: tool.Mistral, MaxTokens: 100}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		body, err := pyval.ParseJSON(seen.Body)
		if field := unknown(body, ""); err != nil || field != "" {
			refused++
			adaptertest.Write(w, http.StatusUnprocessableEntity, fmt.Sprintf(`{"detail": [{"type": "extra_forbidden", "loc": ["body", %q], "msg": "Extra inputs are not permitted"}]}`, field))
			return
		}
		adaptertest.Write(w, http.StatusOK, `{"choices": [{"message": {"role": "assistant", "content": null, "refusal": null, "annotations": [], "reasoning_content": "Hm.", "tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}}]}`)
	})
	doc := adaptertest.Doc(t, `{"name": "f", "description": "d", "parameters": {"type": "dict", "properties": {"x": {"type": "integer", "description": "x"}}}, "response": {"type": "dict", "properties": {}}}`)
	req := hi(eval.FC, doc)
	first := testkit.Must(a.Generate(t.Context(), req))(t)
	assert.Zero(t, refused)
	req.Messages = append(req.Messages, first.AsMessage(), eval.Message{Role: "tool", CallID: "c", Content: "ok"})
	for range 2 {
		testkit.Must(a.Generate(t.Context(), req))(t)
	}
	assert.Equal(t, 1, refused, "the reasoning, once")
	assert.True(t, doc.Has("response"), "the document itself must not change")
	assert.NotEmpty(t, a.Learned())
	assert.Equal(t, "messages.reasoning_content", unknown(pyval.Object("messages", pyval.NewList(pyval.Object("reasoning_content", pyval.None))), ""))
}
