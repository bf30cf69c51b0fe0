//go:build unix

package gotest

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Terminal returns the terminal that this process belongs to, for showing
// progress; nil if there is none, or if another job uses it. Standard output
// does not do, because go test holds back what a test prints until the test has
// ended.
func Terminal() io.Writer {
	file, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	group, err := unix.IoctlGetInt(int(file.Fd()), unix.TIOCGPGRP)
	if err != nil || group != unix.Getpgrp() {
		_ = file.Close()
		return nil
	}
	return file
}
