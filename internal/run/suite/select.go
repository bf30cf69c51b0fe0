// Package suite turns the user's options into a run.
//
//	Selection  which cases are asked: categories, ids, sample, shard
//	Model      what is asked, and how
//	Folder     where the run is written, and what an earlier start left there
//	Plan       the three together: the run as data
//	Suite      the plan opened: it asks, records, and writes the end of the run
package suite

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// A Part is a category and those of its cases that are to be run.
type Part struct {
	Category *eval.Category
	Cases    []*eval.Case
}

// A Selection is the list of all that a run consists of. A score is compared
// with it.
type Selection struct {
	Dataset *fixtures.Dataset
	Parts   []Part
	// IDs are the ids the user asked for; nil for all.
	IDs []string
	// Shard is the part of the selection that is to be run.
	Shard Shard
	// Asked are the cases that this process asks: those of Parts, or fewer of
	// a run that is continued if go test's -run chooses among them.
	Asked []Part
	// Trials is how often each case is asked.
	Trials int
	// Skipped are the categories that cannot be asked, with the variables or flags
	// that they lack, and Webless reports whether one lacks -search: the run is
	// incomplete then, unlike with -search=none.
	Skipped map[string][]string
	Webless bool
	// Sample says how IDs were chosen, if a sample was.
	Sample *record.Sample

	// part reports whether go test's -run or -skip left cases out.
	part  bool
	notes []string
	// choice reports whether go test's -run and -skip choose a trial; nil if they
	// choose all.
	choice func(category, id string, trial int) bool
}

// Cases returns the number of selected cases.
func (s *Selection) Cases() (n int) {
	for _, part := range s.Parts {
		n += len(part.Cases)
	}
	return n
}

// Categories returns the selected categories.
func (s *Selection) Categories() []*eval.Category {
	out := make([]*eval.Category, len(s.Parts))
	for i, part := range s.Parts {
		out[i] = part.Category
	}
	return out
}

// Names returns the names of the selected categories.
func (s *Selection) Names() []string {
	out := make([]string, len(s.Parts))
	for i, part := range s.Parts {
		out[i] = part.Category.Name
	}
	return out
}

