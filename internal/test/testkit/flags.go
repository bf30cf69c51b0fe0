// Package testkit defines the suite's flags and reads conformance data. No
// other package defines test flags: `go test ./... -model=x` passes -model to
// every test binary, and a binary without the flag fails, so the tests of each
// package import this one.
package testkit

import (
	"flag"

	"github.com/gobfcl/bfcl/internal/kit/option"
)

// Suite holds the values of the suite's flags once they are parsed.
var Suite option.Options

// Gate is the gate file, once the flags are parsed; "" if none is set.
var Gate string

// Baseline is the run that the gate compares the suite's run with.
var Baseline string

func init() {
	Suite.Register(flag.CommandLine)
	flag.StringVar(&Gate, "gate", "", "let this gate `file` decide whether the suite passes, instead of each answer; bfcl gate --init prints one")
	flag.StringVar(&Baseline, "baseline", "", "the `run` that the gate compares this one with, or none")
	model := flag.Lookup("model")
	model.Value = &asked{model.Value}
}

var benchmark bool

// IsBenchmark says that the tests of this binary are the benchmark. Call it
// before the flags are parsed.
func IsBenchmark() { benchmark = true }

// asked is the flag -model. With it the user wants the benchmark, so the tests
// of other packages skip themselves.
type asked struct{ flag.Value }

// String returns the flag's value.
func (a *asked) String() string {
	if a.Value == nil { // package flag calls it on a zero value
		return ""
	}
	return a.Value.String()
}

// Set sets the flag's value.
func (a *asked) Set(s string) error {
	if err := a.Value.Set(s); err != nil || benchmark {
		return err
	}
	return flag.Set("test.skip", ".")
}
