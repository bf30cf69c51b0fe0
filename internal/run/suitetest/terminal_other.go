//go:build !unix

package suitetest

import (
	"io"
	"os"
)

// Terminal returns the console, for progress; nil if there is none. go test
// keeps what a test prints to itself until the test has ended.
func Terminal() io.Writer {
	file, err := os.OpenFile("CONOUT$", os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	return file
}
