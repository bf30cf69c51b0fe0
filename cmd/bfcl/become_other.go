//go:build !unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
)

// become runs another program; this one only waits for it and returns its exit
// code.
func become(path string, args []string) error {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var ended *exec.ExitError
	if err == nil || errors.As(err, &ended) {
		return exit(cmd.ProcessState.ExitCode())
	}
	return err
}
