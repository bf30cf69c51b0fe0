package gotest

import (
	"io"
	"os"
)

// LookedVariable has, in the environment of the command's test process, what the
// command has sent to look at the server.
const LookedVariable = "BFCL_LOOKED"

// ParentVariable is set in the environment of a process whose standard input
// stays open as long as the process that started it lives.
const ParentVariable = "BFCL_ENDS_WITH_PARENT"

// EndWithParent ends this process when the process that started it is gone for
// any reason, because a run that was killed must not go on asking. Answers are
// recorded as they come, so only requests in flight are lost. EndWithParent
// does nothing if ParentVariable is not set: under go test, standard input may
// be empty from the start.
//
// Processes that this process starts do not inherit the variable.
func EndWithParent() {
	if os.Getenv(ParentVariable) == "" {
		return
	}
	_ = os.Unsetenv(ParentVariable)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(ExitInterrupted)
	}()
}
