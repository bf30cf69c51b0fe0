package evaluate

import (
	"github.com/gobfcl/bfcl/internal/judge/agentic"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// agenticLine writes a failed agentic case as upstream's evaluator does.
func agenticLine(dst []byte, m *Model, c *Category, a *Answer) []byte {
	line := lineOf(m, c, pyval.Str(a.Row.ID))
	line.SetStr("error", orNone(a.Detail))
	message, _, _ := agentic.Read(a.Row.Result, m.Settings)
	if a.ErrorType == agentic.NotFound {
		question, _ := a.Case.Entry.GetStr("question")
		line.SetStr("prompt", orNone(question))
		line.SetStr("model_result_raw", a.Row.Result)
		line.SetStr("last_non_fc_message", orNone(message.Last))
	} else {
		line.SetStr("prompt", a.Case.Entry)
		line.SetStr("model_result", a.Row.Result)
	}
	if a.ErrorType == agentic.NoLastMessage {
		line.SetStr("model_result_decoded", multiturn.Turns{message.Calls}.Value().Items[0])
	}
	line.SetStr("possible_answer", a.Case.Answer)
	return appendLogged(dst, line, a.Row)
}
