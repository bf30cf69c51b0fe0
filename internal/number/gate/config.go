package gate

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/number/stat"
)

// A Config is a gate file.
type Config struct {
	// Partial decides groups and the overall over only the categories that ran.
	Partial bool
	// Audited decides accuracies over the cases that can tell right answers from
	// wrong ones: without those that the list of errata names.
	Audited bool
	// Floors are the lowest allowed accuracies by category or group, Regressions
	// the allowed losses, and Ceilings the limits on what a run may take.
	Floors, Regressions, Ceilings []Rule
	// Required are the ids of the cases that must be right.
	Required []string
	// Last and Release are the runs that the file names to compare with; "" for
	// none.
	Last, Release string
	// Looks is how many decisions share the levels of significance; 0 means
	// one.
	Looks int
}

// Count returns the number of rules.
func (c *Config) Count() int {
	return len(c.Floors) + len(c.Regressions) + len(c.Ceilings) + len(c.Required)
}

// against returns the rules about losses against a baseline.
func (c *Config) against(baseline string) []Rule {
	return slices.DeleteFunc(slices.Clone(c.Regressions), func(r Rule) bool { return r.Against != baseline })
}

// On says what a rule is checked against.
type On string

// A rule is checked against the estimate or the interval. On the interval it is
// kept if the whole interval keeps it, broken if no part of it does, and
// undecided otherwise.
const (
	Estimate On = "estimate"
	Interval On = "interval"
)

// A Rule is a limit on a measure of a run.
type Rule struct {
	// Target is a category, a group, "overall", ButMemory, Each, EachGroup, or a
	// ceiling's name.
	Target string
	// Limit is a floor in percent, an allowed loss in points, or a ceiling.
	Limit float64
	On    On
	// Measure is the measure of a case's trials that the limit is for.
	Measure stat.Measure
	// MinCases is how many cases an estimate needs to decide, unless the
	// interval already decides with fewer.
	MinCases int
	// Significance, if above 0, replaces Limit: no significant loss at this
	// level is allowed.
	Significance float64
	// Against is the baseline of an allowed loss, Last or Release.
	Against string
	// Detect is the loss in points that the comparison must be able to find; 0
	// means any.
	Detect float64
	// Line is the rule's line in the gate file.
	Line int
}

// The baselines: the last accepted run, which moves, and a release's, which
// does not.
const (
	Last    = "last"
	Release = "release"
)

// Level is the significance level of regression rules that do not state one.
const Level = 0.05

// DefaultMinCases is how many cases an estimate needs if the file does not say.
const DefaultMinCases = 30
