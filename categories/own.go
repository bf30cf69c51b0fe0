package categories

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
)

// kinds are the rules that a category of the user's own can have.
var kinds = []eval.Rule{
	eval.Simple, eval.Multiple, eval.Parallel, eval.ParallelMultiple, eval.Irrelevance, eval.Relevance, eval.MultiTurn,
}

// Kinds returns the names of the rules that Own knows.
func Kinds() []string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = string(k)
	}
	return out
}

// Languages returns the names of the languages that Own knows.
func Languages() []string {
	var out []string
	for _, l := range eval.Languages() {
		out = append(out, l.Key())
	}
	return out
}

// Own returns a category of the user's own, judged by one of the benchmark's
// rules.
func Own(name, kind, language string) (*eval.Category, error) {
	cat := eval.Category{Name: name, Group: eval.GroupOwn, Rule: eval.Rule(kind)}
	if !slices.Contains(kinds, cat.Rule) {
		return nil, fmt.Errorf("unknown kind %.80q: use %s", kind, strings.Join(Kinds(), ", "))
	}
	var ok bool
	if cat.Language, ok = eval.ParseLanguage(language); !ok {
		return nil, fmt.Errorf("unknown language %.40q: use %s", language, strings.Join(Languages(), ", "))
	}
	if cat.MultiTurn() && cat.Language != eval.Python {
		return nil, fmt.Errorf("kind %s must have language python", kind)
	}
	return complete(cat), nil
}

// Taken reports whether a name is used by one of the benchmark's categories or
// groups, or has a meaning in the names of result files.
func Taken(name string) bool {
	return Find(name) != nil || name == "overall" || eval.IsBefore(name) ||
		slices.ContainsFunc(groupings, func(g grouping) bool { return g.name == name })
}
