package curate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/dataset/variant"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenErrata computes the evidence from the official data, compares the
// list with it, and proves every entry.
func TestGoldenErrata(t *testing.T) {
	for _, name := range fixtures.Officials() {
		d, err := fixtures.Open(name, testkit.Shared(t, "bfcl"))
		require.NoError(t, err)
		digest, err := d.Digest()
		require.NoError(t, err)
		list, err := errata.For(digest)
		require.NoError(t, err)
		require.NotNil(t, list, "no list of %s", name)
		assert.Equal(t, name, list.Dataset)
		found, cases, err := errata.Find(d)
		require.NoError(t, err)
		assert.Empty(t, list.Against(found))
		counts := map[string]int{}
		for _, f := range found {
			counts[f.Detector]++
		}
		proved, err := list.Prove(d)
		require.NoError(t, err)
		assert.Empty(t, proved.Faults)
		t.Logf("%s: %d cases looked at, findings %v; %d entries, %d quotations, %d amended", name, cases, counts, proved.Entries, proved.Quoted, proved.Amended)
		assert.NotEmpty(t, list.Against(nil))
	}
}

// TestGoldenDistractors: no tool that the variant adds to a case in which no call is
// right may answer its question, as the detector of such tools sees it.
func TestGoldenDistractors(t *testing.T) {
	d, err := fixtures.Open("v4", testkit.Shared(t, "bfcl"))
	require.NoError(t, err)
	specs, err := variant.Parse("none,distractors:8")
	require.NoError(t, err)
	set, err := variant.New(specs, 1, variant.Source{Tools: d.Tools})
	require.NoError(t, err)
	detectors := errata.Detectors()
	answerable := detectors[len(detectors)-1]
	require.Equal(t, "answerable", answerable.Name)
	seen := 0
	for _, name := range []string{"irrelevance", "live_irrelevance"} {
		cat := d.Categories().Find(name)
		cases, err := d.Cases(cat)
		require.NoError(t, err)
		_, varied, _, err := set.Vary(set.Specs[0], cat, cases)
		require.NoError(t, err)
		for _, c := range varied {
			seen++
			own := c.Plain()
			for _, found := range answerable.Look(cat, c.Posed()) {
				assert.Contains(t, own.ToolNames(), found, c.ID+": "+own.Question())
			}
		}
	}
	t.Logf("%d cases in which no call is right looked at, with eight added tools each", seen)
	assert.Greater(t, seen, 1000)
}
