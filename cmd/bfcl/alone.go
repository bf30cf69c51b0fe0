package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"

	"github.com/gobfcl/bfcl/internal/kit/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/run/suitetest"
)

// ownSuite is the word with which the command runs itself as the suite's test:
// the same test as the checkout's, in a process of its own that can be
// interrupted and killed like go test.
const ownSuite = "own-suite-test"

// testOwnSuite is TestBFCL as package testing runs it in a test binary. It
// does not return.
func testOwnSuite(args []string) {
	os.Args = append([]string{os.Args[0]}, args...)
	flag.CommandLine = flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	var o option.Options
	o.Register(flag.CommandLine)
	testing.Init()
	flag.Parse()
	if n := suite.Parallel(o); n > 0 {
		_ = flag.Set("test.parallel", strconv.Itoa(n))
	}
	tests := []testing.InternalTest{{Name: suitetest.Name, F: func(t *testing.T) { suitetest.Run(t, o) }}}
	testing.Main(regexp.MatchString, tests, nil, nil)
}

// root is the folder that the run is made in: the checkout, or the current
// folder where there is none or nothing that could build it.
func (r *runner) root(goTestFlags []string) (string, error) {
	start := r.checkout
	if start == "" {
		start = "."
	}
	root, err := moduleRoot(start)
	_, noGo := exec.LookPath("go")
	switch {
	case err == nil && noGo == nil:
		return root, nil
	case err != nil && r.checkout != "":
		return "", err
	case err != nil && len(goTestFlags) > 0:
		return "", fmt.Errorf("go test's flags need a checkout: %w", err)
	case len(goTestFlags) > 0:
		return "", errors.New("go test's flags need a go command, and there is none on the PATH")
	}
	if tag := suite.Tag(r.flags.o); tag != "" {
		return "", fmt.Errorf("this bfcl was built without the adapter of %q; build one with it: go install -tags=%s %s/cmd/bfcl@latest", r.flags.o.Model, tag, modulePath)
	}
	r.alone = true
	if !r.quiet {
		fmt.Fprintln(r.err, "bfcl: "+whyAlone(err)+": the suite built into bfcl is run")
	}
	return os.Getwd()
}

func whyAlone(noCheckout error) string {
	if noCheckout != nil {
		return "no checkout here"
	}
	return "no go command on the PATH"
}

// testAlone runs the command's own suite.
func (r *runner) testAlone() (ending, error) {
	self, err := os.Executable()
	if err != nil {
		return ending{}, err
	}
	args := append([]string{ownSuite, "-test.run=^" + suitetest.Name + "$", "-test.timeout=0"}, r.flags.args()...)
	return r.supervise(exec.Command(self, args...))
}
