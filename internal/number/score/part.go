package score

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Part is the result of a category, a group or the whole.
type Part struct {
	// Accuracy is the share of right answers. For a group it is computed by
	// upstream's formula, in which a missing category counts as 0.
	Accuracy float64
	// Low and High are its 95% interval: Wilson's for a category; for a group
	// combined from those of its parts, with a missing part taken as certain.
	Low, High float64
	// Correct of Total scored cases are right. Total includes errors only if
	// they count as wrong.
	Correct, Total int
	// Errors is the number of cases that ended in an infrastructure error.
	Errors int
	// Cases is the number of answered cases, of the Size that the dataset has. A
	// case is answered if one of its trials is. If Size is not known, it equals
	// Cases.
	Cases, Size int
	// NA reports whether nothing was scored, so that Accuracy means nothing.
	NA bool
	// Missing are the categories of a group that count but have no scored case.
	Missing []string
	// Ran is the formula's result over only the parts with scored cases, with the
	// units that it stands on; its value differs from Accuracy only if something
	// is Missing.
	Ran stat.Estimate
}

// Complete reports whether every category that counts was scored, though perhaps
// not with all its cases: see Whole.
func (p Part) Complete() bool { return !p.NA && len(p.Missing) == 0 }

// Whole reports whether every case that counts was answered.
func (p Part) Whole() bool { return p.Complete() && p.Cases >= p.Size }

func (p *Part) set(i stat.Estimate) {
	i.Low, i.High = max(i.Low, 0), min(i.High, 1)
	p.Accuracy, p.Low, p.High, p.Ran = i.Value, i.Low, i.High, i
}

// partJSON is a Part in a score file, without numbers that are not known.
type partJSON struct {
	Accuracy *float64 `json:"accuracy"`
	Correct  int      `json:"correct"`
	Total    int      `json:"total"`
	Errors   int      `json:"errors"`
	Cases    int      `json:"cases"`
	Size     int      `json:"size"`
	Low      *float64 `json:"low"`
	High     *float64 `json:"high"`
	Missing  []string `json:"missing,omitempty"`
	Units    int      `json:"units,omitempty"`
	Unit     string   `json:"unit,omitempty"`
	// Ran is nil if it is the accuracy.
	Ran *stat.Estimate `json:"ran,omitempty"`
}

