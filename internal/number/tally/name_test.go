package tally

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTestName: an id is written as package testing writes the name of the
// case's subtest.
func TestTestName(t *testing.T) {
	for _, id := range []string{"simple_python_0", "a b\tc", "bell\a", "\u202eback", "é\u00a0ü", "broken \xff", "日本"} {
		t.Run(id, func(t *testing.T) {
			assert.Equal(t, strings.TrimPrefix(t.Name(), "TestTestName/"), testName(id), "%q", id)
		})
	}
}
