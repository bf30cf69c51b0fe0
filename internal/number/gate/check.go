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
	// Several reports whether the rule is for every category or group.
	Several bool `json:"-"`

	// lacks reports whether the run does not have what the rule is about, which
	// other answers would not change.
	lacks bool
	// absent reports whether the check is aside because neither run has what it
	// is about.
	absent bool
	// certain reports whether the check failed whatever answers are missing.
	certain bool
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
		return c.Figures()
	}
	return c.Figures() + "; " + c.Why
}

// Figures returns what the rule wants and what the run has.
func (c Check) Figures() string {
	switch {
	case c.Got == "":
		return c.Want
	case c.Baseline == Release:
		return c.Got + "; " + c.Want
	case c.Kind == "regression" && c.Outcome == Failed:
		return c.Got + map[bool]string{false: "; " + c.Want}[strings.HasSuffix(c.Got, significantly)]
	}
	return c.Want + "; " + c.Got
}

// Title returns the rule's kind and name for people.
func (c Check) Title() string { return c.kind() + " " + say.Printable(c.Name, longestName) }

// kind returns the section with the baseline, such as "regression release".
func (c Check) kind() string { return strings.TrimSpace(c.Kind + " " + c.Baseline) }

// Word returns the result of a check as a word.
func (c Check) Word() string {
	switch {
	case c.absent:
		return "not run"
	case c.Aside:
		return "too small"
	}
	return string(c.Outcome)
}

// A measure is a share or a difference of shares, and the number of cases that it
// is from.
type measure struct {
	stat.Estimate
	cases int
	// loss reports whether the difference is one, whose losses are below 0.
	loss bool
	// needs returns how many units would leave a value out of the interval.
	needs func(value float64) int
}

// atLeast checks a measure against a lower limit in points.
func (m measure) atLeast(r Rule, limit float64) (Outcome, string) {
	low, high := all*m.Low, all*m.High
	within, beyond := fmt.Sprintf("the 95%% interval, %.2f to %.2f, includes %g", low, high, limit), "below"
	if m.loss {
		within, beyond = say.Signed("the 95%% interval of the loss, %.2f to %.2f, includes %g", 0-high, 0-low, 0-limit), "above"
	}
	least, few := limit-slack, m.cases < r.MinCases
	switch whole := r.On == Interval || few; {
	case whole && low >= least:
		return Passed, ""
	case whole && high < least:
		return Failed, "the whole 95% interval is " + beyond + " the limit"
	case r.On == Interval:
		return Undecided, within + "; " + wouldDecide(m.needs(limit/all), m.Unit)
	case few:
		return Undecided, fewer(m.cases, "case", r.MinCases, ", and "+within)
	case all*m.Value >= least:
		return Passed, ""
	}
	return Failed, ""
}

// fewer returns the reason that so many units are too few to decide, with more of
// it, and how many would do.
func fewer(n int, unit string, least int, and string) string {
	return fmt.Sprintf("%s: min_cases is %d%s; %d more would decide", say.Units(n, unit), least, and, least-n)
}

// wouldDecide says how many units would decide; 0 is none of any number.
func wouldDecide(units int, unit string) string {
	if units == 0 {
		return "not even " + say.Units(stat.Most, unit) + " like these would decide"
	}
	return "about " + say.Units(units, unit) + " like these would decide"
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
