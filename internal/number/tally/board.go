package tally

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// A board lists the cases that must have verdicts, the union of what the sources
// claim to have, with a slot for every verdict.
type board struct {
	dataset *fixtures.Dataset
	trials  int
	parts   []suite.Part
	// data is the origin of the cases.
	data eval.Origin
	// sizes are the dataset's numbers of cases per category; nil for official
	// datasets, because the score's layout has their sizes.
	sizes map[string]int

	slots [][]slot // by part
	// tests are the slots by the paths of their tests below TestBFCL; parents
	// are the paths of tests that only have subtests.
	tests   map[string]*slot
	parents map[string]bool
	// notes are remarks from the sources.
	notes []string
	// duplicate and unknown are paths that came twice or are not expected.
	duplicate, unknown []string
}

type slot struct {
	result eval.Result // until it is filled, only which it is to be
	path   string
	filled bool
	from   *source // the source that filled the slot
	// skipped is why the test was skipped; "" if it was not.
	skipped string
}

func newBoard(sources []*source, o Options) (*board, error) {
	first := sources[0]
	dataset, err := openDataset(first, o)
	if err != nil {
		return nil, err
	}
	b := &board{dataset: dataset, trials: first.run.Trials}
	var selections []*suite.Selection
	for _, s := range sources {
		one, err := o.selection(dataset, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.path, err)
		}
		if o.Shard && len(sources) == 1 {
			one = &suite.Selection{Parts: slices.Clone(one.Parts)}
			one.Divide(s.shard)
		}
		if !slices.Contains(selections, one) {
			selections = append(selections, one)
		}
	}
	if err := b.unite(selections); err != nil {
		return nil, err
	}
	if b.data, err = dataset.Origin(); err != nil {
		return nil, err
	}
	b.sizes, err = Sizes(dataset, first.run.Dataset)
	b.rule()
	return b, err
}

// rule makes the slots.
func (b *board) rule() {
	b.tests, b.parents = map[string]*slot{}, map[string]bool{}
	for _, part := range b.parts {
		slots := make([]slot, 0, len(part.Cases)*b.trials)
		b.parents[part.Category.Name] = true
		for _, c := range part.Cases {
			path := part.Category.Name + "/" + testName(c.ID)
			for trial := range b.trials {
				one := slot{result: eval.Result{Category: part.Category, Case: c, Trial: trial}, path: path}
				if b.trials > 1 {
					b.parents[path] = true
					one.path += "/" + strconv.Itoa(trial+1)
				}
				slots = append(slots, one)
			}
		}
		for i := range slots {
			b.tests[slots[i].path] = &slots[i]
		}
		b.slots = append(b.slots, slots)
	}
}

// all yields the slots.
func (b *board) all() iter.Seq[*slot] {
	return func(yield func(*slot) bool) {
		for _, slots := range b.slots {
			for i := range slots {
				if !yield(&slots[i]) {
					return
				}
			}
		}
	}
}

// categories returns the categories of the cases.
func (b *board) categories() (out []*eval.Category) {
	for _, part := range b.parts {
		out = append(out, part.Category)
	}
	return out
}

// testName returns an id as package testing writes it in a test's name.
func testName(id string) string {
	var out []byte
	for _, r := range id {
		switch {
		case unicode.IsSpace(r):
			out = append(out, '_')
		case !strconv.IsPrint(r):
			quoted := strconv.QuoteRune(r)
			out = append(out, quoted[1:len(quoted)-1]...)
		default:
			out = append(out, string(r)...)
		}
	}
	return string(out)
}

// put fills a slot with a verdict; a second one for it is a duplicate.
func (b *board) put(s *slot, from *source, r eval.Result) {
	if s.filled {
		b.duplicate = append(b.duplicate, s.path)
		return
	}
	r.Category, r.Case, r.Trial = s.result.Category, s.result.Case, s.result.Trial
	s.result, s.from, s.filled = r, from, true
}

