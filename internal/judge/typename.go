package judge

import (
	"maps"
	"slices"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// TypeKind is the Python type that the name of a type stands for in a language's
// function documents; false for a name that the judge does not know.
func TypeKind(l Language, name string) (pyval.Kind, bool) {
	kind, ok := l.dialect().kinds[name]
	return kind, ok
}

// TypeNames are the names of types that the judge knows, sorted.
func TypeNames(l Language) []string { return slices.Sorted(maps.Keys(l.dialect().kinds)) }

// Nested tells that the judge looks at the type of the items, too.
func Nested(l Language, name string) bool { return slices.Contains(l.dialect().nested, name) }
