package tally

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
)

// An Agent is what an agent took for a run's cases. Means are over the cases
// that it solved; nil where it solved none.
type Agent struct {
	// Cases are those that tell it, and Solved those of them that passed.
	Cases  int `json:"cases"`
	Solved int `json:"solved"`
	// StepsPerSolved, CallsPerSolved and SecondsPerSolved are what a solved
	// case took, in wall time.
	StepsPerSolved   *float64 `json:"steps_per_solved,omitempty"`
	CallsPerSolved   *float64 `json:"calls_per_solved,omitempty"`
	SecondsPerSolved *float64 `json:"seconds_per_solved,omitempty"`
	// CostPerSolved is what all cases cost, in dollars, by the number of those
	// solved; nil where the agent states no costs.
	CostPerSolved *float64 `json:"cost_per_solved,omitempty"`
	// Cost is that of all cases.
	Cost float64 `json:"cost,omitempty"`
	// The rest are sums over all cases; see eval.Effort.
	Calls      int `json:"calls"`
	Failed     int `json:"failed_calls"`
	Recovered  int `json:"recovered_calls"`
	Redundant  int `json:"redundant_calls"`
	WrongTools int `json:"wrong_tool_calls"`
	Late       int `json:"late_calls"`
	// Exceeded are the cases that the limit of calls ended.
	Exceeded int `json:"cases_over_the_limit"`
	// Official reports whether the cases are the published board's.
	Official bool `json:"official_data"`
	// Comparable are the categories whose accuracies compare with the published
	// board's, and Others those whose do not.
	Comparable []string `json:"comparable"`
	Others     []string `json:"not_comparable"`
}

// Agent is what an agent took; nil where a model was asked.
func (r *Run) Agent() *Agent {
	a := &Agent{Official: r.Data.IsOfficial(score.V4.Name), Comparable: []string{}, Others: []string{}}
	steps, calls, seconds := 0, 0, 0.0
	for _, part := range r.Parts {
		before := a.Cases
		for i := range part.Results {
			result := &part.Results[i]
			e := result.Effort
			if e == nil {
				continue
			}
			a.add(e)
			if result.Passed() {
				a.Solved++
				steps, calls, seconds = steps+e.Steps, calls+e.Calls, seconds+e.Wall.Seconds()
			}
		}
		if a.Cases > before {
			a.place(part.Category)
		}
	}
	if a.Cases == 0 {
		return nil
	}
	if a.Solved > 0 {
		per := func(x float64) *float64 { x /= float64(a.Solved); return &x }
		a.StepsPerSolved, a.CallsPerSolved, a.SecondsPerSolved = per(float64(steps)), per(float64(calls)), per(seconds)
		if a.Cost > 0 {
			a.CostPerSolved = per(a.Cost)
		}
	}
	return a
}

// Share is a number of calls in percent of all; nil where there are none.
func (a *Agent) Share(calls int) *float64 {
	if a.Calls == 0 {
		return nil
	}
	const all = 100
	x := all * float64(calls) / float64(a.Calls)
	return &x
}

func (a *Agent) add(e *eval.Effort) {
	a.Cases++
	a.Cost += e.Cost
	a.Calls += e.Calls
	a.Failed += e.Failed
	a.Recovered += e.Recovered
	a.Redundant += e.Redundant
	a.WrongTools += e.WrongTools
	a.Late += e.Late
	if e.Exceeded {
		a.Exceeded++
	}
}

// place tells whether a category compares. The conversations do: the agent acts
// on the same world as a model, and is judged by what it did there. In the
// others a model answers once and sees nothing, and the published board of V4
// has no executable ones.
func (a *Agent) place(cat *eval.Category) {
	list := &a.Others
	if cat.MultiTurn() && !cat.Unscored && !cat.Unused && cat.Group != eval.GroupOwn {
		list = &a.Comparable
	}
	if !slices.Contains(*list, cat.Name) {
		*list = append(*list, cat.Name)
	}
}

// Write prints the figures.
func (a *Agent) Write(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "agent    %d of %d cases solved", a.Solved, a.Cases)
	if a.StepsPerSolved != nil {
		fmt.Fprintf(&b, "; each took %.1f steps, %.1f calls, %.1f s", *a.StepsPerSolved, *a.CallsPerSolved, *a.SecondsPerSolved)
	}
	if a.CostPerSolved != nil {
		fmt.Fprintf(&b, ", $%.4f", *a.CostPerSolved)
	}
	fmt.Fprintf(&b, "\ncalls    %d: %d failed (%d recovered), %d redundant, %d of unknown tools\n", a.Calls, a.Failed, a.Recovered, a.Redundant, a.WrongTools)
	if a.Calls == 0 {
		b.WriteString("         no call arrived: does the agent use the tools at the address of \"mcp\"?\n")
	}
	if a.Late > 0 {
		fmt.Fprintf(&b, "         %d more came when no turn was open: they belong to nobody\n", a.Late)
	}
	if a.Exceeded > 0 {
		fmt.Fprintf(&b, "         %d cases were ended by the limit of calls\n", a.Exceeded)
	}
	how := "compare with the published board"
	if !a.Official {
		how = "would compare with the published board if this were its data"
	}
	listed(&b, how, a.Comparable)
	listed(&b, "do not: there a model answers once and sees no result", a.Others)
	_, err := io.WriteString(w, b.String())
	return err
}

// listed prints names in lines that fit a terminal, with what is said of them.
func listed(b *strings.Builder, what string, names []string) {
	if len(names) == 0 {
		return
	}
	const width = 78
	line := "board   "
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if len(line)+1+len(name) > width {
			fmt.Fprintln(b, line)
			line = "        "
		}
		line += " " + name
	}
	fmt.Fprintf(b, "%s\n         %s\n", line, what)
}
