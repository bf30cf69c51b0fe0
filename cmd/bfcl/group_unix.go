//go:build unix

package main

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup keeps the terminal's Ctrl-C from a process, which would get it
// twice: what concerns it is passed on to it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func interruptGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// become puts another program into the place of this one.
func become(path string, args []string) error {
	return syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
