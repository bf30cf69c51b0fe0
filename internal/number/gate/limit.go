package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
)

func (d *decider) regressions() {
	for _, r := range d.Regressions {
		var found []compare.Difference
		with, why, absent, err := d.Comparison, "", false, error(nil)
		if with != nil && r.Measure != (stat.Measure{}) {
			with, err = compare.Pair(d.baseline, d.run, compare.Options{Measure: r.Measure})
		}
		switch {
		case err != nil:
			why = err.Error()
		case with == nil && d.run.Errors() == d.run.Len():
			why = "no case has an answer"
		case with == nil:
			why = "there is no baseline: give one with --baseline, or use --baseline=none"
		default:
			if found = d.differences(with, r.Target); len(found) == 0 {
				// What ran decides, and neither run has this: else their cases would differ.
				why, absent = "it is not in the run", d.Partial && r.Target != "overall" && r.Target != ButMemory
			}
		}
		if why != "" {
			c := lacks(d.regression(r, r.Target), why)
			c.absent, c.Aside = absent, absent
			d.add(c)
		}
		for i := range found {
			c := d.loss(r, &found[i], len(found))
			if c.Outcome == Failed {
				c.Cases = d.lost(c.Name)
			}
			d.add(c)
		}
	}
}

// level returns a rule's level of significance, shared by all looks.
func (d *decider) level(r Rule) float64 { return r.Significance / float64(max(1, d.Looks)) }

// regression returns the check of a rule before it is decided.
func (d *decider) regression(r Rule, target string) Check {
	c := Check{Kind: "regression", Name: target, Line: r.Line, Several: r.several()}
	if r.Against == Release {
		c.Baseline = Release
	}
	by := map[bool]string{true: ", by its interval"}[r.On == Interval]
	switch {
	case c.Baseline != "" && r.Significance > 0:
		c.Want = fmt.Sprintf("allowed none that is significant at %.3g", d.level(r))
	case c.Baseline != "":
		c.Want = fmt.Sprintf("allowed %g", r.Limit) + by
	case r.Significance > 0:
		c.Want = fmt.Sprintf("no significant loss at %.3g", d.level(r))
	default:
		c.Want = "at most " + pointsOf(r.Limit) + " lost" + by
	}
	c.Want += measured(r.Measure)
	return c
}

// measured names the measure, unless it is the accuracy.
func measured(m stat.Measure) string {
	if m == (stat.Measure{}) {
		return ""
	}
	return " in " + m.String()
}

func pointsOf(x float64) string {
	if x == 1 {
		return "1 point"
	}
	return fmt.Sprintf("%g points", x)
}

// differences returns the differences that a target stands for, one of them under its
// name.
func (d *decider) differences(c *compare.Comparison, target string) []compare.Difference {
	one := c.Overall
	switch target {
	case "overall":
	case ButMemory:
		one = c.Among(categoriesOf(d.score.Shape(), ButMemory))
	case Each:
		return c.Categories
	case EachGroup:
		return c.Groups
	default:
		all := slices.Concat(c.Groups, c.Categories)
		at := slices.IndexFunc(all, func(diff compare.Difference) bool { return diff.Name == target })
		if at < 0 {
			return nil
		}
		one = &all[at]
	}
	if one == nil {
		return nil
	}
	out := *one
	out.Name = target
	return []compare.Difference{out}
}

// several reports whether a rule is for a family of differences.
func (r Rule) several() bool { return r.Target == Each || r.Target == EachGroup }

// loss decides a rule on a difference, one of so many that it is for.
func (d *decider) loss(r Rule, diff *compare.Difference, of int) Check {
	c := d.regression(r, diff.Name)
	c.Got = moved(diff, r.several())
	if c.Baseline == Release {
		c.Got = say.Signed("lost since the release: %.1f points (%.1f to %.1f)", lost(diff.Value), lost(diff.High), lost(diff.Low))
	}
	c.Estimate = &diff.Estimate
	if _, missing := d.accuracy(diff.Name); missing != "" {
		return lacks(c, missing)
	}
	if r.Significance == 0 {
		excludes := func(limit float64) int {
			return diff.Over.Needs(func(c stat.Composite) bool {
				i := c.Difference(stat.Z95)
				return limit < i.Low || limit > i.High
			})
		}
		c.Outcome, c.Why = measure{diff.Estimate, diff.Cases, true, excludes}.atLeast(r, -r.Limit)
		c.Aside = r.several() && diff.Cases < r.MinCases && c.Outcome == Undecided
		return c
	}
	return d.significant(c, r, diff, of)
}

// few divides the level at which a loss of a few units, one difference of a
// family, is too much to pass: by less than the family's number.
const few = 3

