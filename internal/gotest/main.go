package gotest

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// The exit codes of a test binary, which are those of the command, too. `go test`
// itself makes 1 of each but 0.
const (
	ExitTrouble     = 2 // no decision: something went wrong, or was missing
	ExitMisuse      = 3 // see option.Misuse
	ExitInterrupted = 130
)

// Main runs the tests of a benchmark's binary and returns its exit code.
func (r *Run) Main(tests interface{ Run() int }) int {
	if _, err := os.Stat("cmd/bfcl/main.go"); err == nil { // in a checkout the command need not be installed
		advise.Program = advise.GoRun
	}
	if err := r.Prepare(); err != nil {
		return complain(err)
	}
	code := tests.Run()
	out := io.Writer(os.Stdout)
	if code == 0 && r.Terminal != nil && !testing.Verbose() { // of a test that passes, go test shows nothing
		out = r.Terminal
	}
	_, _ = fmt.Fprint(out, r.end())
	listing := flag.Lookup("test.list")
	switch {
	case listing.Value.String() != "":
		return code
	case r.stop != nil && r.stop.interrupted():
		return ExitInterrupted
	case r.refused != nil:
		return codeOf(r.refused)
	case r.Rules.File == "":
		return code
	case !r.decided:
		return complain(fmt.Errorf("the gate decided nothing: %s did not run", GateName))
	case code != 0 && (r.decision == nil || r.decision.Outcome == gate.Undecided):
		return ExitTrouble
	}
	return code
}

// recall takes from run.json what the flags do not give of a run that is continued.
func (r *Run) recall(given map[string]string) error {
	if r.Options.Resume {
		taken, err := suite.Recall(*r.Options, func(name string) bool { return given[name] != "" }, flag.Set)
		if err != nil {
			return err
		}
		if taken != "" {
			fmt.Println(say.Printable(taken, 1000))
		}
	}
	if r.Options.Model == "" {
		return suite.NoModel(*r.Options)
	}
	return nil
}

// Prepare reads go test's flags before the tests begin. If a model is to be
// asked, only the benchmark runs, unless -run says otherwise.
func (r *Run) Prepare() error {
	if flag.NArg() > 0 {
		return option.Misuse("go test took %q for arguments of the test, which has none: name the packages first and flags after them, as in go test . -model=… (with gotestsum: gotestsum -- . -model=…, without --rerun-fails, which puts the packages last: -resume asks again what ended in an error, and -trials repeats cases)", strings.Join(flag.Args(), " "))
	}
	given := map[string]string{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = f.Value.String() })
	if r.Options.Model == "" {
		if r.Rules.File == "" && !r.Options.Resume { // the project's own tests
			r.Options.Model = "oracle"
			return nil
		}
		if err := r.recall(given); err != nil {
			return err
		}
	}
	switch n, several := given["test.count"]; {
	case n == "0":
		return option.Misuse("-count=0 would ask nothing: leave it out")
	case several && n != "1":
		return option.Misuse("-count=%s would repeat a test that is scored once: -trials=%s asks each case as often", n, n)
	}
	if strings.Contains(given["test.cpu"], ",") {
		return option.Misuse("-cpu with several numbers would repeat a test that is scored once: -trials repeats its cases")
	}
	if n, err := strconv.Atoi(given["test.parallel"]); err == nil && n > 0 {
		if r.Options.Concurrency == 0 || n < r.Options.Concurrency {
			r.Options.Concurrency = n
		}
	}
	if err := r.choose(given["test.run"], given["test.skip"]); err != nil {
		return err
	}
	return r.order.take(given["test.shuffle"])
}

// theTests says how -run names cases.
const theTests = "the tests are " + Name + "/<category>/<case id>"

// choose keeps -run to the benchmark's tests. A choice without cases would pass
// having asked nothing, and one without TestGate would decide nothing.
func (r *Run) choose(run, skip string) error {
	names := []string{Name}
	if r.Rules.File != "" {
		names = append(names, GateName)
	}
	var wanted []string // the part of the pattern that is about these tests
	for _, levels := range split(run) {
		for _, name := range names {
			if ok, _ := compile(levels[0]).matches([]string{name}); ok {
				wanted = append(wanted, strings.Join(append([]string{"^" + name + "$"}, levels[1:]...), "/"))
			}
		}
	}
	kept := strings.Join(wanted, "|")
	for _, name := range names {
		in, _ := compile(kept).matches([]string{name})
		out, more := compile(skip).matches([]string{name})
		switch {
		case skip != "" && out && !more:
			return option.Misuse("-skip=%s leaves out all of %s", say.Plain(skip, 200), name)
		case kept != "" && in:
		case name == GateName:
			return option.Misuse("the gate would decide nothing: -run=%s leaves %s out; use %s", say.Plain(run, 200), name, say.ShellWord("-run="+run+"|"+name))
		default:
			return option.Misuse("-run=%s chooses no case: %s", say.Plain(run, 200), theTests)
		}
	}
	return flag.Set("test.run", kept)
}

// An order is the order of a category's cases: that of the dataset or, with -shuffle, another.
type order struct{ random *rand.Rand }

// take reads the value of -shuffle and takes it away from package testing,
// which would shuffle the tests themselves: the gate comes last.
func (o *order) take(value string) error {
	if value == "" || value == "off" {
		return nil
	}
	seed := uint64(time.Now().UnixNano())
	if value != "on" {
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return option.Misuse("-shuffle must be on, off or a whole number, not %q", value)
		}
		seed = uint64(n)
	}
	fmt.Println("-test.shuffle", seed)
	o.random = rand.New(rand.NewPCG(seed, 0))
	return flag.Set("test.shuffle", "off")
}

// shuffled returns the parts with their cases in the order.
func (o *order) shuffled(parts []suite.Part) []suite.Part {
	if o.random == nil {
		return parts
	}
	parts = slices.Clone(parts)
	for i := range parts {
		cases := slices.Clone(parts[i].Cases)
		o.random.Shuffle(len(cases), func(a, b int) { cases[a], cases[b] = cases[b], cases[a] })
		parts[i].Cases = cases
	}
	return parts
}

// readGate reads the gate that the flags name.
func (r *Run) readGate(o suite.Options) (err error) {
	switch {
	case r.Rules == nil || r.Rules.File == "" && r.Rules.Baseline == "":
		return nil
	case r.Rules.File == "":
		return option.Misuse("-baseline needs -gate: name a gate file")
	case o.Model == "oracle" && o.RunDir == "":
		return option.Misuse("-gate decides on the answers in a run folder, and the oracle writes none: set -run-dir")
	}
	r.Held, err = gate.For(r.Rules.File, r.Rules.Baseline, o)
	return err
}

// codeOf returns the exit code of an error: 3 for wrong usage and configuration, 2
// for data and folders that a run cannot go on from.
func codeOf(err error) int {
	if option.IsMisuse(err) {
		return ExitMisuse
	}
	return ExitTrouble
}

// complain prints an error and returns its exit code.
func complain(err error) int {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintln(os.Stderr, say.Printable(advise.Named(line), 1000))
	}
	return codeOf(err)
}
