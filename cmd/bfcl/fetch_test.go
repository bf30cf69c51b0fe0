package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// upstreamArchive is an archive of the first release's commit.
func upstreamArchive(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	dir := testkit.Shared(t, "bfcl", "v1")
	for _, file := range fixtures.Pinned("v1").Files {
		text, err := os.ReadFile(filepath.Join(dir, file.Path))
		require.NoError(t, err)
		place := "gorilla-x/berkeley-function-call-leaderboard/" + file.Path
		if file.Path == "LICENSE" {
			place = "gorilla-x/LICENSE"
		}
		require.NoError(t, archive.WriteHeader(&tar.Header{Name: place, Size: int64(len(text)), Mode: 0o644}))
		_, err = archive.Write(text)
		require.NoError(t, err)
	}
	require.NoError(t, archive.Close())
	require.NoError(t, zipped.Close())
	return out.Bytes()
}

// TestGoldenRunFetchesFirst: a run of an official dataset that is not there says that
// it is fetched, fetches it once, and bears its digest.
func TestGoldenRunFetchesFirst(t *testing.T) {
	archive, asked := upstreamArchive(t), []string{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		_, _ = w.Write(archive)
	}))
	defer server.Close()
	data := t.TempDir()
	t.Setenv("BFCL_MIRROR", server.URL)
	t.Setenv("BFCL_DATA", data)
	folder := filepath.Join(t.TempDir(), "run")
	run := func(more ...string) ran {
		folder += "s"
		got := bfcl(t, append([]string{"run", "-dataset=v1", "-model=oracle", "-categories=simple", "-run-dir=" + folder, "-json"}, more...)...)
		require.Equalf(t, exitOK, got.code, "%s", got.errs)
		return got
	}
	got := run()
	assert.Equal(t, []string{"/ShishirPatil/gorilla/tar.gz/" + fixtures.Pinned("v1").Commit}, asked)
	assert.Contains(t, got.errs, "bfcl: dataset v1 is not in "+data+": fetching it first")
	assert.Contains(t, got.errs, "v1 is installed: 2000 cases in 27 files")
	d, err := fixtures.Open("v1", data)
	require.NoError(t, err)
	digest, err := d.Digest()
	require.NoError(t, err)
	assert.Contains(t, got.out, digest)
	got = run()
	assert.Len(t, asked, 1, "what is there is not fetched again")
	assert.NotContains(t, got.errs, "fetching it first")

	t.Setenv("BFCL_DATA", t.TempDir())
	gate := filepath.Join(t.TempDir(), "gate.yaml")
	require.NoError(t, os.WriteFile(gate, []byte("partial: true\nmin_cases: 1\nregressions: {overall: {detect: 99}}\n"), 0o644))
	got = run("-gate="+gate, "-baseline="+folder)
	assert.Len(t, asked, 2, "a baseline of the same data is read after they are there")
	assert.Contains(t, got.errs, "fetching it first")
}
