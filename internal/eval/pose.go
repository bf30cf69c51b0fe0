package eval

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Pose builds the request of a single-turn case. If the model's settings say
// so, dots in function names become underscores, as the model sees and writes
// them.
func Pose(c *Case, trial int, s Settings) *Request {
	req := &Request{ID: c.ID, Trial: trial, Mode: s.Mode, Tools: c.Tools, Sent: c.Sent}
	if len(c.Turns) > 0 {
		req.Messages = c.Turns[0]
	}
	if s.UnderscoreToDot {
		req.Tools, req.Sent = underscored(c.Tools), underscored(c.Sent)
		req.Messages = underscoredCalls(req.Messages)
	}
	return req
}

// underscoredCalls returns the messages, in which earlier calls have the names
// that the model sees.
func underscoredCalls(messages []Message) []Message {
	dotted := func(m Message) bool {
		return strings.Contains(m.Name, ".") || slices.ContainsFunc(m.Calls, func(c ToolCall) bool { return strings.Contains(c.Name, ".") })
	}
	if !slices.ContainsFunc(messages, dotted) {
		return messages
	}
	out := slices.Clone(messages)
	for i := range out {
		out[i].Name = strings.ReplaceAll(out[i].Name, ".", "_")
		out[i].Calls = slices.Clone(out[i].Calls)
		for k := range out[i].Calls {
			out[i].Calls[k].Name = strings.ReplaceAll(out[i].Calls[k].Name, ".", "_")
		}
	}
	return out
}

func underscored(tools []*pyval.Dict) []*pyval.Dict {
	if tools == nil {
		return nil
	}
	out := make([]*pyval.Dict, len(tools))
	for i, tool := range tools {
		out[i] = tool
		name, _ := tool.GetStr("name")
		text, ok := name.(pyval.Str)
		if ok && strings.Contains(string(text), ".") {
			out[i] = tool.Clone()
			out[i].SetStr("name", pyval.Str(strings.ReplaceAll(string(text), ".", "_")))
		}
	}
	return out
}
