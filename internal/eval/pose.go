package eval

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Pose builds the request of a single-turn case. Where the model's settings
// say so, dots in function names become underscores, as the model will see
// and write them.
func Pose(c *Case, trial int, s Settings) *Request {
	req := &Request{ID: c.ID, Trial: trial, Mode: s.Mode, Tools: c.Tools}
	if len(c.Turns) > 0 {
		req.Messages = c.Turns[0]
	}
	if s.UnderscoreToDot {
		req.Tools = underscored(c.Tools)
	}
	return req
}

func underscored(tools []*pyval.Dict) []*pyval.Dict {
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