// significant decides by a test at a level. What the test could not find is
// passed only if little was lost.
func (d *decider) significant(c Check, r Rule, diff *compare.Difference, of int) Check {
	level := d.level(r)
	p := diff.P
	if r.several() {
		p = diff.Adjusted
	}
	first := level / float64(of) // of a family's smallest p
	alone := first
	if diff.N < r.MinCases { // a test that finds hardly anything is no reason to pass all
		alone = max(first, level/few)
	}
	finds, much := all*diff.Over.Finds(first), all*diff.Over.Even().Finds(alone)
	c.Unseen = min(finds, all*diff.Over.Even().Finds(stat.TwoSided(stat.Quantile(alone)+stat.Power80)), all*diff.A)
	c.finds, c.clear = finds, min(finds, -all*diff.Low)
	fails := diff.Value < 0 && p < level
	switch {
	case fails:
		c.Got += significantly
	case diff.Value < 0:
		c.Got += ", not significant"
	}
	if !fails && !r.several() {
		c.Got += ", " + say.Detects(finds)
	}
	rare := fewer(diff.Cases, "case", r.MinCases, ", and a loss would rarely be significant")
	switch {
	case fails && r.several() && diff.Cases < r.MinCases:
		return undecided(c, fewer(diff.Cases, "case", r.MinCases, ""))
	case fails:
		c.Outcome = Failed
		return c
	case much < all && all*diff.Value <= -much:
		needs := diff.Over.Needs(func(c stat.Composite) bool { return c.Difference(stat.Quantile(first)).High < 0 })
		return undecided(c, fmt.Sprintf("a loss of %.1f points or more is not passed, though its units (%d, each a %s) are too few or too unlike for a test; %s", much, diff.N, diff.Unit, wouldDecide(needs, diff.Unit)))
	case diff.Cases < r.MinCases && r.several():
		c.Aside = true
		return undecided(c, rare)
	case diff.OnlyA == 0: // nothing was lost
	case diff.Cases < r.MinCases:
		return undecided(c, rare)
	case r.Detect > 0 && finds > r.Detect && all*diff.Low <= -r.Detect:
		needs := diff.Over.Needs(func(c stat.Composite) bool {
			return all*c.Finds(first) <= r.Detect || -all*c.Difference(stat.Z95).Low < r.Detect || c.Difference(stat.Quantile(first)).High < 0
		})
		return undecided(c, fmt.Sprintf("a loss of %s is not excluded and would often go unnoticed: the smallest found in 80%% of such comparisons is %.1f; %s; %s, or a detect of %.1f",
			pointsOf(r.Detect), finds, d.because(diff), wouldDecide(needs, diff.Unit), min(all, math.Floor(10*c.clear+1)/10)))
	}
	const small = 5
	if c.Outcome = Passed; c.Unseen > small {
		c.Why = fmt.Sprintf("a fall of up to %.1f points would not be seen", c.Unseen)
	}
	return c
}

// significantly ends the words for a loss that a test finds.
const significantly = ", significant"

// moved says how many points were lost or gained, with the interval; of a rule for
// many differences without the number of cases, so that each is a line.
func moved(diff *compare.Difference, several bool) string {
	of := map[bool]string{false: ", " + say.Cases(diff.Cases)}[several]
	switch x, low, high := lost(diff.Value), lost(diff.High), lost(diff.Low); {
	case x > 0:
		return say.Signed("lost %.1f (%.1f to %.1f%s)", x, low, high, of)
	case x < 0:
		return say.Signed("gained %.1f (%.1f to %.1f%s)", 0-x, 0-high, 0-low, of)
	default:
		return say.Signed("unchanged (%.1f to %.1f%s)", 0-high, 0-low, of)
	}
}

// lost returns a difference as lost points with one decimal, and zero without a
// sign.
func lost(share float64) float64 { return math.Round(-10*all*share)/10 + 0 }

