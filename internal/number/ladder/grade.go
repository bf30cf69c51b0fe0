package ladder

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A Grade is how far a result got and what it fell over.
type Grade struct {
	// Level is Values for a pass; for what failed it is known only with the
	// answer.
	Level Level
	// Kind is "" for a pass.
	Kind Kind
	// Seen reports whether the answer was looked at: without it Level is known
	// for a pass alone.
	Seen bool
}

// Unseen returns the grade of a result whose answer is not available. Where
// infrastructure failed there is none to see.
func Unseen(status eval.Status, errorType string) Grade {
	switch status {
	case eval.Pass:
		return Grade{Level: Values, Seen: true}
	case eval.Error:
		return Grade{Kind: KindOf(errorType), Seen: true}
	}
	return Grade{Kind: KindOf(errorType)}
}

// An Answer is what a model answered to a case, and what it was read as.
type Answer struct {
	// Result is the answer as recorded; nil if there is none.
	Result pyval.Value
	// Decoded are its calls; nil if they could not be read.
	Decoded pyval.Value
	// Settings are the model's.
	Settings eval.Settings
}

// Of returns the grade of an answer. It agrees with the verdict: what passed
// reached the top, and what failed did not, whatever else there is to say for
// it.
func Of(cat *eval.Category, c *eval.Case, a Answer, v eval.Verdict) Grade {
	g := Unseen(v.Status, v.ErrorType)
	if v.Status != eval.Fail || a.Result == nil {
		return g
	}
	g.Seen = true
	switch {
	case c.Expected != nil: // which says itself what is wrong
		g.Level = levelBelow(g.Kind)
	case cat.Compares():
		g.Level = reached(c, a.Decoded, categories.Options(cat, c, a.Settings))
	case cat.Executes:
		g.Level = executed(c, a)
	}
	g.Kind = seenKind(g, cat, c, a)
	return g
}

// levelBelow is the level that an answer reached which missed the next by that
// kind of fault.
func levelBelow(k Kind) Level {
	switch i := slices.Index(missed[:], k); {
	case i > 0:
		return Level(i)
	case k == WrongCount || k == UnwantedCall:
		return Call
	}
	return Ground
}

// reached is the level of a failed answer. Upstream matches parallel calls
// without going back on a choice, so it refuses some that would fit in another
// order: these end below the top too.
func reached(c *eval.Case, decoded pyval.Value, o judge.Options) Level {
	n, ok := judge.Inspect(c.Tools, decoded, c.Answer, o)
	if !ok {
		return Ground
	}
	return min(climb(n), Types)
}

// failedRequest is how the answer begins that upstream records where its
// request failed.
const failedRequest = "Error during inference: "

// seenKind corrects what the error type alone says.
func seenKind(g Grade, cat *eval.Category, c *eval.Case, a Answer) Kind {
	text, _ := a.Result.(pyval.Str)
	empty := isEmpty(a.Decoded)
	switch {
	case strings.HasPrefix(string(text), failedRequest):
		return Infrastructure
	case g.Kind == Infrastructure: // a failed answer, whatever its error type supposes
		return Unexplained
	case g.Kind == WrongCount && empty:
		return NoCall
	case (g.Kind == Malformed || g.Kind == NoCall) && decode.Attempted(c.ToolNames(), a.Result):
		return Malformed
	case g.Kind == Malformed && (empty || a.Decoded == nil):
		return NoCall
	case g.Kind == Unexplained && cat.Compares():
		return missed[g.Level]
	}
	return g.Kind
}

// isEmpty reports whether an answer was read as holding nothing: an empty list,
// or what the Java and JavaScript decoders make of a text without calls.
func isEmpty(decoded pyval.Value) bool {
	if decoded == nil {
		return false
	}
	n, sized := pyval.Len(decoded)
	return sized && n == 0 || decoded.Kind() == pyval.KindNone
}
