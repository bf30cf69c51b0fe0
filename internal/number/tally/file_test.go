package tally

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestShownFile: a report holds no path of the machine that made it.
func TestShownFile(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := filepath.Abs(".")
	assert.NoError(t, err)
	for path, want := range map[string]string{
		"fixtures/starter/a.json":                    "fixtures/starter/a.json",
		filepath.Join(here, "suite", "a.json"):       "suite/a.json",
		filepath.Join(filepath.Dir(here), "a.json"):  "a.json",
		filepath.Join(here, "..", "other", "a.json"): "a.json",
		"": "",
	} {
		assert.Equal(t, want, shownFile(path), path)
	}
}
