package tally

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// root is the only test that is scored.
const root = "TestBFCL"

// infrastructure begins the error types that are not a verdict on the model.
const infrastructure = "infrastructure:"

// harness is the error type of a test that failed without a verdict.
const harness = infrastructure + "harness"

func newJUnit(file *JUnitDocument) (*source, error) {
	top, err := findRoot(file)
	if err != nil {
		return nil, err
	}
	attr := top.Properties.Get
	if attr("model") == "" || attr("digest") == "" {
		return nil, &NotBegun{Why: cmp.Or(say.Plain(top.logged(), 1000), "its test ended without a message"), Usage: attr("refused") == "usage"}
	}
	if attr("variants") != "" {
		return nil, fmt.Errorf("%s was run with -variant, which is gone: score it with the bfcl that ran it", root)
	}
	trials, err := strconv.Atoi(attr("trials"))
	if err != nil || trials < 1 || trials > option.MostTrials {
		return nil, fmt.Errorf("%s does not have a valid number of trials: %q", root, attr("trials"))
	}
	run := &record.Run{ID: attr("run"), Job: attr("job"), Model: attr("model"), Dataset: attr("dataset"), Digest: attr("digest"), Trials: trials, Skipped: readSkipped(attr("skipped"))}
	if name := attr("embedder"); name != "" {
		run.Parameters = map[string]string{"embedder": name}
	}
	s := &source{path: file.Path, run: run, categories: attr("categories"), ids: attr("selection"), junit: file.Cases, class: top.Class}
	if s.shard, err = suite.ParseShard(attr("shard")); err != nil {
		return nil, fmt.Errorf("%s: %w", root, err)
	}
	run.Shard = s.shard.String()
	var prices record.Prices
	if n, _ := fmt.Sscan(attr("prices"), &prices.Input, &prices.Output); n == 2 {
		run.Prices = &prices
	}
	return s, nil
}

// NotBegun is the error for the JUnit of a run that ended before its first
// case, for example because it was refused.
type NotBegun struct {
	// Why is what the test logged, and Usage reports whether it is wrong usage or
	// configuration, which trying again does not help.
	Why   string
	Usage bool
}

// Error says why the run did not begin.
func (e *NotBegun) Error() string { return "the run did not begin: " + e.Why }

// ErrNotSuite is the error for JUnit from another tool, or from a test that did
// not build.
var ErrNotSuite = errors.New("it holds no " + root + ", so it is not JUnit of this suite")

func findRoot(file *JUnitDocument) (top *JUnitCase, err error) {
	found := 0
	for i := range file.Cases {
		if file.Cases[i].Name == root {
			top = &file.Cases[i]
			found++
		}
	}
	switch {
	case found == 1:
		return top, nil
	case found > 1:
		return top, fmt.Errorf("it holds %d runs of %s: repeated tests cannot be distinguished: run them without -count and reruns (-trials repeats cases)", found, root)
	case len(file.Suites) > 0 && len(file.Cases) > 0 && file.Cases[0].Class == file.Suites[0] && !strings.HasPrefix(file.Cases[0].Name, "Test"):
		return top, errors.New("this looks like an enriched report: score the junit.xml that gotestsum wrote")
	}
	return top, fmt.Errorf("%w (its test suites: %s)", ErrNotSuite, cmp.Or(some(file.Suites), "none"))
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

// tell assigns the verdict of each test case to the case that it names, and says why
// others were skipped. Where the answer was judged it adds only the test's time.
func (s *source) tell(b *board) error {
	told := 0
	for i := range s.junit {
		c := &s.junit[i]
		path, below := strings.CutPrefix(c.Name, root+"/")
		if !below || c.Class != s.class || b.parents[path] {
			continue
		}
		slot := b.tests[path]
		switch {
		case slot == nil && s.dir == "":
			b.unknown = append(b.unknown, path)
			continue
		case slot == nil:
			continue // it was chosen when the run began, and is not any more
		case s.dir != "" && slot.from == s:
			slot.result.Seconds = float64(c.Seconds)
			continue
		case c.Skipped != nil && c.Properties.Get("error_type") == "": // with a gate a wrong answer is skipped, too
			why, _, _ := strings.Cut(c.logged(), "; this case has no answer")
			slot.skipped = cmp.Or(say.Printable(why, 400), "the run was stopped")
			continue
		case c.Failure != nil && c.Properties.Get("error_type") == "" && !strings.Contains(c.Output(), "--- FAIL: ") && c.logged() == "":
			continue // it was under way when the process was killed
		}
		result, err := s.result(c)
		if err != nil {
			return err
		}
		result.Category, result.Case = slot.result.Category, slot.result.Case
		why.Examine(&result, eval.Settings{})
		b.put(slot, s, result)
		told++
	}
	if s.dir != "" && told > 0 {
		b.notes = append(b.notes, fmt.Sprintf("%s: the answers to %s are not recorded there: of these only the verdicts in %s are known", s.path, say.Cases(told), JUnitFile))
	}
	return nil
}

func (s *source) result(c *JUnitCase) (eval.Result, error) {
	attr, reason := c.Properties.Get, c.Reason()
	r := eval.Result{Seconds: float64(c.Seconds), Verdict: eval.Verdict{ErrorType: say.Plain(attr("error_type"), 100)}, Response: eval.Response{
		Effort: eval.ParseEffort(attr("agent")), Cost: eval.ParseMoney(attr("cost")),
	}}
	first, second, _ := strings.Cut(attr("latency"), " ")
	r.Latency, r.TTFT = seconds(first), seconds(second)
	first, second, _ = strings.Cut(attr("tokens"), " ")
	r.InputTokens, r.OutputTokens = int(number(first)), int(number(second))
	r.Finish, r.CutOff = strings.CutPrefix(attr("ended")+" ", eval.CutOff+" ")
	r.Finish, r.Malformed = strings.CutPrefix(r.Finish, "malformed_call ")
	r.Finish = say.Printable(strings.TrimSuffix(r.Finish, " "), 100)
	switch {
	case reason == nil && r.ErrorType != "":
		return r, fmt.Errorf("%s: %s passed but has the error type %q: the file was changed after the run", s.path, say.Plain(c.Name, 200), r.ErrorType)
	case reason == nil:
		r.Status = eval.Pass
		return r, nil
	case r.ErrorType == "":
		r.ErrorType = harness
	}
	r.Status = eval.Fail
	if strings.HasPrefix(r.ErrorType, infrastructure) {
		r.Status = eval.Error
	}
	r.Text = c.logged()
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
