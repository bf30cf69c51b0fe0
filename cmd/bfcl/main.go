// Command bfcl runs the Berkeley Function-Calling Leaderboard's suite as a Go
// test and turns what the run leaves behind into scores and reports.
package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// gcPercent lets the heap of a short-lived command grow further between
	// collections than Go's default of 100.
	gcPercent = 300
	// firstHeap is what the heap may take before anything is collected: most
	// commands end before that, and what they read stays until then.
	firstHeap = 96 << 20
)

func main() {
	if run := part(os.Args); run != nil {
		run(os.Args[2:])
		return
	}
	tuneGC()
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// tuneGC puts the first collection off until the heap has reached firstHeap;
// from then on gcPercent counts. Go's own variables overrule it.
func tuneGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstHeap)
	runtime.AddCleanup(new(*byte), func(int) { // with the first collection
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, 0)
}
