package curate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenErrata proves every entry from the official data.
func TestGoldenErrata(t *testing.T) {
	for _, name := range []string{"v4", "v1"} {
		d, err := fixtures.Open(name, testkit.Shared(t, "bfcl"))
		require.NoError(t, err)
		digest, err := d.Digest()
		require.NoError(t, err)
		list, err := errata.For(digest)
		require.NoError(t, err)
		require.NotNil(t, list, "no list of %s", name)
		assert.Equal(t, name, list.Dataset)
		proved, err := prove(list, d)
		require.NoError(t, err)
		assert.Empty(t, proved.faults)
		t.Logf("%s: %d entries, %d quotations, %d amended", name, proved.entries, proved.quoted, proved.amended)
	}
}
