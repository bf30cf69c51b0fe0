// Package testkit defines the suite's flags and reads conformance data. It is
// the only place where test flags are defined: `go test ./... -model=x` hands
// -model to every test binary, and one that does not know the flag dies, so
// each package's tests link this package.
package testkit

import (
	"flag"

	"github.com/gobfcl/bfcl/internal/kit/option"
)

// Suite holds the values of the suite's flags once they are parsed.
var Suite option.Options

// Gate is the gate file, once the flags are parsed; "" if there is none.
var Gate string

// Baseline is the run that the gate holds the suite's against.
var Baseline string

func init() {
	Suite.Register(flag.CommandLine)
	flag.StringVar(&Gate, "gate", "", "let this gate `file` decide whether the suite is passed, and not each answer; bfcl gate --init prints one")
	flag.StringVar(&Baseline, "baseline", "", "the `run` that the gate compares this one with, or none")
	model := flag.Lookup("model")
	model.Value = &asked{model.Value}
}

var benchmark bool

// IsBenchmark says that the tests of this binary are the benchmark. It is
// called before the flags are parsed.
func IsBenchmark() { benchmark = true }

// asked is the flag -model. Who gives it waits for the benchmark: the packages'
// own tests skip themselves.
type asked struct{ flag.Value }

// String returns the flag's.
func (a *asked) String() string {
	if a.Value == nil { // package flag asks for that
		return ""
	}
	return a.Value.String()
}

// Set sets the flag.
func (a *asked) Set(s string) error {
	if err := a.Value.Set(s); err != nil || benchmark {
		return err
	}
	return flag.Set("test.skip", ".")
}
