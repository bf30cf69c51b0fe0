package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Mode says how the calls made must correspond to the expected ones.
type Mode string

// The modes: these calls in this order; these in any order; at least these; at
// most these, each once.
const (
	InOrder  Mode = "in_order"
	AnyOrder Mode = "any_order"
	AtLeast  Mode = "at_least"
	AtMost   Mode = "at_most"
)

// A Whole is what is expected of all calls of an answer or a turn.
type Whole struct {
	Mode  Mode
	Calls []*Call
	// Ordered: with AtLeast, the calls must come in this order, possibly with
	// others between them.
	Ordered bool
	// NoneOf are calls that must not be made.
	NoneOf []*Call
	// Line is the expectation's line in its file.
	Line int
}

var _ eval.Expectation = (*Whole)(nil)

// String returns the expectation as a suite writes it.
func (w *Whole) String() string {
	texts := make([]string, len(w.Calls))
	for i, c := range w.Calls {
		texts[i] = c.String()
	}
	out := ""
	if len(texts) != 1 || w.Mode == AtLeast || w.Mode == AtMost {
		out = string(w.Mode) + " "
	}
	if w.Ordered {
		out += "ordered "
	}
	out += "[" + strings.Join(texts, ", ") + "]"
	if len(w.NoneOf) > 0 {
		texts = texts[:0]
		for _, c := range w.NoneOf {
			texts = append(texts, c.String())
		}
		out += " none_of [" + strings.Join(texts, ", ") + "]"
	}
	return out
}

// silent reports whether an answer without a call can be right.
func (w *Whole) silent() bool { return len(w.Calls) == 0 || w.Mode == AtMost }

// Judge compares an answer's calls with the expectation. An answer in which no
// call was found counts as one without calls if that can be right.
func (w *Whole) Judge(c *eval.Case, decoded pyval.Value, decodeErr error, s eval.Settings) (v eval.Verdict) {
	if err := w.unregistered(); err != nil {
		return unknown(err)
	}
	defer func() {
		if err := infra(recover()); err != nil {
			v = unknown(err)
		}
	}()
	var calls []made
	switch {
	case decodeErr != nil && !w.silent():
		return judge.DecodeFailure(decodeErr)
	case decodeErr == nil:
		var ok bool
		if calls, ok = callsOf(decoded); !ok && !w.silent() {
			return judge.AST(c.Tools, decoded, nil, judge.Options{}) // upstream's wording for an answer that is not a list of calls
		}
	}
	return verdict(newCourt(c, s).whole(w, calls))
}

// unregistered returns the error if the expectation needs a Go function that is
// not registered; nil otherwise.
func (w *Whole) unregistered() *eval.InfraError {
	for _, name := range w.Funcs() {
		if !Registered(name) {
			return &eval.InfraError{Kind: "matcher", Err: fmt.Errorf(
				"the case needs the Go function %q, which is not registered in this program: run the suite in the test that has it", name)}
		}
	}
	return nil
}

// Funcs returns the names of the Go functions that the expectation needs.
func (w *Whole) Funcs() (names []string) {
	w.Choices(func(c *Choice) {
		for _, o := range c.Options {
			if g, ok := o.Matcher.(*Go); ok {
				names = append(names, g.Func)
			}
		}
	})
	return names
}

// Choices calls f for each expected argument, field and item.
func (w *Whole) Choices(f func(*Choice)) {
	for _, call := range append(slices.Clone(w.Calls), w.NoneOf...) {
		for _, a := range call.Args {
			visit(a.Choice, f)
		}
	}
}

func visit(c *Choice, f func(*Choice)) {
	f(c)
	for _, o := range c.Options {
		switch m := o.Matcher.(type) {
		case *Object:
			for _, field := range m.Fields {
				visit(field.Choice, f)
			}
		case *List:
			for _, item := range m.Items {
				visit(item, f)
			}
		case *Set:
			for _, item := range m.Items {
				visit(item, f)
			}
		}
	}
}

