//go:build unix

package main

import (
	"os"
	"syscall"
)

// become puts another program into the place of this one.
func become(path string, args []string) error {
	return syscall.Exec(path, append([]string{path}, args...), os.Environ())
}
