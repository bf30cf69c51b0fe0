package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

func (d *decider) regressions() {
	for _, r := range d.Regressions {
		against, err := d.against(r)
		if err != nil {
			d.add(lacks(d.regression(r, r.Target), err.Error()))
			continue
		}
		if against == nil {
			why := "there is no baseline: give one with --baseline, or use --baseline=none"
			if d.run.Errors() == d.run.Len() {
				why = "no case has an answer"
			}
			d.add(lacks(d.regression(r, r.Target), why))
			continue
		}
		found := d.differences(against, r.Target)
		if len(found) == 0 {
			c := lacks(d.regression(r, r.Target), "it is not in the run")
			// What ran decides, and neither run has this: else their cases would differ.
			c.absent = d.Partial && r.Target != "overall" && r.Target != ButMemory
			c.Aside = c.absent
			d.add(c)
		}
		for _, diff := range found {
			d.add(d.loss(r, diff, len(found)))
		}
	}
}

// against compares the run with the baseline by the measure of a rule; nil
// without a baseline.
func (d *decider) against(r Rule) (*compare.Comparison, error) {
	if d.Comparison == nil || r.Measure == (stat.Measure{}) {
		return d.Comparison, nil
	}
	return compare.Pair(d.baseline, d.run, compare.Options{Measure: r.Measure})
}

// level returns a rule's level of significance, shared by all looks.
func (d *decider) level(r Rule) float64 { return r.Significance / float64(max(1, d.Looks)) }

