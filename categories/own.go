package categories

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// ownGroup is the folder that answers to a user's own categories are filed
// under.
const ownGroup = "own"

// kinds are the rules that a category of a user's own can have, by language.
var kinds = []struct {
	name  string
	rules map[string]*eval.Category
}{
	{"simple", map[string]*eval.Category{"python": simplePython, "java": simpleJava, "javascript": simpleJavaScript}},
	{"multiple", map[string]*eval.Category{"python": multiple}},
	{"parallel", map[string]*eval.Category{"python": parallel}},
	{"parallel_multiple", map[string]*eval.Category{"python": parallelMultiple}},
	{"irrelevance", map[string]*eval.Category{"python": irrelevance}},
	{"relevance", map[string]*eval.Category{"python": liveRelevance}},
	{"multi_turn", map[string]*eval.Category{"python": multiTurnBase}},
}

// Kinds are the names of the rules that Own knows.
func Kinds() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
}

// Languages are those that Own knows.
func Languages() []string { return []string{"python", "java", "javascript"} }

// Own is a category of a user's own: another name for the rules of one of the
// benchmark's.
func Own(name, kind, language string) (*eval.Category, error) {
	for _, k := range kinds {
		if k.name != kind {
			continue
		}
		rule := k.rules[language]
		if rule == nil {
			return nil, fmt.Errorf("kind %s is not known in language %.40q: use python, or kind simple", kind, language)
		}
		own := *rule
		own.Name, own.Group, own.Rule = name, ownGroup, rule.Name
		own.Unscored, own.Unused = false, false
		return &own, nil
	}
	return nil, fmt.Errorf("unknown kind %.80q: use %s", kind, strings.Join(Kinds(), ", "))
}

// Taken reports whether a name is that of one of the benchmark's categories or
// groups.
func Taken(name string) bool {
	return Find(name) != nil || name == "overall" || slices.ContainsFunc(groups, func(g Group) bool { return g.Name == name })
}

// ruleOf is the benchmark's category whose rules hold.
func ruleOf(cat *eval.Category) *eval.Category {
	if cat.Rule == "" {
		return cat
	}
	return Find(cat.Rule)
}
