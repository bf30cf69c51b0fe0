package why

import (
	"slices"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// most is the number of calls up to which each is compared with each expected
// one; no dataset has half as many. If there are more, each is compared with the
// expected call at the same position.
const most = 64

// A Pair is an expected call and the call that it is compared with.
type Pair struct {
	// Wanted and Made are the indices of the expected call and the call; -1 if
	// an expected call has no counterpart, or a call is one too many.
	Wanted, Made int
	// WrongFunction reports whether the call is to another function.
	WrongFunction bool
	// Parameters are the parameters that are wrong, with the reasons.
	Parameters map[string]cause.Kind

	level cause.Level
}

// pair pairs each expected call with a call, so that the lowest level is the highest
// that can be, and no two would do better with each other's. A call to another
// function may be meant for another if the numbers differ.
func pair(n *judge.Inspection) (pairs []Pair, taken []bool) {
	pairs, taken = make([]Pair, n.Wanted()), make([]bool, n.Made())
	least := cause.Call
	if n.Made() != n.Wanted() {
		least = cause.Function
	}
	level := func(want, call int) cause.Level { return levelOf(n.Faults(call, want)) }
	for want, made := range match(n.Wanted(), n.Made(), n.InOrder(), least, level) {
		pairs[want] = Pair{Wanted: want, Made: made}
		if made >= 0 {
			pairs[want].level, taken[made] = level(want, made), true
		}
	}
	return pairs, taken
}

// match assigns calls to expected ones by the levels that they reach.
func match(wanted, made int, inOrder bool, least cause.Level, level func(want, call int) cause.Level) []int {
	levels := make([][]cause.Level, wanted)
	for want := range levels {
		levels[want] = make([]cause.Level, made)
		for call := range levels[want] {
			if call == want || !inOrder && made <= most {
				levels[want][call] = level(want, call)
			}
		}
	}
	return assign(levels, least)
}

// assign returns a different call for each row, or -1 for a row without one that
// reaches the least level. Level by level, the highest first, rows are given calls
// by augmenting paths: a row that has one keeps one. What it lost on the way to
// another without need, it gets back.
func assign(levels [][]cause.Level, least cause.Level) (made []int) {
	made = slices.Repeat([]int{-1}, len(levels))
	for level := cause.Values; level >= least; level-- {
		for row := range levels {
			if made[row] < 0 {
				give(levels, row, level, made, map[int]bool{})
			}
		}
	}
	for swapped := true; swapped; {
		swapped = false
		for a, x := range made {
			for b, y := range made[:a] {
				if x < 0 || y < 0 {
					continue
				}
				old, with := [2]cause.Level{levels[a][x], levels[b][y]}, [2]cause.Level{levels[a][y], levels[b][x]}
				if max(with[0], with[1]) > max(old[0], old[1]) && min(with[0], with[1]) >= min(old[0], old[1]) {
					made[a], made[b], x, swapped = y, x, y, true
				}
			}
		}
	}
	return made
}

// give finds a call of a level for a row. A row that has the call may be given
// another one.
func give(levels [][]cause.Level, row int, level cause.Level, made []int, tried map[int]bool) bool {
	for call, reached := range levels[row] {
		if reached < level || tried[call] {
			continue
		}
		tried[call] = true
		if owner := slices.Index(made, call); owner < 0 || give(levels, owner, level, made, tried) {
			made[row] = call
			return true
		}
	}
	return false
}

// climb returns the level that an answer's calls reach.
func climb(tools []*pyval.Dict, decoded pyval.Value, answer *pyval.List, o judge.Options) cause.Level {
	n, ok := judge.Inspect(tools, decoded, answer, o)
	switch {
	case !ok || n.Made() == 0:
		return cause.Ground
	case n.Made() != n.Wanted():
		return cause.Call
	}
	pairs, _ := pair(n)
	lowest := cause.Values
	for _, p := range pairs {
		lowest = min(lowest, max(p.level, cause.Call))
	}
	return lowest
}

// levelOf returns the level below the lowest fault.
func levelOf(f judge.Faults) cause.Level {
	switch {
	case f.Function:
		return cause.Call
	case f.Missing:
		return cause.Function
	case f.Unexpected:
		return cause.Required
	case f.Type:
		return cause.Known
	case f.Value:
		return cause.Types
	}
	return cause.Values
}

// Pairs pairs the decoded calls of an answer with the expected ones. It returns nil
// for answers that are not compared parameter by parameter.
func Pairs(r *eval.Result, decoded pyval.Value, s eval.Settings) []Pair {
	if !r.Category.Compares() || r.Case.Expected != nil {
		return nil
	}
	n, ok := judge.Inspect(r.Case.Tools, decoded, r.Case.Answer, categories.Options(r.Category, r.Case, s))
	if !ok || n.Made() > most {
		return nil
	}
	pairs, taken := pair(n)
	for i := range pairs {
		p := &pairs[i]
		if p.Made < 0 {
			continue
		}
		faults, ok := n.Parameters(p.Made, p.Wanted)
		p.WrongFunction, p.Parameters = !ok, map[string]cause.Kind{}
		for name, f := range faults {
			p.Parameters[say.Printable(name, cause.LongestName)] = levelOf(f).Missed()
		}
	}
	for made, is := range taken {
		if !is {
			pairs = append(pairs, Pair{Wanted: -1, Made: made})
		}
	}
	return pairs
}