// choose selects the cases that the options ask for of a model.
func choose(o Options, m *Model, part Shard) (*Selection, error) {
	dataset, err := fixtures.Open(o.Dataset, o.Data)
	if err != nil {
		return nil, err
	}
	ids, err := ReadIDs(o.IDs)
	if err != nil {
		return nil, err
	}
	if err := web.Check(webOptions(o, dataset)); err != nil {
		return nil, err
	}
	if err := Check(cmp.Or(o.Exec, Replay), execFiles(o)); err != nil {
		return nil, err
	}
	skipped, notes := map[string][]string{}, []string(nil)
	s, err := selectFor(dataset, o.Categories, ids, m.Settings.Mode, func(cat *eval.Category) error {
		names, note, err := lacks(o, m, dataset, cat)
		if names != nil {
			skipped[cat.Name], notes = names, append(notes, note)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	s.Trials, s.choice = o.Trials, o.Chosen
	if (ids == "" || strings.ContainsAny(ids, "*?")) && len(skipped) > 0 { // or each id was found in another category
		s.notes, s.Skipped = slices.Sorted(slices.Values(notes)), skipped
		for _, missing := range skipped {
			s.Webless = s.Webless || o.Search != noSearch && slices.Contains(missing, "-search")
		}
	}
	if err := s.takeSample(o); err != nil {
		return nil, err
	}
	if err := s.takeTests(o); err != nil {
		return nil, err
	}
	s.Divide(part)
	s.Asked = s.chosen()
	return s, nil
}

// lacks returns why a category cannot be asked with the given flags: the names
// of the variables or flags that it lacks, and a note about them.
func lacks(o Options, m *Model, d *fixtures.Dataset, cat *eval.Category) (names []string, note string, err error) {
	switch {
	case cat.Web && (m.Whole || webOptions(o, d).Search != ""): // recorded answers, and the oracle's, need no web
		return nil, "", nil
	case cat.Web:
		note = fmt.Sprintf("category %q is skipped: -search is not set; choose what to search, as in -search=serpapi, or leave the category out with -search=none", cat.Name)
		if o.Search == noSearch {
			note = fmt.Sprintf("category %q is left out because of -search=none", cat.Name)
		}
		return []string{"-search"}, note, fmt.Errorf("category %q searches the web: choose one with -search=%s, -search=%s<address> or -search=%s<file>; -search=none leaves it out", cat.Name, web.SerpAPI, web.SearXNG, web.Replay)
	case !cat.Executes || o.Exec != Live && o.Exec != Record:
		return nil, "", nil
	}
	cases, err := d.Cases(cat)
	if err != nil {
		return nil, "", err
	}
	if names, err = New(context.Background(), d, nil).missingKeys(cases); len(names) == 0 {
		return nil, "", err
	}
	list := strings.Join(names, ", ")
	return names, fmt.Sprintf("category %q is skipped: %s is not set", cat.Name, list), fmt.Errorf("category %q calls APIs that need keys: set %s, or use -api=replay", cat.Name, list)
}

// ErrNoneChosen is why a run does not begin that would ask nothing.
var ErrNoneChosen = errors.New("-run and -skip choose none")

// partDir returns the folder of a run whose cases go test's -run chooses.
func partDir(o Options) string {
	o.Model += "-part"
	return RunDir(o)
}

// takeTests keeps the cases that go test's -run and -skip choose. The run then
// states their ids, as it does for -ids, and lies beside the whole run. A run
// that is continued stays what it was, and only the chosen cases are asked.
func (s *Selection) takeTests(o Options) error {
	before, kept := s.Cases(), s.chosen()
	ids := idsOf(kept)
	switch {
	case len(ids) == 0 && before > 0:
		return option.MarkMisuse(fmt.Errorf("%w of %s", ErrNoneChosen, say.Cases(before)))
	case len(ids) == before:
		return nil
	}
	if have, err := record.ReadRun(partDir(o)); o.Resume && (err != nil || !slices.Equal(have.IDs, ids)) {
		return nil
	}
	s.Parts, s.IDs, s.Sample, s.part = kept, ids, nil, true
	return nil
}

// chosen returns the parts without the cases that go test leaves out.
func (s *Selection) chosen() []Part {
	if s.choice == nil {
		return s.Parts
	}
	return keep(s.Parts, func(cat *eval.Category, c *eval.Case) bool { return len(s.TrialsOf(cat.Name, c.ID)) > 0 })
}

// TrialsOf returns the trials of a case that this process asks, from 0.
func (s *Selection) TrialsOf(category, id string) (trials []int) {
	for trial := range s.Trials {
		name := trial + 1
		if s.Trials == 1 {
			name = 0
		}
		if s.choice == nil || s.choice(category, id, name) {
			trials = append(trials, trial)
		}
	}
	return trials
}

// conversations returns those that come before the selected questions, by the questions' categories.
func (s *Selection) conversations() ([]Part, error) {
	var out []Part
	for _, part := range s.Parts {
		before, err := s.Dataset.Prerequisites(part.Category)
		if err != nil {
			return nil, err
		}
		if len(before) > 0 {
			out = append(out, Part{Category: part.Category, Cases: before})
		}
	}
	return out, nil
}

// each calls do for each trial of each case that this process asks.
func (s *Selection) each(do func(cat *eval.Category, c *eval.Case, trial int)) {
	for _, part := range s.Asked {
		for _, c := range part.Cases {
			for _, trial := range s.TrialsOf(part.Category.Name, c.ID) {
				do(part.Category, c, trial)
			}
		}
	}
}

// recorded returns the categories that a run records: those of conversations before questions, too.
func (s *Selection) recorded() []*eval.Category {
	out := s.Categories()
	for _, part := range s.Parts {
		if slices.ContainsFunc(part.Cases, func(c *eval.Case) bool { return len(c.Needs) > 0 }) {
			out = append(out, part.Category.Before())
		}
	}
	return out
}

// wanted returns the categories of the cases that the run records, by their ids.
func (s *Selection) wanted() map[string]*eval.Category {
	out := map[string]*eval.Category{}
	for _, part := range s.Parts {
		for _, c := range part.Cases {
			out[c.ID] = part.Category
			for _, id := range c.Needs {
				out[id] = part.Category.Before()
			}
		}
	}
	return out
}

// Select finds the cases. Of a group it takes the categories that the dataset
// has; a category asked for by its own name must exist. ids is a
// comma-separated list, as ReadIDs returns it or run.json states it; "" is all
// cases.
func Select(dataset *fixtures.Dataset, names, ids string) (*Selection, error) {
	return selectFor(dataset, names, ids, eval.Prompt, func(*eval.Category) error { return nil })
}

// selectFor is Select without the categories that cannot be asked in a mode or
// are objected to. Such a category is an error if it is asked for by its own
// name.
func selectFor(dataset *fixtures.Dataset, names, ids string, mode eval.Mode, objection func(*eval.Category) error) (*Selection, error) {
	var refused error
	chosen, err := dataset.Categories().Select(names, func(cat *eval.Category, named bool) error {
		if cat.PromptOnly && mode != eval.Prompt {
			return fmt.Errorf("category %q is for prompt mode only: add -mode=prompt", cat.Name)
		}
		err := dataset.Offer(cat, named)
		if err != nil && !dataset.Has(cat) {
			return err
		}
		if err == nil {
			err = objection(cat)
		}
		if err != nil {
			refused = err
		}
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case len(chosen) == 0 && refused != nil:
		return nil, refused
	case len(chosen) == 0:
		return nil, fmt.Errorf("dataset %q has none of the categories %q", dataset.Name, names)
	}
	// Most of a run's start is spent on parsing JSON, so the files are read in parallel.
	s := &Selection{Dataset: dataset, Parts: make([]Part, len(chosen)), IDs: words(strings.Split(ids, ","))}
	errs := make([]error, len(chosen))
	var reading sync.WaitGroup
	for i, cat := range chosen {
		s.Parts[i].Category = cat
		reading.Go(func() { s.Parts[i].Cases, errs[i] = dataset.Cases(cat) })
	}
	if reading.Wait(); errors.Join(errs...) != nil {
		return nil, errors.Join(errs...)
	}
	if s.IDs != nil {
		err = s.narrow()
	}
	return s, err
}

// ReadIDs returns the list of -ids: its value, or the lines of the file that it
// names. Only the flag may name a file: an id in a run.json or a JUnit file
// must not make this program read one.
func ReadIDs(ids string) (string, error) {
	if ids == "" {
		return "", nil
	}
	name, marked := strings.CutPrefix(ids, "@")
	file, err := os.Open(name)
	switch {
	case err != nil && marked:
		return "", fmt.Errorf("-ids: %w", err)
	case err != nil && len(words(strings.Split(ids, ","))) == 0:
		return "", fmt.Errorf("-ids: %q has no ids: omit the flag for all cases", ids)
	case err != nil:
		return ids, nil
	}
	defer func() { _ = file.Close() }()
	var lines []string
	in := bufio.NewScanner(file)
	for in.Scan() {
		lines = append(lines, strings.TrimPrefix(in.Text(), "\uFEFF"))
	}
	if err := in.Err(); err != nil {
		return "", fmt.Errorf("-ids: %s: %w", name, err)
	}
	if lines = words(lines); lines == nil {
		return "", fmt.Errorf("-ids: %s has no ids: write one per line", name)
	}
	return strings.Join(lines, ","), nil
}

// words trims texts and leaves empty ones out.
func words(texts []string) (out []string) {
	for _, text := range texts {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// keep returns parts with only the cases that are wanted, without those that have none.
func keep(parts []Part, wanted func(*eval.Category, *eval.Case) bool) (out []Part) {
	for _, part := range parts {
		kept := Part{Category: part.Category}
		for _, c := range part.Cases {
			if wanted(part.Category, c) {
				kept.Cases = append(kept.Cases, c)
			}
		}
		if len(kept.Cases) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

// narrow keeps the cases that were asked for by id, by category/id, or by a
// pattern of these. What no selected case matches is an error.
func (s *Selection) narrow() error {
	left := map[string]bool{} // what no case has matched yet
	var patterns []string
	for _, id := range s.IDs {
		if left[id] = true; strings.ContainsAny(id, "*?") {
			patterns = append(patterns, id)
		}
	}
	parts := keep(s.Parts, func(cat *eval.Category, c *eval.Case) (found bool) {
		names := []string{c.ID, cat.Name + "/" + c.ID}
		for _, name := range names {
			if left[name] {
				delete(left, name)
				return true
			}
		}
		for _, pattern := range patterns {
			if slices.ContainsFunc(names, func(name string) bool { ok, _ := path.Match(pattern, name); return ok }) {
				delete(left, pattern)
				found = true
			}
		}
		return found
	})
	if len(left) > 0 {
		return s.unknown(left)
	}
	if s.Parts = parts; patterns != nil {
		s.IDs = idsOf(s.Parts)
	}
	return nil
}

// unknown is the error for ids that no case has.
func (s *Selection) unknown(ids map[string]bool) error {
	const shown = 5
	var names []string
	for _, id := range s.IDs {
		if ids[id] && len(names) < shown {
			names = append(names, fmt.Sprintf("%q", id))
		}
	}
	example := ""
	if len(s.Parts) > 0 && len(s.Parts[0].Cases) > 0 {
		example = fmt.Sprintf(" (ids look like %q)", s.Parts[0].Cases[0].ID)
	}
	return fmt.Errorf("%s in dataset %q, categories %s: %s%s",
		say.Count(len(ids), "unknown case id", "unknown case ids"), s.Dataset.Name, strings.Join(s.Names(), ","), strings.Join(names, ", "), example)
}

// idsOf returns the ids of the cases; before those in several categories stands the category.
func idsOf(parts []Part) (out []string) {
	times := map[string]int{}
	for _, part := range parts {
		for _, c := range part.Cases {
			times[c.ID]++
		}
	}
	for _, part := range parts {
		for _, c := range part.Cases {
			if times[c.ID] > 1 {
				out = append(out, part.Category.Name+"/"+c.ID)
			} else {
				out = append(out, c.ID)
			}
		}
	}
	return out
}

// An Index finds the cases of a dataset by their names.
type Index struct {
	dataset string
	by      map[string][]Indexed // by id, and by category/id
	ids     []string
}

// Indexed is a case with its category.
type Indexed struct {
	Category *eval.Category
	Case     *eval.Case
}

// IndexOf returns the index of the cases of these categories; nil are all that
// the dataset has.
func IndexOf(d *fixtures.Dataset, names []string) (*Index, error) {
	if names == nil {
		for _, cat := range d.Categories().All() {
			if d.Has(cat) {
				names = append(names, cat.Name)
			}
		}
	}
	all, err := Select(d, strings.Join(names, ","), "")
	if err != nil {
		return nil, err
	}
	x := &Index{dataset: d.Name, by: map[string][]Indexed{}}
	for _, part := range all.Parts {
		for _, c := range part.Cases {
			one := Indexed{part.Category, c}
			x.by[c.ID] = append(x.by[c.ID], one)
			x.by[part.Category.Name+"/"+c.ID] = []Indexed{one}
			x.ids = append(x.ids, c.ID)
		}
	}
	return x, nil
}

// Find returns the case with an id, or with a category/id if the id alone is not
// unique.
func (x *Index) Find(name string) (Indexed, error) {
	name = strings.TrimPrefix(name, "TestBFCL/")
	found := x.by[name]
	switch len(found) {
	case 0:
		return Indexed{}, option.Misuse("there is no case %.200q in the available categories of dataset %q%s", name, x.dataset, say.Hint(name, x.ids))
	case 1:
		return found[0], nil
	}
	var full []string
	for _, one := range found {
		full = append(full, one.Category.Name+"/"+name)
	}
	return Indexed{}, option.Misuse("the id is in several categories: use %s", strings.Join(full, " or "))
}
