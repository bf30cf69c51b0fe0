package compare_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// outcomes of a run in a category: a letter a case, p(ass), f(ail), e(rror);
// with trials as many letters a case as there are.
func newRun(name string, trials int, outcomes map[string]string) *tally.Run {
	r := &tally.Run{Name: name, Run: record.Run{Model: name, Dataset: "v4", Digest: "d1", Trials: trials}}
	for _, cat := range categories.All() {
		letters, ok := outcomes[cat.Name]
		if !ok {
			continue
		}
		part := tally.Part{Category: cat}
		for i, letter := range letters {
			id := cat.Name + "_" + strconv.Itoa(i/trials)
			entry := pyval.NewDict(1)
			entry.SetStr("id", pyval.Str(id))
			result := eval.Result{Category: cat, Case: &eval.Case{ID: id, Entry: entry}, Trial: i % trials, Response: eval.Response{Latency: 1500 * time.Millisecond, InputTokens: 100, OutputTokens: 10}}
			switch letter {
			case 'f':
				result.Status, result.ErrorType = eval.Fail, "value_error:string"
			case 'e':
				result.Status, result.ErrorType = eval.Error, "infrastructure:timeout"
				result.Latency, result.InputTokens, result.OutputTokens = 0, 0, 0
			}
			part.Results = append(part.Results, result)
		}
		r.Parts = append(r.Parts, part)
	}
	return r
}

func one(outcomes string) map[string]string { return map[string]string{"simple_python": outcomes} }

func pair(t *testing.T, a, b *tally.Run) *compare.Comparison {
	t.Helper()
	c := testkit.Must(compare.Pair(a, b, compare.Options{}))(t)
	if c.Overall != nil {
		assertAddsUp(t, c)
	}
	return c
}

// TestPairWeighsAsTheWhole: categories weigh in their group as the dataset has
// them, not as they were selected.
func TestPairWeighsAsTheWhole(t *testing.T) {
	a := newRun("a", 1, map[string]string{"live_simple": "pp", "live_parallel": "pp"})
	b := newRun("b", 1, map[string]string{"live_simple": "ff", "live_parallel": "pp"})
	c := pair(t, a, b)
	assert.InDelta(t, -258.0/(258+16), c.Overall.Value, 1e-12)
	assert.False(t, c.Complete)
}

// TestPairLeavesErrorsOut: a pair with an infrastructure error says nothing,
// unless errors are to count.
func TestPairLeavesErrorsOut(t *testing.T) {
	a, b := newRun("a", 1, one("ppppf")), newRun("b", 1, one("eeppf"))
	c := pair(t, a, b)
	assert.Equal(t, []int{3, 2}, []int{c.Cases, c.Errors})
	assert.Zero(t, c.Overall.Value)
	counted := testkit.Must(compare.Pair(a, b, compare.Options{AllowErrors: true}))(t)
	assert.InDelta(t, -0.4, counted.Overall.Value, 1e-12)
	assert.ErrorContains(t, testkit.Err(compare.Pair(a, newRun("c", 1, one("eeeee")), compare.Options{})), "have no answered case in common: 5 cases are left out because of infrastructure errors")
}

func TestPairOfTrials(t *testing.T) {
	c := pair(t, newRun("a", 3, one("pppfpf"+"eff")), newRun("b", 3, one("pppppf"+"ppp")))
	require.Len(t, c.Flips, 2)
	assert.InDelta(t, 1.0/3, c.Flips[0].A, 1e-12)
	assert.InDelta(t, 2.0/3, c.Flips[0].B, 1e-12)
	assert.Equal(t, 3, c.Cases)
	mixed := pair(t, newRun("a", 3, one("pppfpf")), newRun("b", 1, one("pf")))
	assert.InDelta(t, -1.0/6, mixed.Overall.Value, 1e-12, "runs with different numbers of trials compare by case")
}

