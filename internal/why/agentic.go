package why

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/agentic"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// unanswered returns one line that says that no accepted answer was found.
func unanswered(f *agentic.Fault) string {
	return "none of the accepted answers is in the last message " + safe.Quote(answerText(f.Last), capAnswer)
}

// shownSteps is how many of the last steps with calls are shown.
const shownSteps = 6

// aboutAnswer returns what follows the first line: what was asked and accepted,
// what the model said last, and the last calls before that.
func aboutAnswer(c *eval.Case, f *agentic.Fault) string {
	var b strings.Builder
	field := func(name, text string) { fmt.Fprintf(&b, "\n  %-9s %s", name, text) }
	field("question", safe.Quote(c.Question(), capValue))
	if c.Answer != nil {
		field("expected", safe.Plain(pyval.Repr(c.Answer), capValue))
	}
	field("answered", safe.Quote(answerText(f.Last), capValue))
	steps := f.Calls
	if left := len(steps) - shownSteps; left > 0 {
		field("calls", fmt.Sprintf("(%s before these)", count.Of(left, "step", "steps")))
		steps = steps[left:]
	}
	for _, calls := range steps {
		field("calls", safe.Printable(strings.Join(calls, ", "), capCall))
	}
	return b.String()
}
