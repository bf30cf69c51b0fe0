package heuristic

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

func webTools(t *testing.T) (docs []*pyval.Dict) {
	t.Helper()
	for _, src := range []string{
		`{"name": "search_engine_query", "description": "search", "parameters": {"type": "dict", "properties": {"keywords": {"type": "string"}}, "required": ["keywords"]}}`,
		`{"name": "fetch_url_content", "description": "fetch", "parameters": {"type": "dict", "properties": {"url": {"type": "string"}, "mode": {"type": "string"}}, "required": ["url"]}}`,
	} {
		v, err := pyval.ParseJSON(src)
		require.NoError(t, err)
		docs = append(docs, v.(*pyval.Dict))
	}
	return docs
}

// TestSearch: the baseline searches for the question, reads one page where it
// must, and answers with a text.
func TestSearch(t *testing.T) {
	ask := eval.Message{Role: "user", Content: "How high is the tower of Ham?"}
	tool := func(content string) []eval.Message { return []eval.Message{ask, {Role: "tool", Content: content}} }
	prompt := func(content string) []eval.Message {
		row := pyval.NewDict(3)
		row.SetStr("role", pyval.Str("tool"))
		row.SetStr("content", pyval.Str(content))
		return []eval.Message{ask, {Role: "user", Content: pyval.Repr(pyval.NewList(row))}}
	}
	for _, c := range []struct {
		messages []eval.Message
		mode     eval.Mode
		want     string
	}{
		{[]eval.Message{ask}, eval.FC, `[{'search_engine_query': '{"keywords": "How high is the tower of Ham?"}'}]`},
		{[]eval.Message{ask}, eval.Prompt, `[search_engine_query(keywords='How high is the tower of Ham?')]`},
		{tool("[{'title': 'T', 'href': 'u', 'body': 'It is 30 m.'}]"), eval.FC, "The web says: It is 30 m."},
		{prompt("[{'title': 'T', 'href': 'u', 'body': 'It is 30 m.'}]"), eval.Prompt, "The web says: It is 30 m."},
		{tool("[{'title': 'T', 'href': 'https://u.example/'}]"), eval.FC, `[{'fetch_url_content': '{"url": "https://u.example/", "mode": "truncate"}'}]`},
		{prompt("[{'title': 'T', 'href': 'https://u.example/'}]"), eval.Prompt, `[fetch_url_content(url='https://u.example/', mode='truncate')]`},
		{tool(`{"content": "The tower of Ham is 31 m high."}`), eval.FC, "The web says: The tower of Ham is 31 m high."},
		{tool("[]"), eval.FC, unknown},
		{tool("[5]"), eval.FC, unknown},
		{tool("[{'title': 'T'}]"), eval.FC, unknown},
		{tool(`{"error": "down"}`), eval.FC, unknown},
		{tool("Error during execution: x"), eval.FC, unknown},
		{prompt("\x00"), eval.Prompt, unknown},
		{[]eval.Message{ask, {Role: "user", Content: resultMark + "broken"}}, eval.Prompt, unknown},
	} {
		resp, err := New().Generate(t.Context(), &eval.Request{Messages: c.messages, Tools: webTools(t), Mode: c.mode, Conversation: true})
		require.NoError(t, err)
		assert.Equal(t, c.want, pyval.Text(resp.Result))
	}
}
