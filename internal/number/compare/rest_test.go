package compare_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// defective is a case that the list of errata says is defective.
const defective = "simple_python_87"

// official is a run of the official data whose first so many cases of a category
// are listed.
func official(name, category string, listed int, outcomes map[string]string) *tally.Run {
	r := newRun(name, 1, outcomes)
	_, r.Digest = eval.Named("v4")
	r.Mode = eval.Prompt
	for p := range r.Parts {
		for i := range r.Parts[p].Results {
			if r.Parts[p].Category.Name == category && i < listed {
				r.Parts[p].Results[i].Case.ID = defective
			}
		}
	}
	return r
}

// TestAudits: what is left of two and of three runs, of the overall or, if
// nothing that counts was run, of all cases; nothing if nothing is left.
func TestAudits(t *testing.T) {
	t.Parallel()
	two := func(simple, irrelevance string) map[string]string {
		return map[string]string{"simple_python": simple, "irrelevance": irrelevance}
	}
	aside := func(outcomes string) map[string]string { return map[string]string{"exec_simple": outcomes} }
	for _, c := range []struct {
		name, category string
		listed         int
		outcomes       []map[string]string
		want           string
	}{
		{"two", "simple_python", 1, []map[string]string{two("fppf", "pf"), two("ppff", "ff")}, "Audited, without 1 case that `bfcl errata` lists as defective: A 58.33%, B 16.67%, change −41.67, 95% interval −100.0 to +88.0 (p = 0.452)."},
		{"three", "simple_python", 1, []map[string]string{two("fppf", "pf"), two("ppff", "ff"), two("pppf", "pp")}, "Audited, without 1 case that `bfcl errata` lists as defective: 1–3 c 83.33%, 1–3 a 58.33%, 1–3 b 16.67%."},
		{"aside", "exec_simple", 1, []map[string]string{aside("pppp"), aside("pfff")}, "Audited, without 1 case that `bfcl errata` lists as defective: A 100.00%, B 0.00%, change −100.00, 95% interval −100.0 to +10.1 (p = 0.094)."},
		{"none is listed", "simple_python", 0, []map[string]string{one("pp"), one("pf")}, ""},
		{"all are", "simple_python", 1, []map[string]string{one("p"), one("f")}, ""},
		{"the others are errors", "simple_python", 1, []map[string]string{one("pp"), one("pe")}, "a and b have no answered case in common"},
		{"and of three", "simple_python", 1, []map[string]string{one("pp"), one("pe"), one("pp")}, "have no answered case in common"},
	} {
		var runs []*tally.Run
		for i, outcomes := range c.outcomes {
			runs = append(runs, official(string(rune('a'+i)), c.category, c.listed, outcomes))
		}
		notes, err := compare.Audit(runs, compare.Options{})
		switch {
		case strings.HasPrefix(c.want, "Audited"):
			require.NoError(t, err, c.name)
			assert.Equal(t, []string{c.want}, notes, c.name)
		case c.want != "":
			assert.ErrorContains(t, err, c.want, c.name)
		default:
			assert.NoError(t, err, c.name)
			assert.Empty(t, notes, c.name)
		}
	}
}

// TestFirstScreen: whatever there is to say of two runs, the first screen has at
// most 30 lines of at most 80 characters, but for commands, which are pasted.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	kinds := []cause.Kind{cause.WrongValue, cause.NoCall, cause.WrongFunction, cause.MissingRequired, cause.Malformed}
	run := func(name string, lost int) *tally.Run {
		r := wholly(strings.Repeat("a long name/", 20)+name, lost)
		for p := range r.Parts {
			for i := range r.Parts[p].Results {
				r.Parts[p].Results[i].Cause = cause.Cause{Kind: kinds[i%len(kinds)]}
			}
		}
		return r
	}
	var text strings.Builder
	for _, lost := range [][2]int{{0, 6}, {6, 0}, {0, 0}} {
		a, b := run("a", lost[0]), run("b", lost[1])
		c := pair(t, a, b)
		c.Notes = append(c.Blame(a, b), a.Name+": "+strings.Repeat("much to say ", 60)+". And more", "x", "y", "z")
		var screen strings.Builder
		require.NoError(t, export.Difference(&screen, say.Screen{Width: 80}, c, strings.Repeat("the same model ", 15), "bfcl trace b 1", "bfcl gate "+b.Name))
		lines := strings.Split(strings.TrimSpace(screen.String()), "\n")
		assert.LessOrEqual(t, len(lines), 30)
		for _, line := range lines {
			assert.True(t, utf8.RuneCountInString(line) <= 80 || strings.Contains(line, "bfcl gate"), line)
		}
		text.WriteString(screen.String() + "\n")
	}
	golden(t, "screens.txt", text.String())
}

