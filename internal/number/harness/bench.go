package harness

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/near"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// mostDatasets is how many datasets a Bench opens: it may serve for days.
const mostDatasets = 16

// A Bench finds cases. It opens a dataset when it is first named and keeps it
// open. It is safe for concurrent use.
type Bench struct {
	// Data is the folder that holds v4/ and v1/; see fixtures.DataDir.
	Data string
	// Replay are files of recorded API answers, as for -api-replay; "" for the
	// dataset's own.
	Replay string

	mu   sync.Mutex
	sets map[string]func() (*set, error)
}

// A set is an open dataset.
type set struct {
	name     string
	posed    map[string][]posed // by id, and by category/id
	ids      []string
	errata   *errata.List // nil if there is none
	executor eval.Executor
}

// A posed is a case with its category.
type posed struct {
	category *eval.Category
	c        *eval.Case
}

// open returns a dataset.
func (b *Bench) open(name string) (*set, error) {
	b.mu.Lock()
	if b.sets == nil {
		b.sets = map[string]func() (*set, error){}
	}
	if b.sets[name] == nil && len(b.sets) < mostDatasets {
		b.sets[name] = sync.OnceValues(func() (*set, error) { return load(name, b.Data, b.Replay) })
	}
	open := b.sets[name]
	b.mu.Unlock()
	if open == nil {
		return nil, fmt.Errorf("%d datasets are open, and no more are opened: start another process for %.200q", mostDatasets, name)
	}
	return open()
}

func load(name, data, replay string) (*set, error) {
	d, err := fixtures.Open(name, data)
	if err != nil {
		return nil, err
	}
	all, err := selectAll(d, nil)
	if err != nil {
		return nil, err
	}
	s := index(all)
	digest, err := d.Digest()
	if err != nil {
		return nil, err
	}
	if s.errata, err = errata.For(digest); err != nil {
		return nil, err
	}
	s.executor, err = execution.ForRun(context.Background(), d, map[string]string{execution.ReplayParameter: replay})
	return s, err
}

func index(all *suite.Selection) *set {
	s := &set{name: all.Dataset.Name, posed: map[string][]posed{}}
	for _, part := range all.Parts {
		for _, c := range part.Cases {
			one := posed{part.Category, c}
			s.posed[c.ID] = append(s.posed[c.ID], one)
			s.posed[part.Category.Name+"/"+c.ID] = []posed{one}
			s.ids = append(s.ids, c.ID)
		}
	}
	return s
}

// find returns the case with an id, or with a category/id if the id alone is
// not unique.
func (s *set) find(name string) (posed, error) {
	name = strings.TrimPrefix(name, "TestBFCL/")
	found := s.posed[name]
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		var full []string
		for _, one := range found {
			full = append(full, one.category.Name+"/"+name)
		}
		return posed{}, misuse.Errorf("the id is in several categories: use %s", strings.Join(full, " or "))
	}
	if _, put := variant.Cut(name); put != "" {
		return posed{}, misuse.Errorf("%.200q is a variant, which only the run that made it can judge", name)
	}
	return posed{}, misuse.Errorf("there is no case %.200q in the available categories of dataset %q%s", name, s.name, near.Hint(name, s.ids))
}

// selectAll selects the cases of categories; nil are all that the dataset has.
func selectAll(d *fixtures.Dataset, names []string) (*suite.Selection, error) {
	if names == nil {
		for _, cat := range d.Categories().All() {
			if d.Has(cat) {
				names = append(names, cat.Name)
			}
		}
	}
	return suite.Select(d, strings.Join(names, ","), "")
}

// FindCase returns the case of these categories with an id, or with a
// category/id if the id alone is not unique. No categories are all.
func FindCase(d *fixtures.Dataset, names []string, name string) (*eval.Category, *eval.Case, error) {
	all, err := selectAll(d, names)
	if err != nil {
		return nil, nil, err
	}
	one, err := index(all).find(name)
	return one.category, one.c, err
}
