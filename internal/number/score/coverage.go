package score

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

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

// warn collects the warnings that come before any number.
func (s *Score) warn() {
	if text := s.Data.Warning(); text != "" {
		s.Warnings = append(s.Warnings, text)
	}
	s.Warnings = append(s.Warnings, s.coverageWarnings()...)
	if s.CutOff.often() {
		s.Warnings = append(s.Warnings, s.CutOff.warning())
	}
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
