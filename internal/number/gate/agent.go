package gate

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/say"
)

// agentCeiling checks a figure that only agents have against its limit.
func (d *decider) agentCeiling(r Rule) {
	all := score.AgentFigures()
	f := &all[slices.IndexFunc(all, func(f score.AgentFigure) bool { return f.Name == r.Target })]
	agent := tally.AgentOf(d.run)
	why := "the agent does not report it"
	got := reached{unit: "solved case"}
	switch {
	case agent == nil:
		why = "only agents have it, and the run is not an agent's"
	case agent.Solved == 0:
		why = "the agent solved no case"
	default:
		got.n = agent.Solved
		if v, known := agent.Figures[f.Name]; known {
			if got.value = &v.Value; v.Silent > 0 {
				got.lacks = "the agent does not fully report what " + say.Cases(v.Silent) + " took"
			}
		}
	}
	d.ceiling(r, f, got, why)
}