// lost returns the cases below a target that the baseline alone has right.
func (d *decider) lost(target string) (ids []string) {
	below := categoriesOf(d.score.Shape(), target)
	for _, f := range d.Comparison.Lost() {
		if slices.Contains(below, f.Category) && len(ids) < MostCases {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// because says what keeps a comparison from finding smaller losses.
func (d *decider) because(diff *compare.Difference) string {
	asked := 0
	for _, name := range categoriesOf(d.score.Shape(), diff.Name) {
		if d.run.Part(name) != nil {
			asked += d.run.Sizes()[name]
		}
	}
	switch left := d.Comparison.Errors; {
	case 20*left > diff.Cases:
		return fmt.Sprintf("%s left out because of infrastructure errors: %s", say.Count(left, "case is", "cases are"), d.run.Again())
	case diff.Cases < asked:
		return fmt.Sprintf("there are few cases, %d of %d: ask more", diff.Cases, asked)
	}
	return fmt.Sprintf("all cases were asked, and %.1f%% of them changed", 100*float64(diff.OnlyA+diff.OnlyB)/float64(diff.Cases))
}

// A ceiling is what a rule may limit, with its unit.
type ceiling struct {
	score.AgentFigure
	of func(d *decider) reached
}

// reached is a run's value over n units, with its basis and without what it lacks;
// if it is nil, unknown says why.
type reached struct {
	value              *float64
	lacks, by, unknown string
	n                  int
	unit               string
}

func ceilings() []ceiling {
	cost := func(of func(s tally.Spend) *float64) func(d *decider) reached {
		return func(d *decider) reached {
			s := d.run.Spend()
			got := reached{of(s), strings.Join(s.Lacks, "; "), s.By(), "the model's prices are not known", d.run.Len(), "answer"}
			if s.Basis == "time" {
				got.value = nil
			}
			return got
		}
	}
	latency := func(of func(s tally.Spend) *float64) func(d *decider) reached {
		return func(d *decider) reached {
			s := d.run.Spend()
			return reached{of(s), "", "", "no latencies are recorded", s.Answers, "answer"}
		}
	}
	out := []ceiling{
		{score.AgentFigure{Name: "cost", Unit: "$", Digits: 4}, cost(func(s tally.Spend) *float64 { return s.Cost })},
		{score.AgentFigure{Name: "cost_per_1000", Unit: "$", Digits: 4}, cost(func(s tally.Spend) *float64 { return s.CostPer1000 })},
		{score.AgentFigure{Name: "latency_p95", Unit: "s", Digits: 3}, latency(func(s tally.Spend) *float64 { return s.LatencyP95 })},
		{score.AgentFigure{Name: "latency_mean", Unit: "s", Digits: 3}, latency(func(s tally.Spend) *float64 { return s.LatencyMean })},
		{score.AgentFigure{Name: "errors", Unit: "%", Digits: 2}, func(d *decider) reached {
			share := 100 * float64(d.run.Errors()) / float64(d.run.Len())
			return reached{&share, "", "", "", d.run.Len(), "answer"}
		}},
	}
	for _, f := range score.AgentFigures() {
		out = append(out, ceiling{f, func(d *decider) reached { return d.agent(f.Name) }})
	}
	return out
}

// agent returns a figure that only agents have.
func (d *decider) agent(name string) reached {
	agent := tally.AgentOf(d.run)
	got := reached{unit: "solved case", unknown: "the agent does not report it"}
	switch {
	case agent == nil:
		got.unknown = "only agents have it, and the run is not an agent's"
	case agent.Solved == 0:
		got.unknown = "the agent solved no case"
	default:
		got.n = agent.Solved
		if v, known := agent.Figures[name]; known {
			if got.value = &v.Value; v.Silent > 0 {
				got.lacks = "the agent does not fully report what " + say.Cases(v.Silent) + " took"
			}
		}
	}
	return got
}

func (d *decider) ceilings() {
	all := ceilings()
	for _, r := range d.Ceilings {
		f := &all[slices.IndexFunc(all, func(f ceiling) bool { return f.Name == r.Target })]
		d.add(d.ceiling(r, f, f.of(d)))
	}
}

func (d *decider) ceiling(r Rule, f *ceiling, got reached) Check {
	c := Check{Kind: "ceiling", Name: r.Target, Want: "at most " + f.Exact(r.Limit), Outcome: Passed, Line: r.Line}
	if got.value == nil {
		return lacks(c, got.unknown)
	}
	if c.Got = f.Text(*got.value); got.lacks != "" {
		c.Got = "at least " + c.Got
	}
	if got.by != "" {
		c.Got += ", " + got.by
	}
	c.Estimate = &stat.Estimate{Value: *got.value, Low: *got.value, High: *got.value, N: got.n, Unit: got.unit}
	sum := r.Target == "cost" || r.Target == "errors" // a sum or a count needs no minimum of cases
	switch kept := *got.value <= r.Limit+slack; {
	case got.n < r.MinCases && !sum:
		return undecided(c, fewer(got.n, got.unit, r.MinCases, ""))
	case !kept && r.Target == "errors":
		return undecided(c, "infrastructure errors are not answers: "+d.run.Again())
	case !kept: // NaN is not within the limit either
		c.Outcome = Failed
	case got.lacks != "":
		return undecided(c, "the value may be higher than this: "+got.lacks)
	}
	return c
}
