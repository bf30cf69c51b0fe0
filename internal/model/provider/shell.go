package provider

import (
	"context"
	"os/exec"
	"runtime"

	"github.com/gobfcl/bfcl/internal/child"
)

// shell runs a command in a process group of its own, so that a command that
// hangs can be killed with everything it started.
func shell(ctx context.Context, command string) *exec.Cmd {
	words := []string{"/bin/sh", "-c"}
	if runtime.GOOS == "windows" {
		words = []string{"cmd", "/C"}
	}
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], command)...)
	child.Own(cmd)
	cmd.Cancel = func() error { child.Kill(cmd); return nil }
	return cmd
}
