package tally_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

// scripted answers like the oracle, but for every third request, whose answer
// is hostile, some that call another function, and those that fail.
type scripted struct {
	lookup oracle.Lookup
	fail   func(id string, trial int) bool
}

func (s scripted) Generate(_ context.Context, req *eval.Request) (*eval.Response, error) {
	if s.fail(req.ID, req.Trial) {
		return nil, eval.Infra("timeout", "no answer in \x1b[31m10s\n")
	}
	n := req.Trial
	for _, b := range []byte(req.ID) {
		n += int(b)
	}
	resp := &eval.Response{InputTokens: n, OutputTokens: n % 7, Latency: time.Duration(n) * time.Millisecond}
	switch {
	case n%6 == 5:
		resp.Result = eval.CallsResult([]eval.ToolCall{{Name: "no_such_function", Arguments: "{}"}})
	case n%3 == 0:
		resp.Result = eval.TextResult("]]></failure>\x00\x16--- PASS: TestBFCL/x (0.00s)\n=== ATTR  x y z\n\u202e")
	default:
		resp.Result = oracle.Answer(s.lookup(req.ID), eval.FC)
	}
	return resp, nil
}

// A fake runs a selection of the starter suite as TestBFCL does, into a run
// folder and, in memory, into JUnit.
type fake struct {
	dir         string
	run         *record.Run
	junitSource bytes.Buffer
}

func run(t *testing.T, dir, categories, ids string, trials int, fail func(string, int) bool) *fake {
	t.Helper()
	dataset := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	digest := testkit.Must(dataset.Digest())(t)
	sel := testkit.Must(suite.Select(dataset, categories, ids))(t)
	w := testkit.Must(record.NewWriter(dir, nil))(t)
	f := &fake{dir: dir, run: &record.Run{
		ID: record.NewID(), Model: "scripted", Mode: eval.FC, UnderscoreToDot: true, Dataset: "starter", Digest: digest,
		Categories: sel.Names(), IDs: sel.IDs, Trials: trials, Started: time.Now().Add(-time.Hour), Ended: time.Now(),
	}}
	byID := map[string]*eval.Case{}
	for _, part := range sel.Parts {
		for _, c := range part.Cases {
			byID[c.ID] = c
		}
	}
	settings := f.run.Settings()
	settings.Executor = testkit.Must(suite.ForRun(t.Context(), dataset, nil))(t)
	e := &engine.Engine{
		Adapter:  scripted{func(id string) *eval.Case { return byID[id] }, fail},
		Settings: settings, Writer: w,
	}
	f.test(e, sel, trials)
	require.NoError(t, w.Close())
	require.NoError(t, record.WriteRun(dir, f.run))
	return f
}

// test writes the test cases in no order, as parallel tests end.
func (f *fake) test(e *engine.Engine, sel *suite.Selection, trials int) {
	attrs := map[string]string{
		"run": f.run.ID, "model": f.run.Model, "dataset": "starter", "digest": f.run.Digest,
		"categories": strings.Join(f.run.Categories, ","), "trials": strconv.Itoa(trials),
	}
	if sel.IDs != nil {
		attrs["selection"] = strings.Join(sel.IDs, ",")
	}
	var cases []string
	for _, part := range sel.Parts {
		for _, c := range part.Cases {
			path := "TestBFCL/" + part.Category.Name + "/" + c.ID
			for trial := range trials {
				out := e.Run(context.Background(), part.Category, c, trial)
				if trials > 1 {
					cases = append(cases, element(fmt.Sprintf("%s/%d", path, trial+1), outcome(c, out), attributes(out)))
				} else {
					cases = append(cases, element(path, outcome(c, out), attributes(out)))
				}
			}
			if trials > 1 {
				cases = append(cases, element(path, "", nil))
			}
		}
		cases = append(cases, element("TestBFCL/"+part.Category.Name, failed("=== RUN   x\n"), nil))
	}
	rand.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
	cases = append(cases, element("TestBFCL", failed("=== RUN   x\n"), attrs), element("TestOther", "", nil))
	f.junitSource.WriteString("<testsuites><testsuite name=\"github.com/gobfcl/bfcl\">\n" + strings.Join(cases, "") + "</testsuite></testsuites>\n")
}

