package compare_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// mixed is a run of categories that count and of one that does not; memory's
// questions are of so many scenarios.
func mixed(name string, lost, scenarios int) *tally.Run {
	r := newRun(name, 1, map[string]string{
		"simple_python": letters(0, lost, 0) + letters(30-lost, 12, 1), "irrelevance": letters(18-lost/2, 3+lost/2, 0), "exec_simple": letters(9, 1+lost, 0),
		"memory_kv": letters(0, lost, 0) + letters(20-lost, 13, 0), "memory_vector": letters(0, lost/2, 0) + letters(12-lost/2, 9, 0), "multi_turn_base": letters(8, 6+lost, 0),
	})
	for p := range r.Parts {
		for i := range r.Parts[p].Results {
			result := &r.Parts[p].Results[i]
			result.Latency, result.OutputTokens = time.Duration(1+i%5+lost)*time.Second, 10+i
			if strings.HasPrefix(result.Case.ID, "memory") {
				result.Case.Scene = &eval.Scene{Scenario: "s" + strconv.Itoa(i%scenarios)}
			}
		}
	}
	return r
}

// dump is all that a comparison says, and every number in it.
func dump(t *testing.T, c *compare.Comparison, flips int, screen say.Screen) string {
	t.Helper()
	var terminal, page bytes.Buffer
	require.NoError(t, export.Comparison(&terminal, screen, c, flips))
	require.NoError(t, export.Comparison(&page, say.Screen{Markdown: true}, c, flips))
	numbers := testkit.Must(json.Marshal(c))(t)
	return fmt.Sprintf("%s-- page\n%s-- numbers\n%s\n", &terminal, &page, numbers)
}

// TestWordsOfParts: what does not count is in parentheses, what memory's scenarios
// make of a difference, a narrow and a coloured screen, paths and notes, and how
// many flips are shown.
func TestWordsOfParts(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, c := range []struct {
		name   string
		a, b   *tally.Run
		flips  int
		screen say.Screen
	}{
		{"a loss, three scenarios", mixed("a", 0, 3), mixed("b", 6, 3), 18, say.Screen{Width: 200, Colour: true}},
		{"a gain, one scenario", mixed("a", 6, 1), mixed("b", 0, 1), 1, say.Screen{Width: 70}},
		{"no flips are shown", mixed("a", 1, 2), mixed("b", 0, 2), 0, say.Screen{}},
		{"only what does not count", newRun("a", 1, map[string]string{"exec_simple": "ppppf"}), newRun("b", 1, map[string]string{"exec_simple": "fpppp"}), 5, wide},
		{"the first release", older("a", 0), older("b", 4), 2, say.Screen{Width: 90}},
		{"nothing is known of what it took", taking(eval.Response{}), taking(eval.Response{}), 2, wide},
		{"only the latency", taking(eval.Response{Latency: 2 * time.Second}), taking(eval.Response{Latency: 3 * time.Second, InputTokens: 0}), 2, wide},
	} {
		c.a.Path, c.b.Path = "runs/one", "b"
		got := testkit.Must(compare.Pair(c.a, c.b, compare.Options{}))(t)
		got.Notes = []string{"a note"}
		fmt.Fprintf(&text, "== %s\n%s", c.name, dump(t, got, c.flips, c.screen))
	}
	golden(t, "parts.txt", text.String())
}

// taking is a run whose cases all took the same.
func taking(took eval.Response) *tally.Run {
	r := newRun("a", 1, one("ppfff"))
	for i := range r.Parts[0].Results {
		r.Parts[0].Results[i].Response = took
	}
	return r
}

// older is a run of the first release.
func older(name string, lost int) *tally.Run {
	r := newRun(name, 1, map[string]string{"simple_python": letters(20-lost, 5+lost, 0), "exec_simple": letters(10-lost, 2+lost, 0), "irrelevance": letters(9, 3, 0), "rest": letters(4, 4, 0)})
	r.Dataset = "v1"
	return r
}

