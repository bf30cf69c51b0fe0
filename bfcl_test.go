// Package bfcl_test scores a model's ability to call functions: each case of
// the Berkeley Function-Calling Leaderboard is a subtest
// TestBFCL/<category>/<case id>.
//
//	go test -v . -model=heuristic     each case as it ends
//	go test . -model=heuristic        what failed, in the end
//	go test ./... -model=heuristic    the same; the packages' own tests skip
//	                                  themselves where a model is given
//	go test ./...                     the project's own tests
//	go test . -model=heuristic -gate=gate.yaml
//	                                  passed where the gate passed, whatever
//	                                  single answers are
//
// go test holds back what a test prints until its package has ended, unless -v
// is given; until then a line with the progress stands on the terminal, where
// there is one. Flags of the suite stand after the packages.
package bfcl_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	_ "github.com/gobfcl/bfcl/full"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/run/suitetest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestMain runs the benchmark, with a gate if one is given, or the package's own
// tests.
func TestMain(m *testing.M) {
	testkit.IsBenchmark()
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "go test took %q for arguments of the test, which has none: name the packages first and flags after them, as in go test . -model=…\n", strings.Join(flag.Args(), " "))
		os.Exit(3)
	}
	onlyBenchmark()
	benchmark.Options, benchmark.Terminal = options(), suitetest.Terminal()
	if name := os.Getenv(childVariable); name != "" {
		file, err := os.Create(name)
		if err != nil {
			panic(err)
		}
		benchmark.Terminal = file
	}
	benchmark.Gate, benchmark.Baseline = testkit.Gate, testkit.Baseline
	os.Exit(benchmark.Main(m))
}

// onlyBenchmark leaves the package's own tests and examples out if a model is
// given and -run chooses nothing.
func onlyBenchmark() {
	flag.Visit(func(f *flag.Flag) {
		if f.Name != "model" {
			return
		}
		suitetest.Unbounded()
		if run := flag.Lookup("test.run"); run.Value.String() == "" {
			_ = run.Value.Set("^" + suitetest.Name + "$")
		}
	})
}

var benchmark gated

// TestBFCL is the scored test; nothing else is scored.
func TestBFCL(t *testing.T) { benchmark.Test(t) }

// options are the flags'. Results go below the checkout or, where this binary
// was taken elsewhere, below the current folder.
func options() suite.Options {
	o := testkit.Suite
	_, file, _, _ := runtime.Caller(0)
	if root := filepath.Dir(file); filepath.IsAbs(root) && isFolder(root) {
		o.Root = root
	}
	return o
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
