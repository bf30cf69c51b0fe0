package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
)

// upstreamArchive is an archive of a commit with one case of the first release.
func upstreamArchive(t *testing.T) []byte {
	t.Helper()
	const below = "gorilla-x/berkeley-function-call-leaderboard/data/"
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, file := range []struct{ name, text string }{
		{"gorilla-x/LICENSE", "a licence"},
		{below + "gorilla_openfunctions_v1_test_simple.json", `{"id": "simple_0", "question": "Ring the bell.", "function": {"name": "ring", "description": "Rings.", "parameters": {"type": "dict", "properties": {"times": {"type": "integer"}}, "required": ["times"]}}}`},
		{below + "possible_answer/gorilla_openfunctions_v1_test_simple.json", `{"id": "simple_0", "ground_truth": {"ring": {"times": [1]}}}`},
	} {
		require.NoError(t, archive.WriteHeader(&tar.Header{Name: file.name, Size: int64(len(file.text)), Mode: 0o644}))
		_, err := archive.Write([]byte(file.text))
		require.NoError(t, err)
	}
	require.NoError(t, archive.Close())
	require.NoError(t, zipped.Close())
	return out.Bytes()
}

// TestRunFetchesFirst: a run of an official dataset that is not there says that
// it is fetched, fetches it once, and bears its digest.
func TestRunFetchesFirst(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
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
	run := func(more ...string) (out, errs bytes.Buffer) {
		folder += "s"
		code := Main(append([]string{"run", "-dataset=" + commit, "-model=oracle", "-categories=simple", "-run-dir=" + folder, "-json"}, more...),
			strings.NewReader(""), &out, &errs)
		require.Equalf(t, exitOK, code, "%s", errs.String())
		return out, errs
	}
	out, errs := run()
	assert.Equal(t, []string{"/ShishirPatil/gorilla/tar.gz/" + commit}, asked)
	assert.Contains(t, errs.String(), "bfcl: dataset "+commit+" is not in "+data+": fetching it first")
	assert.Contains(t, errs.String(), "is installed: 1 case in 4 files")
	d, err := fixtures.Open(commit, data)
	require.NoError(t, err)
	digest, err := d.Digest()
	require.NoError(t, err)
	assert.Contains(t, out.String(), digest)
	_, errs = run()
	assert.Len(t, asked, 1, "what is there is not fetched again")
	assert.NotContains(t, errs.String(), "fetching it first")

	t.Setenv("BFCL_DATA", t.TempDir())
	gate := filepath.Join(t.TempDir(), "gate.yaml")
	require.NoError(t, os.WriteFile(gate, []byte("partial: true\nmin_cases: 1\nregressions: {overall: {points: 99}}\n"), 0o644))
	_, errs = run("-gate="+gate, "-baseline="+folder)
	assert.Len(t, asked, 2, "a baseline of the same data is read after they are there")
	assert.Contains(t, errs.String(), "fetching it first")
}
