package tally

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/count"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
)

// An Attempted is a case with the results of its trials.
type Attempted struct {
	Category *eval.Category
	Case     *eval.Case
	// Right of Answered trials were right. Infrastructure errors are not
	// answers, unless they count.
	Right, Answered int
	// Tokens is the number of tokens that the answers took; 0 if not known.
	Tokens float64
}

// Attempted returns the run's cases in the benchmark's order.
func (r *Run) Attempted(allowErrors bool) []Attempted {
	var out []Attempted
	for cat, result := range r.All() {
		if n := len(out); n == 0 || out[n-1].Case.ID != result.Case.ID || out[n-1].Category != cat {
			out = append(out, Attempted{Category: cat, Case: result.Case})
		}
		a := &out[len(out)-1]
		if result.Status == eval.Error && !allowErrors {
			continue
		}
		a.Answered++
		a.Tokens += float64(result.Tokens())
		if result.Right() {
			a.Right++
		}
	}
	return out
}

// A Measured is a run with a measure of its cases by category.
type Measured struct {
	layout *score.Layout
	sizes  map[string]int // of the dataset's categories
	parts  map[string]*measuredPart
}

type measuredPart struct {
	cases  int
	at     map[string]int
	blocks []stat.Block
}

// Measure computes a measure for every case that has enough answers for it.
func (r *Run) Measure(m stat.Measure, allowErrors bool) *Measured {
	return r.measure(m, allowErrors, r.Clusters().Of)
}

func (r *Run) measure(m stat.Measure, allowErrors bool, cluster func(*eval.Case) string) *Measured {
	out := &Measured{layout: r.Layout(), sizes: r.Sizes(), parts: map[string]*measuredPart{}}
	for _, a := range r.Attempted(allowErrors) {
		value, ok := m.Of(a.Answered, a.Right)
		if !ok {
			continue
		}
		part := out.parts[a.Category.Name]
		if part == nil {
			part = &measuredPart{at: map[string]int{}}
			out.parts[a.Category.Name] = part
		}
		part.blocks = stat.AddTo(part.blocks, part.at, cluster(a.Case), value)
		part.cases++
	}
	return out
}

// Of returns the measure of a category, a group or the overall, with the
// benchmark's weights over what was run, its 95% interval and the number of
// cases. ok is false if nothing was measured.
func (m *Measured) Of(target string) (i stat.Interval, cases int, ok bool) {
	strata, cases := m.strata(target)
	return stat.Compose(strata).Share(stat.Z95), cases, len(strata) > 0
}

func (m *Measured) strata(target string) (out []stat.Stratum, cases int) {
	for _, share := range m.layout.Below(target).Shares(m.size) {
		part := m.parts[share.Category]
		out = append(out, stat.Stratum{Weight: share.Weight, Blocks: part.blocks})
		cases += part.cases
	}
	return out, cases
}

func (m *Measured) size(category string) (cases int, counts bool) {
	part := m.parts[category]
	if part == nil {
		return 0, false
	}
	return max(m.sizes[category], part.cases), true
}

// A Scenarios says how much intervals depend on what is assumed to be
// independent. Memory's questions of one scenario share a conversation; there
// are too few scenarios to make each a cluster, but too many questions in each
// not to mention it.
type Scenarios struct {
	Accuracy float64 `json:"accuracy"`
	// Low and High are memory's interval with independent questions, as in the
	// score; Lowest and Highest are the interval with each scenario as a
	// cluster.
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Lowest  float64 `json:"low_by_scenario"`
	Highest float64 `json:"high_by_scenario"`
	// OverallLowest and OverallHighest are the overall's interval with each
	// scenario as a cluster.
	OverallLowest  float64 `json:"overall_low_by_scenario"`
	OverallHighest float64 `json:"overall_high_by_scenario"`
	// Scenarios is the number of scenarios.
	Scenarios int `json:"scenarios"`
}

// ScenarioOf returns the scenario of a memory's question; "" for other cases.
func ScenarioOf(c *eval.Case) string {
	if c.Scene == nil {
		return ""
	}
	return c.Scene.Scenario
}

// Scenarios returns nil if the run has no memory categories.
func (r *Run) Scenarios(allowErrors bool) *Scenarios {
	names := map[string]bool{}
	clusters := r.Clusters()
	together := r.measure(stat.Measure{}, allowErrors, func(c *eval.Case) string {
		if name := ScenarioOf(c); name != "" {
			names[name] = true
			return scenario + name
		}
		return clusters.Of(c)
	})
	const memory = "memory"
	apart, _, ok := r.Measure(stat.Measure{}, allowErrors).Of(memory)
	if !ok || len(names) == 0 {
		return nil
	}
	wide, overall := together.byScenario(memory), together.byScenario(together.layout.Overall.Name)
	return &Scenarios{apart.Estimate, apart.Low, apart.High, wide.Low, wide.High, overall.Low, overall.High, len(names)}
}

// scenario marks a cluster that is a scenario.
const scenario = "scenario:"

// byScenario returns the interval with scenarios as clusters.
func (m *Measured) byScenario(target string) stat.Interval {
	var few, rest []stat.Stratum
	strata, _ := m.strata(target)
	for _, s := range strata {
		if strings.HasPrefix(s.Blocks[0].Key, scenario) {
			few = append(few, s)
		} else {
			rest = append(rest, s)
		}
	}
	i := stat.Few(few, rest, stat.Composite.Share)(stat.Z95)
	return stat.Interval{Estimate: i.Estimate, Low: max(i.Low, 0), High: min(i.High, 1)}
}

// String returns the figures in a sentence, or two if they differ from those of
// independent questions. The scatter of scenarios shows from two on.
func (s *Scenarios) String() string {
	interval := func(low, high float64) string { return fmt.Sprintf("%.1f – %.1f", 100*low, 100*high) }
	said := fmt.Sprintf("Memory's questions stand on %s but are counted as independent", count.Of(s.Scenarios, "scenario", "scenarios"))
	apart, together := interval(s.Low, s.High), interval(s.Lowest, s.Highest)
	switch {
	case s.Scenarios == 1:
		return said + ":\n  one scenario does not tell how much scenarios differ."
	case apart == together:
		return said + ":\n  memory's interval would be the same if those of a scenario went right or wrong together."
	}
	return fmt.Sprintf("%s. If those of a scenario went right or\n"+
		"  wrong together, memory's interval would be %s, not %s, and the overall's %s.", said, together, apart, interval(s.OverallLowest, s.OverallHighest))
}
