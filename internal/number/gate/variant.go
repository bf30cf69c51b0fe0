package gate

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/number/compare"
)

// The targets of rules about variants, besides the variants' names: the variant
// that loses most, and the mean of all.
const (
	worst = "worst"
	mean  = "mean"
)

// variants reads the section "variants": how far a variant's accuracy may be
// below that of its plain cases, in points, such as worst: -5.
func (r *reader) variants(n *yaml.Node) (out []Rule) {
	names := append([]string{worst, mean}, variant.Names()[1:]...)
	r.Known(n, "variants", names, func(target string, k, v *yaml.Node) {
		rule := Rule{Target: target, On: r.on, MinCases: r.minCases, Line: k.Line}
		where := "variants." + target
		if v.Kind != yaml.MappingNode {
			rule.Limit = r.difference(v, where)
			out = append(out, rule)
			return
		}
		given := false
		r.Known(v, where, []string{"points", "on", "min_cases"}, func(name string, _, v *yaml.Node) {
			if name == "points" {
				given, rule.Limit = true, r.difference(v, where+".points")
				return
			}
			r.option(&rule, name, v, where)
		})
		switch {
		case !given:
			r.Fault(k, "%s: points is missing", where)
		case target == mean && rule.On == Interval:
			r.Fault(k, "%s: a mean of variants has no interval: omit on", where)
		}
		out = append(out, rule)
	})
	return out
}

// difference reads a number of points that is not a gain.
func (r *reader) difference(n *yaml.Node, where string) float64 {
	var x float64
	tag := n.ShortTag()
	if n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" || n.Decode(&x) != nil || !(x <= 0 && x >= -percentMost) {
		r.Fault(n, "%s: want the points that may be lost as a difference, from -100 to 0, such as -5", where)
	}
	return x
}

// variants checks the run's variants against its plain cases.
func (d *decider) variants() {
	if len(d.Variants) == 0 {
		return
	}
	report := compare.RobustnessOf(d.run, false)
	for _, r := range d.Variants {
		c := Check{Rule: "variant", Target: r.Target, Want: fmt.Sprintf("at least %+g points", r.Limit), Line: r.Line}
		if r.On == Interval {
			c.Want += ", by its interval"
		}
		switch figures := figuresOf(report, r.Target); {
		case report == nil:
			d.add(lacks(c, "the run has no variants: run with -variant, such as -variant=none,names"))
		case r.Target == mean && report.Counted > 0:
			d.add(meanOf(r, c, report))
		case len(figures) == 0:
			d.add(lacks(c, "the run does not have this variant"))
		default:
			for _, f := range figures {
				d.add(difference(r, c, f))
			}
		}
	}
}

// figuresOf returns the figures that a rule is about: "distractors" means every
// number of them.
func figuresOf(report *compare.Robustness, target string) (out []*compare.Variant) {
	if report == nil {
		return nil
	}
	if target == worst {
		target = report.Worst
	}
	for i := range report.Variants {
		f := &report.Variants[i]
		if f.Variant == target || strings.TrimRight(f.Variant, "0123456789") == target {
			out = append(out, f)
		}
	}
	return out
}

func difference(r Rule, c Check, f *compare.Variant) Check {
	if c.Target != f.Variant {
		c.Target += " (" + f.Variant + ")"
	}
	c.Got = fmt.Sprintf("%+.2f points (%+.2f to %+.2f, %s)", all*f.Difference, all*f.Low, all*f.High, count.Cases(f.Cases))
	if f.Errors > 0 {
		return undecided(c, count.Cases(f.Errors)+" ended in infrastructure errors: continue with `bfcl run -resume`")
	}
	m := measure{all * f.Difference, all * f.Low, all * f.High, f.Cases}
	c.Outcome, c.Why = m.atLeast(r, r.Limit)
	return c
}

func meanOf(r Rule, c Check, report *compare.Robustness) Check {
	mean := all * report.Mean
	m := measure{mean, mean, mean, r.MinCases}
	for _, f := range report.Variants {
		if f.Errors > 0 {
			return undecided(c, "variant "+f.Variant+": "+count.Cases(f.Errors)+" ended in infrastructure errors")
		}
	}
	c.Got = fmt.Sprintf("%+.2f points over %s", m.estimate, count.Of(report.Counted, "variant", "variants"))
	c.Outcome, c.Why = m.atLeast(r, r.Limit)
	return c
}
