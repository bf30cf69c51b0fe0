package evaluate

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// agenticLine writes a failed agentic case as upstream's evaluator does.
func agenticLine(dst []byte, m *tally.Run, r *eval.Result) []byte {
	line := lineOf(m, r, pyval.Str(r.Case.ID))
	line.SetStr("error", orNone(r.Detail))
	message, _, _ := judge.Read(r.Result, m.Settings())
	if r.ErrorType == judge.NotFound {
		question, _ := r.Case.Entry.GetStr("question")
		line.SetStr("prompt", orNone(question))
		line.SetStr("model_result_raw", r.Result)
		line.SetStr("last_non_fc_message", orNone(message.Last))
	} else {
		line.SetStr("prompt", r.Case.Entry)
		line.SetStr("model_result", r.Result)
	}
	if r.ErrorType == judge.NoLastMessage {
		line.SetStr("model_result_decoded", multiturn.Turns{message.Calls}.Value().Items[0])
	}
	line.SetStr("possible_answer", r.Case.Answer)
	return appendLogged(dst, line, r)
}
