package why

import (
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Pair is an expected call and the call that it is compared with.
type Pair struct {
	// Wanted and Made are the indices of the expected call and the call; -1 if
	// an expected call has no counterpart, or a call is one too many.
	Wanted, Made int
	// WrongFunction reports whether the call is to another function.
	WrongFunction bool
	// Parameters are the parameters that are wrong, with the reasons.
	Parameters map[string]cause.Kind
}

// Pairs pairs the decoded calls of an answer with the expected ones: each expected call
// gets the nearest call that is left. It returns nil for answers that are not
// compared parameter by parameter.
func Pairs(r *eval.Result, decoded pyval.Value, s eval.Settings) []Pair {
	if !r.Category.Compares() || r.Case.Expected != nil {
		return nil
	}
	n, ok := judge.Inspect(r.Case.Tools, decoded, r.Case.Answer, categories.Options(r.Category, r.Case, s))
	if !ok || n.Made() > most {
		return nil
	}
	var pairs []Pair
	taken := make([]bool, n.Made())
	for want := range n.Wanted() {
		pairs = append(pairs, pairOf(n, want, taken))
	}
	for made, is := range taken {
		if !is {
			pairs = append(pairs, Pair{Wanted: -1, Made: made})
		}
	}
	return pairs
}

// pairOf finds the call for an expected one.
func pairOf(n *judge.Inspection, want int, taken []bool) Pair {
	best, level := -1, cause.Ground
	for made := range taken {
		if taken[made] || n.InOrder() && made != want {
			continue
		}
		if l := levelOf(n.Faults(made, want)); best < 0 || l > level {
			best, level = made, l
		}
	}
	if best < 0 {
		return Pair{Wanted: want, Made: -1}
	}
	if level == cause.Call && n.Made() != n.Wanted() { // it may be meant for another
		return Pair{Wanted: want, Made: -1}
	}
	taken[best] = true
	faults, ok := n.Parameters(best, want)
	p := Pair{Wanted: want, Made: best, WrongFunction: !ok, Parameters: map[string]cause.Kind{}}
	for name, f := range faults {
		p.Parameters[say.Printable(name, cause.LongestName)] = levelOf(f).Missed()
	}
	return p
}
