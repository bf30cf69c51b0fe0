package engine

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// InWords returns the messages of a history as prompt mode has them: calls are
// in the assistant's text, and the results of a step in one user message.
func InWords(messages []eval.Message, language eval.Language) []eval.Message {
	var out []eval.Message
	texts := map[string]string{} // call texts by call id
	var calls, results []string
	flush := func() {
		if len(results) > 0 {
			out = append(out, eval.Message{Role: "user", Content: resultList(calls, results)})
		}
		calls, results = nil, nil
	}
	for _, m := range messages {
		if m.Role == "tool" {
			calls, results = append(calls, texts[m.CallID]), append(results, m.Content)
			continue
		}
		flush()
		if len(m.Calls) > 0 {
			m.Content = strings.TrimSpace(m.Content + "\n" + callText(m.Calls, language))
			for _, c := range m.Calls {
				texts[c.ID] = strings.TrimSuffix(strings.TrimPrefix(callText([]eval.ToolCall{c}, language), "["), "]")
			}
			m.Calls = nil
		}
		out = append(out, m)
	}
	flush()
	return out
}

func callText(calls []eval.ToolCall, language eval.Language) string {
	written := make([]decode.Call, len(calls))
	for i, c := range calls {
		args := &pyval.Dict{}
		if v, err := pyval.ParseJSON(c.Arguments); err == nil {
			if d, ok := v.(*pyval.Dict); ok {
				args = d
			}
		}
		written[i] = decode.Call{Name: c.Name, Args: args}
	}
	return pyval.Text(decode.Calls(written, language, eval.Prompt, prompt.Default))
}
