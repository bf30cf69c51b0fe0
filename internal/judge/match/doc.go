// Package match judges calls by what a suite of a user's own expects of them:
// matchers for single arguments, and rules for the calls as a whole. What needs
// no matcher is compared by upstream's rule, argument by argument.
//
//	matcher   what accepts a value            text, number, date, list, object, function
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
	// Name is the matcher's word in a suite, such as "contains". It ends the
	// error type of a refusal.
	Name() string
	// Refuse is why a value is not accepted; "" for one that is.
	Refuse(v pyval.Value) string
	// String is the matcher as a suite has it.
	String() string
	// Example is a value that is accepted; false if none is known.
	Example() (pyval.Value, bool)
}

// A Typed matcher is for values of some types alone.
type Typed interface {
	// Fits reports whether values of a kind can be accepted.
	Fits(pyval.Kind) bool
}

// A Choice is what is accepted for an argument, a field or an item: any of its
// options.
type Choice struct {
	Options []Option
	// Optional: it may be left out. Absent: it must be.
	Optional, Absent bool
	// Line is where the choice stands in its file; 0 if that is not known.
	Line int
}

// An Option is one of what a Choice accepts.
type Option struct {
	Matcher
	// Line is where it stands in its file; 0 if that is not known.
	Line int
	// Given is an example that the suite states; nil if it states none.
	Given pyval.Value
}

// Example returns the suite's own example, or the matcher's.
func (o Option) Example() (pyval.Value, bool) {
	if o.Given != nil {
		return o.Given, true
	}
	return o.Matcher.Example()
}

// refuse is the matcher and the reason why no option accepts a value; nil if
// one does.
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

// String returns the choice as a suite has it.
func (c *Choice) String() string {
	if c.Absent {
		return "absent"
	}
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

// example is a value that is accepted; false if none is known.
func (c *Choice) example() (pyval.Value, bool) {
	for _, o := range c.Options {
		if v, ok := o.Example(); ok {
			return v, true
		}
	}
	return nil, false
}

// short is a value for messages.
func short(v pyval.Value) string {
	const most = 160
	text := pyval.Repr(v)
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