// run returns the complete run, or an error that names what is wrong.
func (b *board) run(sources []*source, unfinished bool) (*Run, error) {
	var missing *Incomplete
	err := b.check()
	switch {
	case err == nil:
	case !unfinished || !errors.As(err, &missing) || len(missing.Missing) == missing.Total:
		return nil, err
	}
	r := b.stated(sources)
	for i, part := range b.parts {
		results := make([]eval.Result, 0, len(b.slots[i]))
		for k := range b.slots[i] {
			if b.slots[i][k].filled {
				results = append(results, b.slots[i][k].result)
			}
		}
		if len(results) > 0 || missing == nil {
			r.Parts = append(r.Parts, Part{Category: part.Category, Results: results})
		}
	}
	if missing != nil {
		r.Missing = len(missing.Missing)
	}
	return r, nil
}

// stated returns a run with what the sources state, but without results.
func (b *board) stated(sources []*source) *Run {
	first := sources[0]
	r := newRun(*first.run, b.dataset, b.sizes)
	r.Path, r.Data, r.Served, r.Started = first.path, b.data, nil, time.Time{}
	if len(sources) > 1 {
		ids := make([]string, len(sources))
		for i, s := range sources {
			ids[i] = s.run.ID
		}
		r.Shard, r.ID = "", record.JoinIDs(ids)
	}
	for _, s := range sources {
		run := s.run
		if len(r.Skipped) == 0 {
			r.Skipped = run.Skipped
		}
		if r.Started.IsZero() || !run.Started.IsZero() && run.Started.Before(r.Started) {
			r.Started = run.Started
		}
		r.Served = append(r.Served, run.Served...)
		if run.Idle.IsZero() || run.Idle.After(r.Idle) && !r.Idle.IsZero() {
			r.Idle = run.Idle // zero if one shard asked
		}
		if run.Ended.After(r.Ended) {
			r.Ended = run.Ended
		}
	}
	slices.Sort(r.Served)
	r.Served = slices.Compact(r.Served)
	return r
}

// newRun returns a run without results.
func newRun(stated record.Run, d *fixtures.Dataset, sizes map[string]int) *Run {
	stated.Prices = sane(stated.Prices)
	r := &Run{Name: stated.Model, Run: stated, sizes: sizes, layout: LayoutOf(d)}
	if own := d.Own(); own != nil {
		r.Suite = own.Name
	}
	return r
}

// sane returns nil for what cannot be prices: a file may have any value, and a
// gate must not take a negative price or a NaN for cheap.
func sane(p *record.Prices) *record.Prices {
	const most = 1e6
	if p == nil || !(p.Input >= 0 && p.Input <= most && p.Output >= 0 && p.Output <= most) {
		return nil
	}
	return p
}

func (b *board) check() error {
	switch {
	case len(b.unknown) > 0:
		return fmt.Errorf("%s not in dataset %s: %s; was the file made by another version of the suite?", say.Count(len(b.unknown), "case is", "cases are"), say.Quote(b.dataset.Name, 200), some(b.unknown))
	case len(b.duplicate) > 0:
		return fmt.Errorf("%s reported more than once: %s; name each shard once", say.Count(len(b.duplicate), "case is", "cases are"), some(b.duplicate))
	}
	missing := &Incomplete{Total: len(b.tests)}
	for s := range b.all() {
		if s.filled {
			continue
		}
		missing.Missing = append(missing.Missing, s.path)
		if s.skipped != "" {
			missing.Skipped++
			missing.Why = s.skipped
		}
	}
	if len(missing.Missing) > 0 {
		return missing
	}
	return nil
}

// Incomplete is the error that says which cases of a run have no verdict.
type Incomplete struct {
	// Total is the number of expected verdicts.
	Total int
	// Missing are the tests without a verdict, as category/id.
	Missing []string
	// Skipped is the number of missing tests that were skipped because the run
	// was interrupted or stopped by itself; Why says why.
	Skipped int
	Why     string

	again string // how they are asked again
}

// Stopped reports whether the run ended in an orderly way, but too early.
func (e *Incomplete) Stopped() bool { return e.Skipped == len(e.Missing) }

// Brief names the first few missing tests and, if the run was stopped, says why.
func (e *Incomplete) Brief() string {
	text := fmt.Sprintf("%d of %d cases have no verdict: %s", len(e.Missing), e.Total, some(e.Missing))
	if e.Stopped() {
		text += "; " + e.Why
	}
	return text
}