// TestWordsOfRanks: ranges of ranks, columns that there is no room for, errors,
// what is not known, notes, and a ranking of what does not count.
func TestWordsOfRanks(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	unknown := mixed("unknown", 2, 2)
	for p := range unknown.Parts {
		for i := range unknown.Parts[p].Results {
			unknown.Parts[p].Results[i].Response = eval.Response{}
		}
	}
	priced := mixed("priced", 9, 2)
	priced.Prices = &record.Prices{Input: 1, Output: 2}
	aside := func(name, letters string) *tally.Run {
		return newRun(name, 1, map[string]string{"exec_simple": letters})
	}
	for _, c := range []struct {
		name   string
		runs   []*tally.Run
		screen say.Screen
	}{
		{"four", []*tally.Run{mixed("a", 6, 3), unknown, priced, mixed("b", 0, 3)}, say.Screen{Width: 200, Colour: true}},
		{"narrow", []*tally.Run{mixed("a", 6, 3), mixed("b", 0, 3)}, say.Screen{Width: 50}},
		{"the first release", []*tally.Run{older("a", 3), older("b", 0), older("c", 1)}, wide},
		{"only what does not count", []*tally.Run{aside("a", "pppff"), aside("b", "ppppp")}, wide},
	} {
		r := testkit.Must(compare.Rank(c.runs, compare.Options{}))(t)
		r.Notes = []string{"a note"}
		var terminal, page bytes.Buffer
		require.NoError(t, export.Ranking(&terminal, c.screen, r))
		require.NoError(t, export.Ranking(&page, say.Screen{Markdown: true}, r))
		numbers := testkit.Must(json.Marshal(r))(t)
		fmt.Fprintf(&text, "== %s\n%s-- page\n%s-- numbers\n%s\n", c.name, &terminal, &page, numbers)
	}
	golden(t, "rankings.txt", text.String())
	assert.ErrorContains(t, testkit.Err(compare.Rank([]*tally.Run{newRun("a", 1, one("ee")), newRun("b", 1, one("pp"))}, compare.Options{})), "have no answered case in common: 2 cases are left out")
	assert.ErrorContains(t, testkit.Err(compare.Rank([]*tally.Run{newRun("a", 1, one("p")), newRun("b", 1, one("e"))}, compare.Options{})), "1 case is left out")
}

// TestNothingToCompare: too few trials for a measure are told from errors.
func TestNothingToCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b int
		k    int
		want string
	}{{1, 1, 2, "pass^2 needs 2 trials per case: a has 1, b has 1"}, {2, 1, 2, "a has 2, b has 1"}, {1, 2, 2, "a has 1, b has 2"}, {2, 2, 2, "have no answered case in common"}} {
		a, b := newRun("a", c.a, one(strings.Repeat("p", c.a-1)+"e")), newRun("b", c.b, one(strings.Repeat("p", c.b-1)+"e"))
		assert.ErrorContains(t, testkit.Err(compare.Pair(a, b, compare.Options{Measure: stat.Measure{K: c.k, All: true}})), c.want)
	}
}

// TestLongNames: names, paths, ids and notes of any length are cut, each at its
// own place.
func TestLongNames(t *testing.T) {
	t.Parallel()
	long := func(letter string) string { return strings.Repeat(letter, 3000) }
	run := func(name, outcomes string) *tally.Run {
		r := newRun(name, 1, one(outcomes))
		r.Dataset, r.Path = long("D"), long("P")
		for i := range r.Parts[0].Results {
			r.Parts[0].Results[i].Case.ID = strconv.Itoa(i) + long("I")
		}
		return r
	}
	a, b := run(long("A"), "ppff"), run(long("B"), "fpff")
	c := testkit.Must(compare.Pair(a, b, compare.Options{}))(t)
	c.Notes = []string{long("N")}
	r := testkit.Must(compare.Rank([]*tally.Run{a, b}, compare.Options{}))(t)
	r.Notes = c.Notes
	other, short := run(long("C"), "pp"), run("s", "pp")
	other.Digest = "d2"
	seeded := func(r *tally.Run, seed uint64) *tally.Run {
		r.Sample = &record.Sample{Seed: seed, Spec: "10," + long("S")}
		return r
	}
	refused := func(b *bytes.Buffer, runs ...*tally.Run) error {
		_, _, err := compare.Align(runs, compare.Options{})
		require.Error(t, err)
		b.WriteString(err.Error())
		return nil
	}
	var text strings.Builder
	for _, w := range []struct {
		name  string
		write func(b *bytes.Buffer) error
	}{
		{"terminal", func(b *bytes.Buffer) error { return export.Comparison(b, say.Screen{Width: 9000}, c, 3) }},
		{"narrow", func(b *bytes.Buffer) error { return flipsOf(b, c, say.Screen{Width: 60}) }},
		{"no width", func(b *bytes.Buffer) error { return flipsOf(b, c, say.Screen{}) }},
		{"page", func(b *bytes.Buffer) error { return export.Comparison(b, say.Screen{Markdown: true}, c, 3) }},
		{"ranking", func(b *bytes.Buffer) error { return export.Ranking(b, say.Screen{Width: 9000}, r) }},
		{"page of the ranking", func(b *bytes.Buffer) error { return export.Ranking(b, say.Screen{Markdown: true}, r) }},
		{"other data", func(b *bytes.Buffer) error { return refused(b, a, other) }},
		{"fewer cases", func(b *bytes.Buffer) error { return refused(b, a, short) }},
		{"other samples", func(b *bytes.Buffer) error {
			return refused(b, seeded(run(long("A"), "p"), 1), seeded(run(long("B"), "p"), 2))
		}},
	} {
		var b bytes.Buffer
		require.NoError(t, w.write(&b))
		fmt.Fprintf(&text, "%s:", w.name)
		for _, letter := range []string{"A", "B", "C", "D", "I", "N", "P", "S"} {
			fmt.Fprintf(&text, " %s %d", letter, strings.Count(b.String(), letter+letter))
		}
		longest := 0
		for line := range strings.Lines(b.String()) {
			longest = max(longest, utf8.RuneCountInString(strings.TrimSpace(line)))
		}
		fmt.Fprintf(&text, ", longest line %d\n", longest)
	}
	golden(t, "lengths.txt", text.String())
}

