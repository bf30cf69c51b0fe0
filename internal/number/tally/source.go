package tally

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// A source is a run folder, or a JUnit file by itself.
type source struct {
	// path is the source, for messages, and dir the run folder with the answers; ""
	// for JUnit by itself.
	path, dir string
	// run is what the source states.
	run *record.Run
	// categories and ids select the cases; see suite.Select.
	categories, ids string
	// shard is the part of the selection that was run.
	shard suite.Shard
	// junit are the test cases, and class the class of those that count. Beside
	// answers they tell only what these do not, and trouble is why they do not.
	junit   []JUnitCase
	class   string
	trouble error
	keep    bool // the answers
}

// File names in a run folder.
const (
	// JUnitFile is what gotestsum writes.
	JUnitFile = "junit.xml"
	// ReportFile is the report for people.
	ReportFile = "report.xml"
	// ScoreFile is the score as JSON.
	ScoreFile = "score.json"
	// LineFile is the score as a line of JSON, for trackers of experiments.
	LineFile = "score.jsonl"
)

// open opens a run folder with run.json, or a JUnit file. A file beside the run.json
// of its own run is that run's folder.
func open(path string, o Options) (*source, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, option.Misuse("%s does not exist: name a JUnit file or a run folder", strconv.Quote(path))
	}
	dir, file := path, filepath.Join(path, JUnitFile)
	if !info.IsDir() {
		dir, file = filepath.Dir(path), path
	}
	run, err := record.ReadRun(dir)
	written, noFile := os.Stat(file)
	switch {
	case noFile == nil && !written.Mode().IsRegular():
		return nil, plainfile.Check(file)
	case os.IsNotExist(err) && noFile != nil:
		return nil, option.Misuse("%s holds neither %s nor run.json: it is not a run folder (`%s` reads a result folder of upstream's)", strconv.Quote(path), JUnitFile, advise.Command{Words: []string{"evaluate", "--result-dir", path}})
	case err != nil && !os.IsNotExist(err) && info.IsDir():
		return nil, err
	}
	var tests *source
	var trouble error
	if noFile == nil {
		document, err := ReadJUnitFile(file)
		if trouble = err; err == nil {
			if tests, err = newJUnit(document); err != nil {
				trouble = fmt.Errorf("%s: %w", file, err)
			} else {
				tests.keep = o.Answers
			}
		}
	}
	if tests != nil && err == nil && tests.run.ID != "" && !tests.of(run) {
		trouble = fmt.Errorf("%s is of another run", file)
	}
	switch {
	case tests == nil && trouble != nil && (err != nil || !info.IsDir()):
		return nil, trouble
	case err != nil, !info.IsDir() && !tests.of(run):
		if number, counted := strings.CutPrefix(tests.ids, "#"); counted {
			return nil, fmt.Errorf("%s: the run was made of %s chosen cases, too many for the file to list: keep its run.json beside it", path, strconv.Quote(number))
		}
		return tests, nil
	}
	s := &source{path: path, dir: dir, run: run, categories: strings.Join(run.Categories, ","), ids: strings.Join(run.IDs, ","), trouble: trouble, keep: o.Answers}
	if s.shard, err = suite.ParseShard(run.Shard); err != nil {
		return nil, fmt.Errorf("%s: run.json: %w", path, err)
	}
	run.Shard = s.shard.String()
	if tests != nil && tests.of(run) && !run.Ended.After(written.ModTime()) && !run.Idle.After(written.ModTime()) {
		s.junit, s.class = tests.junit, tests.class
	}
	return s, nil
}

// of reports whether a JUnit file is of the run that a run.json states.
func (s *source) of(run *record.Run) bool {
	return s.run.ID == run.ID && s.run.Model == run.Model && s.run.Digest == run.Digest && s.run.Shard == run.Shard
}

// agree checks that all sources are parts of one run. The notes name the
// differences that are allowed, and what is not known.
func agree(sources []*source) (notes []string, err error) {
	note := func(text string) {
		if text != "" && !slices.Contains(notes, text) {
			notes = append(notes, text)
		}
	}
	first, seen := sources[0], map[string]string{}
	for i, c := range sources {
		note(c.run.WithoutID())
		if c.trouble != nil {
			note(fmt.Sprintf("%v: it was not read", c.trouble))
		}
		if other := seen[c.run.ID]; other != "" && c.run.ID != "" {
			return nil, fmt.Errorf("%s and %s are the same run (%s): name each shard once", other, c.path, say.Plain(c.run.ID, 50))
		}
		if seen[c.run.ID] = c.path; i == 0 {
			continue
		}
		differently, differ := record.Mergeable(first.run, c.run)
		if differ != nil {
			return nil, fmt.Errorf("these are different runs: %s has %s %q, %s has %q; score one run at a time", first.path, differ.Field, differ.A, c.path, differ.B)
		}
		note(differently)
		if c.run.Job == "" || first.run.Job == "" {
			note("nothing names the run that the shards are parts of (-job): they count as one because their settings are equal and their numbers differ")
		}
	}
	return notes, nil
}

// gather checks that the sources are a whole run or all of its shards, each
// once. A single shard is accepted if Options.Shard allows it.
func gather(sources []*source, o Options) error {
	first := sources[0]
	if first.shard.Whole() || o.Shard && len(sources) == 1 {
		return nil
	}
	from := map[int]string{}
	for _, c := range sources {
		if other, dup := from[c.shard.Index]; dup {
			return fmt.Errorf("%s and %s are both shard %s: name each shard once", other, c.path, c.shard)
		}
		from[c.shard.Index] = c.path
	}
	var missing []string
	for i := range first.shard.Count {
		if from[i] == "" {
			missing = append(missing, strconv.Itoa(i)+"/"+strconv.Itoa(first.shard.Count))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("%d of the run's %d shards are missing: %s; a score needs all of them: name their folders too",
		len(missing), first.shard.Count, firstOf(missing, 10))
}

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
	trials, err := strconv.Atoi(attr("trials"))
	if err != nil || trials < 1 || trials > option.MostTrials {
		return nil, fmt.Errorf("%s does not have a valid number of trials: %q", root, attr("trials"))
	}
	run := &record.Run{ID: attr("run"), Job: attr("job"), Model: attr("model"), Dataset: attr("dataset"), Digest: attr("digest"), Trials: trials}
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