// TestPairOfUnequalTrials: with one answer a case is right or wrong, with three
// it is mostly in between, and 80% of equal models' answers make many more
// cases that the single answer wins. By counts of cases that would be
// significant; the test of shares does not say so.
func TestPairOfUnequalTrials(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(trials int) string {
		var b strings.Builder
		for range 400 * trials {
			if random.Float64() < 0.8 {
				b.WriteByte('p')
			} else {
				b.WriteByte('f')
			}
		}
		return b.String()
	}
	c := pair(t, newRun("three", 3, one(draw(3))), newRun("one", 1, one(draw(1))))
	d := c.Categories[0]
	assert.False(t, d.Significant)
	assert.Greater(t, d.Adjusted, 0.1)
}

// TestClustersOfVariants: variants of a conversation count as one cluster, and
// widen the interval of their group where they flip together.
func TestClustersOfVariants(t *testing.T) {
	half := strings.Repeat("pf", 30)
	together := map[string]string{"multi_turn_base": half, "multi_turn_miss_func": half}
	apart := map[string]string{"multi_turn_base": half, "multi_turn_miss_func": strings.Repeat("ppff", 15)}
	none := map[string]string{"multi_turn_base": strings.Repeat("f", 60), "multi_turn_miss_func": strings.Repeat("f", 60)}
	wide, narrow := pair(t, newRun("a", 1, none), newRun("b", 1, together)), pair(t, newRun("a", 1, none), newRun("b", 1, apart))
	assert.Equal(t, 60, wide.Overall.N)
	assert.InDelta(t, narrow.Overall.Value, wide.Overall.Value, 1e-12)
	assert.Greater(t, wide.Overall.High-wide.Overall.Low, 1.3*(narrow.Overall.High-narrow.Overall.Low))
}

func TestAlign(t *testing.T) {
	a, b := newRun("a", 1, one("ppp")), newRun("b", 1, one("pp"))
	other := newRun("other", 1, one("ppp"))
	other.Digest = "d2"
	for _, c := range []struct {
		runs []*tally.Run
		want string
	}{
		{[]*tally.Run{a, b}, `the runs have different cases (3 and 2): b lacks 1 of the cases of a, such as simple_python/simple_python_2; compare what they have in common with --intersect`},
		{[]*tally.Run{newRun("a", 1, one("ppppppppp")), b}, "b lacks 7 of the cases of a, such as simple_python/simple_python_2;"},
		{[]*tally.Run{a, other}, `other used "v4" with "d2"`},
		{[]*tally.Run{a, newRun("none", 1, nil)}, "none has no cases"},
	} {
		_, _, err := compare.Align(c.runs, compare.Options{})
		assert.ErrorContains(t, err, c.want)
	}
	_, _, err := compare.Align([]*tally.Run{a, newRun("x", 1, map[string]string{"multiple": "p"})}, compare.Options{Intersect: true})
	assert.ErrorContains(t, err, "no case in common")
}

// TestRankOfRunsWithErrors: runs are ranked on the cases that all answered: one whose
// hard cases ended in errors does not stand before one that is better on the others.
func TestRankOfRunsWithErrors(t *testing.T) {
	lucky := one(strings.Repeat("p", 85) + strings.Repeat("f", 15) + strings.Repeat("e", 100))
	whole := one(strings.Repeat("p", 100) + strings.Repeat("f", 100))
	r := testkit.Must(compare.Rank([]*tally.Run{newRun("lucky", 1, lucky), newRun("whole", 1, whole)}, compare.Options{}))(t)
	assert.Equal(t, []string{"whole", "lucky"}, []string{r.Runs[0].Name, r.Runs[1].Name})
	assert.Equal(t, []int{100, 100, 0, 100}, []int{r.Cases, r.Errors, r.Runs[0].Errors, r.Runs[1].Errors})
	assert.Equal(t, []float64{1, .85}, []float64{r.Runs[0].Overall.Value, r.Runs[1].Overall.Value})
	assert.True(t, r.Pairs[0].Significant)
	assert.InDelta(t, .15, r.Pairs[0].Value, 1e-12, "the pair's difference is that of the ranked figures")
	assert.Equal(t, []string{"1", "2"}, []string{r.Runs[0].Ranks(), r.Runs[1].Ranks()})
}

