//go:build unix

package main

import (
	"os"
	"syscall"
)

// become replaces this process with another program.
func become(path string, args []string) error {
	return syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
