package judge

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TypeKind returns the Python type that a type name means in a language's
// function documents; false if the judge does not know the name.
func TypeKind(l eval.Language, name string) (pyval.Kind, bool) {
	t := dialectOf(l).named(name)
	if t == nil {
		return 0, false
	}
	return t.kind, true
}

// TypeNames returns the type names that the judge knows, sorted.
func TypeNames(l eval.Language) []string {
	var names []string
	for _, t := range dialectOf(l).types {
		names = append(names, t.name)
	}
	slices.Sort(names)
	return names
}

// Nested reports whether the judge also looks at the type of the items.
func Nested(l eval.Language, name string) bool {
	t := dialectOf(l).named(name)
	return t != nil && t.nested
}
