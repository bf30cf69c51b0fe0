package why

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// unanswered returns one line that says that no accepted answer was found.
func unanswered(f *judge.Fault) string {
	return "none of the accepted answers is in the last message " + say.Quote(answerText(f.Last), capAnswer)
}

// shownSteps is how many of the last steps with calls are shown.
const shownSteps = 6

// aboutAnswer returns what follows the first line: what was asked and accepted,
// what the model said last, and the last calls before that.
func aboutAnswer(c *eval.Case, f *judge.Fault) string {
	var b strings.Builder
	field := func(name, text string) { fmt.Fprintf(&b, "\n  %-9s %s", name, text) }
	field("question", say.Quote(c.Question(), capValue))
	if c.Answer != nil {
		field("expected", say.Plain(pyval.Repr(c.Answer), capValue))
	}
	field("answered", say.Quote(answerText(f.Last), capValue))
	steps := f.Calls
	if left := len(steps) - shownSteps; left > 0 {
		field("calls", fmt.Sprintf("(%s before these)", say.Count(left, "step", "steps")))
		steps = steps[left:]
	}
	for _, calls := range steps {
		field("calls", say.Printable(strings.Join(calls, ", "), capCall))
	}
	return b.String()
}
