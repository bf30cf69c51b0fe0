package workflow_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// officialData: what a job fetched is there for the next one, however it ended, and
// whatever other data were kept before. The starter's questions stand in for what a
// job fetches, since the command takes no other data for a release's.
func (c *course) officialData(t *testing.T) {
	c.repository["gate.yaml"] += "# of other data from now on\n"
	questions := testkit.Must(os.ReadFile(filepath.Join(testkit.ModuleRoot(t), "fixtures", "starter", "BFCL_v4_irrelevance.json")))(t)
	name, fetched := "", map[string]int{}
	c.others = map[string]func(*runner, string, map[string]string) error{"actions/cache/restore": func(r *runner, id string, with map[string]string) error {
		if err := restore(r, id, with); err != nil || with["path"] != "~/.cache/bfcl" {
			return err
		}
		folder := filepath.Join(r.place(with["path"]), name)
		if _, err := os.Stat(folder); err == nil {
			return nil
		}
		fetched[name]++
		require.NoError(t, os.MkdirAll(folder, 0o755))
		return os.WriteFile(filepath.Join(folder, "BFCL_v4_irrelevance.json"), questions, 0o644)
	}}
	defer func() { c.others = nil }()
	for i, release := range []string{"v4", "v3"} {
		name = release
		c.settings("m-2026", "irrelevance -dataset="+name)
		c.after = 5
		o := c.run(c.push())
		assert.Equal(t, 130, o.code, o.text())
		assert.Equal(t, 1, fetched[name], o.text())
		o = c.again(o)
		assert.Equal(t, 0, o.code, o.text())
		assert.Equal(t, 1, fetched[name], "the job that was cancelled had fetched the data")
		assert.Equal(t, cases, c.measured(t))
		o = c.run(c.pull(17 + i))
		assert.Equal(t, 0, o.code, o.text())
		assert.Equal(t, 1, fetched[name], "a pull request takes main's")
		assert.Equal(t, cases, c.measured(t))
	}
	name = "v4"
	c.settings("m-2026", "irrelevance -dataset="+name)
	assert.Equal(t, 0, c.run(c.push()).code)
	assert.Equal(t, 1, fetched[name], "and what was kept before")
	c.measured(t)
}
