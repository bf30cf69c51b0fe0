//go:build unix

package testkit

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

// Runs reports whether a process is running. One that only waits for its parent
// to collect it is not.
func Runs(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

// RequireEnds waits until a process has ended.
func RequireEnds(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return !Runs(pid) }, 5*time.Minute, 5*time.Millisecond, "process %d is still running", pid)
}
