//go:build !unix

package main

import "os/exec"

// Without process groups the console sends its Ctrl-C to the children itself.
func ownGroup(*exec.Cmd) {}

func interruptGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
