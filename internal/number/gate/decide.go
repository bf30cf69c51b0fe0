package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Decision is the result of all checks of a gate.
type Decision struct {
	Model   string `json:"model"`
	Dataset string `json:"dataset"`
	Digest  string `json:"digest"`
	// Outcome is Failed if a check failed for certain, else Undecided if a check could not be
	// decided, else Passed.
	Outcome Outcome `json:"outcome"`
	Rules   []Check `json:"rules"`
	// Comparison compares the run with the baseline, and Release with the
	// release; nil without one.
	Comparison *compare.Comparison `json:"comparison,omitempty"`
	Release    *compare.Comparison `json:"release,omitempty"`
	// Notes are remarks for the reader.
	Notes []string `json:"notes,omitempty"`
}

// Decide checks a run against a gate. The baseline may be nil; if it is not,
// both runs must have been aligned. Infrastructure errors are not wrong
// answers: accuracies are over the answered cases.
func Decide(c *Config, run, baseline *tally.Run) (*Decision, error) {
	d, err := decide(c, run, baseline)
	if err != nil {
		return nil, err
	}
	if blame := d.run.Blame(); blame.String() != "" {
		d.Notes = append(d.Notes, blame.String())
	}
	return d.Decision, nil
}

// decide is Decide without the notes on whose fault failures may be.
func decide(c *Config, run, baseline *tally.Run) (*decider, error) {
	d := &decider{Config: c, run: run, baseline: baseline, Decision: &Decision{Model: run.Name, Dataset: run.Dataset, Digest: run.Digest}}
	if run.Len() == 0 {
		return nil, fmt.Errorf("%s has no cases: there is nothing to decide", say.Plain(run.Name, 200))
	}
	err := d.audit()
	if err != nil {
		return nil, err
	}
	if d.score, err = d.run.Answered(false); err != nil {
		return nil, err
	}
	d.Notes = append(d.Notes, d.score.Warnings...)
	if baseline != nil && d.run.Errors() < d.run.Len() {
		if d.Comparison, err = compare.Pair(d.baseline, d.run, compare.Options{}); err != nil {
			return nil, err
		}
	}
	if ids := d.score.ReadAnswers; len(ids) > 0 {
		d.add(Check{Kind: "canary", Name: say.Plain(ids[0], 100), Want: "planted wrong answers are not given", Got: say.Cases(len(ids)), Outcome: Failed, Why: "the answers were read"})
	}
	d.floors()
	d.regressions()
	d.run = run // what it took, and single cases, are of all cases
	d.ceilings()
	d.required()
	if err := d.withhold(c, run, baseline); err != nil {
		return nil, err
	}
	if err := d.hope(c, baseline); err != nil {
		return nil, err
	}
	d.conclude()
	return d, nil
}

type decider struct {
	*Config
	*Decision
	run, baseline *tally.Run
	score         *score.Score
}

func (d *decider) add(c Check) {
	c.certain = c.Outcome == Failed && d.certain(c)
	d.Rules = append(d.Rules, c)
}

// certain reports whether a broken rule stays broken whatever the answers that
// infrastructure kept from coming.
func (d *decider) certain(c Check) bool {
	switch c.Kind {
	case "floor", "regression":
		below := categoriesOf(d.score.Shape(), c.Name)
		return !slices.ContainsFunc(d.run.Parts, func(p tally.Part) bool {
			return slices.Contains(below, p.Category.Name) && slices.ContainsFunc(p.Results, func(r eval.Result) bool { return r.Status == eval.Error })
		})
	case "ceiling":
		return d.run.Errors() == 0 || c.Name == "cost"
	}
	return true
}

// hope finds the broken rules that stay broken if all missing answers are right.
func (d *decider) hope(c *Config, baseline *tally.Run) error {
	hoped := tally.Hoped(d.run)
	if hoped == nil || !slices.ContainsFunc(d.Rules, func(c Check) bool { return c.Outcome == Failed && !c.certain }) {
		return nil
	}
	other, err := decide(c, hoped, baseline)
	if err != nil {
		return err
	}
	for i := range d.Rules {
		r := &d.Rules[i]
		r.certain = r.certain || r.Outcome == Failed && (r.Kind == "floor" || r.Kind == "regression") &&
			slices.ContainsFunc(other.Rules, func(o Check) bool {
				return o.Outcome == Failed && o.Kind == r.Kind && o.Name == r.Name && o.Line == r.Line
			})
	}
	return nil
}

