// Package match judges calls by what a user's own suite expects of them: with
// matchers for single arguments, and rules for the calls as a whole. Arguments
// without a matcher are compared by upstream's rule.
//
//	matcher   what accepts a value            text, number, list, value, function
//	call      one expected call               its arguments, required and optional
//	whole     all calls of an answer          in order or not, at least, at most, none of
//	turns     a conversation's calls          turn by turn
//	answer    the benchmark's form of it      and an example for the oracle
//
// A refusal says which matcher refused what.
package match

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Matcher accepts some values of an argument.
type Matcher interface {
	// Name is the matcher's key in a suite, such as "contains". Error types of
	// its refusals end with it.
	Name() string
	// Refuse returns why a value is not accepted; "" if it is.
	Refuse(v pyval.Value) string
	// String returns the matcher as a suite writes it.
	String() string
	// Example returns a value that is accepted; false if none is known.
	Example() (pyval.Value, bool)
}

// A Typed matcher is only for values of some types.
type Typed interface {
	// Fits reports whether values of a kind can be accepted.
	Fits(pyval.Kind) bool
}

// A Choice says what is accepted for an argument, a field or an item: any of
// its options.
type Choice struct {
	Options []Option
	// Optional: the value may be left out.
	Optional bool
	// Line is the choice's line in its file; 0 if it is not known.
	Line int
}

// An Option is one of the accepted alternatives of a Choice.
type Option struct {
	Matcher
	// Line is its line in its file; 0 if it is not known.
	Line int
	// Given is an example from the suite; nil if there is none.
	Given pyval.Value
}

// Example returns the suite's own example, or the matcher's.
func (o Option) Example() (pyval.Value, bool) {
	if o.Given != nil {
		return o.Given, true
	}
	return o.Matcher.Example()
}

// Explain is Refuse for an example in the suite: if a Go function panics, that is
// a reason like any other.
func (o *Option) Explain(v pyval.Value) (why string) {
	defer func() {
		if err := infra(recover()); err != nil {
			why = err.Err.Error()
		}
	}()
	return o.Refuse(v)
}

// refuse returns the matcher and the reason why no option accepts a value; nil
// if one does.
func (c *Choice) refuse(v pyval.Value) (Matcher, string) {
	var last Matcher
	why := ""
	for _, o := range c.Options {
		reason := o.Refuse(v)
		if reason == "" {
			return nil, ""
		}
		if last == nil || deeper(o.Matcher) && !deeper(last) {
			last, why = o.Matcher, reason
		}
	}
	if len(c.Options) > 1 && !deeper(last) {
		return last, short(v) + " is none of " + c.String()
	}
	return last, why
}

// deeper reports whether a matcher's reasons say more than the matcher.
func deeper(m Matcher) bool {
	switch m.(type) {
	case *Object, *List:
		return true
	}
	return false
}

// accepts reports whether an option accepts a value.
func (c *Choice) accepts(v pyval.Value) bool {
	for _, o := range c.Options {
		if o.Refuse(v) == "" {
			return true
		}
	}
	return false
}

// String returns the choice as a suite writes it.
func (c *Choice) String() string {
	out := ""
	for i, o := range c.Options {
		if i > 0 {
			out += " or "
		}
		out += o.String()
	}
	if c.Optional {
		out += " (optional)"
	}
	return out
}

// example returns a value that is accepted; false if none is known.
func (c *Choice) example() (pyval.Value, bool) {
	for _, o := range c.Options {
		if v, ok := o.Example(); ok {
			return v, true
		}
	}
	return nil, false
}

// short returns a value for messages.
func short(v pyval.Value) string {
	const most = 160
	text := pyval.Repr(v)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
