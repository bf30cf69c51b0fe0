package openai

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/adaptertest"
)

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
	a := adapter(t, Config{Wording: adaptertest.Wording(t), ToolStyle: tool.Mistral, MaxTokens: 100}, transport.Options{}, func(w http.ResponseWriter, seen adaptertest.Seen) {
		body, err := pyval.ParseJSON(seen.Body)
		if field := unknown(body, ""); err != nil || field != "" {
			refused++
			adaptertest.Write(w, http.StatusUnprocessableEntity, fmt.Sprintf(`{"detail": [{"type": "extra_forbidden", "loc": ["body", %q], "msg": "Extra inputs are not permitted"}]}`, field))
			return
		}
		adaptertest.Write(w, http.StatusOK, `{"choices": [{"message": {"role": "assistant", "content": null, "refusal": null, "annotations": [], "reasoning_content": "Hm.", "tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}}]}`)
	})
	doc := adaptertest.Doc(t, `{"name": "f", "description": "d", "parameters": {"type": "dict", "properties": {"x": {"type": "integer", "description": "x"}}}, "response": {"type": "dict", "properties": {}}}`)
	req := question(eval.FC, doc)
	first, err := a.Generate(t.Context(), req)
	require.NoError(t, err)
	assert.Zero(t, refused)
	req.Messages = append(req.Messages, first.AsMessage(), eval.Message{Role: "tool", CallID: "c", Content: "ok"})
	for range 2 {
		_, err = a.Generate(t.Context(), req)
		require.NoError(t, err)
	}
	assert.Equal(t, 1, refused, "the reasoning, once")
	assert.True(t, doc.Has("response"), "the document itself must not change")
	assert.NotEmpty(t, a.Learned())
	assert.Equal(t, "messages.reasoning_content", unknown(pyval.Object("messages", pyval.NewList(pyval.Object("reasoning_content", pyval.None))), ""))
}
