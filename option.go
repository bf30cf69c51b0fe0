package bfcl

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/run/suite"
)

// The modes in which a model is asked.
const (
	// FC is function-calling mode: tools and calls have their own fields.
	FC = "fc"
	// Prompt is prompt mode: tools stand in the first message, calls in the
	// text.
	Prompt = "prompt"
)

// An Option sets what is asked and how. If an option is given twice, the last
// one counts.
type Option struct {
	apply func(*config) error
}

// A config is what options add up to.
type config struct {
	options        suite.Options
	flags          *flag.FlagSet
	name           string
	gate, baseline string
	each           func(Verdict)
}

// configure applies options in their order.
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
		return nil, errors.New("bfcl.Baseline belongs to bfcl.Gate, which is missing")
	}
	if c.options.Resume && c.options.RunDir == "" {
		return nil, errors.New("bfcl.Resume continues a recorded run: name its folder with bfcl.RunDir")
	}
	return c, nil
}

// optionNames are the functions that set a flag.
var optionNames = map[string]string{
	"dataset": "Dataset", "data": "Data", "categories": "Categories", "ids": "IDs", "mode": "Mode",
	"concurrency": "Concurrency", "trials": "Trials", "sample": "Sample", "seed": "Seed",
	"run-dir": "RunDir", "resume": "Resume", "gate": "Gate", "baseline": "Baseline",
	"base-url": "BaseURL", "temperature": "Temperature", "max-tokens": "MaxTokens",
}

// set sets the flag of the command that an option stands for.
func set(name, value string) Option {
	return Option{func(c *config) error {
		if err := c.flags.Set(name, value); err != nil {
			return fmt.Errorf("bfcl.%s: %w", optionNames[name], err)
		}
		return nil
	}}
}

// list sets a flag that takes names.
func list(name string, names []string) Option {
	text := strings.Join(names, ",")
	if strings.Trim(text, ", ") == "" {
		return wrong(fmt.Errorf("bfcl.%s: it names nothing: omit the option for all", optionNames[name]))
	}
	return set(name, text)
}

// wrong is an option that cannot be taken.
func wrong(err error) Option {
	return Option{func(*config) error { return err }}
}

// Suite asks the cases of a suite of your own, a folder with a suite.yaml. A
// relative path begins in the current folder, which under go test is that of
// the test's package.
func Suite(dir string) Option {
	return Option{func(c *config) error {
		if dir == "" {
			return errors.New("bfcl.Suite: it is empty: name a folder with a suite.yaml")
		}
		c.options.Dataset = dir
		return nil
	}}
}

// Dataset asks the cases of a dataset: starter, which is the default, v4, v1, or
// a folder of dataset files.
func Dataset(name string) Option { return set("dataset", name) }

// Data is the folder that holds what `bfcl fetch` has installed, by default
// $BFCL_DATA, else bfcl in the user's cache folder.
func Data(dir string) Option { return set("data", dir) }

// Categories chooses categories and groups of them by their names, such as
// simple_python or live.
func Categories(names ...string) Option { return list("categories", names) }

// IDs chooses cases by their ids. In a test go test's -run chooses, too.
func IDs(ids ...string) Option { return list("ids", ids) }

// Sample asks only so many cases, chosen by [Seed] where they say most about
// the overall.
func Sample(cases int) Option {
	if cases < 1 {
		return wrong(fmt.Errorf("bfcl.Sample: at least one case is wanted, not %d", cases))
	}
	return set("sample", strconv.Itoa(cases))
}

// Seed decides which cases a sample takes; it is 1 by default.
func Seed(seed uint64) Option { return set("seed", strconv.FormatUint(seed, 10)) }

// Trials asks each case so many times.
func Trials(n int) Option { return set("trials", strconv.Itoa(n)) }

// Mode is how calls travel, [FC] or [Prompt]. Models of yours are asked in
// function-calling mode by default, others as the catalogue says.
func Mode(mode string) Option { return set("mode", mode) }

// Concurrency is how many requests are in flight, 8 by default for models of
// yours.
func Concurrency(n int) Option { return set("concurrency", strconv.Itoa(n)) }

// RunDir is the folder that the run is written into. An earlier run in it is
// moved aside, unless [Resume] continues it.
func RunDir(dir string) Option { return set("run-dir", dir) }

// Resume continues the run in [RunDir]: answers that are there are kept, and
// only what is missing or ended in an error is asked.
func Resume() Option { return set("resume", "true") }

// Name is the model's name in records and reports, by default its Go type.
// Models that [Open] opens have theirs.
func Name(name string) Option {
	return Option{func(c *config) error {
		if strings.TrimSpace(name) == "" {
			return errors.New("bfcl.Name: it is empty")
		}
		c.name = name
		return nil
	}}
}

// Gate checks the run against the rules of a gate file, which `bfcl gate
// --init` prints. In a test it decides alone: wrong answers are then skipped
// subtests that say what is wrong, and the test fails if the gate is closed or
// could not tell.
func Gate(file string) Option {
	return Option{func(c *config) error {
		if file == "" {
			return errors.New("bfcl.Gate: it is empty: name a gate file, as `bfcl gate --init` prints one")
		}
		c.gate = file
		return nil
	}}
}

// Baseline is the folder of the run that the [Gate] compares this one with, or
// "none" if there is none yet.
func Baseline(dir string) Option {
	return Option{func(c *config) error {
		if dir == "" {
			return errors.New(`bfcl.Baseline: it is empty: name a run folder, or "none"`)
		}
		c.baseline = dir
		return nil
	}}
}

// Each calls f with every verdict as it comes, one at a time.
func Each(f func(Verdict)) Option {
	return Option{func(c *config) error {
		c.each = f
		return nil
	}}
}

// BaseURL is the address of the server of a model that [Open] opens.
func BaseURL(address string) Option { return set("base-url", address) }

// Temperature is the sampling temperature of a model that [Open] opens.
func Temperature(t float64) Option {
	return set("temperature", strconv.FormatFloat(t, 'g', -1, 64))
}

// MaxTokens is the longest answer, in tokens, of a model that [Open] opens.
func MaxTokens(n int) Option { return set("max-tokens", strconv.Itoa(n)) }

// Flag sets any other flag of `bfcl run` by its name without the dash, such as
// "rpm", "max-cost" or "search".
func Flag(name, value string) Option {
	return Option{func(c *config) error {
		if name == "model" || name == "shard" {
			return fmt.Errorf("bfcl.Flag: %s is not for options: the model is an argument, and a test runs whole", name)
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

// flagName finds flags in a text.
var flagName = regexp.MustCompile("(^|[ (`,:])-([a-z]+(?:-[a-z]+)*)\\b")

// inGo is an error in the words of this package: options in place of flags.
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
	text = strings.ReplaceAll(text, " in the environment or in .env", " in the environment") // none is read here
	if text == err.Error() {
		return err
	}
	return &reworded{text, err}
}

// A reworded is an error with a text of its own.
type reworded struct {
	text string
	err  error
}

func (r *reworded) Error() string { return r.text }
func (r *reworded) Unwrap() error { return r.err }
