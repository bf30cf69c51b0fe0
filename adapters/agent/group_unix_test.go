//go:build unix

package agent

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestNothingIsLeftRunning: what an agent started ends with its conversation.
func TestNothingIsLeftRunning(t *testing.T) {
	a := open(t, "child", time.Minute)
	pid := testkit.Must(strconv.Atoi(textOf(t, a, request("h", "x"))))(t)
	require.True(t, testkit.Runs(pid))
	a.Release("h")
	testkit.RequireEnds(t, pid)
}
