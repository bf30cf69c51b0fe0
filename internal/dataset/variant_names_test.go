package dataset_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var newRenamings = flag.Bool("renamings", false, "write testdata/renamings.txt")

// renamed returns the names of a tool's parameters and of the tool with what the
// variant names makes of them, if that is other words.
func renamed(t *testing.T, plain, varied *pyval.Dict) (out []string) {
	add := func(from, to string) {
		if from != to && !strings.HasSuffix(strings.ToLower(to), strings.ToLower(from)) { // not only a word before it
			out = append(out, from+" "+to)
		}
	}
	name := func(d *pyval.Dict) string { v, _ := d.GetStr("name"); return pyval.Text(v) }
	add(name(plain), name(varied))
	from, to := plain.Child("parameters").Child("properties"), varied.Child("parameters").Child("properties")
	if from == nil {
		return out
	}
	require.Equal(t, from.Len(), to.Len())
	for i := range from.Len() {
		key, _ := from.At(i)
		other, _ := to.At(i)
		add(pyval.Text(key), pyval.Text(other))
	}
	return out
}

// TestGoldenRenamings: every renaming of the official data with seed 1, as a table
// to be read: a change of the synonyms shows what it does.
func TestGoldenRenamings(t *testing.T) {
	testkit.Extra(t, "renames every official case")
	d, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	set := setOf(t, d, "none,names")
	table := map[string]bool{}
	for _, cat := range d.Categories().All() {
		if cat.Rule == eval.Varied || !d.Has(cat) {
			continue
		}
		cases, err := d.Cases(cat)
		require.NoError(t, err)
		_, varied, _, err := set.Vary(set.Specs[0], cat, cases)
		require.NoError(t, err)
		for _, c := range varied {
			posed := c.Posed()
			for i, doc := range c.Variation.Original.Tools {
				for _, line := range renamed(t, doc, posed.Tools[i]) {
					table[line] = true
				}
			}
		}
	}
	var lines []string
	for line := range table {
		lines = append(lines, line)
	}
	slices.Sort(lines)
	text := strings.Join(lines, "\n") + "\n"
	if *newRenamings {
		require.NoError(t, os.WriteFile("testdata/renamings.txt", []byte(text), 0o600))
	}
	t.Logf("%d renamings compared with the table", len(lines))
	want, err := os.ReadFile("testdata/renamings.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), text, fmt.Sprintf("%d renamings; -renamings writes the table", len(lines)))
}
