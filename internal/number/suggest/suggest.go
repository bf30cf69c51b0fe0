// Package suggest finds values that several models agree on and a suite
// refuses: they may be right too, and a person should look at them. It accepts
// nothing by itself.
package suggest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Suggestion is a value for a parameter that models agree on and the case
// refuses, or a parameter that they leave out and the case wants.
type Suggestion struct {
	// ID and Category are the case's; File and Line are its place.
	ID       string `json:"id"`
	Category string `json:"category"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Turn is the turn of a conversation, counted from 1; 0 for other cases.
	Turn int `json:"turn,omitempty"`
	// Call is the expected call, counted from 1, in a conversation from its
	// turn's first; Function is its function.
	Call     int    `json:"call"`
	Function string `json:"function"`
	// Parameter is the function's parameter, and Value what was given for it.
	// LeftOut reports whether nothing was given.
	Parameter string      `json:"parameter"`
	Value     pyval.Value `json:"-"`
	LeftOut   bool        `json:"left_out,omitempty"`
	// Given is the value as Python writes it, and Accepted what the case
	// accepts now; "" if the parameter is not expected.
	Given    string `json:"given,omitempty"`
	Accepted string `json:"accepted,omitempty"`
	// ErrorType is the error type of the refusal.
	ErrorType string `json:"error_type"`
	// Models are the models that agree, in Answers answers; Passed are models
	// that passed the case with another answer.
	Models  []string `json:"models"`
	Answers int      `json:"answers"`
	Passed  []string `json:"passed"`
	// Becomes is what the parameter would accept with the value, as a suite
	// writes it; nil if that is not a choice of plain values.
	Becomes *Becomes `json:"-"`
}

// A Becomes is an argument of a case: any of the values or, if optional,
// nothing.
type Becomes struct {
	AnyOf    []pyval.Value
	Optional bool
}

// A Report lists the suggestions from several runs.
type Report struct {
	Dataset string `json:"dataset"`
	Digest  string `json:"digest"`
	// Own reports whether the cases are of a user's own suite, whose answers
	// the user can change.
	Own    bool     `json:"own"`
	Models []string `json:"models"`
	// Least is how many models must agree.
	Least       int          `json:"least"`
	Suggestions []Suggestion `json:"suggestions"`
	// Notes say what was not examined.
	Notes []string `json:"notes"`
}

// longest is the largest size of a value in bytes, so that a page of text is
// not suggested.
const longest = 2000

// Of looks through runs, read with their answers, for values that at least the
// given number of models agree on. The runs must be of one dataset.
func Of(runs []*tally.Run, least int) (*Report, error) {
	if err := together(runs, least); err != nil {
		return nil, err
	}
	f := finder{byCase: map[string]*found{}}
	for _, run := range runs {
		f.run(run)
	}
	if f.looked == 0 && f.unrecorded > 0 {
		return nil, errors.New("no answers are recorded beside the runs' JUnit: name run folders, which hold the answers")
	}
	r := &Report{Dataset: runs[0].Dataset, Digest: runs[0].Digest, Own: runs[0].Suite != "", Models: models(runs), Least: least, Suggestions: []Suggestion{}, Notes: f.notes()}
	for _, key := range f.order {
		r.Suggestions = append(r.Suggestions, f.byCase[key].suggestions(least)...)
	}
	slices.SortStableFunc(r.Suggestions, func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(len(b.Models), len(a.Models)), cmp.Compare(len(a.Passed), len(b.Passed)), cmp.Compare(b.Answers, a.Answers))
	})
	return r, nil
}

// together returns an error if the runs do not belong together.
func together(runs []*tally.Run, least int) error {
	for _, r := range runs[1:] {
		if r.Digest != runs[0].Digest {
			return fmt.Errorf("the runs have different cases: %s used dataset %s with digest %.12s, %s used %s with %.12s: name runs of one dataset",
				safe.Plain(runs[0].Name, 100), safe.Quote(runs[0].Dataset, 100), runs[0].Digest, safe.Plain(r.Name, 100), safe.Quote(r.Dataset, 100), r.Digest)
		}
	}
	if names := models(runs); len(names) < least {
		return fmt.Errorf("%d models must agree, but the runs are only of %s: name runs of more models, or lower --least", least, safe.Plain(strings.Join(names, ", "), 200))
	}
	return nil
}

func modelOf(r *tally.Run) string { return cmp.Or(r.Model, r.Name) }

func models(runs []*tally.Run) (names []string) {
	for _, r := range runs {
		if name := modelOf(r); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// A finder looks through the answers of runs.
type finder struct {
	byCase map[string]*found
	order  []string

	looked, unrecorded, failedInfra, cutOff, conversations, other, long int
}

// notes says what was not examined.
func (f *finder) notes() []string {
	out := []string{}
	for _, n := range []struct {
		n    int
		what string
	}{
		{f.unrecorded, "answers not recorded"},
		{f.failedInfra, "infrastructure errors, which say nothing about a model"},
		{f.cutOff, "answers ended by the limit of tokens, not looked at"},
		{f.conversations, "wrong conversations on simulated APIs, not looked at"},
		{f.other, "wrong answers of categories that compare no values, not looked at"},
		{f.long, fmt.Sprintf("values of more than %d bytes, left out", longest)},
	} {
		if n.n > 0 {
			out = append(out, fmt.Sprintf("%s: %d", n.what, n.n))
		}
	}
	return out
}

func (f *finder) run(run *tally.Run) {
	for cat, result := range run.All() {
		key := cat.Name + "/" + result.Case.ID
		c := f.byCase[key]
		if c == nil {
			c = &found{id: result.Case.ID, category: cat.Name, file: result.Case.File, line: result.Case.Line}
			f.byCase[key] = c
			f.order = append(f.order, key)
		}
		if result.Passed() {
			c.passed = with(c.passed, modelOf(run))
			continue
		}
		for _, r := range f.refused(run, cat, result) {
			c.add(r, modelOf(run))
		}
	}
}

// refused returns the arguments of a wrong answer that the case refuses.
func (f *finder) refused(run *tally.Run, cat *eval.Category, result *tally.Result) []refusal {
	switch {
	case result.Status == eval.Error:
		f.failedInfra++
		return nil
	case cat.MultiTurn() && !isOwn(result.Case):
		f.conversations++
		return nil
	case !cat.MultiTurn() && (!cat.Compares() || result.Case.Answer == nil):
		f.other++
		return nil
	case result.Answer == nil:
		f.unrecorded++
		return nil
	case result.CutOff:
		f.cutOff++
		return nil
	}
	f.looked++
	out := refusals(cat, result.Case, result.Answer.Result, run.Settings)
	return slices.DeleteFunc(out, func(r refusal) bool {
		long := r.Value != nil && pyval.Weight(r.Value, longest) > longest
		if long {
			f.long++
		}
		return long
	})
}

// isOwn reports whether a conversation is on a suite's own tools, with what each
// turn expects.
func isOwn(c *eval.Case) bool {
	_, ok := c.Expected.(match.Turns)
	return ok
}

// A found is a case with the refused arguments of its wrong answers.
type found struct {
	id, category, file string
	line               int
	passed             []string
	given              []*agreed
}

// An agreed is a refused argument with the models that gave it.
type agreed struct {
	refusal
	models  []string
	answers int
}

func (c *found) add(r refusal, model string) {
	at := slices.IndexFunc(c.given, func(a *agreed) bool { return a.same(r) })
	if at < 0 {
		at = len(c.given)
		c.given = append(c.given, &agreed{refusal: r})
	}
	c.given[at].models = with(c.given[at].models, model)
	c.given[at].answers++
}

func with(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// same reports whether two refused arguments are the same. Texts are
// standardized first, as the benchmark does.
func (r refusal) same(o refusal) bool {
	if r.Turn != o.Turn || r.Call != o.Call || r.Name != o.Name || (r.Value == nil) != (o.Value == nil) {
		return false
	}
	return r.Value == nil || r.Value.Kind() == o.Value.Kind() && judge.Alike(r.Value, o.Value)
}

func (c *found) suggestions(least int) (out []Suggestion) {
	for _, a := range c.given {
		if len(a.models) < least {
			continue
		}
		s := Suggestion{
			ID: c.id, Category: c.category, File: c.file, Line: c.line, Turn: a.Turn, Call: a.Call + 1, Function: a.Function, Parameter: a.Name,
			Value: a.Value, LeftOut: a.Value == nil, Accepted: a.Accepted, ErrorType: a.Kind,
			Models: a.models, Answers: a.answers, Passed: []string{}, Becomes: a.becomes(),
		}
		if a.Value != nil {
			s.Given = pyval.Repr(a.Value)
		}
		for _, name := range c.passed {
			if !slices.Contains(a.models, name) {
				s.Passed = append(s.Passed, name)
			}
		}
		out = append(out, s)
	}
	return out
}
