package eval

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Result is one trial of a case: the answer, the verdict on it, and why it
// did not pass. The engine makes it of an answer as it comes, and a reader of a
// run of what was recorded.
type Result struct {
	Category *Category
	Case     *Case
	// Trial counts from 0.
	Trial int

	Verdict
	// Response is the answer, without its Message and Talk. Its Cost is what the
	// answer cost in dollars; 0 if that is not known. Its Result is nil if there is
	// no answer, or if it was not kept.
	Response
	// Decoded are the calls read from the answer; nil without calls.
	Decoded pyval.Value
	// Seconds is how long the test took or, if only the answer is recorded, the
	// request.
	Seconds float64

	// Err is the infrastructure error if Status is Error and it was not read from
	// JUnit.
	Err error
	// Reused reports whether the answer was recorded earlier, and NotRun whether
	// the run was halted before the case was asked; Err says why.
	Reused, NotRun bool

	// Text says why the case did not pass, in full; "" until it is known.
	Text string
	// Level is how far the answer got: Values for a pass. Seen reports whether the
	// answer was examined: otherwise the Level of a failure is not known.
	Level cause.Level
	Seen  bool
	// Cause is why the answer failed.
	Cause cause.Cause
	// Unread are the parts of the answer from which no call could be read although
	// calls were wanted; nil stands for an answer that is not available.
	Unread []pyval.Value
	// Beyond is how many calls are marked in the answer beyond those that
	// upstream's reader of its dialect returns.
	Beyond int
	// Overlooked are the parts of a right answer that hold a call which was not
	// read, where nothing may be called: it counts as an abstention and is none.
	Overlooked []pyval.Value
	// Dotted reports whether a wrong answer names a function with its dots, though
	// the settings say that the model saw underscores.
	Dotted bool
	// Trace holds the answer's signs of the server; nil if it is not available.
	Trace *Trace
	// Amended reports whether a listed defect's own key accepts the answer, which
	// the official one refuses.
	Amended bool
	// Gateway is the sign that the answer is not the model's; "" without one.
	Gateway string
}

// A Trace is what one answer of a run shows of the server behind it.
type Trace struct {
	// Facts are what the answer shows by itself and models do not write, in words.
	Facts []string
	// Pair is the answer with the expected one, a *why.Arrival; nil if they are not
	// compared.
	Pair any
	// Called reports whether it holds a call.
	Called bool
}

// InferenceError begins the answer that upstream records for a failed request.
const InferenceError = "Error during inference:"

// Right reports whether a result counts as right if errors count as upstream
// counts them: it judges the error's text as an answer, and if no call is wanted,
// any text is right.
func (r *Result) Right() bool {
	if r.Status != Error {
		return r.Passed()
	}
	_, v := r.Category.Verdict(r.Case, pyval.Str(InferenceError), SettingsFor(FC))
	return v.Passed()
}

// Reason returns the first line of the Text, without the error type that begins
// it, cut to a number of bytes and safe to print; "" for a pass.
func (r *Result) Reason(limit int) string {
	line, _, _ := strings.Cut(r.Text, "\n")
	return say.Printable(strings.TrimPrefix(line, r.ErrorType+": "), limit)
}

// Tokens returns how many tokens the prompt and the answer have together.
func (r *Result) Tokens() int { return r.InputTokens + r.OutputTokens }

// Forget removes the answer and what the judge knows of it, so that a result
// keeps nothing of the line in memory.
func (r *Result) Forget() {
	for _, kept := range [][]pyval.Value{r.Unread, r.Overlooked} {
		for i, v := range kept {
			if text, ok := v.(pyval.Str); ok {
				kept[i] = pyval.Str(strings.Clone(string(text)))
			}
		}
	}
	r.Cause.Want, r.Cause.Got = strings.Clone(r.Cause.Want), strings.Clone(r.Cause.Got)
	r.Finish, r.Reasoning, r.Served = strings.Clone(r.Finish), "", ""
	r.Result, r.Decoded, r.Entry, r.Log = nil, nil, nil, ""
	r.Detail, r.Fault, r.Executed, r.Steps = nil, nil, nil, nil
}
