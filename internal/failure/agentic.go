package failure

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/engine"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/agentic"
	"github.com/gobfcl/bfcl/internal/pyval"
)

// agenticType begins the error types of the agentic categories.
const agenticType = "agentic:"

// agenticHeadline says in one line why an agentic case did not pass.
func agenticHeadline(out engine.Outcome) string {
	f, ok := out.Fault.(*agentic.Fault)
	if !ok {
		reason, _ := out.Detail.(*pyval.Dict)
		if reason == nil {
			return ""
		}
		message, _ := reason.GetStr("error_message")
		return Plain(firstText(message), capLine)
	}
	return "none of the accepted answers is in the last message " + Printable(answerText(f.Last), capLine)
}

// aboutAnswer is what follows the first line: what was asked and accepted, and
// the last calls with what was said in the end.
func aboutAnswer(c *eval.Case, out engine.Outcome) string {
	var b strings.Builder
	field := func(name, text string) { fmt.Fprintf(&b, "\n  %-9s %s", name, text) }
	field("question", Quote(c.Question(), capValue))
	if c.Answer != nil {
		field("expected", Plain(pyval.Repr(c.Answer), capValue))
	}
	f, ok := out.Fault.(*agentic.Fault)
	if !ok {
		field("answered", Quote(answerText(out.Result), capValue))
		return b.String()
	}
	field("answered", Quote(answerText(f.Last), capValue))
	const shown = 6
	calls := f.Calls
	if left := len(calls) - shown; left > 0 {
		field("calls", fmt.Sprintf("(%d steps before)", left))
		calls = calls[left:]
	}
	for _, step := range calls {
		field("calls", Printable(strings.Join(step, ", "), capCall))
	}
	return b.String()
}
