package why

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/say"
)

// The limits, in bytes: of a whole text, so that CI views stay usable; of one
// value; and of the first line. Of an agentic answer the last steps with calls are
// shown.
const (
	capText    = 4096
	capValue   = 700
	capLine    = 300
	shownSteps = 6
)

// Summary returns the first line: "error_type: what is wrong".
func Summary(r *eval.Result) string {
	if r.ErrorType == eval.CutOff {
		cut, after := *r, ""
		cut.ErrorType = "the part that came is wrong"
		if r.OutputTokens > 0 {
			after = " after " + say.Count(r.OutputTokens, "token", "tokens")
		}
		return fmt.Sprintf("%s: the token limit ended the answer%s; %s", eval.CutOff, after, Summary(&cut))
	}
	if err := r.Err; err != nil {
		var infra *eval.InfraError
		if errors.As(err, &infra) { // its kind is in the error type
			err = infra.Err
		}
		return r.ErrorType + ": " + say.Plain(err.Error(), capLine)
	}
	if f := faultOf(r); f != nil {
		return r.ErrorType + ": " + headline(f, r)
	}
	if f, ok := r.Fault.(*judge.Fault); ok {
		return r.ErrorType + ": none of the accepted answers is in the last message " + say.Quote(answerText(f.Last), capAnswer)
	}
	if plain := noCall(r); plain != "" {
		return r.ErrorType + ": " + plain
	}
	return r.ErrorType + ": " + say.Plain(firstText(r.Detail), capLine)
}

// Near returns a file as editors and CI find it: relative to the current folder if it
// is below it; "" if it is not.
func Near(path string) string {
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(path) {
		if short, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(short) {
			return filepath.ToSlash(short)
		}
	}
	return ""
}

// Place returns the line of a case in its dataset file.
func Place(c *eval.Case) string {
	return fmt.Sprintf("%s:%d", say.Plain(cmp.Or(Near(c.File), c.File), capLine), c.Line)
}

// noCall says that an answer has no call, and shows the answer, because
// upstream's error text is only about its own code. It returns "" if there are
// calls, if the answer is not known, or if the judge of a conversation or a
// suite's own rule says what is wrong.
func noCall(r *eval.Result) string {
	_, conversation := r.Detail.(*pyval.Dict)
	switch {
	case r.Result == nil || r.Status != eval.Fail || conversation:
		return ""
	case r.Decoded != nil && !isEmpty(r.Decoded):
		return ""
	case r.Case.Expected != nil && !strings.HasSuffix(r.ErrorType, ":decoder_failed"):
		return ""
	}
	text := answerText(r.Result)
	switch {
	case strings.TrimSpace(text) == "" || isEmpty(r.Result):
		return "the answer is empty"
	case r.Decoded == nil && decode.Attempted(r.Case.ToolNames(), r.Result):
		return "no call can be read from the answer " + say.Quote(text, capAnswer)
	}
	return "the answer holds no call: " + say.Quote(text, capAnswer)
}

func firstText(detail pyval.Value) string {
	if d, ok := detail.(*pyval.Dict); ok { // of a conversation
		if message, ok := d.GetStr("error_message"); ok {
			detail = message
		}
	}
	if list, ok := detail.(*pyval.List); ok {
		if detail = nil; len(list.Items) > 0 {
			detail = list.Items[0]
		}
	}
	return answerText(detail)
}

// Text returns the whole message of a case that did not pass: the summary, the
// question, the tools, what was expected, what came, and how they differ.
func Text(r *eval.Result) string {
	var b strings.Builder
	b.WriteString(Summary(r))
	if r.Beyond > 0 {
		fmt.Fprintf(&b, "\n  unread    %s marked beyond those that upstream's reader of the dialect returns", say.Count(r.Beyond, "call", "calls"))
	}
	if f := faultOf(r); f != nil {
		return limit(b.String() + aboutTurn(f, r))
	}
	last, agentic := r.Fault.(*judge.Fault)
	field := func(name, text string) { fmt.Fprintf(&b, "\n  %-9s %s", name, text) }
	if r.Err == nil && noCall(r) != "" {
		field("upstream", say.Plain(firstText(r.Detail), capLine))
	}
	field("question", say.Quote(r.Case.Question(), capValue))
	if names := r.Case.ToolNames(); len(names) > 0 && !agentic {
		field("tools", say.Plain(strings.Join(names, ", "), capValue))
	}
	if r.Status == eval.Error {
		return limit(b.String())
	}
	switch c := r.Case; {
	case c.Expected != nil:
		field("expected", say.Plain(c.Expected.String(), capValue))
	case c.Answer != nil:
		field("expected", say.Plain(pyval.Repr(c.Answer), capValue))
	}
	switch {
	case agentic:
		field("answered", say.Quote(answerText(last.Last), capValue))
		steps := last.Calls
		if left := len(steps) - shownSteps; left > 0 {
			field("calls", fmt.Sprintf("(%s before these)", say.Count(left, "step", "steps")))
			steps = steps[left:]
		}
		for _, calls := range steps {
			field("calls", say.Printable(strings.Join(calls, ", "), capCall))
		}
		return limit(b.String())
	case r.Decoded != nil:
		field("got", say.Plain(pyval.Repr(r.Decoded), capValue))
	default:
		field("answered", say.Quote(answerText(r.Result), capValue))
	}
	d := ""
	if r.Case.Expected == nil {
		d = Diff(r.Case.Answer, r.Decoded)
	}
	if d != "" {
		b.WriteString("\n  differs at\n" + d)
	}
	// Upstream's details only add types that are wrong: 4 and 4.0 are equal
	// here.
	if more := items(r.Detail); len(more) > 1 {
		if details := pyval.Repr(pyval.NewList(more[1:]...)); d == "" || strings.Contains(details, "Incorrect type") {
			field("details", say.Plain(details, capValue))
		}
	}
	return limit(b.String())
}

func answerText(result pyval.Value) string {
	if result == nil {
		return ""
	}
	return pyval.Text(result)
}

func limit(s string) string {
	if kept := say.Cut(s, capText); len(kept) < len(s) {
		return kept + "…"
	}
	return s
}
