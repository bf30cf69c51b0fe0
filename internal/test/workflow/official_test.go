package workflow_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// upstream serves one archive with so many questions of the same category,
// whichever commit is asked for, and notes which were.
func upstream(t *testing.T, questions int) http.Handler {
	t.Helper()
	var rows strings.Builder
	for i := range questions {
		fmt.Fprintf(&rows, `{"id": "irrelevance_%d", "question": [[{"role": "user", "content": "question %[1]d"}]], "function": [{"name": "f", "description": "", "parameters": {"type": "dict", "properties": {}, "required": []}}]}`+"\n", i)
	}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, file := range [][2]string{{"LICENSE", "a licence"}, {"berkeley-function-call-leaderboard/data/BFCL_v3_irrelevance.json", rows.String()}} {
		require.NoError(t, archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "gorilla-hash/" + file[0], Size: int64(len(file[1])), Mode: 0o644}))
		_, err := archive.Write([]byte(file[1]))
		require.NoError(t, err)
	}
	require.NoError(t, archive.Close())
	require.NoError(t, zipped.Close())
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(out.Bytes()) })
}

// officialData: what a job fetched is there for the next one, however it ended, and
// whatever other data were kept before.
func (c *course) officialData(t *testing.T) {
	c.repository["gate.yaml"] += "# of other data from now on\n"
	c.data = upstream(t, cases)
	fetched := func(letter string) int {
		return strings.Count(strings.Join(c.fetched, " "), strings.Repeat(letter, 40))
	}
	for i, letter := range []string{"a", "b"} {
		c.settings("m-2026", "irrelevance -dataset="+strings.Repeat(letter, 40))
		c.after = 5
		o := c.run(c.push())
		assert.Equal(t, 130, o.code, o.text())
		assert.Equal(t, 1, fetched(letter), o.text())
		o = c.again(o)
		assert.Equal(t, 0, o.code, o.text())
		assert.Equal(t, 1, fetched(letter), "the job that was cancelled had fetched the data")
		assert.Equal(t, cases, c.measured(t))
		o = c.run(c.pull(17 + i))
		assert.Equal(t, 0, o.code, o.text())
		assert.Equal(t, 1, fetched(letter), "a pull request takes main's")
		assert.Equal(t, cases, c.measured(t))
	}
	c.settings("m-2026", "irrelevance -dataset="+strings.Repeat("a", 40))
	assert.Equal(t, 0, c.run(c.push()).code)
	assert.Equal(t, 1, fetched("a"), "and what was kept before")
	c.measured(t)
}