// withhold leaves a rule undecided that would be decided otherwise if right
// answers with a call that was not read were wrong, of the run or the baseline.
func (d *decider) withhold(c *Config, run, baseline *tally.Run) error {
	strict, before := run.Strict(), (*tally.Run)(nil)
	if baseline != nil {
		before = baseline.Strict()
	}
	if strict == nil && before == nil {
		return nil
	}
	other, err := decide(c, cmp.Or(strict, run), cmp.Or(before, baseline))
	if err != nil {
		return err
	}
	of, whose := run, "the run's"
	if strict == nil {
		of, whose = baseline, "the baseline's"
	}
	o := of.Overlooked()
	why := fmt.Sprintf("it rests on right answers that hold a call which was not read: %d of %s %d where nothing may be called, such as %s", o.Answers, whose, o.Of, say.Plain(o.First, 100))
	for i := range min(len(d.Rules), len(other.Rules)) {
		if r := &d.Rules[i]; r.Outcome != Undecided && r.Outcome != other.Rules[i].Outcome {
			*r, r.certain = undecided(*r, why), false
		}
	}
	return nil
}

// audit leaves out what the list of errata names, if the gate asks for that.
func (d *decider) audit() error {
	if !d.Audited {
		return nil
	}
	defects, err := d.run.Defects()
	if err != nil {
		return err
	}
	if defects == nil {
		return option.Misuse("data: audited needs upstream's data, of which `bfcl errata` lists the defects; the run is of %s", say.Plain(d.Dataset, 100))
	}
	ids := slices.Collect(maps.Keys(defects))
	if d.baseline != nil {
		others, err := d.baseline.Defects()
		if err != nil {
			return err
		}
		ids = slices.AppendSeq(ids, maps.Keys(others)) // the baseline may be of another mode
		d.baseline, _ = d.baseline.Without(ids)
	}
	rest, left := d.run.Without(ids)
	d.run = rest
	d.Notes = append(d.Notes, fmt.Sprintf("data: audited: accuracies are without listed defects: over %d cases; `bfcl errata` lists the other %d", rest.Len()/max(rest.Trials, 1), len(left)))
	if rest.Len() == 0 {
		return option.Misuse("data: audited leaves no case to decide on")
	}
	return nil
}

// conclude sets the outcome. More infrastructure errors than are allowed leave
// it undecided, unless a rule is broken whatever the missing answers.
func (d *decider) conclude() {
	if n := d.run.Errors(); n > 0 && !slices.ContainsFunc(d.Ceilings, func(r Rule) bool { return r.Target == "errors" }) {
		d.add(undecided(Check{Kind: "ceiling", Name: "errors", Want: "none", Got: fmt.Sprintf("%d of %d", n, d.run.Len())},
			"infrastructure errors are not answers: "+d.run.Again()+", or allow a share with ceilings.errors"))
	}
	d.settle()
}

// settle sets the outcome by those of the rules. Only a rule that stays broken
// counts if answers are missing.
func (d *Decision) settle() {
	some := func(is func(c Check) bool) bool { return slices.ContainsFunc(d.Rules, is) }
	has := func(o Outcome) bool { return some(func(c Check) bool { return !c.Aside && c.Outcome == o }) }
	incomplete := some(func(c Check) bool { return c.Name == "errors" && c.Outcome == Undecided })
	switch {
	case incomplete && some(func(c Check) bool { return c.certain }), !incomplete && has(Failed):
		d.Outcome = Failed
	case incomplete, has(Undecided), len(d.Rules) > 0 && !some(func(c Check) bool { return !c.Aside }): // a gate that has looked at nothing is not open
		d.Outcome = Undecided
	default:
		d.Outcome = Passed
	}
}

func (d *decider) floors() {
	for _, r := range d.Floors {
		c := Check{Kind: "floor", Name: r.Target, Want: fmt.Sprintf("at least %g%%", r.Limit) + measured(r.Measure), Line: r.Line}
		if r.On == Interval {
			c.Want += ", by its interval"
		}
		m, missing := d.measure(r)
		if missing != "" {
			d.add(lacks(c, missing))
			continue
		}
		c.Got = fmt.Sprintf("%.2f%% (%.2f to %.2f, %s)", all*m.Value, all*m.Low, all*m.High, say.Cases(m.cases))
		c.Estimate = &m.Estimate
		c.Outcome, c.Why = m.atLeast(r, r.Limit)
		d.add(c)
	}
}

