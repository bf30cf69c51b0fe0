package evaluate

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/agentic"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/record"
)

// agenticLine writes a failed agentic case as upstream's evaluator does.
func agenticLine(dst []byte, m *Model, c *Category, item *eval.Case, row record.Row, v eval.Verdict) []byte {
	line := failedLine(m, c, row, v)
	message, _, _ := agentic.Read(row.Result, m.Settings)
	if v.ErrorType == agentic.NotFound {
		question, _ := item.Entry.GetStr("question")
		line.SetStr("prompt", orNone(question))
		line.SetStr("model_result_raw", row.Result)
		line.SetStr("last_non_fc_message", orNone(message.Last))
	} else {
		line.SetStr("prompt", item.Entry)
		line.SetStr("model_result", row.Result)
	}
	if v.ErrorType == agentic.NoLastMessage {
		line.SetStr("model_result_decoded", multiturn.Turns{message.Calls}.Value().Items[0])
	}
	line.SetStr("possible_answer", item.Answer)
	return appendLogged(dst, line, row)
}
