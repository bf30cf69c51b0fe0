// Command bfcl runs the Berkeley Function-Calling Leaderboard's suite as a Go
// test and makes scores and reports from the results.
package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"

	_ "github.com/gobfcl/bfcl/full" // everything that a model can be asked

	"github.com/gobfcl/bfcl/internal/run/process"
)

const (
	// gcPercent lets the heap of a short-lived command grow further between
	// collections than Go's default of 100.
	gcPercent = 300
	// firstHeap is how large the heap may become before the first collection:
	// most commands end before that, and keep what they read until then anyway.
	firstHeap = 96 << 20
)

func main() {
	if run := process.Part(os.Args); run != nil {
		run(os.Args[2:])
		return
	}
	tuneGC()
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// tuneGC delays the first collection until the heap has reached firstHeap; from
// then on gcPercent applies. Go's own environment variables override it.
func tuneGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstHeap)
	runtime.AddCleanup(new(*byte), func(int) { // runs at the first collection
		debug.SetGCPercent(gcPercent)
		debug.SetMemoryLimit(math.MaxInt64)
	}, 0)
}
