package compare_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/export"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

var update = flag.Bool("update", false, "write the golden files of testdata anew")

var longNumber = regexp.MustCompile(`-?\d+\.\d{6,}(e[-+]\d+)?|-?\d(\.\d+)?e[-+]\d+`)

// golden compares a text with a file of testdata, but for the last digits of
// numbers, which are not those of every processor.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = longNumber.ReplaceAllStringFunc(got, func(s string) string {
		f := testkit.Must(strconv.ParseFloat(s, 64))(t)
		return strconv.FormatFloat(f, 'g', 6, 64)
	})
	if *update {
		require.NoError(t, os.WriteFile("testdata/"+name, []byte(got), 0o644))
	}
	want := testkit.Must(os.ReadFile("testdata/" + name))(t)
	assert.Equal(t, string(want), got, "see what changed, then run the test with -update")
}

func letters(pass, fail, errors int) string {
	return strings.Repeat("p", pass) + strings.Repeat("f", fail) + strings.Repeat("e", errors)
}

// wholly is a run of six categories, some of one group; the first so many right
// answers of each are wrong.
func wholly(name string, lost int) *tally.Run {
	of := func(right, wrong, errors int) string {
		lost := min(lost, right)
		return letters(0, lost, 0) + letters(right-lost, wrong, errors)
	}
	r := newRun(name, 1, map[string]string{
		"simple_python": of(70, 30, 0), "multiple": of(20, 10, 1), "live_simple": of(30, 12, 0), "irrelevance": of(18, 3, 0),
		"multi_turn_base": of(9, 11, 2), "memory_kv": of(12, 13, 0),
	})
	for p := range r.Parts {
		for i := range r.Parts[p].Results {
			result := &r.Parts[p].Results[i]
			result.Latency, result.OutputTokens = time.Duration(1+i%7+lost)*time.Second, 10+i
			result.Case.Entry.SetStr("scenario", pyval.Str("s"+strconv.Itoa(i%3)))
		}
	}
	return r
}

// TestWords: all that comparisons and rankings say, and every number in them.
func TestWords(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	trials := func(name, outcomes string) *tally.Run { return newRun(name, 2, one(outcomes)) }
	for _, c := range []struct {
		name string
		a, b *tally.Run
		o    compare.Options
	}{
		{"a loss in six categories", wholly("a", 0), wholly("b", 5), compare.Options{}},
		{"a gain in six categories", wholly("a", 3), wholly("b", 0), compare.Options{}},
		{"equal", wholly("a", 0), wholly("b", 0), compare.Options{}},
		{"trials", trials("a", strings.Repeat("pp", 20)+strings.Repeat("pf", 12)+strings.Repeat("ff", 8)), trials("b", strings.Repeat("pf", 18)+strings.Repeat("pp", 14)+strings.Repeat("ff", 8)), compare.Options{}},
		{"all of two trials", trials("a", strings.Repeat("pp", 20)+strings.Repeat("pf", 12)+strings.Repeat("ff", 8)), trials("b", strings.Repeat("pf", 18)+strings.Repeat("pp", 14)+strings.Repeat("ff", 8)), compare.Options{Measure: stat.Measure{K: 2, All: true}}},
		{"errors on both sides", newRun("a", 1, one(letters(20, 10, 5))), newRun("b", 1, one(letters(0, 3, 6)+letters(16, 10, 0))), compare.Options{}},
		{"four cases", newRun("a", 1, one("pppp")), newRun("b", 1, one("ffpp")), compare.Options{}},
	} {
		got, err := compare.Pair(c.a, c.b, c.o)
		require.NoError(t, err, c.name)
		var terminal, page bytes.Buffer
		require.NoError(t, export.Comparison(&terminal, wide, got, 3))
		require.NoError(t, export.Comparison(&page, say.Screen{Markdown: true}, got, 2))
		numbers := testkit.Must(json.MarshalIndent(got, "", " "))(t)
		fmt.Fprintf(&text, "== %s\n%s-- page\n%s", c.name, &terminal, &page)
		if c.name != "equal" {
			fmt.Fprintf(&text, "-- numbers\n%s\n", numbers)
		}
	}
	golden(t, "pairs.txt", text.String())

	text.Reset()
	r := testkit.Must(compare.Rank([]*tally.Run{wholly("a", 9), wholly("b", 0), wholly("c", 1), wholly("d", 30)}, compare.Options{}))(t)
	var terminal, page bytes.Buffer
	require.NoError(t, export.Ranking(&terminal, wide, r))
	require.NoError(t, export.Ranking(&page, say.Screen{Markdown: true}, r))
	for _, p := range r.Pairs {
		numbers := testkit.Must(json.Marshal(p))(t)
		fmt.Fprintf(&page, "%s\n", numbers)
	}
	golden(t, "ranks.txt", terminal.String()+"-- page\n"+page.String())
}

