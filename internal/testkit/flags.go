// Package testkit defines the suite's flags and reads conformance data. It is
// the only place where test flags are defined: `go test ./... -model=x` hands
// -model to every test binary, and one that does not know the flag dies, so
// each package's tests link this package.
package testkit

import (
	"flag"
	"time"
)

// Flags are the suite's flags; their usage texts say what each means.
type Flags struct {
	Model       string
	Dataset     string
	Data        string
	Categories  string
	IDs         string
	Mode        string
	Underscores string
	Concurrency int
	Trials      int
	RunDir      string
	Resume      bool
	Timeout     time.Duration
}

// Suite holds the values of the suite's flags once they are parsed.
var Suite Flags

func init() { Suite.Register(flag.CommandLine) }

// Register defines the flags in a flag set.
func (f *Flags) Register(set *flag.FlagSet) {
	set.StringVar(&f.Model, "model", "oracle", "the `model` to ask: oracle, heuristic, replay:<dir> or command:<program>")
	set.StringVar(&f.Dataset, "dataset", "starter", "the `dataset`: starter (embedded), v4, v1, or a folder of dataset files")
	set.StringVar(&f.Data, "data", "", "the `folder` that holds v4/ and v1/ (default $BFCL_DATA, else bfcl in the user cache directory)")
	set.StringVar(&f.Categories, "categories", "all", "`names` of categories and groups, comma separated")
	set.StringVar(&f.IDs, "ids", "", "case `ids`, comma separated, or @file with one a line (default all)")
	set.StringVar(&f.Mode, "mode", "", "how calls travel: fc or prompt (default the model's own)")
	set.StringVar(&f.Underscores, "underscore-to-dot", "", "whether the model sees dots in function names as underscores: yes or no (default yes in fc mode, no in prompt mode)")
	set.IntVar(&f.Concurrency, "concurrency", 0, "`cases` in flight (default by adapter)")
	set.IntVar(&f.Trials, "trials", 1, "`runs` per case, each a subtest")
	set.StringVar(&f.RunDir, "run-dir", "", "the `folder` to write the run into (default results/<model>; nothing is written for oracle)")
	set.BoolVar(&f.Resume, "resume", false, "go on in the run folder: reuse answers recorded there, ask only what is missing")
	set.DurationVar(&f.Timeout, "request-timeout", 10*time.Minute, "the longest one request may take")
}
