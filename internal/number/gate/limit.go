package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
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
		found := differences(against, r.Target)
		if len(found) == 0 {
			d.add(lacks(d.regression(r, r.Target), "it is not in the run"))
		}
		for _, diff := range found {
			d.add(d.loss(r, diff))
		}
	}
}

// against compares the run with the baseline over the cases and by the measure
// of a rule; nil without a baseline.
func (d *decider) against(r Rule) (*compare.Comparison, error) {
	without := r.Target == ButMemory
	switch {
	case d.Comparison == nil || r.Measure == (stat.Measure{}) && !without:
		return d.Comparison, nil
	case !without:
		return compare.Pair(d.baseline, d.run, compare.Options{Measure: r.Measure})
	}
	return compare.Pair(d.rest(d.baseline), d.rest(d.run), compare.Options{Measure: r.Measure})
}

// rest returns the part of a run that ButMemory is about.
func (d *decider) rest(run *tally.Run) *tally.Run {
	about, out := categoriesOf(d.score.Shape(), ButMemory), *run
	out.Parts = slices.DeleteFunc(slices.Clone(run.Parts), func(p tally.Part) bool { return !slices.Contains(about, p.Category.Name) })
	return &out
}

// level returns a rule's level of significance, shared by all looks.
func (d *decider) level(r Rule) float64 { return r.Significance / float64(max(1, d.Looks)) }

// regression returns the check of a rule before it is decided.
func (d *decider) regression(r Rule, target string) Check {
	c := Check{Kind: "regression", Name: target, Line: r.Line}
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
func differences(c *compare.Comparison, target string) []*compare.Difference {
	var out []*compare.Difference
	if (target == "overall" || target == ButMemory) && c.Overall != nil {
		overall := *c.Overall
		overall.Name = target
		return append(out, &overall)
	}
	for _, list := range [][]compare.Difference{c.Groups, c.Categories} {
		for i := range list {
			if list[i].Name == target {
				return append(out, &list[i])
			}
		}
	}
	if target == Each {
		for i := range c.Categories {
			out = append(out, &c.Categories[i])
		}
	}
	return out
}

func (d *decider) loss(r Rule, diff *compare.Difference) (c Check) {
	defer func() {
		if c.Outcome == Failed {
			c.Cases = d.lost(diff.Name)
		}
	}()
	c = d.regression(r, diff.Name)
	c.Got = fmt.Sprintf("%+.2f points (%+.2f to %+.2f, %s)", all*diff.Value, all*diff.Low, all*diff.High, say.Cases(diff.Cases))
	if c.Baseline == Release {
		c.Got = fmt.Sprintf("lost since the release: %.1f points (%.1f to %.1f)", lost(diff.Value), lost(diff.High), lost(diff.Low))
	}
	c.Estimate = &diff.Estimate
	if _, missing := d.accuracy(diff.Name); missing != "" {
		return lacks(c, missing)
	}
	small := r.Target == Each && diff.Cases < r.MinCases
	if r.Significance == 0 {
		m := measure{all * diff.Value, all * diff.Low, all * diff.High, diff.Cases}
		c.Outcome, c.Why = m.atLeast(r, -r.Limit)
		c.Aside = small && c.Outcome == Undecided
		return c
	}
	p, name := pOf(r, diff)
	level := d.level(r)
	detectable := all * diff.Detectable * (stat.Quantile(level) + stat.Power80) / (stat.Z95 + stat.Power80)
	if r.Target != Each {
		c.Got += fmt.Sprintf(", would find %.1f", detectable)
	}
	c.Got += ", " + name + compare.PValue(p)
	switch {
	case diff.Value < 0 && p < level:
		c.Outcome = Failed
	case diff.Cases < r.MinCases:
		c.Aside = small
		return undecided(c, fewer(say.Cases(diff.Cases), r.MinCases)+": a loss would rarely be significant")
	case r.Detect > 0 && detectable > r.Detect && all*diff.Low <= -r.Detect:
		return undecided(c, fmt.Sprintf("a loss of %g points is not excluded and would often go unnoticed: the smallest found in 80%% of such comparisons is %.2f; %s", r.Detect, detectable, d.because(diff)))
	default:
		c.Outcome = Passed
		c.Why = blind(detectable, level)
	}
	return c
}

// lost returns a difference as lost points with one decimal, and zero without a
// sign.
func lost(share float64) float64 { return math.Round(-10*all*share)/10 + 0 }

// blind says what a comparison that finds a loss of so many points cannot see;
// "" if it finds one of 5.
func blind(detectable, level float64) string {
	const worse = 5
	if detectable <= worse {
		return ""
	}
	standardError := detectable / (stat.Quantile(level) + stat.Power80)
	return fmt.Sprintf("a model %d points worse would pass %.0f times in 100", worse, 100*(1-compare.Power(worse, standardError, level)))
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
	return fmt.Sprintf("all cases were asked, and %.1f%% of them changed: name a larger loss", 100*float64(diff.OnlyA+diff.OnlyB)/float64(diff.Cases))
}

// pOf returns the p value that decides and its name: adjusted if every category
// is checked.
func pOf(r Rule, diff *compare.Difference) (p float64, name string) {
	if r.Target == Each {
		return diff.Adjusted, "adjusted "
	}
	return diff.P, ""
}

// ceilings returns the names of what may be limited.
func ceilings() []string {
	out := []string{"cost", "cost_per_1000", "latency_p95", "latency_mean", "errors"}
	for _, f := range tally.AgentFigures() {
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
	const prices = "the model's prices are not known"
	for _, r := range d.Ceilings {
		switch r.Target {
		case "cost":
			d.ceiling(r.certain(), dollars, reached{cost, lacks, spend.By(), d.run.Len()}, prices)
		case "cost_per_1000":
			d.ceiling(r, dollars, reached{per1000, lacks, spend.By(), d.run.Len()}, prices)
		case "latency_p95":
			d.ceiling(r, seconds, reached{spend.LatencyP95, "", "", spend.Answers}, "no latencies are recorded")
		case "latency_mean":
			d.ceiling(r, seconds, reached{spend.LatencyMean, "", "", spend.Answers}, "no latencies are recorded")
		case "errors":
			share := 100 * float64(d.run.Errors()) / float64(d.run.Len())
			d.ceiling(r.certain(), percent, reached{&share, "", "", d.run.Len()}, "")
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

// reached is a run's value over n cases, with its basis and without what it lacks;
// nil if not known.
type reached struct {
	value     *float64
	lacks, by string
	n         int
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
	c.Estimate = &stat.Estimate{Value: *got.value, Low: *got.value, High: *got.value, N: got.n, Unit: "answer"}
	switch kept := *got.value <= r.Limit+slack; {
	case got.n < r.MinCases:
		c = undecided(c, fewer(fmt.Sprintf("%d answers", got.n), r.MinCases))
	case !kept && r.Target == "errors":
		c = undecided(c, "infrastructure errors are not answers: "+d.run.Again())
	case !kept: // NaN is not within the limit either
		c.Outcome = Failed
	case got.lacks != "":
		c = undecided(c, "the value may be higher than this: "+got.lacks)
	}
	d.add(c)
}
