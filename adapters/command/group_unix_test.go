//go:build unix

package command

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestNothingIsLeftRunning holds that what a program started ends with it.
func TestNothingIsLeftRunning(t *testing.T) {
	a := open(t, "child", Config{})
	_, err := a.Generate(t.Context(), fc("x"))
	require.Error(t, err)
	pid, convErr := strconv.Atoi(regexp.MustCompile(`child (\d+)`).FindStringSubmatch(err.Error())[1])
	require.NoError(t, convErr)
	testkit.RequireEnds(t, pid)
}
