package bfcl

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/run/suite"
)

// The modes of asking a model.
const (
	// FC is function-calling mode: requests and replies have fields of their
	// own for tools and calls.
	FC = "fc"
	// Prompt is prompt mode: tools are described in the first message, and
	// calls are in the reply's text.
	Prompt = "prompt"
)

// An Option sets what is asked, or how. If an option is given more than once,
// the last one counts.
type Option struct {
	apply func(*config) error
}

// A config is the result of all options.
type config struct {
	options        suite.Options
	flags          *flag.FlagSet
	name           string
	gate, baseline string
	each           func(Verdict)
}

// configure applies options in order.
func configure(lists ...[]Option) (*config, error) {
	c := &config{flags: flag.NewFlagSet("bfcl", flag.ContinueOnError)}
	c.flags.SetOutput(io.Discard)
	c.options.Register(c.flags)
	for _, list := range lists {
		for _, o := range list {
			if o.apply == nil {
				return nil, errors.New("an Option is empty: options come from functions such as bfcl.Suite")
			}
			if err := o.apply(c); err != nil {
				return nil, err
			}
		}
	}
	if c.baseline != "" && c.gate == "" {
		return nil, errors.New("bfcl.Baseline needs bfcl.Gate")
	}
	if c.options.Resume && c.options.RunDir == "" {
		return nil, errors.New("bfcl.Resume continues a recorded run: name its folder with bfcl.RunDir")
	}
	return c, nil
}

// optionNames are the functions that set flags, by flag.
var optionNames = map[string]string{
	"dataset": "Dataset", "data": "Data", "categories": "Categories", "ids": "IDs", "mode": "Mode",
	"concurrency": "Concurrency", "trials": "Trials", "sample": "Sample", "seed": "Seed",
	"run-dir": "RunDir", "resume": "Resume", "gate": "Gate", "baseline": "Baseline",
	"base-url": "BaseURL", "temperature": "Temperature", "max-tokens": "MaxTokens",
}

// set returns an option that sets a flag of the command.
func set(name, value string) Option {
	return Option{func(c *config) error {
		if err := c.flags.Set(name, value); err != nil {
			return fmt.Errorf("bfcl.%s: %w", optionNames[name], err)
		}
		return nil
	}}
}

// list returns an option that sets a flag to a list of names.
func list(name string, names []string) Option {
	text := strings.Join(names, ",")
	if strings.Trim(text, ", ") == "" {
		return wrong(fmt.Errorf("bfcl.%s: no names given: omit the option for all", optionNames[name]))
	}
	return set(name, text)
}

// wrong returns an option that is always an error.
func wrong(err error) Option {
	return Option{func(*config) error { return err }}
}

// Suite asks the cases of a suite of your own, a folder with a suite.yaml. A
// relative path is relative to the current folder, which under go test is the
// folder of the test's package.
func Suite(dir string) Option {
	return Option{func(c *config) error {
		if dir == "" {
			return errors.New("bfcl.Suite: the name is empty: name a folder with a suite.yaml")
		}
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			here, _ := os.Getwd()
			return fmt.Errorf("bfcl.Suite: there is no folder %.500q in %q: `bfcl init` makes one", dir, here)
		}
		c.options.Dataset = dir
		return nil
	}}
}

// Dataset asks the cases of a dataset: starter (the default), v4, v1, or a
// folder of dataset files.
func Dataset(name string) Option { return set("dataset", name) }

// Data sets the folder in which `bfcl fetch` has installed datasets. The
// default is $BFCL_DATA, or else bfcl in the user's cache folder.
func Data(dir string) Option { return set("data", dir) }

// Categories asks only the cases of some categories, given by their names or by
// names of groups, such as simple_python or live.
func Categories(names ...string) Option { return list("categories", names) }

// IDs asks only the cases with these ids. In a test, go test's -run chooses
// cases, too.
func IDs(ids ...string) Option { return list("ids", ids) }

// Sample asks only the given number of cases, chosen with [Seed] so that they
// tell the most about the overall.
func Sample(cases int) Option {
	if cases < 1 {
		return wrong(fmt.Errorf("bfcl.Sample: ask for at least one case, not %d", cases))
	}
	return set("sample", strconv.Itoa(cases))
}

// Seed decides which cases are in a sample. The default is 1.
func Seed(seed uint64) Option { return set("seed", strconv.FormatUint(seed, 10)) }

// Trials asks each case the given number of times.
func Trials(n int) Option { return set("trials", strconv.Itoa(n)) }

