package main

import (
	"flag"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/kit/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// suiteFlags are the flags of the suite's test, as flags of the command.
type suiteFlags struct {
	o   option.Options
	set *flag.FlagSet
}

func (f *suiteFlags) register(set *pflag.FlagSet) {
	f.set = flag.NewFlagSet("suite", flag.ContinueOnError)
	f.o.Register(f.set)
	set.AddGoFlagSet(f.set)
	set.VisitAll(func(flag *pflag.Flag) {
		if flag.DefValue == "0s" { // the usage text says what the default is
			flag.DefValue = ""
		}
	})
	for _, g := range option.Groups {
		group(set, g.Title, g.Flags...)
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

// args are the options as arguments of the test, without those at their default.
func (f *suiteFlags) args() []string {
	var args []string
	f.set.VisitAll(func(flag *flag.Flag) {
		value := flag.Value.String()
		switch {
		case flag.Name == "header":
			for _, header := range f.o.Headers {
				args = append(args, "-header="+header)
			}
		case value != flag.DefValue:
			args = append(args, "-"+flag.Name+"="+value)
		}
	})
	return args
}

// shownArgs are the arguments without the headers' values, which may be keys;
// names of environment variables are kept.
func (f *suiteFlags) shownArgs() []string {
	args := f.args()
	for i, arg := range args {
		name, value, ok := strings.Cut(arg, ":")
		if ok && strings.HasPrefix(arg, "-header=") && !strings.Contains(value, "${") {
			args[i] = name + ": …"
		}
	}
	return args
}
