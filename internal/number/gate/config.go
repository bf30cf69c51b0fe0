package gate

import "github.com/gobfcl/bfcl/internal/number/stat"

// A Config is a gate file.
type Config struct {
	// Partial decides groups and the overall over the categories that ran.
	Partial bool
	// Floors are the least accuracies, by category or group, and Ladder
	// those of the failure ladder's levels; Regressions are the allowed
	// losses, Ceilings the most of what a run may take.
	Floors, Ladder, Regressions, Ceilings []Rule
	// Variants are the least differences to the plain cases, in points, that
	// cases put differently may make.
	Variants []Rule
	// Required are the ids of cases that must be right.
	Required []string
	// Looks is how many decisions share the levels of significance; 0 for
	// one.
	Looks int
}

// Count returns the number of rules.
func (c *Config) Count() int {
	return len(c.Floors) + len(c.Ladder) + len(c.Regressions) + len(c.Variants) + len(c.Ceilings) + len(c.Required)
}

// WithoutBaseline returns the gate of a first run, which no other can be held
// against: its rules about losses are left out.
func (c *Config) WithoutBaseline() (kept *Config, left int) {
	first := *c
	first.Regressions = nil
	return &first, len(c.Regressions)
}

// Errors returns the ceiling of infrastructure errors in percent; ok is false
// if none is set.
func (c *Config) Errors() (percent float64, ok bool) {
	for _, r := range c.Ceilings {
		if r.Target == "errors" {
			return r.Limit, true
		}
	}
	return 0, false
}

// On is what a rule is checked against.
type On string

// The estimate, or the interval: then a rule is kept where the whole interval
// keeps it, broken if none of it does, and undecided otherwise.
const (
	Estimate On = "estimate"
	Interval On = "interval"
)

// A Rule is a limit on something.
type Rule struct {
	// Target is a category, a group, "overall", "categories" for each that
	// ran, a level or a ceiling's name.
	Target string
	// Limit is a floor in percent, an allowed loss in points, or a ceiling.
	Limit float64
	On    On
	// Measure is what of a case's trials is held against the limit.
	Measure stat.Measure
	// MinCases is how many cases an estimate needs to decide, unless the
	// interval decides with fewer.
	MinCases int
	// Significance, if above 0, stands in place of Limit: no
	// significant loss at this level.
	Significance float64
	// Detect is the loss in points that the comparison must have been able
	// to find; 0 for any.
	Detect float64
	// Settled is what is known of the rule from a part of the cases, by what
	// it is about; nil for most.
	Settled map[string]Settled
	// Line is the rule's in the file.
	Line int
}

// A Settled rule is known before all cases are: see package early.
type Settled struct {
	Outcome  Outcome
	Got, Why string
	// Aside is as a Check's.
	Aside bool
}

func (s Settled) check(c Check) Check {
	c.Got, c.Outcome, c.Why, c.Aside = s.Got, s.Outcome, s.Why, s.Aside
	return c
}

// Level is the significance level of regression rules that do not state one.
const Level = 0.05

// DefaultMinCases is how many cases an estimate needs if nothing is said.
const DefaultMinCases = 30
