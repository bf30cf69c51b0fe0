//go:build unix

package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNothingIsLeftRunning holds that what a program started ends with it.
func TestNothingIsLeftRunning(t *testing.T) {
	a := open(t, "child", Config{})
	_, err := a.Generate(t.Context(), fc("x"))
	require.Error(t, err)
	pid, convErr := strconv.Atoi(regexp.MustCompile(`child (\d+)`).FindStringSubmatch(err.Error())[1])
	require.NoError(t, convErr)
	require.Eventually(t, func() bool { return !running(pid) }, 10*time.Second, 10*time.Millisecond)
}

// running reports whether a process lives; one that waits to be collected by
// its parent does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
