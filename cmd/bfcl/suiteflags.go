package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/internal/suite"
)

// suiteFlags are the flags of the suite's test, which defines them anew: a
// command must not link test code. A test holds the two against each other.
type suiteFlags struct {
	o suite.Options
}

func (f *suiteFlags) register(set *pflag.FlagSet) {
	set.StringVar(&f.o.Model, "model", "oracle", "the `model` to ask: oracle, heuristic, replay:<dir> or command:<program>")
	set.StringVar(&f.o.Dataset, "dataset", "starter", "the `dataset`: starter (embedded), v4, v1, or a folder of dataset files")
	set.StringVar(&f.o.Data, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
	set.StringVar(&f.o.Categories, "categories", "all", "`names` of categories and groups, comma separated")
	set.StringVar(&f.o.IDs, "ids", "", "case `ids`, comma separated, or @file with one a line (default all)")
	set.StringVar(&f.o.Mode, "mode", "", "how calls travel: `fc` or prompt (default the model's own)")
	set.StringVar(&f.o.Underscores, "underscore-to-dot", "", "whether the model sees dots in function names as underscores: `yes` or no (default yes in fc mode, no in prompt mode)")
	set.IntVar(&f.o.Concurrency, "concurrency", 0, "`cases` in flight (default by adapter)")
	set.IntVar(&f.o.Trials, "trials", 1, "`runs` per case, each a subtest")
	set.StringVar(&f.o.RunDir, "run-dir", "", "the `folder` to write the run into (default results/<model>)")
	set.BoolVar(&f.o.Resume, "resume", false, "go on in the run folder: reuse answers recorded there, ask only what is missing")
	set.DurationVar(&f.o.Timeout, "request-timeout", 10*time.Minute, "the `longest` one request may take")
	group(set, "What to run", "model", "dataset", "data", "categories", "ids", "trials")
	group(set, "How to ask", "mode", "underscore-to-dot", "concurrency", "request-timeout")
	group(set, "Where to write", "run-dir", "resume")
}

// settle makes the options independent of the current folder where that is
// not the checkout: the test runs in the checkout.
func (f *suiteFlags) settle(root string) error {
	f.o.Root = root
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if here != root {
		f.o.Dataset = existing(here, f.o.Dataset, f.o.Dataset)
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
	if f.o.RunDir != "" {
		f.o.RunDir = absolute(here, f.o.RunDir)
	}
	f.o.RunDir = suite.RunDir(f.o)
	return nil
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

// args are the options as the test takes them.
func (f *suiteFlags) args() []string {
	o := f.o
	args := []string{"-model=" + o.Model, "-dataset=" + o.Dataset, "-categories=" + o.Categories, "-run-dir=" + o.RunDir}
	for _, x := range []struct{ name, value string }{
		{"data", o.Data}, {"ids", o.IDs}, {"mode", o.Mode}, {"underscore-to-dot", o.Underscores},
	} {
		if x.value != "" {
			args = append(args, "-"+x.name+"="+x.value)
		}
	}
	if o.Concurrency != 0 {
		args = append(args, "-concurrency="+strconv.Itoa(o.Concurrency))
	}
	args = append(args, "-trials="+strconv.Itoa(o.Trials), "-request-timeout="+o.Timeout.String())
	if o.Resume {
		args = append(args, "-resume")
	}
	return args
}