// TestShortNames: a run's name is A or B where a note begins with it, and nowhere
// else.
func TestShortNames(t *testing.T) {
	t.Parallel()
	c := pair(t, newRun("a", 1, one("pp")), newRun("e", 1, one("pf")))
	c.Notes = []string{"a: a map", "e: a tree", "a and e differ in a mode", "another"}
	var screen strings.Builder
	require.NoError(t, export.Difference(&screen, say.Screen{Width: 80}, c, ""))
	assert.Contains(t, screen.String(), "beware A: a map\n       B: a tree\n       A and B differ in a mode\n       another\n")
	screen.Reset()
	require.NoError(t, export.Comparison(&screen, wide, c, 0))
	assert.Contains(t, screen.String(), "\nA: a map\nB: a tree\nA and B differ in a mode\nanother\n")
}

// TestAlone: one run is like itself, and the first of its ranking.
func TestAlone(t *testing.T) {
	t.Parallel()
	r := newRun("a", 1, one("pf"))
	got, notes, err := compare.Align([]*tally.Run{r}, compare.Options{})
	require.NoError(t, err)
	assert.Equal(t, []*tally.Run{r}, got)
	assert.Empty(t, notes)
	ranked := testkit.Must(compare.Rank([]*tally.Run{r}, compare.Options{}))(t)
	assert.Equal(t, []string{"1", "v4", "d1"}, []string{ranked.Runs[0].Ranks(), ranked.Dataset, ranked.Digest})
}

// TestSettingsOfUpstream: upstream's results state no settings, wherever they
// stand; the runs beside them do.
func TestSettingsOfUpstream(t *testing.T) {
	t.Parallel()
	run := func(name string, mode eval.Mode) *tally.Run {
		r := newRun(name, 1, one("pf"))
		r.Mode, r.Upstream = mode, strings.HasPrefix(name, "up")
		return r
	}
	for want, runs := range map[string][]*tally.Run{
		`[a and b differ in more than the model: mode ("fc" against "prompt")]`: {run("a", eval.FC), run("upstream", eval.Prompt), run("b", eval.Prompt)},
		"[]": {run("upstream", eval.FC), run("b", eval.Prompt)},
	} {
		assert.Equal(t, want, fmt.Sprint(compare.Besides(runs)))
	}
	_, notes, err := compare.Align([]*tally.Run{run("a", eval.FC), run("b", eval.Prompt)}, compare.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{`a and b differ in more than the model: mode ("fc" against "prompt")`}, notes)
	a, b := run("a", eval.FC), run("b", eval.FC)
	b.Parameters = map[string]string{"x": strings.Repeat("x", 2000)}
	said := compare.Besides([]*tally.Run{a, b})
	require.Len(t, said, 1)
	kept, _, _ := strings.Cut(strings.TrimPrefix(said[0], "a and b differ in more than the model: "), "…")
	assert.Len(t, kept, 1000)
}

// TestWordsOfCauses: flips by cause, what adds most first, then the most frequent,
// then by name; who else may be to blame; and as many flips as are asked for.
func TestWordsOfCauses(t *testing.T) {
	t.Parallel()
	kinds := []cause.Kind{cause.WrongValue, cause.NoCall, cause.WrongFunction, cause.MissingRequired}
	run := func(name, outcomes, others string, malformed bool) *tally.Run {
		r := newRun(name, 1, map[string]string{"simple_python": outcomes, "irrelevance": others})
		r.Prices = &record.Prices{Input: float64(len(name)), Output: 2}
		for _, part := range r.Parts {
			for i := range part.Results {
				if result := &part.Results[i]; result.Status == eval.Fail {
					result.Cause = cause.Cause{Kind: kinds[min(i, 8)%4]}
					result.Malformed = malformed && result.Cause.Kind == cause.NoCall
				}
			}
		}
		return r
	}
	var text strings.Builder
	for _, malformed := range []bool{false, true} {
		a, b := run("a", "ppppppppppffff", "pffpp", malformed), run("bb", "ffffffffffpppp", "fpppp", !malformed)
		c := pair(t, a, b)
		c.Notes = c.Blame(a, b)
		for _, flips := range []int{1, 10} {
			require.NoError(t, export.Comparison(&text, say.Screen{Width: 90}, c, flips))
		}
		require.NoError(t, export.Comparison(&text, say.Screen{Markdown: true}, c, 3))
	}
	golden(t, "causes.txt", text.String())
}

