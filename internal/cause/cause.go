package cause

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

// A Cause is why an answer failed, as far as it is known: failures with the
// same cause are similar. All of it is safe to print.
type Cause struct {
	// Kind is "" for a pass.
	Kind Kind `json:"kind"`
	// Function is the expected function that the failure is about, the called
	// function if no call was wanted, or the class whose state is wrong.
	Function string `json:"function,omitempty"`
	// Parameter is the parameter of the function, or the path in the class's
	// state.
	Parameter string `json:"parameter,omitempty"`
	// Want is the value that was expected; the Function says it where that is
	// wrong.
	Want string `json:"want,omitempty"`
	// Got is the answer in its place: a value, another function's name, or the
	// number of calls.
	Got string `json:"got,omitempty"`
}

// By is how fine failures are grouped.
type By string

// The groupings: by the kind of cause only; by kind and function; by kind,
// function, parameter and what was answered.
const (
	ByKind      By = "cause"
	ByFunction  By = "function"
	ByParameter By = "parameter"
)

// Groupings lists the groupings, the coarsest first.
var Groupings = []By{ByKind, ByFunction, ByParameter}

// Key returns the fields of a cause that failures are grouped by. Grouped by
// kind, it also has Got if that is the same for all.
func (o Cause) Key(by By) Cause {
	switch by {
	case ByParameter:
		o.Want = "" // the same mistake, whatever the question wanted
		return o
	case ByFunction:
		return Cause{Kind: o.Kind, Function: o.Function}
	}
	key := Cause{Kind: o.Kind}
	if o.Kind == WrongCount {
		key.Got = o.Got
	}
	return key
}

// Detail returns the cause's words beyond its kind; "" if it has none. It always
// says "expected" and "got".
func (o Cause) Detail() string {
	place, want := strings.TrimPrefix(strings.TrimSuffix(o.Function+", "+o.Parameter, ", "), ", "), o.Want
	got := o.Got
	switch o.Kind {
	case WrongFunction, NoCall, EmptyTurn, MissingResult:
		place, want = "", o.Function
	case UnwantedCall:
		place, got = "", o.Function
	case WrongCount: // words, as "too few calls"
		return strings.Join(slices.DeleteFunc([]string{place, got}, func(w string) bool { return w == "" }), ", ")
	}
	words := []string{place}
	for _, one := range [...][2]string{{"expected ", want}, {"got ", got}} {
		if one[1] != "" {
			words = append(words, one[0]+one[1])
		}
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), ", ")
}

// Text returns the kind in words with the detail.
func (o Cause) Text() string {
	if detail := o.Detail(); detail != "" {
		return o.Kind.Title() + ": " + detail
	}
	return o.Kind.Title()
}

// OneCall is the Got of a cause: several calls were wanted and one was made.
const OneCall = "one call where several were wanted"

// The caps of a cause's texts, in bytes.
const (
	// LongestName is that of a function or parameter.
	LongestName = 80
	longestGot  = 60
)

// Safe returns the cause with texts that are safe to print, cut to a limit.
func (o Cause) Safe() Cause {
	o.Function, o.Parameter = say.Plain(o.Function, LongestName), say.Plain(o.Parameter, LongestName)
	o.Want, o.Got = say.Plain(o.Want, longestGot), say.Plain(o.Got, longestGot)
	return o
}
