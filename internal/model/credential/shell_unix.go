//go:build !windows

package credential

import (
	"context"
	"os/exec"
	"syscall"
)

// shell runs a command in a process group of its own, so that one that hangs is
// ended with all that it started.
func shell(ctx context.Context, command string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
