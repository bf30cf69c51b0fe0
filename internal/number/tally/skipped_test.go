package tally

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestReadSkipped: a JUnit file is not to be trusted.
func TestReadSkipped(t *testing.T) {
	for text, want := range map[string]map[string][]string{
		"":                            nil,
		"rest A_KEY B_KEY;sql C":      {"rest": {"A_KEY", "B_KEY"}, "sql": {"C"}},
		"rest":                        nil,
		"nothing KEY":                 nil,
		"rest sk-live-123":            nil,
		"rest KEY\x1b[31m;chatable X": {"chatable": {"X"}},
	} {
		assert.Equal(t, want, readSkipped(text), text)
	}
}
