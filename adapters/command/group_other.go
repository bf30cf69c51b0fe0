//go:build !unix

package command

import "os/exec"

// Without process groups only the program itself is stopped; what it started
// ends when its standard input does.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
