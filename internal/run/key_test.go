//go:build !windows

package run_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestKeyCommand: a run whose key is refused on the way goes on with the next
// one that the command prints, and no key is written anywhere.
func TestKeyCommand(t *testing.T) {
	o := options(t)
	runs := filepath.Join(t.TempDir(), "runs")
	server := testkit.ServeChat(t, func(q *testkit.Question) string {
		if q.Header.Get("Authorization") != "Bearer planted-short-lived-2" {
			return "401 {}"
		}
		return testkit.Reply("your key is planted-short-lived-2", "stop")
	})
	o.Models = filepath.Join(t.TempDir(), "models.yaml")
	require.NoError(t, os.WriteFile(o.Models, fmt.Appendf(nil, `
models:
  mine:
    adapter: openai
    id: m
    base_url: %s/v1
    key_command: echo x >>%s; echo planted-short-lived-$(wc -l <%[2]s | tr -d ' ')
`, server.URL, runs), 0o600))
	o.Model, o.Categories, o.RunDir = "mine", "simple_python", filepath.Join(o.Root, "run")
	s := open(t, o)
	for id, out := range answerAll(t, s) {
		assert.NotEqual(t, eval.Error, out.Status, "%s: %v", id, out.Err)
	}
	require.NoError(t, filepath.WalkDir(o.Root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		assert.NotContains(t, string(data), "planted-short-lived", path)
		return err
	}))

	require.NoError(t, os.WriteFile(o.Models, []byte(`{models: {mine: {adapter: openai, id: m, base_url: "http://localhost:1/v1", key_command: "echo log in first >&2; exit 7"}}}`), 0o600))
	o.RunDir = filepath.Join(o.Root, "other")
	assert.ErrorContains(t, testkit.Err(suite.Open(o)), `it failed with exit status 7: "log in first"`)
}
