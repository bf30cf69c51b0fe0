//go:build unix

package child

import (
	"os/exec"
	"syscall"
)

// Own puts a program that is about to be started in its own group.
func Own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// Kill ends a started program and its group. If the program has already ended,
// Kill ends what it left behind.
func Kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// Interrupt sends a program and its group what Ctrl-C would. If there are no
// groups it does nothing, because there the console reaches all programs
// itself.
func Interrupt(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
