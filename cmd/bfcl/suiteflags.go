package main

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// suiteFlags are the flags of the suite's test, as flags of the command.
type suiteFlags struct{ o option.Options }

func (f *suiteFlags) register(set *pflag.FlagSet) {
	own := flag.NewFlagSet("suite", flag.ContinueOnError)
	f.o.Register(own)
	set.AddGoFlagSet(own)
	set.VisitAll(func(flag *pflag.Flag) {
		if flag.DefValue == "0s" { // the usage text says what the default is
			flag.DefValue = ""
		}
	})
	for _, g := range option.Groups {
		group(set, g.Title, append(slices.Clip(g.Flags), g.Rare...)...)
		rare(set, g.Rare...)
	}
}

// settle finds the run's part and folder. The note names the shard.
func (f *suiteFlags) settle(root string) (note string, err error) {
	f.o.Root = root
	if f.o, note, err = suite.Divide(f.o); err != nil {
		return "", err
	}
	f.o.RunDir, err = filepath.Abs(suite.RunDir(f.o))
	return note, err
}

// shownArgs are the options as arguments without the headers' values, which may
// be keys; names of environment variables are kept.
func (f *suiteFlags) shownArgs() []string {
	args := f.o.Args()
	for i, arg := range args {
		name, value, ok := strings.Cut(arg, ":")
		if ok && strings.HasPrefix(arg, "-header=") && !strings.Contains(value, "${") {
			args[i] = name + ": …"
		}
	}
	return args
}
