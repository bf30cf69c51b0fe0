package show_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/show/report"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestRunsDiffer: no two of twenty runs look the same.
func TestRunsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for i := range 20 {
		look := string(report.Mark{Name: fmt.Sprint("model-", i), Index: i}.Swatch())
		assert.False(t, seen[look], "run %d looks like another", i)
		assert.NotContains(t, look, "<title", "a legend's symbol says nothing that does not stand beside it")
		seen[look] = true
	}
}
