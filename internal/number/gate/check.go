package gate

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// An Outcome is the result of a check, or of all checks.
type Outcome string

// The outcomes.
const (
	Passed    Outcome = "passed"
	Failed    Outcome = "failed"
	Undecided Outcome = "undecided"
)

// A Check is a rule applied to a run.
type Check struct {
	// Kind is the section, such as "floor", and Name what the rule is about, such
	// as "overall" or a case's id.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Baseline is Release for a rule about what was lost since it; otherwise "".
	Baseline string  `json:"baseline,omitempty"`
	Outcome  Outcome `json:"outcome"`
	// Want and Got are what the rule wants and what the run has, for people.
	Want string `json:"want"`
	Got  string `json:"got"`
	// Estimate is what was checked, as a share or in the ceiling's unit; nil if
	// there is none.
	Estimate *stat.Estimate `json:"estimate,omitempty"`
	// Unseen is the largest fall in points that a rule about losses would often
	// pass; 0 for other rules.
	Unseen float64 `json:"unseen,omitempty"`
	// Cases are the ids of cases that broke the rule, at most MostCases.
	Cases []string `json:"cases,omitempty"`
	// Aside reports whether the check decides nothing: it is of a rule for every
	// category and this category is too small, or the runs lack what it is about.
	Aside bool `json:"aside,omitempty"`
	// Why says why the check did not pass.
	Why string `json:"why,omitempty"`
	// Line is the rule's line in the gate file.
	Line int `json:"line,omitempty"`

	// lacks reports whether the run does not have what the rule is about, which
	// other answers would not change.
	lacks bool
	// absent reports whether the check is aside because neither run has what it
	// is about.
	absent bool
	// certain reports whether the check failed whatever answers are missing.
	certain bool
	// several reports whether the rule is for every category or group.
	several bool
	// finds is the smallest loss in points that the rule's test finds, and clear
	// the smallest that the rule could name in detect and not be undecided.
	finds, clear float64
}

// MostCases is how many cases that broke a rule a Check lists.
const MostCases = 50

// Text returns the check in a sentence: what the rule wants, what the run has,
// and why.
func (c Check) Text() string {
	if c.Why == "" {
		return c.figures()
	}
	return c.figures() + "; " + c.Why
}

// figures returns what the rule wants and what the run has.
func (c Check) figures() string {
	switch {
	case c.Got == "":
		return c.Want
	case c.Baseline == Release:
		return c.Got + "; " + c.Want
	}
	return c.Want + "; " + c.Got
}

// kind returns the section with the baseline, such as "regression release".
func (c Check) kind() string { return strings.TrimSpace(c.Kind + " " + c.Baseline) }

// A measure is an estimate in percent or points with its interval, and the
// number of cases that it is from.
type measure struct {
	estimate, low, high float64
	cases               int
}

// share returns the measure as a share of 1.
func (m measure) share() *stat.Estimate {
	return &stat.Estimate{Value: m.estimate / all, Low: m.low / all, High: m.high / all, N: m.cases, Unit: "case"}
}

// atLeast checks a measure against a lower limit.
func (m measure) atLeast(r Rule, limit float64) (Outcome, string) {
	within := fmt.Sprintf("the 95%% interval, %.2f to %.2f, includes %g", m.low, m.high, limit)
	least, few := limit-slack, m.cases < r.MinCases
	switch whole := r.On == Interval || few; {
	case whole && m.low >= least:
		return Passed, ""
	case whole && m.high < least:
		return Failed, "the whole 95% interval is below the limit"
	case r.On == Interval:
		return Undecided, within
	case few:
		return Undecided, fewer(say.Cases(m.cases), r.MinCases) + ", and " + within
	case m.estimate >= least:
		return Passed, ""
	}
	return Failed, ""
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
