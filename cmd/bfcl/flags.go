package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/say"
)

// runFlags say how a command reads its runs.
type runFlags struct {
	o           tally.Options
	allowErrors bool
}

// namingRuns is the part of a command's help that says what RUN may be.
const namingRuns = `RUN is a JUnit file, a run folder, several of them separated by commas (the
shards of one run), a folder of shards, or one of upstream's result folders,
whose answers are judged, as one run for each model in it.`

func (f *runFlags) register(cmd *cobra.Command) {
	registerRead(cmd, &f.o)
	cmd.Flags().BoolVar(&f.allowErrors, "allow-errors", false, "count infrastructure errors as upstream does: as answers without a call")
}

// read reads the runs and prints their notes, each once.
func (f *runFlags) read(a *app, paths []string) ([]*tally.Run, error) {
	paths = a.together(paths, false, 1)
	runs, err := tally.ReadAll(paths, f.o)
	if err != nil {
		return nil, err
	}
	a.noteAll(runs)
	return runs, nil
}

// together leaves out what does not belong to several runs, and says so.
func (a *app) together(paths []string, mixed bool, least int) []string {
	kept, notes := tally.Together(paths, mixed, least)
	a.tell(notes...)
	return kept
}

// readingFlags say how answers are read, if not as the run or the answers themselves say.
type readingFlags struct{ mode, underscores, dialect string }

func (f *readingFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.mode, "mode", "", "how the answers carry calls: `fc or prompt` (default the run's, or detected from the answers)")
	flags.StringVar(&f.underscores, "underscore-to-dot", "", "whether the model saw dots in function names as underscores: `yes or no` (default the run's, or by the mode)")
	flags.StringVar(&f.dialect, "dialect", "", "how the model writes calls, a `name` that bfcl models --dialects lists (default the run's, or that of the leaderboard model the folder is named after)")
}

// change is what the flags change in a model's settings.
func (f *readingFlags) change() (func(eval.Settings) eval.Settings, error) {
	m, err := eval.ParseMode(f.mode)
	if err != nil {
		return nil, option.MarkMisuse(err)
	}
	if f.underscores != "" && f.underscores != "yes" && f.underscores != "no" {
		return nil, option.Misuse("--underscore-to-dot must be yes or no, not %q", f.underscores)
	}
	if err := dialect.Check(f.dialect); err != nil {
		return nil, option.MarkMisuse(err)
	}
	return func(s eval.Settings) eval.Settings {
		if m != "" {
			s = eval.SettingsFor(m)
		}
		if f.dialect != "" {
			s.Dialect = f.dialect
		}
		if f.underscores != "" {
			s.UnderscoreToDot = f.underscores == "yes"
		}
		return s
	}, nil
}

// dataFlag defines the flag that names the data directory.
func dataFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
}

// makesData marks a command that makes the data directory if it is missing.
const makesData = "makes-data"

// checkData refuses a -data folder that does not exist or, if the command would
// make it, one whose parent does not exist.
func checkData(cmd *cobra.Command) error {
	flag := cmd.Flags().Lookup("data")
	if flag == nil || flag.Value.String() == "" {
		return nil
	}
	dir := flag.Value.String()
	check, _ := cmd.Flags().GetBool("check")
	if _, err := os.Stat(dir); err != nil && cmd.Annotations[makesData] != "" && !check {
		parent := filepath.Dir(filepath.Clean(dir))
		if info, err := os.Stat(parent); err != nil || !info.IsDir() {
			return fmt.Errorf("-data: there is no folder %s to make %s in", say.Quote(parent, 500), say.Quote(filepath.Base(dir), 500))
		}
		return nil
	}
	return fixtures.CheckDataDir(dir)
}

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

// registerRead defines the flags of commands that read runs of any kind.
func registerRead(cmd *cobra.Command, o *tally.Options) {
	flags := cmd.Flags()
	dataFlag(cmd, &o.Data)
	flags.StringVar(&o.Dataset, "dataset", "", "the `dataset` of upstream's result folders (default by their files' names), or where a run's dataset is now")
	flags.StringSliceVar(&o.Replay, "replay", nil, "a `file` of recorded API answers, to judge upstream's results in executable categories; may be repeated")
	flags.BoolVar(&o.Partial, "partial", false, "accept upstream's result folders that lack cases")
}

// A dataFlags pair names the dataset that a command uses.
type dataFlags struct{ dataset, data string }

func (d *dataFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&d.dataset, "dataset", fixtures.Starter, "the `dataset`: starter, v4, v1, or a folder of dataset files")
	dataFlag(cmd, &d.data)
}

// open opens the dataset that the flags name.
func (d *dataFlags) open() (*fixtures.Dataset, error) {
	dataset, err := fixtures.Open(d.dataset, d.data)
	return dataset, option.MarkMisuse(err)
}

// place is where the cases of recorded answers are: in their own dataset, unless a flag says.
func (d *dataFlags) place(cmd *cobra.Command, model string) tally.Place {
	at := tally.Place{Data: d.data, Model: model}
	if cmd.Flags().Changed("dataset") {
		at.Dataset = d.dataset
	}
	return at
}
