// Command bfcl runs the Berkeley Function-Calling Leaderboard's suite as a Go
// test and makes scores and reports from the results.
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	_ "github.com/gobfcl/bfcl/full" // everything that a model can be asked
	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/record/advise"
)

func main() {
	if run := process.Part(os.Args); run != nil {
		run(os.Args[2:])
		return
	}
	// The first collection is delayed, after which percent applies: most commands
	// end before, and keep what they read until then anyway. Go's own environment
	// variables override it.
	const first, least, percent = 64 << 20, 4 << 20, 60 // least is the heap of a first collection at 100%
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(first / least * 100)
		runtime.AddCleanup(new(*byte), func(int) { debug.SetGCPercent(percent) }, 0)
	}
	advise.Program = program()
	process.OnInterrupt(func() {
		fmt.Fprintln(os.Stderr, "bfcl: interrupted: what was recorded is kept")
		os.Exit(exitInterrupted)
	})
	os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
