package eval

import (
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
	}
	return req
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
