//go:build !unix

package child

import "os/exec"

func ownProcgroup(*exec.Cmd) {}

func kill(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func interrupt(*exec.Cmd) {}