// TestHostileNames: what a model or a file calls itself forges nothing.
func TestHostileNames(t *testing.T) {
	hostile := "m|x\x1b[31m\n--- PASS: y\u202e<script>`[a](http://x)@all"
	a, b := newRun(hostile, 1, one("pf")), newRun("b", 1, one("fp"))
	a.Parts[0].Results[1].ErrorType = hostile
	c := pair(t, a, b)
	r := testkit.Must(compare.Rank([]*tally.Run{a, b, newRun("c", 1, one("pp"))}, compare.Options{}))(t)
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(w *bytes.Buffer) error { return export.Comparison(w, wide, c, 10) },
		"ranking":  func(w *bytes.Buffer) error { return export.Ranking(w, wide, r) },
		"markdown": func(w *bytes.Buffer) error { return export.Comparison(w, say.Screen{Markdown: true}, c, 10) },
		"ranks":    func(w *bytes.Buffer) error { return export.Ranking(w, say.Screen{Markdown: true}, r) },
	} {
		var w bytes.Buffer
		require.NoError(t, write(&w))
		for _, line := range strings.Split(w.String(), "\n") {
			assert.False(t, strings.HasPrefix(line, "---"), "%s: %s", name, line)
			for _, char := range line {
				assert.True(t, unicode.IsPrint(char), "%s: %q in %s", name, char, line)
			}
		}
		if strings.HasPrefix(name, "mark") || name == "ranks" {
			for _, mark := range []string{"<script>", "](", "`", "@all", "m|x"} {
				assert.NotContains(t, w.String(), mark, name)
			}
		}
	}
}

// TestSuspects: a note names the run and what its evidence speaks for, for runs
// that have any; a name cannot break out of it.
func TestSuspects(t *testing.T) {
	a, b := newRun("a", 1, one("pff")), newRun("b\x1b[31m\n", 1, one("fpf"))
	for _, r := range []*tally.Run{a, b} {
		for i := range r.Parts[0].Results {
			if result := &r.Parts[0].Results[i]; result.Status == eval.Fail {
				if result.Cause.Kind = cause.NoCall; r == b {
					result.Trace = &eval.Trace{Facts: []string{"the server could not read the calls"}}
				}
			}
		}
	}
	want := `: Of −66.67 points: server −66.67; 2 cases: the server could not read the calls`
	notes := compare.Suspects([]*tally.Run{a, b})
	require.Len(t, notes, 1)
	assert.Regexp(t, `^b[[:print:]]*`+regexp.QuoteMeta(want)+`$`, notes[0])
	c := pair(t, a, b)
	c.Notes = notes
	var text, marked bytes.Buffer
	require.NoError(t, export.Comparison(&text, wide, c, 10))
	assert.Contains(t, strings.Join(strings.Fields(text.String()), " "), want, "in full")
	require.NoError(t, export.Comparison(&marked, say.Screen{Markdown: true}, c, 10))
	assert.Contains(t, marked.String(), "server −66.67; 2 cases: the server could not read the calls")
}

// TestGoldenPairs compares the recorded models of the first release, each with
// the next: counts must add up, and both directions agree.
func TestGoldenPairs(t *testing.T) {
	runs := testkit.Must(tally.ReadAll([]string{testkit.Shared(t, "recorded", "v1")}, tally.Options{Data: testkit.Shared(t, "bfcl")}))(t)
	cases := 0
	for i := range runs[1:] {
		a, b := runs[i], runs[i+1]
		c, back := pair(t, a, b), pair(t, b, a)
		assert.InDelta(t, c.Overall.Value, -back.Overall.Value, 1e-12)
		assert.InDelta(t, c.Overall.P, back.Overall.P, 1e-9)
		for _, d := range c.Categories {
			right := 0
			for _, r := range b.Part(d.Name).Results {
				if r.Passed() {
					right++
				}
			}
			assert.InDelta(t, float64(right)/float64(d.Cases), d.B, 1e-12)
			assert.InDelta(t, float64(d.OnlyB-d.OnlyA)/float64(d.Cases), d.Value, 1e-12)
		}
		assert.Len(t, c.Flips, c.Overall.OnlyA+c.Overall.OnlyB)
		cases += c.Cases
	}
	t.Logf("%d pairs of verdicts in %d comparisons", cases, len(runs)-1)
}

