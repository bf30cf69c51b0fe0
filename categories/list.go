// Package categories lists the benchmark's categories. Each is a short file:
// where its cases lie, how an answer is decoded and how it is judged.
package categories

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
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

// standard is the benchmark's own.
var standard = &Set{all, groups}

// Standard are the benchmark's categories with upstream's groups.
func Standard() *Set { return standard }

// All are the categories in upstream's order.
func All() []*eval.Category { return standard.All() }

// Groups are the groups that Select knows.
func Groups() []Group { return standard.Groups() }

// Find is the category of a name; nil where there is none.
func Find(name string) *eval.Category { return standard.Find(name) }

// Select is Set.Select of the benchmark's categories.
func Select(list string, accept Accept) ([]*eval.Category, error) {
	return standard.Select(list, accept)
}
