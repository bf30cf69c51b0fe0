package tally

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/option"
	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/junit"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/shard"
	"github.com/gobfcl/bfcl/internal/why"
)

// root is the only test that is scored.
const root = "TestBFCL"

// infrastructure begins the error types that are not a verdict on the model.
const infrastructure = "infrastructure:"

// harness is the error type of a test that failed without a verdict.
const harness = infrastructure + "harness"

// A junitSource is a JUnit file that gotestsum wrote of TestBFCL.
type junitSource struct {
	said  claim
	class string
	cases []junit.Case
	keep  bool // the answers recorded beside the file
}

func newJUnit(file *junit.File) (*junitSource, error) {
	top, err := findRoot(file)
	if err != nil {
		return nil, err
	}
	attr := top.Properties
	if attr["model"] == "" || attr["digest"] == "" {
		return nil, &NotBegun{didNotBegin(top)}
	}
	trials, err := strconv.Atoi(attr["trials"])
	if err != nil || trials < 1 || trials > option.MostTrials {
		return nil, fmt.Errorf("%s does not have a valid number of trials: %q", root, attr["trials"])
	}
	run := &record.Run{ID: attr["run"], Job: attr["job"], Model: attr["model"], Dataset: attr["dataset"], Digest: attr["digest"], Trials: trials, Variants: attr["variants"], Skipped: readSkipped(attr["skipped"])}
	if name := attr["embedder"]; name != "" {
		run.Parameters = map[string]string{"embedder": name}
	}
	said := claim{path: file.Path, run: run, categories: attr["categories"], ids: attr["selection"]}
	if said.shard, err = shard.Parse(attr["shard"]); err != nil {
		return nil, fmt.Errorf("%s: %w", root, err)
	}
	run.Shard = said.shard.String()
	if run.Variants != "" {
		if run.Seed, err = strconv.ParseUint(attr["variant_seed"], 10, 64); err != nil {
			return nil, fmt.Errorf("%s has variants but not a valid variant_seed: %q", root, attr["variant_seed"])
		}
	}
	var prices record.Prices
	if n, _ := fmt.Sscan(attr["prices"], &prices.Input, &prices.Output); n == 2 {
		run.Prices = &prices
	}
	return &junitSource{said: said, class: top.Class, cases: file.Cases}, nil
}

// NotBegun is the error for the JUnit of a run that ended before its first
// case, for example because it was refused.
type NotBegun struct {
	// Why is what the test logged.
	Why string
}

// Error says why the run did not begin.
func (e *NotBegun) Error() string { return "the run did not begin: " + e.Why }

// ErrNotSuite is the error for JUnit from another tool, or from a test that did
// not build.
var ErrNotSuite = errors.New("it holds no " + root + ", so it is not JUnit of this suite")

func findRoot(file *junit.File) (top junit.Case, err error) {
	found := 0
	for _, c := range file.Cases {
		if c.Name == root {
			top = c
			found++
		}
	}
	switch {
	case found == 1:
		return top, nil
	case found > 1:
		return top, fmt.Errorf("it holds %d runs of %s: repeated tests cannot be distinguished: run them without -count and reruns (-trials repeats cases)", found, root)
	case len(file.Suites) > 0 && file.Suites[0] != "" && len(file.Cases) > 0 && file.Cases[0].Class == file.Suites[0] && !strings.HasPrefix(file.Cases[0].Name, "Test"):
		return top, errors.New("this looks like an enriched report: score the junit.xml that gotestsum wrote")
	}
	return top, fmt.Errorf("%w (its test suites: %s)", ErrNotSuite, suites(file.Suites))
}

func suites(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return firstOf(names, 3, func(name string) string { return safe.Quote(name, 80) })
}

func didNotBegin(top junit.Case) string {
	text := junit.Log(top.Output)
	if text == "" {
		return "its test ended without a message"
	}
	return safe.Plain(text, 1000)
}

// variable matches the name of an environment variable or a flag.
var variable = pattern.Of(`^([A-Z][A-Z0-9_]{0,60}|-[a-z-]{1,20})$`)

// readSkipped reads "category VARIABLE …;…" and leaves out everything else,
// which is not the suite's.
func readSkipped(text string) map[string][]string {
	var out map[string][]string
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		if len(words) < 2 || categories.Find(words[0]) == nil || slices.ContainsFunc(words[1:], func(w string) bool { return !variable().MatchString(w) }) {
			continue
		}
		if out == nil {
			out = map[string][]string{}
		}
		out[words[0]] = words[1:]
	}
	return out
}

func (s *junitSource) claim() claim { return s.said }

// fill assigns each test case's verdict to the case that it names.
func (s *junitSource) fill(b *board) error {
	for _, c := range s.cases {
		path, below := strings.CutPrefix(c.Name, root+"/")
		if !below || c.Class != s.class || b.parents[path] {
			continue
		}
		slot := b.tests[path]
		if slot == nil {
			b.unknown = append(b.unknown, path)
			continue
		}
		if c.Outcome == junit.Skipped && c.Properties["error_type"] == "" { // with a gate a wrong answer is skipped, too
			slot.skipped = whySkipped(c)
			continue
		}
		result, err := s.result(c)
		if err != nil {
			return err
		}
		result.Category, result.Case = slot.category, slot.result.Case
		why.Examine(&result, eval.Settings{})
		slot.from = s
		b.put(slot, result)
	}
	return s.grade(b)
}

// whySkipped returns the reason that the test logged.
func whySkipped(c junit.Case) string {
	why, _, _ := strings.Cut(junit.Log(c.Output), "; this case has no answer")
	if why = safe.Printable(why, 400); why == "" {
		why = "the run was stopped"
	}
	return why
}

func (s *junitSource) result(c junit.Case) (eval.Result, error) {
	attr := c.Properties
	r := eval.Result{Seconds: c.Seconds, Verdict: eval.Verdict{ErrorType: safe.Plain(attr["error_type"], 100)}, Response: eval.Response{
		CutOff: attr[eval.CutOff] != "", Malformed: attr["malformed_call"] != "", Finish: safe.Printable(attr["finish"], 100),
		Effort: eval.ParseEffort(attr["agent"]), Cost: number(attr["cost"]), Latency: seconds(attr["latency"]), TTFT: seconds(attr["ttft"]),
		InputTokens: int(number(attr["input_tokens"])), OutputTokens: int(number(attr["output_tokens"])),
	}}
	switch {
	case c.Outcome == junit.Passed && r.ErrorType != "":
		return r, fmt.Errorf("%s: %s passed but has the error type %q: the file was changed after the run", s.said.path, safe.Plain(c.Name, 200), r.ErrorType)
	case c.Outcome == junit.Passed:
		r.Status = eval.Pass
		return r, nil
	case r.ErrorType == "":
		r.ErrorType = harness
	}
	r.Status = eval.Fail
	if strings.HasPrefix(r.ErrorType, infrastructure) {
		r.Status = eval.Error
	}
	r.Text = junit.Log(c.Output)
	return r, nil
}

// number reads a number; 0 if the text is none.
func number(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0 && f < 1e12) {
		return 0
	}
	return f
}

// seconds reads a number of seconds.
func seconds(text string) time.Duration {
	return time.Duration(math.Round(min(number(text), 1e9) * float64(time.Second)))
}
