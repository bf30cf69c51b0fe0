package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
)

// upstreamFlags are upstream's names of flags, which are understood.
var upstreamFlags = map[string]string{"test-category": "categories", "partial-eval": "partial", "num-threads": "concurrency"}

// normalize reads upstream's names of flags.
func normalize(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if own := upstreamFlags[name]; own != "" {
		name = own
	}
	return pflag.NormalizedName(name)
}

// wrongFlag says what is wrong with an unknown flag: it is upstream's, it is go test's,
// or it is misspelt.
func wrongFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name := unknown.GetSpecifiedName()
	if why := option.Refused(name); why != "" {
		return errors.New(why)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	err = fmt.Errorf("%w%s", err, say.Hint(name, known))
	if cmd.Name() != "run" {
		return err
	}
	return notGoTest(name, err)
}

// goTestFlags are go test's flags, except those that `bfcl run` understands.
var goTestFlags = strings.Fields(`C a args artifacts asan asmflags bench benchmem benchtime blockprofile
	blockprofilerate buildmode buildvcs c compiler count cover covermode coverpkg coverprofile cpu cpuprofile exec
	failfast fullpath fuzz fuzzminimizetime fuzztime gccgoflags gcflags installsuffix ldflags linkshared list
	memprofile memprofilerate mod modcacherw modfile msan mutexprofile mutexprofilefraction n o outputdir overlay p
	parallel pgo pkgdir race run short shuffle skip tags toolexec trace trimpath vet work x`)

// notGoTest is the error for a flag of go test, which bfcl run has no use for
// since it does not compile. For any other word it returns the given error.
func notGoTest(word string, other error) error {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
	name = strings.TrimPrefix(name, "test.")
	if !slices.Contains(goTestFlags, name) {
		return other
	}
	if name == "run" || name == "skip" {
		return fmt.Errorf("-%s is a flag of go test: -ids chooses cases, by patterns too, as in -ids='simple_*'", name)
	}
	return fmt.Errorf("-%s is a flag of go test, and `bfcl run` runs its built-in suite: use go test in a checkout, as in `go test . -%s -model=…`", name, name)
}
