//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

func ownProcgroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func kill(cmd *exec.Cmd) { send(cmd, syscall.SIGKILL) }

func interrupt(cmd *exec.Cmd) { send(cmd, syscall.SIGINT) }

// send signals the group of which the program is, or was, the leader.
func send(cmd *exec.Cmd, s syscall.Signal) { _ = syscall.Kill(-cmd.Process.Pid, s) }
