package tally_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestGoldenDataDir: a run whose data folder was given by flag is scored
// without the flag.
func TestGoldenDataDir(t *testing.T) {
	data := testkit.Shared(t, "bfcl")
	t.Setenv("BFCL_DATA", t.TempDir())
	o := suite.Options{
		Model: "oracle", Dataset: "v4", Data: data, Categories: "simple_python", IDs: "simple_python_0,simple_python_1",
		Trials: 1, RunDir: filepath.Join(t.TempDir(), "run"),
	}
	s, err := suite.Open(o)
	require.NoError(t, err)
	s.Start()
	for _, c := range s.Plan.Parts[0].Cases {
		s.Engine.Run(t.Context(), s.Plan.Parts[0].Category, c, 0)
	}
	require.NoError(t, s.Finish(false))
	read, err := tally.Read([]string{o.RunDir}, tally.Options{})
	require.NoError(t, err)
	assert.Equal(t, 2, read.Len())
	t.Logf("%d rows compared", read.Len())
}
