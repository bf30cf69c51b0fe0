package main

import (
	"flag"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/kit/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/world/web"
)

// suiteFlags are the flags of the suite's test, for the command.
type suiteFlags struct {
	o   option.Options
	set *flag.FlagSet
}

func (f *suiteFlags) register(set *pflag.FlagSet) {
	f.set = flag.NewFlagSet("suite", flag.ContinueOnError)
	f.o.Register(f.set)
	set.AddGoFlagSet(f.set)
	for _, g := range option.Groups {
		group(set, g.Title, g.Flags...)
	}
}

// settle makes the options independent of the current folder where that is
// not the checkout: the test runs in the checkout. The note tells of a shard.
func (f *suiteFlags) settle(root string) (note string, err error) {
	f.o.Root = root
	if f.o, note, err = suite.Divide(f.o); err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if here != root {
		f.anchor(here)
	}
	if f.o.RunDir != "" {
		f.o.RunDir = absolute(here, f.o.RunDir)
	}
	f.o.RunDir = suite.RunDir(f.o)
	return note, nil
}

// anchor makes paths absolute that are relative to this folder.
func (f *suiteFlags) anchor(here string) {
	f.o.Dataset = existing(here, f.o.Dataset, f.o.Dataset)
	f.o.Models = existing(here, f.o.Models, f.o.Models)
	if f.o.ExecReplay != "" {
		var files []string
		for name := range strings.SplitSeq(f.o.ExecReplay, ",") {
			files = append(files, absolute(here, strings.TrimSpace(name)))
		}
		f.o.ExecReplay = strings.Join(files, ",")
	}
	if file, ok := strings.CutPrefix(f.o.Search, web.Replay); ok && file != "" {
		f.o.Search = web.Replay + absolute(here, file)
	}
	if f.o.SearchRecord != "" {
		f.o.SearchRecord = absolute(here, f.o.SearchRecord)
	}
	if f.o.Data != "" {
		f.o.Data = absolute(here, f.o.Data)
	}
	path, marked := strings.CutPrefix(f.o.IDs, "@")
	if found := existing(here, path, ""); found != "" {
		f.o.IDs = "@" + found
	} else if marked {
		f.o.IDs = "@" + absolute(here, path)
	}
	if dir, ok := strings.CutPrefix(f.o.Model, "replay:"); ok && dir != "" {
		f.o.Model = "replay:" + absolute(here, dir)
	}
}

func absolute(here, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(here, path)
}

// existing is the absolute path of what exists here, else the fallback.
func existing(here, path, fallback string) string {
	if path == "" {
		return fallback
	}
	if _, err := os.Stat(absolute(here, path)); err != nil {
		return fallback
	}
	return absolute(here, path)
}

// args are the options as the test takes them; what is at its default is left
// out.
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
// names of environment variables are none.
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
