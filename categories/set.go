package categories

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Set holds the categories that a dataset can have, in the order in which
// they are shown, and their groups.
type Set struct {
	list   []*eval.Category
	groups []Group
}

// NewSet returns a set of the user's own categories, with the groups that apply
// to them.
func NewSet(own []*eval.Category) *Set {
	return &Set{slices.Clone(own), grouped(own, ownGroupings...)}
}

// standard is the benchmark's set.
var standard = &Set{all, grouped(all)}

// Standard returns the benchmark's categories with upstream's groups.
func Standard() *Set { return standard }

// All returns the categories in upstream's order.
func All() []*eval.Category { return standard.All() }

// Find returns the benchmark's category with a name; nil if there is none.
func Find(name string) *eval.Category { return standard.Find(name) }

// All returns the categories in the set's order.
func (s *Set) All() []*eval.Category { return slices.Clone(s.list) }

// Groups returns the groups of the set's categories.
func (s *Set) Groups() []Group { return slices.Clone(s.groups) }

// Find returns the category with a name; nil if there is none.
func (s *Set) Find(name string) *eval.Category {
	for _, c := range s.list {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Accept returns an objection to a category, or nil. named reports whether the
// category is asked for by its own name, not as a member of a group.
type Accept func(c *eval.Category, named bool) error

// Select reads a comma-separated list of categories and groups. Of a group it
// takes the members that accept has no objection to; for a category asked for
// by its own name, the objection is the error. The result is in the set's
// order, with each category once.
func (s *Set) Select(list string, accept Accept) ([]*eval.Category, error) {
	chosen := map[string]bool{}
	for _, word := range strings.Split(list, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		if err := s.choose(chosen, word, accept); err != nil {
			return nil, err
		}
	}
	var out []*eval.Category
	for _, c := range s.list {
		if chosen[c.Name] {
			out = append(out, c)
		}
	}
	return out, nil
}

func (s *Set) choose(chosen map[string]bool, word string, accept Accept) error {
	for _, g := range s.groups {
		if g.Name != word {
			continue
		}
		for _, name := range g.Categories {
			if accept(s.Find(name), false) == nil {
				chosen[name] = true
			}
		}
		return nil
	}
	c := s.Find(word)
	if c == nil {
		return fmt.Errorf("unknown category %q%s (`bfcl models --categories` lists them all)", word, say.Hint(word, s.names()))
	}
	if err := accept(c, true); err != nil {
		return err
	}
	chosen[word] = true
	return nil
}

// names returns the names of the categories and groups.
func (s *Set) names() (out []string) {
	for _, c := range s.list {
		out = append(out, c.Name)
	}
	for _, g := range s.groups {
		out = append(out, g.Name)
	}
	return out
}
