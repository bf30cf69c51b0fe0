// Package bfcl_test scores a model's ability to call functions: each case of
// the Berkeley Function-Calling Leaderboard is a subtest
// TestBFCL/<category>/<case id>.
//
//	go test ./... -model=heuristic
package bfcl_test

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/run/suitetest"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestMain makes the suite's concurrency the number of parallel tests, which
// is fixed once tests run and defaults to the number of processors.
func TestMain(m *testing.M) {
	flag.Parse()
	if n := suite.Parallel(options()); n > 0 {
		_ = flag.Set("test.parallel", strconv.Itoa(n))
	}
	os.Exit(m.Run())
}

// TestBFCL is the scored test; nothing else is scored.
func TestBFCL(t *testing.T) { suitetest.Run(t, options()) }

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
