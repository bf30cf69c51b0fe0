package heuristic

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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

// TestNotebook writes down what it is told and looks up what it is asked.
func TestNotebook(t *testing.T) {
	kv := memoryTools(t, addTool, keysTool, valueTool)
	user := func(text string) eval.Message { return eval.Message{Role: "user", Content: text} }
	result := func(text string) eval.Message { return eval.Message{Role: "tool", Content: text} }
	for _, c := range []struct {
		name     string
		tools    []*pyval.Dict
		messages []eval.Message
		want     string
	}{
		{"told", kv, []eval.Message{user("The lantern stands behind the cellar door.")}, `[{'archival_memory_add': '{"key": "lantern_stands_behind_cellar_door", "value": "The lantern stands behind the cellar door."}'}]`},
		{"written down", kv, []eval.Message{user("The lantern is red."), result(`{"status": "Key added."}`)}, `'Done.'`},
		{"told again", kv, []eval.Message{user("The lantern is red."), result(`{}`), user("And heavy.")}, `[{'archival_memory_add': '{"key": "heavy", "value": "And heavy."}'}]`},
		{"asked", kv, []eval.Message{user("Where does the lantern stand?")}, `[{'archival_memory_key_search': '{"query": "where does lantern stand"}'}]`},
		{"key found", kv, []eval.Message{user("Where is the lantern?"), result(`{"ranked_results": [[1.5, "lantern_red"]]}`)}, `[{'archival_memory_retrieve': '{"key": "lantern_red"}'}]`},
		{"value found", kv, []eval.Message{user("Where is the lantern?"), result(`{"ranked_results": [[1.5, "k"]]}`), result(`{"value": "It rains. The lantern is in the shed. Bye."}`)}, `'I remember this: The lantern is in the shed'`},
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
