// Command bfcl runs the Berkeley Function-Calling Leaderboard's suite under
// go test and turns what the run leaves behind into scores and reports.
package main

import (
	"os"
	"runtime/debug"
)

// gcPercent lets the heap of a short-lived command grow further between
// collections than Go's default of 100.
const gcPercent = 300

func main() {
	if len(os.Args) > 1 && os.Args[1] == ownSuite {
		testOwnSuite(os.Args[2:])
		return
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
