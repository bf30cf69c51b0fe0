package curate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/curate/fetch"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestHistory installs each release out of a clone of upstream's repository,
// $BFCL_UPSTREAM, whose digest is then the pinned one, and proves its errata.
func TestHistory(t *testing.T) {
	clone := os.Getenv("BFCL_UPSTREAM")
	if clone == "" {
		t.Skip("BFCL_UPSTREAM is not set: it names a clone of upstream's repository")
	}
	data := t.TempDir()
	for _, name := range fixtures.Officials() {
		pin := fixtures.Pinned(name)
		archive := filepath.Join(t.TempDir(), "upstream.tar.gz")
		made := exec.CommandContext(t.Context(), "git", "-C", clone, "archive", "--format=tar.gz", "--prefix=gorilla/", "-o", archive, pin.Commit, "berkeley-function-call-leaderboard", "LICENSE")
		require.NoError(t, made.Run(), pin.Commit)
		done, err := fetch.Run(t.Context(), fetch.Options{Dataset: name, Data: data, From: archive})
		require.NoError(t, err, name)
		assert.Equal(t, pin.Digest, done.Digest)
		d, err := fixtures.Open(name, data)
		require.NoError(t, err)
		list, err := errata.For(done.Digest)
		require.NoError(t, err)
		proved, err := prove(list, d)
		require.NoError(t, err)
		assert.Empty(t, proved.faults, name)
	}
}
