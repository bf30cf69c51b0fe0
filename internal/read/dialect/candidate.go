package dialect

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A Candidate is a dialect that finds calls in answers.
type Candidate struct {
	// Dialect is the dialect.
	Dialect *Dialect
	// Reads is the number of answers in which it finds calls.
	Reads int
}

// Candidates returns the dialects that find calls in recorded answers, those
// that read most first. It is for answers that could not be decoded, so that a
// wrong reader does not look like a bad model. fits reports whether the calls
// found in the answer at a position may be meant; nil accepts all.
func Candidates(answers []pyval.Value, g Grammar, fits func(at int, calls []pyval.Value) bool) []Candidate {
	var out []Candidate
	for _, d := range all {
		c := Candidate{Dialect: d}
		for i, answer := range answers {
			if calls := d.calls(answer, g); len(calls) > 0 && (fits == nil || fits(i, calls)) {
				c.Reads++
			}
		}
		if c.Reads > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return b.Reads - a.Reads })
	return out
}

// Best returns the one of several candidates to recommend: of those that read
// most answers the one named own, which may be "", or else the one of later
// models, which forgives more than upstream's handlers.
func Best(candidates []Candidate, own string) (best Candidate, ok bool) {
	rank := func(c Candidate) int {
		switch {
		case c.Dialect.Name == own:
			return 2
		case c.Dialect.Example() != "":
			return 1
		}
		return 0
	}
	for _, c := range candidates {
		if !ok || c.Reads > best.Reads || c.Reads == best.Reads && rank(c) > rank(best) {
			best, ok = c, true
		}
	}
	return best, ok
}

// calls returns the calls in an answer; none if it is not a list of calls.
func (d *Dialect) calls(answer pyval.Value, g Grammar) []pyval.Value {
	v, err := d.Decode(answer, g)
	if err != nil || decode.IsEmpty(v) {
		return nil
	}
	return v.(*pyval.List).Items // IsEmpty has checked that it is a list
}

// Meant reports whether calls may be meant for the tools of a case: each names
// one of them, with dots or underscores, and gives at least one of its required
// parameters.
func Meant(tools []*pyval.Dict, calls []pyval.Value) bool {
	for _, c := range calls {
		d, ok := c.(*pyval.Dict)
		if !ok || d.Len() == 0 {
			return false
		}
		name, args := d.At(0)
		if !slices.ContainsFunc(tools, func(tool *pyval.Dict) bool { return takes(tool, pyval.Text(name), args) }) {
			return false
		}
	}
	return true
}

// takes reports whether a call may be a call of a tool.
func takes(tool *pyval.Dict, name string, args pyval.Value) bool {
	own, _ := tool.GetStr("name")
	if own == nil || undotted(pyval.Text(own)) != undotted(name) {
		return false
	}
	parameters, _ := get(tool, "parameters", pyval.None).(*pyval.Dict)
	if parameters == nil {
		return true
	}
	required, _ := get(parameters, "required", pyval.None).(*pyval.List)
	if required == nil || len(required.Items) == 0 {
		return true
	}
	given, _ := args.(*pyval.Dict)
	return given != nil && slices.ContainsFunc(required.Items, func(key pyval.Value) bool {
		_, ok := given.GetStr(pyval.Text(key))
		return ok
	})
}

func undotted(name string) string { return strings.ReplaceAll(name, ".", "_") }
