package trace

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// single adds the one turn of a case that is answered at once.
func (t *Trace) single(r *eval.Result, s eval.Settings) {
	turn := Turn{Messages: []Message{}, Steps: []Step{}, Expected: []Call{}}
	for _, messages := range r.Case.Turns {
		turn.Messages = append(turn.Messages, messagesOf(messages)...)
	}
	if r.Result != nil {
		turn.Steps = append(turn.Steps, answered(r, s))
	}
	switch {
	case r.Case.Expected != nil:
		turn.Expected = append(turn.Expected, calls([]string{r.Case.Expected.String()})...)
	case r.Case.Answer != nil:
		turn.Expected = append(turn.Expected, calls(callTexts(r.Case.Answer))...)
	}
	t.Turns = []Turn{turn}
}

func answered(r *eval.Result, s eval.Settings) Step {
	step := Step{Calls: []Call{}}
	step.took(r.Entry)
	if text, ok := r.Result.(pyval.Str); ok {
		step.Text = string(text)
	}
	decoded, err := r.Category.Decode(r.Case, r.Result, s)
	switch {
	case err != nil:
		step.undecodable(r.Result, err)
	case decoded != nil:
		step.Calls = calls(callTexts(decoded))
	}
	return step
}

// callTexts writes decoded calls, or possible answers, as Python. A value of
// another shape is written as its repr.
func callTexts(v pyval.Value) []string {
	list, ok := v.(*pyval.List)
	if !ok {
		return []string{pyval.Repr(v)}
	}
	out := make([]string, len(list.Items))
	for i, item := range list.Items {
		out[i] = callText(item)
	}
	return out
}

func callText(v pyval.Value) string {
	if text, ok := v.(pyval.Str); ok {
		return string(text)
	}
	call, ok := v.(*pyval.Dict)
	if !ok || call.Len() != 1 {
		return pyval.Repr(v)
	}
	name, args := call.At(0)
	params, ok := args.(*pyval.Dict)
	if !ok {
		return pyval.Repr(v)
	}
	var parts []string
	for key, val := range params.All() {
		parts = append(parts, pyval.Text(key)+"="+pyval.Repr(val))
	}
	return pyval.Text(name) + "(" + strings.Join(parts, ", ") + ")"
}
