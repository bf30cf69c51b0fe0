package report_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/show/report"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(ending{m}) }

// hostile is what a model may write to break out of its place.
const hostile = `</script><script>window.pwned=1</script><img src=x onerror="window.pwned=2">` +
	"<!--<script>\x1b[31mred\x1b[0m\u202eright to left\u2066\x00</textarea>]]>{{.}}${alert(1)}`'\"&amp;"

// An answerer answers one case as a recorded response.
type answerer func(n int, c *eval.Case) *eval.Response

func right(_ int, c *eval.Case) *eval.Response {
	return &eval.Response{Result: oracle.Answer(c, eval.FC), InputTokens: 100, OutputTokens: 20, Latency: 800 * time.Millisecond}
}

// broken answers every third case with hostile text, and a conversation with
// a log of it.
func broken(n int, c *eval.Case) *eval.Response {
	r := right(n, c)
	r.Latency = 2 * time.Second
	switch {
	case c.Scene != nil:
		r.Result = pyval.NewList()
		r.Talk = &eval.Talk{Log: logOf(hostile)}
		for range c.Turns {
			r.Result.(*pyval.List).Items = append(r.Result.(*pyval.List).Items, pyval.NewList(pyval.NewList()))
		}
	case n%3 == 0:
		r.Result = eval.TextResult(hostile)
	}
	return r
}

func logOf(text string) *pyval.List {
	say := func(role string) *pyval.Dict {
		d := pyval.NewDict(2)
		d.SetStr("role", pyval.Str(role))
		d.SetStr("content", pyval.Str(text))
		return d
	}
	turn := pyval.NewDict(2)
	turn.SetStr("begin_of_turn_query", pyval.NewList(say("user")))
	turn.SetStr("step_0", pyval.NewList(say("assistant"), say("tool"), pyval.Str("no message"), say("\u202erole")))
	return pyval.NewList(pyval.Str("no turn"), turn)
}

// made are runs over the starter suite, read from result folders.
func made(t testing.TB, selection string, models map[string]answerer) []*tally.Run {
	t.Helper()
	dir := t.TempDir()
	dataset := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	cats, err := categories.Standard().Select(selection, func(c *eval.Category, _ bool) error { return dataset.Need(c) })
	require.NoError(t, err)
	for model, answer := range models {
		for _, cat := range cats {
			if !cat.Executes {
				write(t, filepath.Join(dir, "result", model, cat.Group), dataset, cat, answer)
			}
		}
	}
	return testkit.Must(tally.ReadAll([]string{filepath.Join(dir, "result")}, tally.Options{Dataset: fixtures.Starter, Answers: true}))(t)
}

func write(t testing.TB, dir string, dataset *fixtures.Dataset, cat *eval.Category, answer answerer) {
	t.Helper()
	cases := testkit.Must(dataset.Cases(cat))(t)
	var lines bytes.Buffer
	for n, c := range cases {
		line := testkit.Must(record.Line(c.ID, answer(n, c), ""))(t)
		lines.Write(line)
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, record.FileName(cat.Name)), lines.Bytes(), 0o644))
}

// two are a run that is right and one that is broken and hostile.
func two(t testing.TB) []*tally.Run {
	return made(t, "single_turn,multi_turn_base", map[string]answerer{"right-model": right, "broken<b>model": broken})
}

func reportOf(t testing.TB, runs []*tally.Run, o report.Options) *report.Report {
	t.Helper()
	return testkit.Must(report.New(runs, o))(t)
}

func html(t testing.TB, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, r.HTML(&b))
	return b.String()
}

// failing fails every answer of some models a bit more.
func failing(k int) answerer {
	return func(n int, c *eval.Case) *eval.Response {
		r := right(n, c)
		r.Latency = time.Duration(k+1) * time.Second
		if n%5 <= k {
			r.Result = eval.TextResult(fmt.Sprintf("I cannot, says model %d.", k))
		}
		return r
	}
}

// listed is a run with cases that have the ids of listed defects.
func listed(t testing.TB) []*tally.Run {
	runs := made(t, "simple_python,multiple", map[string]answerer{"m": failing(3)})
	_, runs[0].Digest = eval.Named("v4")
	return runs
}

// TestGoldenRecorded makes pages of the recorded runs of both releases: every
// result of theirs is in the page.
func TestGoldenRecorded(t *testing.T) {
	data := filepath.Dir(testkit.Shared(t, "bfcl", "v4"))
	for _, test := range []struct {
		name, path  string
		runs, cases int
		options     tally.Options
	}{
		{"v1", testkit.Shared(t, "recorded", "v1"), 14, 1700, tally.Options{Replay: []string{
			testkit.GoldenFile(t, "exec", "replay.jsonl"), testkit.GoldenFile(t, "rest", "replay.jsonl")}}},
		{"v4", testkit.Shared(t, "recorded", "v4", "gpt-oss-120b"), 1, 4241, tally.Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.options.Data, test.options.Answers = data, true
			runs := testkit.Must(tally.ReadAll([]string{test.path}, test.options))(t)
			require.Len(t, runs, test.runs)
			page := html(t, reportOf(t, runs, report.Options{AllowErrors: true}))
			var index struct {
				IDs, V []string
			}
			unpacked(t, blocks.FindStringSubmatch(page)[2], &index)
			assert.Len(t, index.IDs, test.cases)
			shown, want := 0, 0
			for _, letters := range index.V {
				for _, letter := range letters {
					if letter != '-' {
						shown++
					}
				}
			}
			for _, run := range runs {
				want += run.Len()
			}
			assert.Equal(t, want, shown)
			assert.Less(t, len(page), 8<<20)
			t.Logf("%d of %d results in a page of %d KB", shown, want, len(page)>>10)
		})
	}
}