// flipsOf writes the part of a comparison that lists flips.
func flipsOf(b *bytes.Buffer, c *compare.Comparison, screen say.Screen) error {
	var all bytes.Buffer
	err := export.Comparison(&all, screen, c, 3)
	_, flips, _ := strings.Cut(all.String(), "Broken in B:")
	flips, _, _ = strings.Cut(flips, "per case")
	b.WriteString(flips)
	return err
}

// TestAgentsCompared: what two agents took, where both, one or none of them say
// it; a model has nothing of the kind.
func TestAgentsCompared(t *testing.T) {
	t.Parallel()
	agent := func(name, outcomes string, took func(i int) *eval.Effort) *tally.Run {
		r := newRun(name, 1, one(outcomes))
		for i := range r.Parts[0].Results {
			r.Parts[0].Results[i].Effort = took(i)
		}
		return r
	}
	full := func(i int) *eval.Effort {
		return &eval.Effort{Calls: 2 + i%3, Wall: time.Duration(1+i%4) * time.Second, Cost: 0.01 * float64(1+i%2)}
	}
	silent := func(i int) *eval.Effort { return &eval.Effort{Calls: 3, Wall: time.Second} }
	some := func(i int) *eval.Effort {
		if i == 2 {
			return &eval.Effort{}
		}
		return full(i)
	}
	none := func(int) *eval.Effort { return nil }
	a, b := strings.Repeat("ppppf", 6), strings.Repeat("ppffp", 6)
	var text strings.Builder
	for _, c := range []struct {
		name string
		a, b *tally.Run
	}{
		{"both say all", agent("a", a, full), agent("b", b, func(i int) *eval.Effort { return full(i*7 + 1) })},
		{"one says no cost", agent("a", a, full), agent("b", b, silent)},
		{"the other", agent("a", a, silent), agent("b", b, full)},
		{"neither", agent("a", a, silent), agent("b", b, silent)},
		{"one is silent once", agent("a", a, some), agent("b", b, full)},
		{"one solved one", agent("a", a, full), agent("b", "p"+strings.Repeat("f", 29), full)},
		{"one solved nothing", agent("a", a, full), agent("b", strings.Repeat("f", 30), full)},
		{"one is a model", agent("a", a, none), agent("b", b, full)},
		{"the other is", agent("a", a, full), agent("b", b, none)},
	} {
		got := pair(t, c.a, c.b)
		numbers := testkit.Must(json.Marshal([]any{got.Agents, got.Spend}))(t)
		var page bytes.Buffer
		for _, write := range []func() error{func() error { return export.Comparison(&page, say.Screen{Markdown: true}, got, 0) }, func() error { return export.Comparison(&page, say.Screen{}, got, 0) }} {
			page.Reset()
			require.NoError(t, write())
			_, table, _ := strings.Cut(page.String(), "per solved case")
			numbers = append(append(numbers, '\n'), table...)
		}
		fmt.Fprintf(&text, "== %s\n%s", c.name, numbers)
	}
	golden(t, "agents.txt", text.String())
}

