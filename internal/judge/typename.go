package judge

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TypeKind returns the Python type that the name of a type stands for in a
// language's function documents; false for a name that the judge does not know.
func TypeKind(l eval.Language, name string) (pyval.Kind, bool) {
	t := dialectOf(l).named(name)
	if t == nil {
		return 0, false
	}
	return t.kind, true
}

// TypeNames returns the names of types that the judge knows, sorted.
func TypeNames(l eval.Language) []string {
	var names []string
	for _, t := range dialectOf(l).types {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}

// Nested reports whether the judge looks at the type of the items, too.
func Nested(l eval.Language, name string) bool {
	t := dialectOf(l).named(name)
	return t != nil && t.nested
}
