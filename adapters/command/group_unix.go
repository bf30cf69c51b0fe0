//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the program a process group of its own: Ctrl-C in a terminal
// then reaches only the suite, which stops the program in order, and killGroup
// also reaches what the program has started.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
