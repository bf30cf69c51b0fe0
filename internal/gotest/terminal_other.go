//go:build !unix

package gotest

import (
	"io"
	"os"
)

// Terminal returns the console, for showing progress; nil if there is none.
// Standard output does not do, because go test holds back what a test prints
// until the test has ended.
func Terminal() io.Writer {
	file, err := os.OpenFile("CONOUT$", os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	return file
}
