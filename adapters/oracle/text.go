package oracle

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// callTexts returns the texts of a possible answer that is a list of Python
// calls, as in the executable categories; nil for any other.
func callTexts(c *eval.Case) []string {
	if c.Answer == nil {
		return nil
	}
	var out []string
	for _, item := range c.Answer.Items {
		text, ok := item.(pyval.Str)
		if !ok {
			return nil
		}
		out = append(out, string(text))
	}
	return out
}

// writeTexts writes calls as a model would. A call that cannot be a tool call,
// such as one with positional arguments, stays text.
func writeTexts(texts []string, mode eval.Mode) pyval.Value {
	text := eval.TextResult("[" + strings.Join(texts, ", ") + "]")
	if mode == eval.Prompt {
		return text
	}
	decoded, err := decode.AST("["+strings.Join(texts, ", ")+"]", decode.Python, false)
	calls, ok := decoded.(*pyval.List)
	if err != nil || !ok {
		return text
	}
	var out []eval.ToolCall
	for _, item := range calls.Items {
		one, ok := item.(*pyval.Dict)
		if !ok {
			return text
		}
		for name, args := range one.All() {
			arguments, err := pyval.JSON(args, pyval.JSONUnicode)
			if err != nil {
				return text
			}
			out = append(out, eval.ToolCall{Name: strings.ReplaceAll(pyval.Text(name), ".", "_"), Arguments: arguments})
		}
	}
	return eval.CallsResult(out)
}
