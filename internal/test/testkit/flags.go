// Package testkit defines the suite's flags and reads conformance data. No
// other package defines test flags: `go test ./... -model=x` passes -model to
// every test binary, and a binary without the flag fails, so the tests of each
// package import this one.
package testkit

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
)

// Suite holds the values of the suite's flags once they are parsed.
var Suite option.Options

// Gate says which rules decide on the suite's run, once the flags are parsed.
var Gate option.Gate

func init() {
	Suite.Register(flag.CommandLine)
	Gate.Register(flag.CommandLine)
	for _, name := range []string{"model", "gate", "resume"} {
		f := flag.Lookup(name)
		f.Value = &asked{f.Value}
	}
	flag.CommandLine.SetOutput(&said)
	flag.Usage = usage
}

// said is what package flag said of a wrong flag.
var said bytes.Buffer

// usage ends a test binary that was given a wrong flag with a line about it,
// instead of the list of all flags, which -help prints.
func usage() {
	wrong := strings.TrimSpace(said.String())
	if wrong == "" {
		flag.CommandLine.SetOutput(os.Stderr)
		flag.PrintDefaults()
		return
	}
	fmt.Fprintln(os.Stderr, explain(wrong))
	os.Exit(misused)
}

// misused is the exit code for wrong usage.
const misused = 3

// explain adds what was meant to package flag's sentence about a wrong flag.
func explain(wrong string) string {
	_, name, unknown := strings.Cut(wrong, "flag provided but not defined: -")
	if !unknown {
		return wrong + " (`bfcl run --help` explains the flags)"
	}
	if why := option.Refused(name); why != "" {
		return why
	}
	var known []string
	flag.VisitAll(func(f *flag.Flag) {
		if !strings.HasPrefix(f.Name, "test.") {
			known = append(known, f.Name)
		}
	})
	return fmt.Sprintf("unknown flag -%s (`bfcl run --help` explains the flags)%s", name, say.Hint(name, known))
}

var benchmark bool

// IsBenchmark says that the tests of this binary are the benchmark. Call it
// before the flags are parsed. Results go below the checkout or, if the binary
// was taken elsewhere, below the current folder.
func IsBenchmark() {
	benchmark = true
	if moduleRoot != "" {
		Suite.Root = moduleRoot
	}
}

// asked is a flag with which the user wants the benchmark, so the tests of other
// packages skip themselves.
type asked struct{ flag.Value }

// IsBoolFlag reports whether the flag needs no value.
func (a *asked) IsBoolFlag() bool {
	switchable, ok := a.Value.(interface{ IsBoolFlag() bool })
	return ok && switchable.IsBoolFlag()
}

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
