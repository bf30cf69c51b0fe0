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

func memoryTools(t *testing.T, names ...string) []*pyval.Dict {
	t.Helper()
	var out []*pyval.Dict
	for _, name := range names {
		v, err := pyval.ParseJSON(`{"name": "` + name + `", "description": "", "parameters": {"type": "dict", "properties": {"text": {"type": "string"}, "key": {"type": "string"}, "value": {"type": "string"}, "query": {"type": "string"}}, "required": []}}`)
		require.NoError(t, err)
		out = append(out, v.(*pyval.Dict))
	}
	return out
}

// TestMemory writes down what it is told and looks up what it is asked.
func TestMemory(t *testing.T) {
	kv := memoryTools(t, addTool, keysTool, valueTool)
	user := func(text string) eval.Message { return eval.Message{Role: "user", Content: text} }
	result := func(text string) eval.Message { return eval.Message{Role: "tool", Content: text} }
	for _, c := range []struct {
		name     string
		tools    []*pyval.Dict
		messages []eval.Message
		want     string
	}{
		{"told", kv, []eval.Message{user("The lantern stands behind the cellar door.")}, `[{'archival_memory_add': '{"key": "lantern_stands_behind_cellar", "value": "The lantern stands behind the cellar door."}'}]`},
		{"written down", kv, []eval.Message{user("The lantern is red."), result(`{"status": "Key added."}`)}, `'Done.'`},
		{"told again", kv, []eval.Message{user("The lantern is red."), result(`{}`), user("And heavy.")}, `[{'archival_memory_add': '{"key": "heavy", "value": "And heavy."}'}]`},
		{"asked", kv, []eval.Message{user("Where does the lantern stand?")}, `[{'archival_memory_key_search': '{"query": "where lantern stand"}'}]`},
		{"key found", kv, []eval.Message{user("Where is the lantern?"), result(`{"ranked_results": [[1.5, "lantern_red"]]}`)}, `[{'archival_memory_retrieve': '{"key": "lantern_red"}'}]`},
		{"value found", kv, []eval.Message{user("Where is the lantern?"), result(`{"ranked_results": [[1.5, "k"]]}`), result(`{"value": "It rains. The lantern is in the shed. Bye."}`)}, `'I remember this: {"value": "It rains. The lantern is in the shed. Bye."}'`},
		{"nothing there", kv, []eval.Message{user("Where is it?"), result("Error during execution: division by zero")}, `'I remember this: Error during execution: division by zero'`},
		{"one text", memoryTools(t, appendTool, retrieveTool), []eval.Message{user("It is red.")}, `[{'memory_append': '{"text": "It is red.\\n"}'}]`},
		{"one text, asked", memoryTools(t, appendTool, retrieveTool), []eval.Message{user("What is it?")}, `[{'memory_retrieve': '{}'}]`},
		{"vectors, asked", memoryTools(t, addTool, valueTool), []eval.Message{user("What is it?")}, `[{'archival_memory_retrieve': '{"query": "What is it?"}'}]`},
	} {
		resp, err := New().Generate(t.Context(), &eval.Request{Messages: c.messages, Tools: c.tools, Mode: eval.FC})
		require.NoError(t, err)
		assert.Equal(t, c.want, pyval.Repr(resp.Result), c.name)
	}
}
