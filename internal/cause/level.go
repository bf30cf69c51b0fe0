package cause

import "slices"

// A Level is how far an answer got. Levels nest: an answer that reached one has
// reached all before it.
type Level uint8

// The levels. An answer at Values was accepted; any other was refused.
const (
	// Ground: the answer holds no calls that could be read.
	Ground Level = iota
	// Call: it holds calls.
	Call
	// Function: the calls are as many as wanted, and to the right functions.
	Function
	// Required: no parameter is missing that the function requires or the
	// question asks for.
	Required
	// Known: no parameter is made up.
	Known
	// Types: all values have the right type.
	Types
	// Values: all values are right.
	Values
)

// Levels returns the levels above Ground, the lowest first.
func Levels() []Level { return []Level{Call, Function, Required, Known, Types, Values} }

var levelNames = [...]string{"ground", "call", "function", "required", "known", "types", "values"}

var levelTitles = [...]string{
	"no readable call", "readable call", "right function and count", "required parameters filled",
	"no invented parameters", "types right", "values right",
}

// String returns the level's name in JSON.
func (l Level) String() string { return levelNames[l] }

// Title returns the level in words.
func (l Level) Title() string { return levelTitles[l] }

// missed are the kinds of answers that reached a level but not the next.
var missed = [...]Kind{
	Ground: Malformed, Call: WrongFunction, Function: MissingRequired, Required: Unexpected,
	Known: WrongType, Types: WrongValue, Values: "",
}

// Missed returns the kind of an answer that reached the level but not the next.
func (l Level) Missed() Kind { return missed[l] }

// Below returns the level of an answer that missed the next level by a kind of
// fault.
func Below(k Kind) Level {
	switch i := slices.Index(missed[:], k); {
	case i > 0:
		return Level(i)
	case k == WrongCount || k == UnwantedCall:
		return Call
	}
	return Ground
}
