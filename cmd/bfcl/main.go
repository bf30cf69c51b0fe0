// Command bfcl runs the Berkeley Function-Calling Leaderboard's suite as a Go
// test and makes scores and reports from the results.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"

	_ "github.com/gobfcl/bfcl/full" // everything that a model can be asked
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/record/advise"
)

// firstHeap is how large the heap may become before the first collection: most
// commands end before that, and keep what they read until then anyway.
const firstHeap = 96 << 20

func main() {
	if run := process.Part(os.Args); run != nil {
		run(os.Args[2:])
		return
	}
	tuneGC()
	advise.Program = program()
	process.OnInterrupt(func() {
		fmt.Fprintln(os.Stderr, "bfcl: interrupted: what was recorded is kept")
		os.Exit(exitInterrupted)
	})
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// gcPercent lets the heap of a short-lived command grow further between
// collections than Go does, which saves a good part of its time.
var gcPercent atomic.Int32

// frugal keeps the memory of a command that reads several runs below so many
// megabytes or, where more is in use, little above that.
func frugal(megabytes int) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" || gcPercent.Load() == 0 {
		return
	}
	const percent, spare = 100, 40 << 20
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	gcPercent.Store(percent)
	debug.SetGCPercent(percent)
	debug.SetMemoryLimit(max(int64(megabytes)<<20, int64(live[0].Value.Uint64())*5/4+spare))
	runtime.AddCleanup(new(*byte), frugal, megabytes) // again after the next collection
}

// tuneGC delays the first collection until the heap has reached firstHeap; from
// then on gcPercent applies. Go's own environment variables override it.
func tuneGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	gcPercent.Store(300)
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstHeap)
	runtime.AddCleanup(new(*byte), func(int) { // runs at the first collection
		debug.SetGCPercent(int(gcPercent.Load()))
		debug.SetMemoryLimit(math.MaxInt64)
	}, 0)
}
