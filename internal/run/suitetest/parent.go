package suitetest

import (
	"io"
	"os"
)

// ParentVariable says that the standard input of a process stays open as long
// as the process that started it lives.
const ParentVariable = "BFCL_ENDS_WITH_PARENT"

// interrupted is the exit code of a run that was ended from outside.
const interrupted = 130

// EndWithParent ends this process once the one that started it is gone, however
// that happened: a run that was killed must not keep asking. Answers are
// recorded as they come, so that only what is in flight is lost. It does
// nothing if ParentVariable is not set: under go test standard input may be
// empty from the beginning.
//
// Processes that this one starts do not inherit the variable.
func EndWithParent() {
	if os.Getenv(ParentVariable) == "" {
		return
	}
	_ = os.Unsetenv(ParentVariable)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(interrupted)
	}()
}
