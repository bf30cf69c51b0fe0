package compare

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Spend holds the changes in what cases take; nil if not known for both runs.
type Spend struct {
	// Latency is in seconds per case.
	Latency *Change `json:"latency,omitempty"`
	// InputTokens and OutputTokens are per case.
	InputTokens  *Change `json:"input_tokens,omitempty"`
	OutputTokens *Change `json:"output_tokens,omitempty"`
	// Cost is in dollars per case.
	Cost *Change `json:"cost,omitempty"`
}

// A Change is the change in a mean over the same cases, B less A.
type Change struct {
	Cases int     `json:"cases"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	stat.Estimate
}

// Agents is what two agents took per solved case, over the cases compared.
type Agents struct {
	// SolvedA and SolvedB are how many each solved.
	SolvedA int            `json:"solved_a"`
	SolvedB int            `json:"solved_b"`
	Figures []FigureChange `json:"figures"`
}

// A FigureChange is one of score.AgentFigures in both runs.
type FigureChange struct {
	Name string `json:"name"`
	// A and B are the runs' values; nil if not known.
	A *score.AgentValue `json:"a,omitempty"`
	B *score.AgentValue `json:"b,omitempty"`
	// Difference is B less A; nil if a value is not fully known or too few cases
	// are solved.
	Difference *stat.Estimate `json:"difference,omitempty"`

	Figure score.AgentFigure `json:"-"`
}

func (m *matching) spend() (s Spend) {
	for i, to := range []**Change{&s.Latency, &s.InputTokens, &s.OutputTokens, &s.Cost} {
		*to = m.change(func(u *unit) (stat.Ratio, bool) { // a case's mean counts once
			return stat.Ratio{Over: u.took[i].Over / u.took[i].Under, Under: 1}, u.took[i].Under > 0
		})
	}
	return s
}

// change returns the change in a ratio over the pairs of which both sides are known;
// nil if fewer than two clusters have any.
func (m *matching) change(of func(*unit) (stat.Ratio, bool)) *Change {
	var a, b []stat.Ratio
	var c Change
	var sumA, sumB stat.Ratio
	at := map[string]int{}
	for _, name := range m.order {
		for _, p := range m.parts[name].pairs {
			x, knownA := of(p.a)
			y, knownB := of(p.b)
			if !knownA || !knownB {
				continue
			}
			k, known := at[p.a.cluster]
			if !known {
				k = len(a)
				at[p.a.cluster], a, b = k, append(a, stat.Ratio{}), append(b, stat.Ratio{})
			}
			a[k].Add(x)
			b[k].Add(y)
			sumA.Add(x)
			sumB.Add(y)
			c.Cases++
		}
	}
	var known bool
	if c.Estimate, known = stat.RatioChange(a, b); !known {
		return nil
	}
	c.A, c.B = sumA.Over/sumA.Under, sumB.Over/sumB.Under
	return &c
}

func (m *matching) agents() *Agents {
	var a, b score.AgentTotal
	for _, name := range m.order {
		for _, p := range m.parts[name].pairs {
			a.Include(&p.a.taken)
			b.Include(&p.b.taken)
		}
	}
	if a.Trials == 0 || b.Trials == 0 {
		return nil
	}
	out := &Agents{SolvedA: a.Solved, SolvedB: b.Solved, Figures: []FigureChange{}}
	for i, f := range score.AgentFigures() {
		one := FigureChange{Name: f.Name, A: a.Value(i), B: b.Value(i), Figure: f}
		if one.A == nil && one.B == nil {
			continue
		}
		if one.A.Whole() && one.B.Whole() {
			if c := m.change(func(u *unit) (stat.Ratio, bool) { return u.taken.Ratio(i), true }); c != nil {
				one.Difference = &c.Estimate
			}
		}
		out.Figures = append(out.Figures, one)
	}
	return out
}

// Rows returns the known changes as texts: the name, the cases, A, B, the change and
// its interval.
func (s *Spend) Rows() (rows [][]string) {
	for _, row := range []struct {
		name, format string
		*Change
	}{{"latency, s", "%.3f", s.Latency}, {"input tokens", "%.1f", s.InputTokens}, {"output tokens", "%.1f", s.OutputTokens}, {"cost, $", "%.6f", s.Cost}} {
		if signed := "%+" + row.format[1:]; row.Change != nil {
			rows = append(rows, []string{row.name, fmt.Sprint(row.Cases), fmt.Sprintf(row.format, row.A), fmt.Sprintf(row.format, row.B), say.Signed(signed, row.Value),
				say.Signed(signed+" to "+signed, row.Low, row.High)})
		}
	}
	return rows
}
