package testkit

import (
	"os"
	"runtime/debug"
)

// Tests allocate much and keep little. With Go's default a third of their
// processor time was garbage collection; they use more memory instead. A GOGC
// in the environment is respected.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