// accuracy returns the accuracy of a category or group, in percent; missing
// says why there is none.
func (d *decider) accuracy(target string) (m measure, missing string) {
	part, ok := d.score.Categories[target]
	if group, isGroup := d.score.Groups[target]; isGroup {
		part, ok = group, true
	}
	if target == "overall" || target == ButMemory {
		part, ok = d.score.Overall, true
	}
	switch {
	case !ok:
		return m, "it is not in the run"
	case part.NA && part.Errors > 0:
		return m, "all of its cases ended in infrastructure errors: " + d.run.Again()
	case part.NA:
		return m, "it is not in the run"
	case len(part.Missing) > 0 && !d.Partial:
		return m, fmt.Sprintf("%s not in the run, such as %s: add them, or set partial to decide over what ran", say.Count(len(part.Missing), "category that counts is", "categories that count are"), part.Missing[0])
	}
	if missing := d.chosen(categoriesOf(d.score.Shape(), target)); missing != "" {
		return m, missing
	}
	return measure{part.Ran, d.cases(target), false, part.Ran.Needs}, ""
}

// chosen names a category of which only chosen cases were run; "" if all were
// run, or if chosen cases may decide. Cases that were drawn at random represent
// the others.
func (d *decider) chosen(names []string) string {
	if d.Partial || d.run.Sample != nil {
		return ""
	}
	sizes := d.run.Sizes()
	for _, part := range d.run.Parts {
		name, ran := part.Category.Name, len(part.Results)/d.run.Trials
		if slices.Contains(names, name) && ran < sizes[name] {
			return fmt.Sprintf("%d of %d cases of %s are in the run: run all, draw them with -sample, or set partial to decide over what ran", ran, sizes[name], name)
		}
	}
	return ""
}

// measure returns the value that a floor is checked against.
func (d *decider) measure(r Rule) (m measure, missing string) {
	m, missing = d.accuracy(r.Target)
	if missing != "" || r.Measure == (stat.Measure{}) {
		return m, missing
	}
	i, cases, ok := d.run.Measure(r.Measure, false).Of(r.Target)
	if !ok {
		return m, fmt.Sprintf("%s needs %d trials per case, but the run has %d", r.Measure, r.Measure.K, d.run.Trials)
	}
	return measure{i, cases, false, i.Needs}, ""
}

// cases counts the cases with an answer in a category or group, each once
// whatever its trials.
func (d *decider) cases(target string) int {
	counted := map[string]bool{}
	for _, name := range categoriesOf(d.score.Shape(), target) {
		if part := d.run.Part(name); part != nil {
			for _, result := range part.Results {
				if result.Status != eval.Error {
					counted[name+"/"+result.Case.ID] = true
				}
			}
		}
	}
	return len(counted)
}

// categoriesOf returns the categories of a group; for a category, itself.
func categoriesOf(l *score.Layout, target string) []string {
	var out []string
	if target == ButMemory {
		memory := categoriesOf(l, "memory")
		return slices.DeleteFunc(categoriesOf(l, "overall"), func(name string) bool { return slices.Contains(memory, name) })
	}
	for _, share := range l.Below(target).Shares(func(string) (int, bool) { return 1, true }) {
		out = append(out, share.Category)
	}
	return out
}

func (d *decider) required() {
	found := map[string][]eval.Status{}
	for _, result := range d.run.All() {
		found[result.Case.ID] = append(found[result.Case.ID], result.Status)
	}
	for _, id := range d.Required {
		c, trials, wrong := Check{Kind: "required", Name: id, Want: "must be right", Outcome: Passed, Got: "right"}, found[id], 0
		for _, status := range trials {
			if status == eval.Fail {
				wrong++
			}
		}
		switch {
		case len(trials) == 0:
			c.Got = ""
			c = lacks(c, "the run has no such case")
		case wrong > 0:
			c.Outcome, c.Cases, c.Got = Failed, []string{id}, "wrong"
			if len(trials) > 1 {
				c.Got += fmt.Sprintf(" in %d of %d trials", wrong, len(trials))
			}
		case slices.Contains(trials, eval.Error):
			c.Got = "an infrastructure error"
			c = undecided(c, "it has no answer: "+d.run.Again())
		}
		d.add(c)
	}
}
