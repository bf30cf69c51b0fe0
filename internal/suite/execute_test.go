package suite_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/suite"
)

// TestExecutable: the oracle's calls are carried out with the recorded answers
// of the starter suite.
func TestExecutable(t *testing.T) {
	o := options(t)
	o.Model, o.Categories = "oracle", "executable"
	s, err := suite.Open(o)
	require.NoError(t, err)
	s.Start()
	defer func() { _ = s.Finish(false) }()
	assert.Len(t, s.Parts, 5)
	for _, part := range s.Parts {
		for _, c := range part.Cases {
			out := s.Answer(t.Context(), part.Category, c, 0)
			assert.True(t, out.Passed(), "%s: %s", c.ID, out.ErrorType)
		}
	}
}

// TestMissingKeys: live, a category whose keys are not set is left out with a
// note, and refused where it is asked for by name.
func TestMissingKeys(t *testing.T) {
	o := options(t)
	o.Categories, o.Exec = "executable,multiple", "live"
	s, err := suite.Open(o)
	require.NoError(t, err)
	defer func() { _ = s.Close() }()
	assert.Equal(t, []string{"multiple"}, s.Names())
	assert.Contains(t, strings.Join(s.Notes, "\n"), `category "rest" is skipped: `)
	o.Categories = "rest"
	_, err = suite.Open(o)
	assert.ErrorContains(t, err, "asks APIs that want keys: set ")
	o.Exec = "never"
	_, err = suite.Open(o)
	assert.ErrorContains(t, err, "-exec is replay, live or record")
}
