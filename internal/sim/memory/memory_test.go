package memory_test

import (
	"maps"
	"slices"
	"sort"

	"github.com/gobfcl/bfcl/internal/pyval"
)

func sortedKeys(d *pyval.Dict) []string {
	var out []string
	for key := range d.All() {
		out = append(out, pyval.Text(key))
	}
	sort.Strings(out)
	return out
}

func sortedNames(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }
