package match

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Refused is an argument that an expected call refuses, whatever else is
// wrong with the answer.
type Refused struct {
	// Call is the expected call, counted from 0.
	Call int
	// Function and Name are the names of the call's function and of the
	// argument.
	Function, Name string
	// Value is the given value; nil if the argument was left out.
	Value pyval.Value
	// Kind is the error type of the refusal.
	Kind string
	// Accepted is what is accepted, as a suite writes it; "" if the argument is
	// not expected.
	Accepted string
}

// Refused compares each expected call with the call that is most like it.
func (w *Whole) Refused(c *eval.Case, decoded pyval.Value, s eval.Settings) (out []Refused) {
	calls, ok := callsOf(decoded)
	if !ok || w.unregistered() != nil {
		return nil
	}
	defer func() {
		if infra(recover()) != nil {
			out = nil
		}
	}()
	t := newCourt(c, s)
	of := func(want, made int) []Refused { return t.refused(calls[made], w.Calls[want], want) }
	nearest := judge.Nearest(len(w.Calls), len(calls), func(want, made int) (int, bool) {
		same := t.sameName(calls[made].name, w.Calls[want].Function)
		if !same {
			return 0, false
		}
		return len(of(want, made)), true
	})
	for want, made := range nearest {
		if made >= 0 {
			out = append(out, of(want, made)...)
		}
	}
	return out
}

// refused returns all arguments of a call that an expected one refuses.
func (t *court) refused(got made, want *Call, at int) (out []Refused) {
	properties, _ := parametersOf(t.docs[want.Function])
	for _, arg := range want.Args {
		var doc pyval.Value
		if properties != nil {
			doc, _ = properties.GetStr(arg.Name)
		}
		if r := t.argument(got, want, arg, doc); r != nil {
			v, given := got.args.GetStr(arg.Name)
			if !given {
				v = nil
			}
			out = append(out, Refused{at, want.Function, arg.Name, v, r.kind, arg.Choice.String()})
		}
	}
	if want.Any {
		return out
	}
	for key, v := range got.args.All() {
		name := pyval.Text(key)
		if !slices.ContainsFunc(want.Args, func(f Field) bool { return f.Name == name }) {
			out = append(out, Refused{at, want.Function, name, v, byUpstream + "unexpected_param", ""})
		}
	}
	return out
}