func verdict(r *refusal) eval.Verdict {
	if r == nil {
		return eval.Verdict{}
	}
	return eval.Verdict{Status: eval.Fail, ErrorType: r.kind, Detail: pyval.NewList(pyval.Str(r.text))}
}

// mostCalls bounds the number of calls that are compared with the expected
// ones.
const mostCalls = 1000

// whole returns why calls are refused; nil if they are right.
func (t *court) whole(w *Whole, calls []made) *refusal {
	if len(calls) > mostCalls {
		return &refusal{byWhole + "too_many", fmt.Sprintf("%d calls are made, but more than %d are not compared", len(calls), mostCalls)}
	}
	for i, call := range calls {
		for _, banned := range w.NoneOf {
			if t.refuse(call, banned) == nil {
				return &refusal{byWhole + "none_of", fmt.Sprintf("call %d, %s, is refused by none_of %s", i+1, call, banned)}
			}
		}
	}
	switch {
	case len(w.Calls) == 0 && w.Mode == "":
		return nil
	case w.Mode == InOrder:
		return t.inOrder(w, calls)
	case w.Ordered:
		return t.among(w, calls)
	}
	return t.anyOrder(w, calls)
}

// inOrder compares call by call.
func (t *court) inOrder(w *Whole, calls []made) *refusal {
	for i, want := range w.Calls {
		if i >= len(calls) {
			return missing(want, len(calls), w)
		}
		if r := t.refuse(calls[i], want); r != nil {
			return placed(r, i, len(w.Calls), t.moved(w, calls, i))
		}
	}
	if len(calls) > len(w.Calls) {
		return unexpected(calls[len(w.Calls)], len(w.Calls), w)
	}
	return nil
}

// moved says where the call expected at a place was made instead.
func (t *court) moved(w *Whole, calls []made, at int) string {
	for i, call := range calls {
		if i != at && t.refuse(call, w.Calls[at]) == nil {
			return fmt.Sprintf("; it is call %d instead, but in_order needs it at its place", i+1)
		}
	}
	return ""
}

func placed(r *refusal, at, of int, more string) *refusal {
	if of == 1 && more == "" {
		return r
	}
	kind := r.kind
	if more != "" {
		kind = byWhole + "in_order"
	}
	return &refusal{kind, fmt.Sprintf("call %d: %s%s", at+1, r.text, more)}
}

func missing(want *Call, n int, w *Whole) *refusal {
	return &refusal{byWhole + "missing", fmt.Sprintf("%s is not called (calls made: %d); expected: %s", want, n, w)}
}

func unexpected(call made, at int, w *Whole) *refusal {
	return &refusal{byWhole + "unexpected", fmt.Sprintf("call %d, %s, is one too many; expected: %s", at+1, call, w)}
}

// among finds the expected calls in their order, possibly with others between
// them.
func (t *court) among(w *Whole, calls []made) *refusal {
	next := 0
	for _, call := range calls {
		if next < len(w.Calls) && t.refuse(call, w.Calls[next]) == nil {
			next++
		}
	}
	if next < len(w.Calls) {
		r := missing(w.Calls[next], len(calls), w)
		r.text = "in this order, " + r.text
		return r
	}
	return nil
}

// anyOrder pairs calls with expected ones.
func (t *court) anyOrder(w *Whole, calls []made) *refusal {
	of := pair(len(calls), len(w.Calls), func(i, j int) bool { return t.refuse(calls[i], w.Calls[j]) == nil })
	if w.Mode != AtMost {
		if left := unpaired(of, len(w.Calls)); left >= 0 {
			want := w.Calls[left]
			for i, call := range calls {
				if of[i] < 0 && t.sameName(call.name, want.Function) {
					return placed(t.refuse(call, want), i, max(len(calls), len(w.Calls)), "")
				}
			}
			if len(calls) == 1 && len(w.Calls) == 1 && w.Mode == AnyOrder {
				return t.refuse(calls[0], want)
			}
			return missing(want, len(calls), w)
		}
	}
	if w.Mode != AtLeast {
		for i, j := range of {
			if j < 0 {
				return unexpected(calls[i], i, w)
			}
		}
	}
	return nil
}
