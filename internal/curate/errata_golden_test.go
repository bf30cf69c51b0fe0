package curate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenErrata computes the evidence from the official data and compares
// the list with it.
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
		t.Logf("%s: %d cases looked at, %d findings, %d errata, %d left out of adjusted scores", name, cases, len(found), len(list.Items), len(list.Excluded()))
		assert.NotEmpty(t, list.Against(found[1:]))
	}
}
