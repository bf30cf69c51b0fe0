package match

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Refused is an argument that an expected call refuses, whatever else is
// wrong with the answer.
type Refused struct {
	// Turn is the turn of a conversation, counted from 1; 0 for other cases.
	Turn int
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
	// Values are the accepted values in the benchmark's form, in which "" means
	// that the argument may be left out; nil if there are matchers that are not
	// plain values.
	Values *pyval.List
}

// Refused compares each expected call with the call that is most like it.
func (w *Whole) Refused(c *eval.Case, decoded pyval.Value, s eval.Settings) []Refused {
	calls, ok := callsOf(decoded)
	if !ok {
		return nil
	}
	return newCourt(c, s).allRefused(w, calls)
}

// Refused does the same turn by turn, with the calls of all steps of a turn.
func (t Turns) Refused(c *eval.Case, result pyval.Value, s eval.Settings) (out []Refused) {
	list, _ := result.(*pyval.List)
	if list == nil {
		return nil
	}
	court := newCourt(c, s)
	for i, turn := range list.Items[:min(len(list.Items), len(t))] {
		for _, r := range court.allRefused(t[i], callsOfTurn(turn, s)) {
			r.Turn = i + 1
			out = append(out, r)
		}
	}
	return out
}

// allRefused returns nothing if the calls are right, or if a Go function that is
// needed is not registered or panics.
func (t *court) allRefused(w *Whole, calls []made) (out []Refused) {
	if w.unregistered() != nil {
		return nil
	}
	defer func() {
		if infra(recover()) != nil {
			out = nil
		}
	}()
	if t.whole(w, calls) == nil {
		return nil
	}
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
	for _, arg := range want.Args {
		if r := t.argument(got, want, arg); r != nil {
			v, _ := got.args.GetStr(arg.Name)
			out = append(out, Refused{
				Call: at, Function: want.Function, Name: arg.Name, Value: v, Kind: r.kind, Accepted: arg.Choice.String(), Values: arg.values(),
			})
		}
	}
	if want.Any {
		return out
	}
	for key, v := range got.args.All() {
		name := pyval.Text(key)
		if !slices.ContainsFunc(want.Args, func(f Field) bool { return f.Name == name }) {
			out = append(out, Refused{Call: at, Function: want.Function, Name: name, Value: v, Kind: byUpstream + "unexpected_param"})
		}
	}
	return out
}

// values returns what a choice accepts, in the benchmark's form; nil if it has
// matchers that are not plain values.
func (c *Choice) values() *pyval.List {
	out := &pyval.List{}
	for _, o := range c.Options {
		literal, ok := o.Matcher.(*Literal)
		if !ok || literal.Value == pyval.Value(pyval.Str("")) {
			return nil
		}
		out.Items = append(out.Items, literal.Value)
	}
	if c.Optional {
		out.Items = append(out.Items, pyval.Str(""))
	}
	return out
}

// sampleOf returns a short text that contains a match of an expression; false
// if the simple way of making one fails, as with word boundaries.
func sampleOf(re *regexp.Regexp) (string, bool) {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	write(&b, tree)
	return b.String(), b.Len() <= longestSample && re.MatchString(b.String())
}

const longestSample = 1000

// write appends the shortest match of an expression, if it has one.
func write(b *strings.Builder, re *syntax.Regexp) {
	if b.Len() > longestSample {
		return
	}
	times := 1
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
		return
	case syntax.OpCharClass:
		if len(re.Rune) > 0 {
			b.WriteRune(preferred(re.Rune))
		}
		return
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
		return
	case syntax.OpAlternate:
		write(b, re.Sub[0])
		return
	case syntax.OpStar, syntax.OpQuest:
		return
	case syntax.OpRepeat:
		times = re.Min
	}
	for range times {
		for _, sub := range re.Sub {
			write(b, sub)
		}
	}
}

// preferred returns a readable character of a class, or else its first.
func preferred(ranges []rune) rune {
	for _, want := range "a1A x-" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= want && want <= ranges[i+1] {
				return want
			}
		}
	}
	return ranges[0]
}
