package gate

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/kit/count"
)

// An Outcome is the result of a check, or of all checks.
type Outcome string

// The outcomes.
const (
	Pass      Outcome = "pass"
	Fail      Outcome = "fail"
	Undecided Outcome = "undecided"
)

// A Check is a rule applied to a run.
type Check struct {
	// Rule is the section, such as "floor", and Target what the rule is about.
	Rule   string `json:"rule"`
	Target string `json:"target"`
	// Want and Got are what the rule wants and what the run has, for people.
	Want    string  `json:"want"`
	Got     string  `json:"got"`
	Outcome Outcome `json:"outcome"`
	// Aside reports whether the check decides nothing, because it is of a rule
	// for every category and this category is too small.
	Aside bool `json:"aside,omitempty"`
	// Why says why the check did not pass.
	Why string `json:"why,omitempty"`
	// Line is the rule's line in the gate file.
	Line int `json:"line,omitempty"`

	// lacks reports whether the run does not have what the rule is about, which
	// other answers would not change.
	lacks bool
}

// A measure is an estimate in percent or points with its interval, and the
// number of cases that it is from.
type measure struct {
	estimate, low, high float64
	cases               int
}

// atLeast checks a measure against a lower limit.
func (m measure) atLeast(r Rule, limit float64) (Outcome, string) {
	within := fmt.Sprintf("the 95%% interval, %.2f to %.2f, includes %g", m.low, m.high, limit)
	least, few := limit-slack, m.cases < r.MinCases
	switch whole := r.On == Interval || few; {
	case whole && m.low >= least:
		return Pass, ""
	case whole && m.high < least:
		return Fail, "the whole 95% interval is below the limit"
	case r.On == Interval:
		return Undecided, within
	case few:
		return Undecided, fewer(count.Cases(m.cases), r.MinCases) + ", and " + within
	case m.estimate >= least:
		return Pass, ""
	}
	return Fail, ""
}

// fewer returns the reason that there is too little of something to decide.
func fewer(what string, least int) string {
	return fmt.Sprintf("%s: min_cases is %d", what, least)
}

// all is what points are parts of.
const all = 100

// slack allows for limits and estimates that are equal except for rounding.
const slack = 1e-9

// lacks is undecided for a reason that is known before anything is asked.
func lacks(c Check, why string) Check {
	c.lacks = true
	return undecided(c, why)
}

func undecided(c Check, why string) Check {
	c.Outcome, c.Why = Undecided, why
	return c
}
