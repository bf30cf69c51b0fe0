package process

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"testing"

	gotestsum "gotest.tools/gotestsum/cmd"

	"github.com/gobfcl/bfcl/internal/child"
	"github.com/gobfcl/bfcl/internal/gotest"
	"github.com/gobfcl/bfcl/internal/option"
)

// The words with which the program starts itself as one of the processes of a
// run; they are not for users. Package testevent has what the processes exchange.
const (
	// Test is the suite as a test binary.
	Test    = "own-suite-test"
	partSum = "own-gotestsum" // gotestsum, which makes junit.xml from events
)

// Part returns the process that a program's arguments name; nil if they name
// none.
func Part(args []string) func(args []string) {
	child.Ready()
	if len(args) < 2 {
		return nil
	}
	return map[string]func([]string){Test: testSuite, partSum: sumUp, child.Word: func(args []string) { // a program that cannot see some folders
		fmt.Fprintln(os.Stderr, "bfcl:", child.Enter(args))
		os.Exit(gotest.ExitTrouble)
	}}[args[1]]
}

// testSuite is TestBFCL as package testing runs it in a test binary. It does not return.
func testSuite(args []string) {
	gotest.EndWithParent()
	set := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	var o option.Options
	var rules option.Gate
	o.Register(set)
	rules.Register(set)
	testing.Init()
	os.Args = os.Args[:1] // package testing parses what is left
	for len(args) > 0 && strings.HasPrefix(args[0], "-test.") {
		name, value, _ := strings.Cut(args[0][1:], "=")
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(gotest.ExitMisuse)
		}
		args = args[1:]
	}
	_ = set.Parse(args)
	run := &gotest.Run{Options: &o, Rules: &rules, Bare: true}
	if err := run.Prepare(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(gotest.ExitMisuse)
	}
	testing.Main(regexp.MatchString, run.Tests(), nil, nil)
}

func sumUp(args []string) {
	child.Outlast()
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, os.Interrupt) // gotestsum listens too, and calls that an error when it is done
	if err := gotestsum.Run("gotestsum", args); err != nil && len(heard) == 0 {
		fmt.Fprintln(os.Stderr, "gotestsum:", err)
		os.Exit(gotest.ExitTrouble)
	}
}
