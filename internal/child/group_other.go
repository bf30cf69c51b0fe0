//go:build !unix

package child

import "os/exec"

// Own, Kill and Interrupt do here what they can without groups.
func Own(*exec.Cmd) {}

func Kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func Interrupt(*exec.Cmd) {}
