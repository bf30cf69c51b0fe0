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

func init() { Suite.Register(flag.CommandLine) }
