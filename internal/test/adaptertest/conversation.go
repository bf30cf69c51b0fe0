package adaptertest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gobfcl/bfcl/internal/eval"
)

// converses checks that an adapter continues a conversation with its own
// answers, and with those of other adapters, which lack what a provider adds.
func converses(t *testing.T, a eval.Adapter, answerable []*eval.Request) {
	for i, first := range answerable {
		req := *first
		req.Conversation = true
		for step := range 3 {
			resp, err := ask(t.Context(), a, &req)
			if err != nil {
				t.Errorf("request %d, step %d: %v", i, step, err)
				break
			}
			req.Step++
			req.Messages = append(slices.Clone(req.Messages), reaction(resp.AsMessage(), step)...)
		}
	}
	for name, messages := range strangeTalks() {
		for _, mode := range []eval.Mode{eval.FC, eval.Prompt} {
			req := plain(mode)
			req.Conversation, req.Messages = true, append(req.Messages, messages...)
			if _, err := ask(t.Context(), a, req); errors.As(err, new(*breach)) {
				t.Errorf("%s, mode %s: %v", name, mode, err)
			}
		}
	}
}

// reaction returns an answer and what follows it: the results of its calls, or
// another question.
func reaction(answer eval.Message, step int) []eval.Message {
	out := []eval.Message{answer}
	for i, call := range answer.Calls {
		if call.ID == "" {
			call.ID = fmt.Sprintf("call_%d_%d", step, i)
			out[0].Calls[i].ID = call.ID
		}
		out = append(out, eval.Message{Role: "tool", Content: `{"level": 40}`, CallID: call.ID, Name: call.Name})
	}
	if len(answer.Calls) == 0 {
		out = append(out, eval.Message{Role: "user", Content: "And the hall?"})
	}
	return out
}

// strangeTalks are continuations that an adapter must survive.
func strangeTalks() map[string][]eval.Message {
	call := func(arguments string) eval.Message {
		return eval.Message{Role: "assistant", Calls: []eval.ToolCall{{ID: "c1", Name: "lamp_dim", Arguments: arguments}}}
	}
	result := eval.Message{Role: "tool", Content: "done \x00\xff", CallID: "c1", Name: "lamp_dim"}
	return map[string][]eval.Message{
		"a call of another adapter": {call(`{"room": "hall", "level": 5}`), result},
		"broken arguments":          {call(`{"room": `), result},
		"arguments are a list":      {call(`[1]`), {Role: "user", Content: "Go on."}},
		"a call without result":     {call(`{}`), {Role: "user", Content: "Go on."}},
		"a result without call":     {result, result},
		"silence":                   {{Role: "assistant"}, {Role: "user", Content: "Hello?"}},
		"ends with the assistant":   {{Role: "assistant", Content: "Done."}},
		"call without id or name":   {{Role: "assistant", Content: "x", Calls: []eval.ToolCall{{}}}, {Role: "tool"}},
	}
}