// MarshalJSON writes null for an accuracy that is not known, and "ran" only if
// it differs from the accuracy.
func (p Part) MarshalJSON() ([]byte, error) {
	j := partJSON{Correct: p.Correct, Total: p.Total, Errors: p.Errors, Cases: p.Cases, Size: p.Size, Missing: p.Missing}
	if !p.NA {
		j.Accuracy, j.Low, j.High, j.Units, j.Unit = &p.Accuracy, &p.Low, &p.High, p.Ran.N, p.Ran.Unit
	}
	if !p.NA && len(p.Missing) > 0 {
		j.Ran = &p.Ran
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Part) UnmarshalJSON(text []byte) error {
	var j partJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*p = Part{Correct: j.Correct, Total: j.Total, Errors: j.Errors, Cases: j.Cases, Size: j.Size, Missing: j.Missing}
	if j.Accuracy == nil || j.Low == nil || j.High == nil {
		p.NA = true
		return nil
	}
	p.Accuracy, p.Low, p.High, p.Ran = *j.Accuracy, *j.Low, *j.High, stat.Estimate{Value: *j.Accuracy, Low: *j.Low, High: *j.High, N: j.Units, Unit: j.Unit}
	if j.Ran != nil {
		p.Ran = *j.Ran
	}
	return nil
}

// A grouping computes parts from the bottom up.
type grouping struct {
	score    *Score
	layout   *Layout
	upstream map[string]Accuracy
	tallies  map[string]Tally
}

func (g grouping) part(n *Node) Part {
	if len(n.Parts) == 0 {
		p, ok := g.score.Categories[n.Name]
		if !ok {
			p.NA, p.Size = true, g.layout.Sizes[n.Name]
		}
		if p.NA {
			p.Missing = []string{n.Name}
		}
		return p
	}
	parts := make([]Part, len(n.Parts))
	for i, sub := range n.Parts {
		parts[i] = g.part(sub)
	}
	p := g.combine(n, parts)
	if !p.NA || p.Errors > 0 {
		g.score.Groups[n.Name] = p
	}
	return p
}

func (g grouping) combine(n *Node, parts []Part) Part {
	all := Part{NA: true}
	for _, p := range parts {
		all.Correct += p.Correct
		all.Total += p.Total
		all.Errors += p.Errors
		all.Cases += p.Cases
		all.Size += p.Size
		all.NA = all.NA && p.NA
		all.Missing = append(all.Missing, p.Missing...)
	}
	if all.NA {
		return all
	}
	upstream := g.interval(n, func(name string) (int, bool) { return g.upstream[name].Total, true })
	all.set(upstream)
	all.Accuracy = g.upstream[n.Name].Value
	all.Low, all.High = min(all.Low, all.Accuracy), max(all.High, all.Accuracy) // whose sums round otherwise
	all.Ran = g.interval(n, func(name string) (int, bool) {
		p, ok := g.score.Categories[name]
		return p.Size, ok && !p.NA
	})
	return all
}

// interval returns the interval of a group's accuracy over the categories that
// count, from their scored cases and common clusters. A category that counts
// but was not run is 0 with certainty.
func (g grouping) interval(n *Node, size func(category string) (cases int, counts bool)) stat.Estimate {
	var strata []stat.Stratum
	var ran float64
	for _, share := range n.Shares(size) {
		if p, ok := g.score.Categories[share.Category]; ok && !p.NA {
			ran += share.Weight
			strata = append(strata, g.tallies[share.Category].stratum(share.Weight, p.Total))
		}
	}
	i := stat.Compose(strata).Share(stat.Z95)
	i.Value, i.Low, i.High = ran*i.Value, ran*i.Low, ran*i.High
	return i
}

// Coverage says which part of a dataset a score is over.
type Coverage struct {
	Covered
	// Categories are the categories with missing cases that count or were run.
	Categories map[string]Covered `json:"categories"`
}

// Covered counts the scored cases and the cases that the dataset has.
type Covered struct {
	Cases int `json:"cases"`
	Of    int `json:"of"`
}

// cover compares the scored cases with those of the dataset.
func (s *Score) cover(l *Layout) {
	c := &Coverage{Covered: Covered{s.Overall.Cases, s.Overall.Size}, Categories: map[string]Covered{}}
	for _, name := range s.Overall.Missing {
		if size := l.Sizes[name]; size > 0 {
			c.Categories[name] = Covered{0, size}
		}
	}
	for name, p := range s.Categories {
		if p.Cases < p.Size {
			c.Categories[name] = Covered{p.Cases, p.Size}
		}
	}
	s.Complete = s.Overall.Whole()
	if len(c.Categories) > 0 {
		s.Coverage = c
	}
}

// Partial reports whether the score lacks cases of the dataset that count.
func (s *Score) Partial() bool { return s.Coverage != nil && s.Coverage.Cases < s.Coverage.Of }

// Title returns the dataset's name and origin, and how much of it was scored if
// that is only a part.
func (s *Score) Title() string {
	title := s.part()
	if whose := s.Data.String(); whose != "" {
		title += " (" + printable(whose) + ")"
	}
	return title
}

// part returns the dataset's name, and how much of it was scored if that is
// only a part.
func (s *Score) part() string {
	if !s.Partial() {
		return printable(s.Dataset)
	}
	return fmt.Sprintf("a part of %s: %d of %d cases", printable(s.Dataset), s.Coverage.Cases, s.Coverage.Of)
}

// Warn puts sentences before the other warnings: doubts about all of the
// numbers come first.
func (s *Score) Warn(texts ...string) { s.Warnings = append(slices.Clone(texts), s.Warnings...) }

// coverageWarnings returns what to say about a score over only a part.
func (s *Score) coverageWarnings() (out []string) {
	if s.Coverage == nil {
		return nil
	}
	if s.Partial() {
		not := ""
		if s.Data.State == eval.Official {
			not = ", not the benchmark's score, and cannot be ranked among published models"
		}
		out = append(out, fmt.Sprintf("This is %s%s. Category weights are unchanged.", s.part(), not))
	}
	var begun []string
	for _, name := range slices.Sorted(maps.Keys(s.Coverage.Categories)) {
		if c := s.Coverage.Categories[name]; c.Cases > 0 {
			begun = append(begun, fmt.Sprintf("%s (%d of %d)", printable(name), c.Cases, c.Of))
		}
	}
	if len(begun) > 0 {
		out = append(out, fmt.Sprintf("Not all cases of %s were scored: %s.", say.Count(len(begun), "category", "categories"), list(begun)))
	}
	return out
}

// A CutOff counts the answers that were cut off by the limit of tokens. They
// are judged as far as they go, as upstream does.
type CutOff struct {
	// Answers were cut off, of Of answers.
	Answers int `json:"answers"`
	Of      int `json:"of"`
	// Limit is the limit set by -max-tokens or the catalogue; 0 if the model's
	// own limit applied.
	Limit int `json:"limit,omitempty"`
	// Context is the server's context in tokens, if that is where they end: each
	// prompt and its answer add up to it. Otherwise 0.
	Context int `json:"context,omitempty"`
}

// warning returns the warning about it.
func (c *CutOff) warning() string {
	limit := "the model's own limit of tokens (no -max-tokens was given)"
	switch {
	case c.Context > 0:
		return fmt.Sprintf("%d of %d answers end where the prompt and the answer together fill the server's context of %d tokens, and are judged as far as they go: serve the model with a longer context.", c.Answers, c.Of, c.Context)
	case c.Limit > 0:
		limit = fmt.Sprintf("the limit of %d tokens (-max-tokens)", c.Limit)
	}
	return fmt.Sprintf("%d of %d answers were cut off at %s, and are judged as far as they go, as upstream does: with a higher limit the model may score differently.", c.Answers, c.Of, limit)
}

// An Overlooked counts the right answers that hold a call which was not read,
// where nothing may be called. Upstream counts them as abstentions.
type Overlooked struct {
	// Answers are those that hold one, of Of right answers where nothing may be
	// called.
	Answers int `json:"answers"`
	Of      int `json:"of"`
	// Points is what they add to the overall of what ran.
	Points float64 `json:"points"`
	// First is the first one's case.
	First string `json:"first"`
	// Categories counts them by category.
	Categories map[string]int `json:"categories"`
}

// A Basis says which results a run's numbers are over, and what is counted of the
// others. It is made once, by what reads the run: every output takes its counts from
// it.
type Basis struct {
	// Results are all that the run should have. Answered of them have an answer,
	// which is right or wrong; Errors ended in an infrastructure error, which is
	// neither; Missing have no verdict.
	Results  int `json:"results"`
	Answered int `json:"answered"`
	Errors   int `json:"errors"`
	Missing  int `json:"missing,omitempty"`
	// Right and Wrong answers count in the overall, and those Aside are wrong in
	// categories that do not.
	Right int `json:"right"`
	Wrong int `json:"wrong"`
	Aside int `json:"wrong_aside"`
	// Cases of Of that count in the overall have an answer.
	Cases int `json:"cases"`
	Of    int `json:"of"`
	// Ran is the overall over these, and Upstream what upstream's table says: it
	// counts an error as an answer without a call, and a category without answers
	// as 0.
	Ran      float64 `json:"overall"`
	Upstream float64 `json:"as_upstream"`
}