// wide is a screen on which every column has room.
var wide = say.Screen{Width: 400}

// TestRanksTogether: of equally good runs any is told apart in at most 5%, and
// of those that are not, some are.
func TestRanksTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a simulation")
	}
	t.Parallel()
	const runs, cases = 8, 150
	random := rand.New(rand.NewPCG(6, 6))
	n, wrong, found := 25, 0, 0
	if more, err := strconv.Atoi(os.Getenv("BFCL_COVERAGE")); err == nil {
		n = more
	}
	draw := func(better float64) *compare.Ranking {
		ease := make([]float64, cases)
		for i := range ease {
			ease[i] = random.Float64()
		}
		var all []*tally.Run
		for k := range runs {
			var letters strings.Builder
			for _, e := range ease {
				letter := "f"
				if 0.7*e+0.3*random.Float64() < 0.5+better*float64(k) {
					letter = "p"
				}
				letters.WriteString(letter)
			}
			all = append(all, newRun("run"+strconv.Itoa(k), 1, one(letters.String())))
		}
		return testkit.Must(compare.Rank(all, compare.Options{}))(t)
	}
	for range n {
		if slices.ContainsFunc(draw(0).Pairs, func(p compare.RankedPair) bool { return p.Significant }) {
			wrong++
		}
		for _, p := range draw(0.02).Pairs {
			if p.Significant {
				found++
			}
		}
	}
	t.Logf("equally good runs: some are told apart in %.1f%%; others: %.1f of 28 pairs", 100*float64(wrong)/float64(n), float64(found)/float64(n))
	assert.LessOrEqual(t, float64(wrong), 0.05*float64(n)+3*math.Sqrt(0.05*float64(n)))
	assert.Greater(t, found, 3*n)
}

// assertAddsUp: what the overall's parts add, and what the flips add, is the
// difference.
func assertAddsUp(t *testing.T, c *compare.Comparison) {
	t.Helper()
	parts, reasons := 0.0, 0.0
	for _, d := range c.Parts() {
		parts += d.Points
	}
	lost, won := c.Reasons()
	for _, r := range append(lost, won...) {
		exact := 0.0
		for _, f := range r.Flips {
			exact += f.Points
		}
		reasons += r.Points
		assert.InDelta(t, exact, r.Points, 0.0101, "shown")
	}
	assert.InDelta(t, compare.Rounded(100*c.Overall.Value), parts, 1e-9)
	assert.InDelta(t, compare.Rounded(100*c.Overall.Value), reasons, 1e-9)
	assert.InDelta(t, 100*c.Overall.Value, c.Overall.Points, 1e-9)
}

// Rounded parts add up to the rounded sum, whatever they are.
func TestShown(t *testing.T) {
	t.Parallel()
	for _, points := range [][]float64{{}, {32.291666, 32.291666, 32.291666}, {-0.004, -0.004, -0.004}, {96.875}, {96.87500000000001}, {0.5, -0.505, 0.001}, {1e-9, -1e-9}} {
		sum, shown := 0.0, 0.0
		for i, x := range compare.Shown(points...) {
			sum, shown = sum+points[i], shown+x
			assert.InDelta(t, points[i], x, 0.0101)
			assert.Equal(t, compare.Rounded(x), x)
		}
		assert.Equal(t, compare.Rounded(sum), compare.Rounded(shown), points)
	}
	assert.Equal(t, "+96.88 +96.88 +0.00", fmt.Sprintf("%+.2f %+.2f %+.2f", compare.Rounded(96.875), compare.Rounded(96.87499999999999), compare.Rounded(-1e-12)))
}