// TestWordsOfNarrowRanks: groups for which there is no room beside the ranks stand
// in a table of their own, with names that are cut where they are too long.
func TestWordsOfNarrowRanks(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	all := map[string]string{"simple_python": "ppf", "live_simple": "pff", "irrelevance": "ppp", "multi_turn_base": "pf", "memory_kv": "pp"}
	first := map[string]string{}
	for _, name := range []string{"simple", "rest", "multiple_function", "parallel_function", "relevance", "executable_multiple_function", "parallel_multiple_function"} {
		first[name] = "pf"
		if len(first) < 6 {
			continue
		}
		all := []*tally.Run{newRun("a", 1, first), newRun("b", 1, first)}
		for _, r := range all {
			r.Dataset = "v1"
		}
		r := testkit.Must(compare.Rank(all, compare.Options{}))(t)
		require.NoError(t, export.Ranking(&text, wide, r))
		require.NoError(t, export.Comparison(&text, wide, pair(t, all[0], all[1]), 0))
	}
	r := testkit.Must(compare.Rank([]*tally.Run{newRun(strings.Repeat("one group", 3), 1, one("pf")), newRun("b", 1, one("pf"))}, compare.Options{}))(t)
	r.Notes = []string{strings.Repeat("a ", 90), strings.Repeat("bb ", 50)}
	for _, width := range []int{0, 60} {
		require.NoError(t, export.Ranking(&text, say.Screen{Width: width}, r))
	}
	for _, n := range []int{12, 13, 27, 28, 32} {
		name := strings.Repeat("0123456789", 4)[:n]
		r := testkit.Must(compare.Rank([]*tally.Run{newRun(name, 1, all), newRun("b", 1, all)}, compare.Options{}))(t)
		for _, width := range []int{60, 80} {
			fmt.Fprintf(&text, "== %d in %d\n", n, width)
			require.NoError(t, export.Ranking(&text, say.Screen{Width: width}, r))
		}
	}
	golden(t, "narrow.txt", text.String())
}

// TestCasesApart: a case that one run lacks, and one with an error, do not hide
// those after it.
func TestCasesApart(t *testing.T) {
	t.Parallel()
	a, b := newRun("a", 1, one("ppppp")), newRun("b", 1, one("ffeff"))
	b.Parts[0].Results = b.Parts[0].Results[1:]
	c := pair(t, a, b)
	assert.Equal(t, []int{3, 1, 3}, []int{c.Cases, c.Errors, len(c.Flips)})
}

// TestKept: a ranking's comparisons have flips if they are to be kept.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		r := testkit.Must(compare.Rank([]*tally.Run{newRun("a", 1, one("pp")), newRun("b", 1, one("pf"))}, compare.Options{Keep: keep}))(t)
		assert.Equal(t, keep, len(r.Pairs[0].Comparison.Flips) == 1)
		assert.Equal(t, keep, r.Pairs[0].Comparison.Flips != nil)
	}
}

// TestCompleteRanks: a ranking is complete if each of its comparisons is.
func TestCompleteRanks(t *testing.T) {
	t.Parallel()
	whole := map[string]string{}
	for name, n := range newRun("a", 1, nil).Sizes() {
		whole[name] = letters(n, 0, 0)
	}
	for failing := range 4 {
		var runs []*tally.Run
		for i := range 3 {
			r := newRun("a", 1, whole)
			if i == failing {
				r.Part("simple_python").Results[0].Status = eval.Error
			}
			runs = append(runs, r)
		}
		r := testkit.Must(compare.Rank(runs, compare.Options{}))(t)
		assert.Equal(t, failing == 3, r.Complete, failing)
		r = testkit.Must(compare.Rank(runs[1:], compare.Options{}))(t)
		assert.Equal(t, failing == 0 || failing == 3, r.Complete, failing)
	}
}

// TestRanksOfOneCase: a category of one case has its weight in a ranking.
func TestRanksOfOneCase(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	run := func(name string, lost int, single string) *tally.Run {
		return newRun(name, 1, map[string]string{"simple_python": letters(0, lost, 0) + letters(20-lost, 10, 0), "live_simple": letters(2*lost, 4, 0) + letters(12-2*lost, 2, 0), "live_multiple": single})
	}
	r := testkit.Must(compare.Rank([]*tally.Run{run("a", 0, "p"), run("b", 4, "f"), run("c", 6, "p"), run("d", 1, "f")}, compare.Options{}))(t)
	for _, p := range r.Pairs {
		numbers := testkit.Must(json.Marshal(p))(t)
		fmt.Fprintf(&text, "%s\n", numbers)
	}
	golden(t, "single.txt", text.String())
}

// TestWord: as many cases lost as won are a difference that could be chance.
func TestWord(t *testing.T) {
	t.Parallel()
	for want, d := range map[string]compare.Difference{"real, better": {OnlyB: 9, Significant: true, Estimate: stat.Estimate{Value: .1}}, "real, worse": {OnlyA: 9, Significant: true, Estimate: stat.Estimate{Value: -.1}}, "could be chance": {OnlyA: 2, OnlyB: 2}, "no difference": {}} {
		assert.Equal(t, want, d.Word())
	}
}

// TestWordsOfGains: a gain is green.
func TestWordsOfGains(t *testing.T) {
	t.Parallel()
	few := map[string]string{"simple_python": letters(40, 30, 0), "format_sensitivity": "pf"}
	more := map[string]string{"simple_python": letters(65, 5, 0), "format_sensitivity": "pf"}
	a, b := newRun("a", 1, few), newRun("b", 1, more)
	var coloured bytes.Buffer
	require.NoError(t, export.Comparison(&coloured, say.Screen{Width: 200, Colour: true}, pair(t, a, b), 1))
	golden(t, "gains.txt", coloured.String())
}
