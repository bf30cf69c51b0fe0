package compare

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// Agents is what two agents took per solved case, over the cases compared.
type Agents struct {
	// SolvedA and SolvedB are how many each solved.
	SolvedA int            `json:"solved_a"`
	SolvedB int            `json:"solved_b"`
	Figures []FigureChange `json:"figures"`
}

// A FigureChange is one of effort.Figures in both runs.
type FigureChange struct {
	Name string `json:"name"`
	// A and B are the runs' values; nil if not known.
	A *score.AgentValue `json:"a,omitempty"`
	B *score.AgentValue `json:"b,omitempty"`
	// Difference is B less A; nil if a value is not fully known or too few cases
	// are solved.
	Difference *stat.Estimate `json:"difference,omitempty"`

	figure score.AgentFigure
}

func (m *matching) agents() *Agents {
	var a, b score.AgentTotal
	at := map[string]int{}
	var clusters [][2]score.AgentTotal
	for _, name := range m.order {
		for _, p := range m.parts[name].pairs {
			k, known := at[p.a.cluster]
			if !known {
				k = len(clusters)
				at[p.a.cluster], clusters = k, append(clusters, [2]score.AgentTotal{})
			}
			clusters[k][0].Include(&p.a.taken)
			clusters[k][1].Include(&p.b.taken)
			a.Include(&p.a.taken)
			b.Include(&p.b.taken)
		}
	}
	if a.Trials == 0 || b.Trials == 0 {
		return nil
	}
	out := &Agents{SolvedA: a.Solved, SolvedB: b.Solved, Figures: []FigureChange{}}
	for i, f := range score.AgentFigures() {
		one := FigureChange{Name: f.Name, A: a.Value(i), B: b.Value(i), figure: f}
		if one.A == nil && one.B == nil {
			continue
		}
		if one.A.Whole() && one.B.Whole() {
			one.measure(clusters, i)
		}
		out.Figures = append(out.Figures, one)
	}
	return out
}

// measure fills in the difference in the i-th figure, if it is known.
func (c *FigureChange) measure(clusters [][2]score.AgentTotal, i int) {
	var a, b []stat.Ratio
	for k := range clusters {
		a, b = append(a, clusters[k][0].Ratio(i)), append(b, clusters[k][1].Ratio(i))
	}
	if change, known := stat.RatioChange(a, b); known {
		c.Difference = &change
	}
}

// table shows the known figures; it may have no rows.
func (a *Agents) table() *say.Table {
	t := &say.Table{Head: []string{"per solved case, " + score.Direction, "A", "B", "change", "95% interval"}}
	if a == nil {
		return t
	}
	t.Add("solved", fmt.Sprint(a.SolvedA), fmt.Sprint(a.SolvedB), say.Signed("%+d", a.SolvedB-a.SolvedA), "")
	for i := range a.Figures {
		c := &a.Figures[i]
		text := func(v *score.AgentValue) string {
			if v == nil {
				return "–"
			}
			return v.Text(&c.figure)
		}
		difference, interval := "", ""
		if c.Difference != nil {
			difference = c.figure.Signed(c.Difference.Value)
			interval = c.figure.Signed(c.Difference.Low) + " to " + c.figure.Signed(c.Difference.High)
		}
		t.Add(c.figure.Title, text(c.A), text(c.B), difference, interval)
	}
	return t
}
