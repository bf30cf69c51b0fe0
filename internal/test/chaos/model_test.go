package chaos_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
)

// A question is what the model sees of a request.
type question struct {
	Model    string
	Messages json.RawMessage
	Tools    []struct {
		Function struct {
			Name       string
			Parameters schema
		}
	}
}

type schema struct {
	Type       string
	Properties map[string]schema
	Required   []string
}

func hash(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, part := range parts {
		_, _ = h.Write(part)
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

// answer returns the model's answer, always the same for the same question: a
// call of one of the tools more often than not, and else a text.
func answer(body []byte) ([]byte, error) {
	var q question
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	n := hash(q.Messages, []byte(q.Model))
	message := map[string]any{"role": "assistant", "content": fmt.Sprintf("None of them fits: %x.", n)}
	if len(q.Tools) > 0 && n%5 < 3 {
		tool := q.Tools[n/5%uint64(len(q.Tools))].Function
		arguments, err := json.Marshal(value(tool.Parameters, n))
		if err != nil {
			return nil, err
		}
		message["tool_calls"] = []any{map[string]any{
			"id": fmt.Sprintf("call_%x", n), "type": "function",
			"function": map[string]any{"name": tool.Name, "arguments": string(arguments)},
		}}
	}
	return json.Marshal(map[string]any{
		"id": "x", "object": "chat.completion", "created": 1, "model": q.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": "stop"}},
		"usage":   map[string]int{"prompt_tokens": int(1 + n%1000), "completion_tokens": int(1 + n%100)},
	})
}

// value returns a value that a schema allows.
func value(s schema, n uint64) any {
	switch s.Type {
	case "object":
		out := map[string]any{}
		for _, name := range s.Required {
			out[name] = value(s.Properties[name], n)
		}
		return out
	case "array":
		return []any{}
	case "integer":
		return n % 100
	case "number":
		return float64(n%1000) / 8
	case "boolean":
		return n%2 == 0
	default:
		return fmt.Sprintf("note_%d", n%10)
	}
}
