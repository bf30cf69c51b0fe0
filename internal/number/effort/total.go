package effort

import "github.com/gobfcl/bfcl/internal/number/stat"

// A Total is what an agent took for some trials.
type Total struct {
	// Trials were made, and Solved of them passed.
	Trials, Solved int

	amounts []amount // as figures are
}

// An amount is a figure's sum over the trials that count in it.
type amount struct {
	sum float64
	// silent trials do not state theirs, or not all of it.
	silent int
}

// Add adds a trial.
func (s *Total) Add(t Trial) {
	if s.amounts == nil {
		s.amounts = make([]amount, len(figures))
	}
	s.Trials++
	if t.Solved {
		s.Solved++
	}
	for i := range figures {
		f, a := &figures[i], &s.amounts[i]
		if f.stated || t.Solved {
			a.sum += f.of(&t)
		}
		if f.stated && !t.States(f.of(&t)) {
			a.silent++
		}
	}
}

// A Value is a figure of some trials.
type Value struct {
	Value float64 `json:"value"`
	// Silent counts the trials whose part is not stated, or not all of it: with
	// any, the value is the least that it can be.
	Silent int `json:"silent,omitempty"`
}

// Value is the i-th figure's; nil if no case was solved, and where the agent
// states nothing.
func (s *Total) Value(i int) *Value {
	if s.Solved == 0 {
		return nil
	}
	a := s.amounts[i]
	if figures[i].stated && a.sum == 0 {
		return nil
	}
	return &Value{a.sum / float64(s.Solved), a.silent}
}

// Whole reports whether the value is known, and in full.
func (v *Value) Whole() bool { return v != nil && v.Silent == 0 }

// Text is the value as the figure writes it.
func (v *Value) Text(f *Figure) string {
	if v.Silent > 0 {
		return "at least " + f.Text(v.Value)
	}
	return f.Text(v.Value)
}

// Values are the figures that are known, by their names.
func (s *Total) Values() map[string]Value {
	out := map[string]Value{}
	for i := range figures {
		if v := s.Value(i); v != nil {
			out[figures[i].Name] = *v
		}
	}
	return out
}

// Ratio is the total as a part of the i-th figure.
func (s *Total) Ratio(i int) stat.Ratio {
	if s.amounts == nil {
		return stat.Ratio{}
	}
	return stat.Ratio{Over: s.amounts[i].sum, Under: float64(s.Solved)}
}

// Include adds what another total holds.
func (s *Total) Include(other *Total) {
	s.Trials += other.Trials
	s.Solved += other.Solved
	if other.amounts == nil {
		return
	}
	if s.amounts == nil {
		s.amounts = make([]amount, len(figures))
	}
	for i, a := range other.amounts {
		s.amounts[i].sum += a.sum
		s.amounts[i].silent += a.silent
	}
}