// TestCostsOfTrials: a trial's own cost before the run's prices, and neither if
// nothing was spent; what is not known of one trial does not count in the mean.
func TestCostsOfTrials(t *testing.T) {
	t.Parallel()
	run := func(took eval.Response, prices *record.Prices) *tally.Run {
		r := newRun("a", 1, one("ppf"))
		r.Prices = prices
		for i := range r.Parts[0].Results {
			r.Parts[0].Results[i].Response = took
		}
		return r
	}
	prices := &record.Prices{Input: 3, Output: 5}
	for _, c := range []struct {
		name    string
		took    eval.Response
		prices  *record.Prices
		dollars float64 // below 0 if not known
	}{
		{"stated", eval.Response{Cost: eval.Money{Dollars: 0.25, Requests: 1}, InputTokens: 100}, prices, 0.25},
		{"free", eval.Response{InputTokens: 100, OutputTokens: 20}, &record.Prices{}, 0},
		{"stated as nothing", eval.Response{Cost: eval.Money{}, InputTokens: 100, OutputTokens: 20}, prices, 0.0004},
		{"only input", eval.Response{InputTokens: 100}, prices, 0.0003},
		{"only output", eval.Response{OutputTokens: 20}, prices, -1},
		{"one token", eval.Response{InputTokens: 1}, prices, 0.000003},
		{"no tokens", eval.Response{Latency: 2 * time.Second}, prices, -1},
		{"no prices", eval.Response{InputTokens: 100, OutputTokens: 20}, nil, -1},
	} {
		got := pair(t, run(c.took, c.prices), run(c.took, c.prices)).Spend.Cost
		if c.dollars < 0 {
			assert.Nil(t, got, c.name)
			continue
		}
		require.NotNil(t, got, c.name)
		assert.InDelta(t, c.dollars, got.A, 1e-12, c.name)
		assert.InDelta(t, c.dollars, got.B, 1e-12, c.name)
	}
	// Two trials: one is not known, of another case both are.
	r := newRun("a", 2, one("pppppp"))
	for i, latency := range []time.Duration{1, 0, 0, 0, 4, 8} {
		r.Parts[0].Results[i].Latency = latency * time.Second
	}
	whole := newRun("b", 2, one("pppppp"))
	got := pair(t, r, whole).Spend.Latency
	assert.Equal(t, 2, got.Cases)
	assert.InDelta(t, (1.0+6)/2, got.A, 1e-12)
	assert.InDelta(t, 1.5, got.B, 1e-12)
	got = pair(t, whole, r).Spend.Latency
	assert.Equal(t, 2, got.Cases, "what is not known of one run is not of the other")
}

// TestAnswersAreCases: two datasets' cases with other answers are other cases.
func TestAnswersAreCases(t *testing.T) {
	t.Parallel()
	answered := func(digest, answer string) *tally.Run {
		r := newRun("a", 1, one("pp"))
		r.Digest = digest
		if answer != "" {
			r.Parts[0].Results[1].Case.Answer = &pyval.List{Items: []pyval.Value{pyval.Str(answer)}}
		}
		return r
	}
	for _, c := range []struct {
		name string
		a, b *tally.Run
		left int
	}{
		{"the same", answered("d1", "x"), answered("d2", "x"), 2},
		{"another answer", answered("d1", "x"), answered("d2", "y"), 1},
		{"an answer and none", answered("d1", "x"), answered("d2", ""), 1},
		{"another answer under one digest", answered("d1", "x"), answered("d1", "y"), 2},
	} {
		got, notes, err := compare.Align([]*tally.Run{c.a, c.b}, compare.Options{Intersect: true})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.left == 1, strings.Contains(fmt.Sprint(notes), "because the runs' datasets differ in them"), c.name)
		assert.Equal(t, c.left, got[1].Len(), c.name)
	}
}