// Mode sets how calls are asked for, [FC] or [Prompt]. The default is FC for
// your own models; for others it is in the catalogue.
func Mode(mode string) Option { return set("mode", mode) }

// Concurrency sets the number of requests in flight. The default is 8 for your
// own models.
func Concurrency(n int) Option { return set("concurrency", strconv.Itoa(n)) }

// RunDir sets the folder that the run is written to. An earlier run in it is
// moved aside, unless [Resume] continues it.
func RunDir(dir string) Option { return set("run-dir", dir) }

// Resume continues the run in [RunDir]: recorded answers are kept, and only
// cases without an answer, or with an error, are asked.
func Resume() Option { return set("resume", "true") }

// Name sets the model's name in records and reports. The default is its Go
// type. A model that was opened with [Open] keeps its own name.
func Name(name string) Option {
	return Option{func(c *config) error {
		if strings.TrimSpace(name) == "" {
			return errors.New("bfcl.Name: the name is empty")
		}
		c.name = name
		return nil
	}}
}

// Gate checks the run against the rules of a gate file, such as `bfcl gate
// --init` prints. In a test, the gate alone decides: wrong answers are skipped
// subtests that say what is wrong, and the test fails if the gate failed or
// undecided.
func Gate(file string) Option {
	return Option{func(c *config) error {
		if file == "" {
			return errors.New("bfcl.Gate: the name is empty: name a gate file (`bfcl gate --init` prints one)")
		}
		c.gate = file
		return nil
	}}
}

// Baseline sets the folder of the run that the [Gate] compares this run with,
// or "none" if there is none yet.
func Baseline(dir string) Option {
	return Option{func(c *config) error {
		if dir == "" {
			return errors.New(`bfcl.Baseline: the name is empty: name a run folder, or "none"`)
		}
		c.baseline = dir
		return nil
	}}
}

// Each calls f with every verdict as it comes. Calls do not overlap.
func Each(f func(Verdict)) Option {
	return Option{func(c *config) error {
		c.each = f
		return nil
	}}
}

// BaseURL sets the address of the server, for a model opened with [Open].
func BaseURL(address string) Option { return set("base-url", address) }

// Temperature sets the sampling temperature, for a model opened with [Open].
func Temperature(t float64) Option {
	return set("temperature", strconv.FormatFloat(t, 'g', -1, 64))
}

// MaxTokens sets the length limit of an answer in tokens, for a model opened
// with [Open].
func MaxTokens(n int) Option { return set("max-tokens", strconv.Itoa(n)) }

// Flag sets any other flag of `bfcl run`, by its name without the dash, such as
// "rpm", "max-cost" or "search".
func Flag(name, value string) Option {
	return Option{func(c *config) error {
		if name == "model" || name == "shard" {
			return fmt.Errorf("bfcl.Flag: %s cannot be set here: the model is an argument of Run and Measure, and a test cannot be sharded", name)
		}
		if c.flags.Lookup(name) == nil {
			return fmt.Errorf("bfcl.Flag: there is no flag %q: `bfcl run -h` lists them", name)
		}
		if err := c.flags.Set(name, value); err != nil {
			return fmt.Errorf("bfcl.Flag: %s: %w", name, err)
		}
		return nil
	}}
}

// flagName matches flags in a text.
var flagName = regexp.MustCompile("(^|[ (`,:])-([a-z]+(?:-[a-z]+)*)\\b")

// inGo returns an error with options in place of flags.
func inGo(err error) error {
	if err == nil {
		return nil
	}
	var known suite.Options
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	known.Register(flags)
	text := flagName.ReplaceAllStringFunc(err.Error(), func(found string) string {
		at := strings.IndexByte(found, '-')
		before, flag := found[:at], found[at+1:]
		switch name := optionNames[flag]; {
		case name != "":
			return before + "bfcl." + name
		case flags.Lookup(flag) != nil:
			return fmt.Sprintf("%sbfcl.Flag(%q)", before, flag)
		}
		return found
	})
	text = strings.ReplaceAll(text, "is for models behind a server; go is not", "is for models that bfcl.Open opens: your own client sets it itself")
	text = strings.ReplaceAll(text, " in the environment or in .env", " in the environment") // this package does not read .env
	if text == err.Error() {
		return err
	}
	return &reworded{text, err}
}

// A reworded is an error with another text.
type reworded struct {
	text string
	err  error
}

func (r *reworded) Error() string { return r.text }
func (r *reworded) Unwrap() error { return r.err }
