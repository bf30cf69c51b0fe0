// Package categories lists the benchmark's categories. Each is a short file:
// where its cases lie, how an answer is decoded and how it is judged.
package categories

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/near"
)

// all holds every category in upstream's order. A new category is one file
// and one line here.
var all = []*eval.Category{
	simplePython,
	simpleJava,
	simpleJavaScript,
	multiple,
	parallel,
	parallelMultiple,
	irrelevance,
	liveSimple,
	liveMultiple,
	liveParallel,
	liveParallelMultiple,
	liveIrrelevance,
	liveRelevance,
	multiTurnBase,
	multiTurnMissFunc,
	multiTurnMissParam,
	multiTurnLongContext,
	memoryKV,
	memoryVector,
	memoryRecSum,
	webSearchBase,
	webSearchNoSnippet,
	formatSensitivity,
	multiTurnComposite,
	v1Simple,
	v1Java,
	v1JavaScript,
	v1Multiple,
	v1Parallel,
	v1ParallelMultiple,
	v1ExecSimple,
	v1ExecMultiple,
	v1ExecParallel,
	v1ExecParallelMultiple,
	v1REST,
	v1Relevance,
	v1SQL,
	v1Chatable,
	execSimple,
	execMultiple,
	execParallel,
	execParallelMultiple,
}

// A Group is a named set of categories, as upstream's category_mapping has it.
type Group struct {
	// Name is what -categories takes.
	Name string
	// Categories are the members' names, in upstream's order.
	Categories []string
}

var groups = []Group{
	{"all", names(func(c *eval.Category) bool { return !c.Unused })},
	{"all_scoring", names(func(c *eval.Category) bool { return !c.Unscored })},
	{"single_turn", names(singleTurn)},
	{"non_live", names(func(c *eval.Category) bool { return c.Group == nonLive })},
	{"live", names(func(c *eval.Category) bool { return c.Group == live })},
	{"multi_turn", names(func(c *eval.Category) bool { return c.Group == conversation && !c.Unused })},
	{"agentic", names(isAgentic)},
	{"memory", names(func(c *eval.Category) bool { return c.Source == memories })},
	{"web_search", names(func(c *eval.Category) bool { return c.Source == searches })},
	{"v1", names(func(c *eval.Category) bool { return c.Group == firstRelease })},
	{"executable", names(func(c *eval.Category) bool { return c.Executes })},
	{"python", names(func(c *eval.Category) bool { return singleTurn(c) && !strings.Contains(c.Name, "java") })},
	{"non_python", names(func(c *eval.Category) bool { return singleTurn(c) && strings.Contains(c.Name, "java") })},
}

func singleTurn(c *eval.Category) bool {
	return c.Group == nonLive || c.Group == live || c.Group == firstRelease
}

func names(member func(*eval.Category) bool) []string {
	var out []string
	for _, c := range all {
		if member(c) {
			out = append(out, c.Name)
		}
	}
	return out
}

// All are the categories in upstream's order.
func All() []*eval.Category { return slices.Clone(all) }

// Groups are the groups that Select knows.
func Groups() []Group { return slices.Clone(groups) }

// Find is the category of a name; nil where there is none.
func Find(name string) *eval.Category {
	for _, c := range all {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Accept objects to a category, or not. named tells that the category is asked
// for by its own name, not as a member of a group.
type Accept func(c *eval.Category, named bool) error

// Select reads a comma separated list of categories and groups. Groups give
// those members that accept has no objection to; for a category named itself
// the objection is the error. The result is in the list's order, each category
// once.
func Select(list string, accept Accept) ([]*eval.Category, error) {
	chosen := map[string]bool{}
	for _, word := range strings.Split(list, ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		if err := choose(chosen, word, accept); err != nil {
			return nil, err
		}
	}
	var out []*eval.Category
	for _, c := range all {
		if chosen[c.Name] {
			out = append(out, c)
		}
	}
	return out, nil
}

func choose(chosen map[string]bool, word string, accept Accept) error {
	for _, g := range groups {
		if g.Name != word {
			continue
		}
		for _, name := range g.Categories {
			if accept(Find(name), false) == nil {
				chosen[name] = true
			}
		}
		return nil
	}
	c := Find(word)
	if c == nil {
		return fmt.Errorf("unknown category %q%s (`bfcl categories` lists them all)", word, near.Hint(word, known()))
	}
	if err := accept(c, true); err != nil {
		return err
	}
	chosen[word] = true
	return nil
}

// known are the names of categories and groups.
func known() (out []string) {
	for _, c := range all {
		out = append(out, c.Name)
	}
	for _, g := range groups {
		out = append(out, g.Name)
	}
	return out
}