// TestHolmInComparisons: with k categories the smallest p value counts k times,
// the next k-1 times, and none less than one before it. One alone counts once.
func TestHolmInComparisons(t *testing.T) {
	t.Parallel()
	lose := func(n int) string { return letters(0, n, 0) + letters(40-n, 10, 0) }
	a := newRun("a", 1, map[string]string{"simple_python": lose(0), "multiple": lose(0), "parallel": lose(0)})
	b := newRun("b", 1, map[string]string{"simple_python": lose(12), "multiple": lose(7), "parallel": lose(1)})
	c := pair(t, a, b)
	alone := map[string]float64{}
	for _, d := range c.Categories {
		alone[d.Name] = d.P
	}
	for _, d := range c.Categories {
		p := alone[d.Name]
		want := map[string]float64{"simple_python": 3 * p, "multiple": max(3*alone["simple_python"], 2*p), "parallel": max(2*alone["multiple"], p)}[d.Name]
		assert.InDelta(t, min(1, want), d.Adjusted, 1e-9, d.Name)
		assert.Equal(t, d.Adjusted < compare.Significance, d.Significant, d.Name)
		only := pair(t, newRun("a", 1, map[string]string{d.Name: lose(0)}), newRun("b", 1, map[string]string{d.Name: lose(d.OnlyA)}))
		assert.InDelta(t, p, only.Categories[0].Adjusted, 1e-9, "%s alone", d.Name)
	}
	assert.Less(t, alone["multiple"], compare.Significance)
}

// TestIntersectOfThree: what any of three runs lacks, or asks otherwise, is left
// out of all of them, whatever their order.
func TestIntersectOfThree(t *testing.T) {
	t.Parallel()
	runs := func() []*tally.Run {
		long, short, changed := newRun("long", 1, one("ppfpp")), newRun("short", 1, one("ppfp")), newRun("changed", 1, one("ppfpp"))
		changed.Digest = "d2"
		changed.Parts[0].Results[1].Case.Entry.SetStr("question", pyval.Str("another"))
		return []*tally.Run{long, short, changed}
	}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {1, 0, 2}} {
		var chosen []*tally.Run
		for _, i := range order {
			chosen = append(chosen, runs()[i])
		}
		got, notes, err := compare.Align(chosen, compare.Options{Intersect: true})
		require.NoError(t, err)
		for _, r := range got {
			var ids []string
			for _, result := range r.Parts[0].Results {
				ids = append(ids, result.Case.ID)
			}
			assert.Equal(t, []string{"simple_python_0", "simple_python_2", "simple_python_3"}, ids, "%s in %v", r.Name, order)
		}
		all := strings.Join(notes, "\n")
		assert.Contains(t, all, "1 case is left out because the runs' datasets differ in them")
		assert.Contains(t, all, "long: 2 of 5 cases are left out because the other runs lack them")
		assert.Contains(t, all, "short: 1 of 4 cases are left out because the other runs lack them")
		assert.Contains(t, all, "changed: 2 of 5 cases are left out because the other runs lack them")
		_, _, err = compare.Align(chosen, compare.Options{})
		assert.Error(t, err)
	}
}

// TestComplete: a comparison is complete if every category that counts is there
// with all its cases.
func TestComplete(t *testing.T) {
	t.Parallel()
	full := func(without string, fewer int) *tally.Run {
		r := newRun("a", 1, one("p"))
		all := map[string]string{}
		for name, n := range r.Sizes() {
			if name == without {
				n -= fewer
			}
			all[name] = letters(n, 0, 0)
		}
		return newRun("a", 1, all)
	}
	for _, c := range []struct {
		without string
		fewer   int
		want    bool
	}{{"", 0, true}, {"simple_python", 1, false}, {"memory_kv", 1, false}, {"live_multiple", 1, false}, {"multi_turn_base", 200, false}} {
		got := testkit.Must(compare.Pair(full(c.without, c.fewer), full(c.without, c.fewer), compare.Options{}))(t)
		assert.Equal(t, c.want, got.Complete, c.without)
	}
}