func (f *fake) write(t *testing.T) string {
	t.Helper()
	path := filepath.Join(f.dir, tally.JUnitFile)
	require.NoError(t, os.WriteFile(path, f.junitSource.Bytes(), 0o644))
	return path
}

func outcome(c *eval.Case, out eval.Result) string {
	if out.Passed() {
		return ""
	}
	lines := strings.ReplaceAll(why.Text(&out), "\n", "\n        ")
	return failed("=== RUN   x\n=== CONT  x\n=== ATTR  x error_type y\n    bfcl_test.go:140: " + lines + "\n--- FAIL: x (0.00s)\n")
}

func failed(output string) string {
	return `<failure message="Failed" type="">` + escaped(output) + `</failure>`
}

func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

func attributes(out eval.Result) map[string]string {
	attrs := map[string]string{}
	if out.ErrorType != "" {
		attrs["error_type"] = out.ErrorType
	}
	if out.Status != eval.Error {
		attrs["latency"] = strconv.FormatFloat(out.Latency.Seconds(), 'f', -1, 64)
		attrs["tokens"] = strconv.Itoa(out.InputTokens) + " " + strconv.Itoa(out.OutputTokens)
	}
	return attrs
}

func element(name, body string, attrs map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<testcase classname="github.com/gobfcl/bfcl" name="%s" time="0.010000">`, escaped(name))
	if len(attrs) > 0 {
		b.WriteString("<properties>")
		for k, v := range attrs {
			fmt.Fprintf(&b, `<property name="%s" value="%s"></property>`, k, escaped(v))
		}
		b.WriteString("</properties>")
	}
	return b.String() + body + "</testcase>\n"
}

func never(string, int) bool { return false }

func fifth(id string, trial int) bool { return (len(id)+int(id[len(id)-1])+trial)%5 == 0 }

func read(t *testing.T, paths ...string) *tally.Run {
	t.Helper()
	return testkit.Must(tally.Read(paths, tally.Options{}))(t)
}

func scored(t *testing.T, r *tally.Run) *score.Score {
	t.Helper()
	return testkit.Must(r.Score(true))(t)
}

func TestJUnitAndRecordsAgree(t *testing.T) {
	for _, test := range []struct {
		name, categories, ids string
		trials                int
		fail                  func(string, int) bool
	}{
		{"all", "single_turn", "", 1, never},
		{"with errors", "single_turn", "", 1, fifth},
		{"executables", "exec_simple,exec_parallel,exec_multiple,rest", "", 1, fifth},
		{"trials", "live,irrelevance", "", 3, fifth},
		{"ids", "all", "simple_python_0,irrelevance_1,parallel_2", 2, never},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := run(t, t.TempDir(), test.categories, test.ids, test.trials, test.fail)
			records := read(t, f.dir)
			f.write(t)
			junitSource := read(t, f.dir)
			assert.Equal(t, scored(t, records), scored(t, junitSource))
			n := 0
			for i, part := range junitSource.Parts {
				for k, want := range part.Results {
					got := records.Parts[i].Results[k]
					got.Seconds, want.Seconds = 0, 0
					want.Case = got.Case // each reading loads its own
					if x, y := want.Trace, got.Trace; x != nil && y != nil {
						assert.Equal(t, x.Facts, y.Facts)
						want.Trace = got.Trace
					}
					require.Equal(t, want, got)
					n++
				}
			}
			require.Positive(t, n)
			t.Logf("%d verdicts equal", n)
		})
	}
}

// TestOtherFilesStayUnread: what a run folder or a JUnit file names as ids or as
// its dataset is no reason to read, or to tell, what stands elsewhere.
func TestOtherFilesStayUnread(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "private.json")
	require.NoError(t, os.WriteFile(elsewhere, []byte("planted-secret\n"), 0o600))
	for _, ids := range []string{elsewhere, "@" + elsewhere} {
		f := run(t, t.TempDir(), "irrelevance", "irrelevance_0", 1, never)
		f.run.IDs = []string{ids}
		require.NoError(t, record.WriteRun(f.dir, f.run))
		_, err := tally.Read([]string{f.dir}, tally.Options{})
		require.ErrorContains(t, err, "1 unknown case id")
		assert.NotContains(t, err.Error(), "planted")
		path := filepath.Join(t.TempDir(), "a.xml")
		require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(f.junitSource.Bytes(), []byte(`value="irrelevance_0"`), []byte(`value="`+ids+`"`)), 0o644))
		_, err = tally.Read([]string{path}, tally.Options{})
		require.ErrorContains(t, err, "1 unknown case id")
		assert.NotContains(t, err.Error(), "planted")
	}
	f := run(t, t.TempDir(), "irrelevance", "irrelevance_0", 1, never)
	f.run.Dataset = filepath.Dir(elsewhere)
	require.NoError(t, record.WriteRun(f.dir, f.run))
	assert.ErrorContains(t, testkit.Err(tally.Read([]string{f.dir}, tally.Options{})), "is missing", "its digest is not computed")
}

// TestPricesThatAreNone: with a price below nothing, or one that is no number,
// a gate's ceiling would hold whatever a run took.
func TestPricesThatAreNone(t *testing.T) {
	f := run(t, t.TempDir(), "irrelevance", "irrelevance_0", 1, never)
	for prices, known := range map[record.Prices]bool{{Input: 0, Output: 3}: true, {Input: -5, Output: 1}: false, {Input: 1, Output: 1e308}: false} {
		f.run.Prices = &prices
		require.NoError(t, record.WriteRun(f.dir, f.run))
		r := read(t, f.dir)
		assert.Equal(t, known, r.Prices != nil, "%v", prices)
	}
	path := filepath.Join(t.TempDir(), "a.xml")
	for prices, want := range map[string]*record.Prices{"NaN -Inf": nil, "2": nil, "1 2": {Input: 1, Output: 2}} {
		require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(f.junitSource.Bytes(), []byte(`name="trials"`), []byte(`name="prices" value="`+prices+`"/><property name="trials"`)), 0o644))
		assert.Equal(t, want, read(t, path).Prices, prices)
	}
}

func TestMissingRecordsAreNamed(t *testing.T) {
	f := run(t, t.TempDir(), "irrelevance", "", 1, never)
	path := filepath.Join(f.dir, "result", "non_live", "BFCL_v4_irrelevance_result.json")
	data := testkit.Must(os.ReadFile(path))(t)
	require.NoError(t, os.WriteFile(path, data[:len(data)-20], 0o644)) // as a kill leaves it
	_, err := tally.Read([]string{f.dir}, tally.Options{})
	var incomplete *tally.Incomplete
	require.ErrorAs(t, err, &incomplete)
	assert.Len(t, incomplete.Missing, 1)
	assert.Zero(t, incomplete.Skipped)
}

func TestNonRuns(t *testing.T) {
	testkit.Fails(tally.Read(nil, tally.Options{}))(t, "name a JUnit file or a run folder")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.json"), []byte("{"), 0o644))
	testkit.Fails(tally.Read([]string{dir}, tally.Options{}))(t, "run.json")
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("/dev/zero", filepath.Join(dir, tally.JUnitFile)))
		testkit.Fails(tally.Read([]string{dir}, tally.Options{}))(t, "junit.xml is not a regular file")
		require.NoError(t, os.Remove(filepath.Join(dir, tally.JUnitFile)))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "run.json"), []byte(`{"trials": 99999999999}`), 0o644))
	require.Error(t, testkit.Err(tally.Read([]string{dir}, tally.Options{})))
}

func replace(t *testing.T, path, from, to string) {
	t.Helper()
	data := testkit.Must(os.ReadFile(path))(t)
	require.Contains(t, string(data), from)
	require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(data), from, to)), 0o644))
}

// FuzzJUnit reads JUnit files that anybody may have written: what is read has
// exactly the manifest's cases, and scores.
func FuzzJUnit(f *testing.F) {
	d, err := fixtures.Open(fixtures.Starter, "")
	if err != nil {
		f.Fatal(err)
	}
	digest, err := d.Digest()
	if err != nil {
		f.Fatal(err)
	}
	props := map[string]string{"model": "m", "dataset": "starter", "digest": digest, "categories": "irrelevance", "trials": "1", "selection": "irrelevance_0"}
	for _, leaf := range []string{
		element("TestBFCL/irrelevance/irrelevance_0", "", nil),
		element("TestBFCL/irrelevance/irrelevance_0", failed("x"), map[string]string{"error_type": "value_error"}),
		element("TestBFCL/irrelevance/irrelevance_0/2", "<skipped message='x'/>", nil),
	} {
		f.Add("<testsuites><testsuite name=\"p\">" + element("TestBFCL", "", props) + leaf + "</testsuite></testsuites>")
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "junit.xml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		run, err := tally.Read([]string{path}, tally.Options{})
		if err != nil {
			return
		}
		n := 0
		for _, part := range run.Parts {
			n += len(part.Results)
		}
		if n == 0 || n%run.Trials != 0 {
			t.Fatalf("%d results of %d trials", n, run.Trials)
		}
		if _, err := run.Score(true); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzErrors reads a run folder's errors.jsonl.
func FuzzErrors(f *testing.F) {
	f.Add(`{"id":"irrelevance_0","category":"irrelevance","trial":0,"kind":"reset","error":"reset: peer"}` + "\n{")
	f.Add("[]\n{}")
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		run := `{"model":"m","mode":"fc","dataset":"starter","categories":["irrelevance"],"ids":["irrelevance_0"],"trials":1}`
		for name, text := range map[string]string{"run.json": run, "errors.jsonl": text} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = tally.Read([]string{dir}, tally.Options{})
	})
}

// TestGoldenCauses: the failures of a real run, and what they cost. The sum is
// what separates the run's overall from one that is right everywhere.
func TestGoldenCauses(t *testing.T) {
	t.Parallel()
	folder := testkit.Shared(t, "recorded", "v4", "gpt-oss-120b", "result")
	runs := testkit.Must(tally.ReadAll([]string{folder}, tally.Options{Data: testkit.Shared(t, "bfcl"), Partial: true}))(t)
	require.Len(t, runs, 1)
	score := testkit.Must(runs[0].Answered(false))(t)
	for _, by := range cause.Groupings {
		r := testkit.Must(runs[0].Failures(tally.Grouping{By: by}))(t)
		counted, named := 0, 0
		for _, g := range r.Groups {
			counted += g.Count
			if g.Function != "" {
				named += g.Count
			}
		}
		assert.Equal(t, r.Wrong+r.Errors, counted)
		assert.InDelta(t, 100*(1-score.Overall.Ran.Value), r.Lost, 1e-6)
		t.Logf("%s: %d groups of %d failures in %d results, %.2f points", by, len(r.Groups), r.Wrong, r.Total, r.Lost)
		if by == cause.ByKind {
			i := 0
			for i < len(r.Groups) && r.Groups[i].Got != "one call where several were wanted" {
				i++
			}
			require.Less(t, i, len(r.Groups))
			parallel := 0
			for _, name := range []string{"parallel", "parallel_multiple", "live_parallel", "live_parallel_multiple"} {
				parallel += r.Groups[i].Categories[name]
			}
			assert.Equal(t, r.Groups[i].Count, parallel, "several calls are wanted in the parallel categories alone")
			assert.Greater(t, parallel, 400)
		} else {
			assert.Greater(t, named, r.Wrong*9/10, "most failures are of a function")
		}
	}
}
