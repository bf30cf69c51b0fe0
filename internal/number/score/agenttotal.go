package score

import "github.com/gobfcl/bfcl/internal/number/stat"

// An AgentTotal adds up what an agent took for some trials.
type AgentTotal struct {
	// Trials is the number of trials, of which Solved passed.
	Trials, Solved int

	amounts [len(figures)]amount
}

// An amount is a figure's sum over the trials that count in it.
type amount struct {
	sum float64
	// silent trials do not state theirs, or not all of it.
	silent int
}

// Add adds a trial.
func (s *AgentTotal) Add(t AgentTrial) {
	s.Trials++
	if t.Solved {
		s.Solved++
	}
	for i := range figures {
		f, a := &figures[i], &s.amounts[i]
		if f.stated || t.Solved {
			a.sum += f.of(&t)
		}
		if f.stated && !t.Effort.States(f.of(&t)) {
			a.silent++
		}
	}
}

// An AgentValue is the value of a figure over some trials.
type AgentValue struct {
	Value float64 `json:"value"`
	// Silent counts the trials whose part is not stated, or not in full. If
	// there are any, the value is a lower bound.
	Silent int `json:"silent,omitempty"`
}

// Value returns the value of the i-th figure; nil if no case was solved or the
// agent stated nothing.
func (s *AgentTotal) Value(i int) *AgentValue {
	if s.Solved == 0 {
		return nil
	}
	a := s.amounts[i]
	if figures[i].stated && a.sum == 0 {
		return nil
	}
	return &AgentValue{a.sum / float64(s.Solved), a.silent}
}

// Whole reports whether the value is fully known.
func (v *AgentValue) Whole() bool { return v != nil && v.Silent == 0 }

// Text formats the value as the figure does.
func (v *AgentValue) Text(f *AgentFigure) string {
	if v.Silent > 0 {
		return "at least " + f.Text(v.Value)
	}
	return f.Text(v.Value)
}

// Values returns the known figures by name.
func (s *AgentTotal) Values() map[string]AgentValue {
	out := map[string]AgentValue{}
	for i := range figures {
		if v := s.Value(i); v != nil {
			out[figures[i].Name] = *v
		}
	}
	return out
}

// Ratio returns the total as one cluster's part of the i-th figure.
func (s *AgentTotal) Ratio(i int) stat.Ratio {
	return stat.Ratio{Over: s.amounts[i].sum, Under: float64(s.Solved)}
}

// Include adds another total.
func (s *AgentTotal) Include(other *AgentTotal) {
	s.Trials += other.Trials
	s.Solved += other.Solved
	for i, a := range other.amounts {
		s.amounts[i].sum += a.sum
		s.amounts[i].silent += a.silent
	}
}
