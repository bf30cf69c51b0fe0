//go:build unix

package agent

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNothingIsLeftRunning: what an agent started ends with its conversation.
func TestNothingIsLeftRunning(t *testing.T) {
	a := open(t, "child", time.Minute)
	pid, err := strconv.Atoi(textOf(t, a, request("h", "x")))
	require.NoError(t, err)
	require.True(t, lives(pid))
	a.Release("h")
	require.Eventually(t, func() bool { return !lives(pid) }, 30*time.Second, 10*time.Millisecond)
}

// lives reports whether a process does; one that waits to be collected by its
// parent does not.
func lives(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