// TestSamplesAligned: a smaller sample is part of a larger one with the same seed
// and allocation, and of all cases; others are refused.
func TestSamplesAligned(t *testing.T) {
	t.Parallel()
	sampled := func(outcomes string, seed uint64, spec string) *tally.Run {
		r := newRun("s", 1, one(outcomes))
		r.Sample = &record.Sample{Seed: seed, Spec: spec}
		return r
	}
	whole, stated := newRun("w", 1, one("ppppp")), newRun("w", 1, one("ppppp"))
	elsewhere := sampled("ppp", 1, "3")
	elsewhere.Digest = "d2"
	for _, c := range []struct {
		name string
		runs []*tally.Run
		left int // 0 if refused
	}{
		{"a sample of all", []*tally.Run{whole, sampled("ppp", 1, "3")}, 3},
		{"the other way round", []*tally.Run{sampled("ppp", 1, "3"), stated}, 3},
		{"two sizes", []*tally.Run{sampled("pppp", 1, "4"), sampled("ppp", 1, "3")}, 3},
		{"two seeds", []*tally.Run{sampled("ppp", 1, "3"), sampled("ppp", 2, "3")}, 0},
		{"two allocations", []*tally.Run{sampled("ppp", 1, "3,by=size"), sampled("ppp", 1, "3,by=precision")}, 0},
		{"one allocation", []*tally.Run{sampled("ppp", 1, "3,by=size"), sampled("pp", 1, "2,by=size")}, 2},
		{"three, the last of another seed", []*tally.Run{sampled("ppp", 1, "3"), whole, sampled("ppp", 2, "3")}, 0},
		{"other data", []*tally.Run{whole, elsewhere}, 0},
		{"no samples", []*tally.Run{whole, newRun("x", 1, one("ppp"))}, 0},
		{"as many other cases", []*tally.Run{newRun("w", 1, one("ppp")), newRun("x", 1, map[string]string{"multiple": "ppp"})}, 0},
	} {
		got, notes, err := compare.Align(c.runs, compare.Options{})
		assert.NotContains(t, fmt.Sprint(notes), " 0 of", c.name)
		if c.left == 0 {
			assert.Error(t, err, c.name)
			continue
		}
		require.NoError(t, err, c.name)
		for _, r := range got {
			assert.Equal(t, c.left, r.Len(), c.name)
		}
	}
	seeds := []*tally.Run{sampled("ppp", 1, "3"), sampled("ppp", 2, "3")}
	_, _, err := compare.Align(seeds, compare.Options{})
	assert.ErrorContains(t, err, "the runs are different samples: s has seed 1 (3), s has seed 2 (3)")
	_, _, err = compare.Align(seeds, compare.Options{Intersect: true})
	assert.NoError(t, err)
}

// TestLevels: the digits of a p value, at each bound.
func TestLevels(t *testing.T) {
	t.Parallel()
	for p, want := range map[float64]string{0: "<0.00001", 0.0000099: "<0.00001", 0.00001: "0.00001", 0.00099: "0.00099", 0.001: "0.001", 0.25: "0.250", 1: "1.000"} {
		assert.Equal(t, want, compare.Level(p))
		said := "p = " + want
		if want[0] == '<' {
			said = "p < 0.00001"
		}
		assert.Equal(t, said, compare.PValue(p))
	}
}

// TestLeftOutWholly: a category of which no pair is left is not there.
func TestLeftOutWholly(t *testing.T) {
	t.Parallel()
	a := newRun("a", 1, map[string]string{"simple_python": "ppf", "multiple": "eee", "parallel": "pf"})
	b := newRun("b", 1, map[string]string{"simple_python": "ppf", "multiple": "ppp"})
	both, _, err := compare.Align([]*tally.Run{a, b}, compare.Options{Intersect: true})
	require.NoError(t, err)
	assert.Len(t, both[0].Parts, 2)
	c := pair(t, both[0], both[1])
	require.Len(t, c.Categories, 1)
	assert.Equal(t, 3, c.Errors)
}

// TestRounding: shares of trials that add up to nothing are no difference.
func TestRounding(t *testing.T) {
	t.Parallel()
	c := pair(t, newRun("a", 3, one("ppp"+"fff"+"fff"+"fff")), newRun("b", 3, one("fff"+"pff"+"pff"+"pff")))
	assert.Zero(t, c.Overall.Value)
	assert.Equal(t, 1.0, c.Overall.P)
}

// TestWidths: what a screen has no room for is named, one column or several.
func TestWidths(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	r := testkit.Must(compare.Rank([]*tally.Run{mixed("a", 6, 3), mixed("b", 0, 3)}, compare.Options{}))(t)
	c := pair(t, mixed("a", 6, 3), mixed("b", 0, 3))
	for width := 40; width < 125; width += 7 {
		var table, all strings.Builder
		require.NoError(t, export.Ranking(&all, say.Screen{Width: width}, r))
		require.NoError(t, export.Comparison(&table, say.Screen{Width: width}, c, 0))
		whole := strings.ReplaceAll(all.String()+table.String(), "\n  ", " ") // long remarks are wrapped
		for _, line := range strings.Split(whole, "\n") {
			if strings.HasPrefix(line, "Not shown") || strings.HasPrefix(line, "rank") {
				text.WriteString(line + "\n")
			}
		}
	}
	golden(t, "widths.txt", text.String())
}
