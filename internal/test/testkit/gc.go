package testkit

import (
	"os"
	"runtime/debug"
)

// Tests allocate much and keep little, and at Go's own setting a third of their
// processor time was garbage collection. They take more memory instead. Whoever
// sets GOGC is obeyed.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
