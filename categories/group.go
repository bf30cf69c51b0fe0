package categories

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A Group is a named set of categories, as upstream's category_mapping has it.
type Group struct {
	// Name is what -categories takes.
	Name string
	// Categories are the names of the members, in upstream's order.
	Categories []string
}

// A grouping defines a group: its name, and which categories are in it.
type grouping struct {
	name   string
	member func(*eval.Category) bool
}

// The groups of the benchmark's categories, and those of a user's own.
var (
	groupings = []grouping{
		{"all", func(c *eval.Category) bool { return !c.Unused }},
		{"all_scoring", func(c *eval.Category) bool { return !c.Unscored }},
		{"single_turn", singleTurn},
		{"non_live", filed(eval.GroupNonLive)},
		{"live", filed(eval.GroupLive)},
		{"multi_turn", func(c *eval.Category) bool { return c.Rule == eval.MultiTurn && !c.Unused }},
		{"agentic", (*eval.Category).Agentic},
		{"memory", func(c *eval.Category) bool { return c.Memory != "" }},
		{"web_search", func(c *eval.Category) bool { return c.Web }},
		{"v1", filed(eval.GroupV1)},
		{"executable", func(c *eval.Category) bool { return c.Executes }},
		{"python", func(c *eval.Category) bool { return singleTurn(c) && c.Language == eval.Python }},
		{"non_python", func(c *eval.Category) bool { return singleTurn(c) && c.Language != eval.Python }},
	}
	ownGroupings = []string{"all", "all_scoring", "single_turn", "multi_turn", "python", "non_python"}
)

// singleTurn leaves out, as upstream's group does, variations of other
// categories and retired categories.
func singleTurn(c *eval.Category) bool {
	return !c.MultiTurn() && c.Group != eval.GroupFormatSensitivity && c.Group != eval.GroupExecutable
}

func filed(group string) func(*eval.Category) bool {
	return func(c *eval.Category) bool { return c.Group == group }
}

// grouped returns the groups of the given categories; if names are given, only
// the groups with those names.
func grouped(list []*eval.Category, names ...string) []Group {
	var out []Group
	for _, g := range groupings {
		if len(names) > 0 && !slices.Contains(names, g.name) {
			continue
		}
		group := Group{Name: g.name}
		for _, c := range list {
			if g.member(c) {
				group.Categories = append(group.Categories, c.Name)
			}
		}
		out = append(out, group)
	}
	return out
}
