// Package bfcl_test measures a model's ability to call functions: each case of
// the Berkeley Function-Calling Leaderboard is a subtest
// TestBFCL/<category>/<case id>, and each rule of a gate a subtest
// TestGate/<kind>/<name>.
//
//	go test . -model=heuristic         what failed, in the end
//	go test -v . -model=heuristic      each case as it ends
//	go test . -model=heuristic -gate=gate.yaml
//	                                   passed if the rules are kept
//	go test ./... -model=heuristic     the same; the tests of other packages
//	                                   skip themselves if a model is given
//	go test ./...                      the project's own tests
//
// Flags of the suite stand after the packages. go test holds back what a test
// prints until its package has ended, unless -v is given; until then a line
// with the progress stands on the terminal.
package bfcl_test

import (
	"flag"
	"os"
	"testing"

	_ "github.com/gobfcl/bfcl/full"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// run is the run that the flags ask for.
var run = &gotest.Run{Options: &testkit.Suite, Rules: &testkit.Gate}

// TestBFCL is the scored test. Each reads the suite and makes each trial of each
// case a subtest, with as many at once as -concurrency allows.
func TestBFCL(t *testing.T) {
	run.Each(t, func(t *testing.T, category *eval.Category, c *eval.Case, trial int) {
		answer := run.Ask(t, category, c, trial) // the model's, or the one recorded before
		result := run.Judge(t, category, c, trial, answer)
		switch {
		case result.Passed():
		case run.Gated(): // the gate decides
			run.Skip(t, c, result)
		default:
			run.Error(t, c, result)
		}
	})
}

// TestGate decides by -gate, after all cases.
func TestGate(t *testing.T) { run.Gate(t) }

// TestMain runs the benchmark if a model is given, or else the package's own
// tests.
func TestMain(m *testing.M) {
	testkit.IsBenchmark()
	flag.Parse()
	run.Terminal = terminal()
	os.Exit(run.Main(m))
}
