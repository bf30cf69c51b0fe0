// Package validate finds what is wrong with a folder of cases before a model is
// asked: tools that cannot be judged or posed, answers that no model can give,
// and ids that would get lost. It is above the dataset loader and the
// judges, whose own reading and verdicts it uses.
//
//	Folder    a dataset or suite to a Report
//	Problem   what is wrong where, and what to do
package validate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Severity separates what must be fixed from what should be looked at.
type Severity string

// An Error means that a case cannot be asked or cannot be passed; a Warning is
// likely a mistake.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// The kinds of problems.
const (
	Format      = "format"
	ID          = "id"
	Tool        = "tool"
	Answer      = "answer"
	Unreachable = "unreachable"
	Ambiguous   = "ambiguous"
)

// A Problem is one thing that is wrong, and its place.
type Problem struct {
	File     string   `json:"file"`
	Line     int      `json:"line,omitempty"`
	Severity Severity `json:"severity"`
	Kind     string   `json:"kind"`
	// Case is the id of the case; "" for tools and files.
	Case string `json:"case,omitempty"`
	// Message says what is wrong and what to do.
	Message string `json:"message"`
}

// A Report is the result of checking a folder.
type Report struct {
	Dataset    string    `json:"dataset"`
	Categories int       `json:"categories"`
	Cases      int       `json:"cases"`
	Tools      int       `json:"tools"`
	Answered   int       `json:"answered"`
	Errors     int       `json:"errors"`
	Warnings   int       `json:"warnings"`
	Problems   []Problem `json:"problems"`
}

// Folder checks a dataset by its name or folder. The error says that it is not
// a dataset.
func Folder(name, data string) (*Report, error) {
	c := &checker{Report: &Report{Dataset: name, Problems: []Problem{}}, docs: map[*pyval.Dict]bool{}, ids: map[string]*eval.Case{}, entries: map[string]*ownsuite.Entry{}, schemas: map[string]*schema{}}
	d, err := fixtures.Open(name, data)
	var faults ownsuite.Faults
	switch {
	case errors.As(err, &faults):
		for _, f := range faults {
			c.add(Problem{File: f.File, Line: f.Line, Severity: Error, Kind: Format, Message: f.Msg})
		}
		return c.Report, nil
	case err != nil:
		return nil, err
	}
	c.own = d.Own() != nil
	if err := c.dataset(d); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return c.Report, nil
}

// A checker collects problems.
type checker struct {
	*Report
	own  bool
	docs map[*pyval.Dict]bool // those checked already
	ids  map[string]*eval.Case
	// Of a user's own suite: its entries by the case's id, and its schemas by the
	// tool's name.
	entries map[string]*ownsuite.Entry
	schemas map[string]*schema
}

func (c *checker) add(p Problem) {
	c.Problems = append(c.Problems, p)
	if p.Severity == Error {
		c.Errors++
		return
	}
	c.Warnings++
}

// say adds a problem of a case.
func (c *checker) say(s Severity, kind string, of *eval.Case, format string, args ...any) {
	c.sayAt(of.Line, s, kind, of, format, args...)
}

// sayAt adds a problem of a case at a line, if that is known.
func (c *checker) sayAt(line int, s Severity, kind string, of *eval.Case, format string, args ...any) {
	c.add(Problem{File: of.File, Line: cmp.Or(line, of.Line), Severity: s, Kind: kind, Case: of.ID, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) dataset(d *fixtures.Dataset) error {
	if own := d.Own(); own != nil {
		for _, t := range own.Tools {
			c.document(eval.Python, t.Doc, Problem{File: t.File, Line: t.Line})
		}
		c.suite(own)
	}
	for _, cat := range d.Categories().All() {
		if !d.Has(cat) || cat.Rule == eval.Varied {
			continue
		}
		c.Categories++
		cases, err := d.Cases(cat)
		var broken *fixtures.FormatError
		switch {
		case errors.As(err, &broken):
			c.add(Problem{File: broken.File, Line: broken.Line, Severity: Error, Kind: Format, Message: broken.Msg})
			continue
		case err != nil:
			return err
		}
		if own := d.Own(); own != nil && slices.ContainsFunc(own.Categories, func(o *ownsuite.Category) bool { return o.Canary && o.Name == cat.Name }) {
			cat, _ = categories.Own(cat.Name, string(cat.Rule), cat.Language.Key()) // planted answers must pass without it
		}
		for _, of := range cases {
			c.oneCase(cat, of)
		}
	}
	if c.Categories == 0 {
		return fmt.Errorf("%q holds neither a %s nor files of the benchmark's categories (BFCL_v4_<category>.json)", d.Name, ownsuite.File)
	}
	return nil
}

func (c *checker) oneCase(cat *eval.Category, of *eval.Case) {
	c.Cases++
	c.id(of)
	if strings.TrimSpace(of.Question()) == "" && !cat.MultiTurn() {
		c.say(Warning, Format, of, "the question has no user message")
	}
	if !cat.MultiTurn() {
		c.tools(cat, of)
	}
	if of.Answer != nil {
		c.Answered++
		before := c.Errors
		c.answer(cat, of)
		if c.own && c.Errors == before {
			c.values(of)
		}
		if c.Errors == before && !c.own {
			c.grammar(cat, of)
		}
		if c.Errors == before {
			c.reach(cat, of)
		}
	}
	if c.own {
		c.results(of)
	}
}

func (c *checker) id(of *eval.Case) {
	if why := ownsuite.BadID(of.ID); why != "" {
		c.say(Error, ID, of, "%s", why)
	}
	if first := c.ids[of.ID]; first != nil {
		c.say(Error, ID, of, "the id is already in %s:%d: answers are recorded by id, so it must be unique in the dataset", first.File, first.Line)
		return
	}
	c.ids[of.ID] = of
}
