//go:build unix

package toolserver

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the program a process group of its own, so that killGroup
// reaches what it has started, too.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