// Error also says what to do.
func (e *Incomplete) Error() string {
	if e.Stopped() {
		return e.Brief() + "; " + e.again
	}
	return e.Brief() + "; " + e.again + "; or name all shards (and choose cases with -categories and -ids, not with -run)"
}

// some lists the first few names.
func some(names []string) string { return firstOf(names, 5) }

// firstOf lists at most n names, and says how many are left.
func firstOf(names []string, n int) string {
	var out []string
	for _, name := range names[:min(n, len(names))] {
		out = append(out, say.Plain(name, 120))
	}
	text := strings.Join(out, ", ")
	if left := len(names) - n; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}

func openDataset(c *source, o Options) (*fixtures.Dataset, error) {
	name := cmp.Or(o.Dataset, c.run.DatasetPath())
	dataset, err := o.open(name, o.Data)
	if err != nil && o.Data == "" && c.run.DataDir != "" {
		if there, again := o.open(name, c.run.DataDir); again == nil {
			dataset, err = there, nil
		}
	}
	switch {
	case err != nil && score.LayoutOf(name).Name == name:
		return nil, fmt.Errorf("%s: %w", c.path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w; if the dataset has moved, name its folder with --dataset", c.path, err)
	}
	// The run may name any folder: do not read one that has none of its
	// categories.
	held, err := dataset.Categories().Select(c.categories, func(cat *eval.Category, _ bool) error { return dataset.Need(cat) })
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.path, err)
	case len(held) == 0:
		return nil, fmt.Errorf("%s: dataset %q has none of the categories %.200q", c.path, c.run.Dataset, c.categories)
	}
	digest, err := dataset.Digest()
	if err != nil {
		return nil, err
	}
	if digest != c.run.Digest {
		return nil, fmt.Errorf("%s was run on other cases: its dataset %q had digest %.12q, the one here has %.12q; score it with the version of the dataset it was run on", c.path, c.run.Dataset, c.run.Digest, digest)
	}
	return dataset, nil
}

// unite merges the selections, with each case once, in the dataset's order.
func (b *board) unite(selections []*suite.Selection) error {
	if len(selections) == 1 {
		b.parts = selections[0].Parts
		return nil
	}
	chosen := map[string]map[string]bool{}
	for _, s := range selections {
		for _, part := range s.Parts {
			if chosen[part.Category.Name] == nil {
				chosen[part.Category.Name] = map[string]bool{}
			}
			for _, c := range part.Cases {
				chosen[part.Category.Name][c.ID] = true
			}
		}
	}
	for _, cat := range b.dataset.Categories().All() {
		if len(chosen[cat.Name]) == 0 {
			continue
		}
		cases, err := b.dataset.Cases(cat)
		if err != nil {
			return err
		}
		cases = slices.DeleteFunc(cases, func(c *eval.Case) bool { return !chosen[cat.Name][c.ID] })
		b.parts = append(b.parts, suite.Part{Category: cat, Cases: cases})
	}
	return nil
}

// Sizes returns a dataset's numbers of cases per category, for score.Options:
// nil for official datasets, because the score's layout has their sizes.
func Sizes(dataset *fixtures.Dataset, name string) (map[string]int, error) {
	if score.LayoutOf(name).Name == name {
		return nil, nil
	}
	sizes := map[string]int{}
	for _, cat := range dataset.Categories().All() {
		if !dataset.Has(cat) {
			continue
		}
		size, err := dataset.Size(cat)
		if err != nil {
			return nil, err
		}
		sizes[cat.Name] = size
	}
	return sizes, nil
}

// LayoutOf returns the layout of a dataset: that of its release, or of a user's
// own suite.
func LayoutOf(dataset *fixtures.Dataset) *score.Layout {
	own := dataset.Own()
	if own == nil {
		release := dataset.Release()
		if is, err := dataset.Origin(); err == nil && is.State == eval.Commit {
			release = is.Release
		}
		return score.LayoutOf(release)
	}
	var list []score.Weighted
	for _, c := range own.Categories {
		list = append(list, score.Weighted{Category: c.Name, Weight: c.Weight})
	}
	return score.Own(list)
}