// regression returns the check of a rule before it is decided.
func (d *decider) regression(r Rule, target string) Check {
	c := Check{Kind: "regression", Name: target, Line: r.Line, several: r.several()}
	if r.Against == Release {
		c.Baseline = Release
	}
	switch {
	case c.Baseline != "" && r.Significance > 0:
		c.Want = fmt.Sprintf("allowed none that is significant at %.3g", d.level(r))
	case c.Baseline != "":
		c.Want = fmt.Sprintf("allowed %g", r.Limit)
		if r.On == Interval {
			c.Want += ", by its interval"
		}
	case r.Significance > 0:
		c.Want = fmt.Sprintf("no significant loss at %.3g", d.level(r))
	case r.On == Interval:
		c.Want = "at most " + pointsOf(r.Limit) + " lost, by its interval"
	default:
		c.Want = "at most " + pointsOf(r.Limit) + " lost"
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

// differences returns the differences that a target stands for.
func (d *decider) differences(c *compare.Comparison, target string) []*compare.Difference {
	switch target {
	case "overall":
		return named(target, c.Overall)
	case ButMemory:
		return named(target, c.Among(categoriesOf(d.score.Shape(), ButMemory)))
	case Each:
		return pointers(c.Categories)
	case EachGroup:
		return pointers(c.Groups)
	}
	for _, diff := range append(pointers(c.Groups), pointers(c.Categories)...) {
		if diff.Name == target {
			return named(target, diff)
		}
	}
	return nil
}

// named returns a difference under the name of a target; none for nil.
func named(target string, diff *compare.Difference) []*compare.Difference {
	if diff == nil {
		return nil
	}
	out := *diff
	out.Name = target
	return []*compare.Difference{&out}
}

func pointers(list []compare.Difference) []*compare.Difference {
	out := make([]*compare.Difference, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// several reports whether a rule is for a family of differences.
func (r Rule) several() bool { return r.Target == Each || r.Target == EachGroup }

// loss decides a rule on a difference, one of so many that it is for.
func (d *decider) loss(r Rule, diff *compare.Difference, of int) (c Check) {
	defer func() {
		if c.Outcome == Failed {
			c.Cases = d.lost(diff.Name)
		}
	}()
	c = d.regression(r, diff.Name)
	c.Got = moved(diff, r.several())
	if c.Baseline == Release {
		c.Got = say.Signed("lost since the release: %.1f points (%.1f to %.1f)", lost(diff.Value), lost(diff.High), lost(diff.Low))
	}
	c.Estimate = &diff.Estimate
	if _, missing := d.accuracy(diff.Name); missing != "" {
		return lacks(c, missing)
	}
	if r.Significance == 0 {
		c.Outcome, c.Why = measure{diff.Estimate, diff.Cases, true, diff.Excludes}.atLeast(r, -r.Limit)
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
	finds, much := all*diff.Finds(first), all*diff.FindsEven(alone)
	c.Unseen = min(finds, all*diff.FindsEven(stat.TwoSided(stat.Quantile(alone)+stat.Power80)), all*diff.A)
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
	small := fewer(diff.Cases, "case", r.MinCases, ", and a loss would rarely be significant")
	switch {
	case fails && r.several() && diff.Cases < r.MinCases:
		return undecided(c, fewer(diff.Cases, "case", r.MinCases, ""))
	case fails:
		c.Outcome = Failed
		return c
	case much < all && all*diff.Value <= -much:
		needs := diff.Needs(func(c stat.Composite) bool { return c.Difference(stat.Quantile(first)).High < 0 })
		return undecided(c, fmt.Sprintf("a loss of %.1f points or more is not passed, though its units (%d, each a %s) are too few or too unlike for a test; %s", much, diff.N, diff.Unit, wouldDecide(needs, diff.Unit)))
	case diff.Cases < r.MinCases && r.several():
		c.Aside = true
		return undecided(c, small)
	case diff.OnlyA == 0: // nothing was lost
	case diff.Cases < r.MinCases:
		return undecided(c, small)
	case r.Detect > 0 && finds > r.Detect && all*diff.Low <= -r.Detect:
		needs := diff.Needs(func(c stat.Composite) bool {
			return all*c.Finds(first) <= r.Detect || -all*c.Difference(stat.Z95).Low < r.Detect || c.Difference(stat.Quantile(first)).High < 0
		})
		return undecided(c, fmt.Sprintf("a loss of %s is not excluded and would often go unnoticed: the smallest found in 80%% of such comparisons is %.1f; %s; %s, or a detect of %.1f",
			pointsOf(r.Detect), finds, d.because(diff), wouldDecide(needs, diff.Unit), min(all, math.Floor(10*c.clear+1)/10)))
	}
	c.Outcome, c.Why = Passed, blind(c.Unseen)
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

// blind says which falls a rule that passes may not have seen; "" if they are
// small.
func blind(unseen float64) string {
	const small = 5
	if unseen <= small {
		return ""
	}
	return fmt.Sprintf("a fall of up to %.1f points would not be seen", unseen)
}

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

// ceilings returns the names of what may be limited.
func ceilings() []string {
	out := []string{"cost", "cost_per_1000", "latency_p95", "latency_mean", "errors"}
	for _, f := range score.AgentFigures() {
		out = append(out, f.Name)
	}
	return out
}

func (d *decider) ceilings() {
	spend := d.run.Spend()
	cost, per1000, lacks := spend.Cost, spend.CostPer1000, strings.Join(spend.Lacks, "; ")
	if spend.Basis == "time" {
		cost, per1000 = nil, nil
	}
	const prices, answer = "the model's prices are not known", "answer"
	for _, r := range d.Ceilings {
		switch r.Target {
		case "cost":
			d.ceiling(r.certain(), dollars, reached{cost, lacks, spend.By(), d.run.Len(), answer}, prices)
		case "cost_per_1000":
			d.ceiling(r, dollars, reached{per1000, lacks, spend.By(), d.run.Len(), answer}, prices)
		case "latency_p95":
			d.ceiling(r, seconds, reached{spend.LatencyP95, "", "", spend.Answers, answer}, "no latencies are recorded")
		case "latency_mean":
			d.ceiling(r, seconds, reached{spend.LatencyMean, "", "", spend.Answers, answer}, "no latencies are recorded")
		case "errors":
			share := 100 * float64(d.run.Errors()) / float64(d.run.Len())
			d.ceiling(r.certain(), percent, reached{&share, "", "", d.run.Len(), answer}, "")
		default:
			d.agentCeiling(r)
		}
	}
}

// certain returns the rule for a sum or a count, which needs no minimum number
// of cases.
func (r Rule) certain() Rule {
	r.MinCases = 0
	return r
}

// reached is a run's value over n units, with its basis and without what it lacks;
// nil if not known.
type reached struct {
	value     *float64
	lacks, by string
	n         int
	unit      string
}

func (d *decider) ceiling(r Rule, u unit, got reached, unknown string) {
	c := Check{Kind: "ceiling", Name: r.Target, Want: "at most " + u.Exact(r.Limit), Outcome: Passed, Line: r.Line}
	if got.value == nil {
		d.add(lacks(c, unknown))
		return
	}
	if c.Got = u.Text(*got.value); got.lacks != "" {
		c.Got = "at least " + c.Got
	}
	if got.by != "" {
		c.Got += ", " + got.by
	}
	c.Estimate = &stat.Estimate{Value: *got.value, Low: *got.value, High: *got.value, N: got.n, Unit: got.unit}
	switch kept := *got.value <= r.Limit+slack; {
	case got.n < r.MinCases:
		c = undecided(c, fewer(got.n, got.unit, r.MinCases, ""))
	case !kept && r.Target == "errors":
		c = undecided(c, "infrastructure errors are not answers: "+d.run.Again())
	case !kept: // NaN is not within the limit either
		c.Outcome = Failed
	case got.lacks != "":
		c = undecided(c, "the value may be higher than this: "+got.lacks)
	}
	d.add(c)
}
