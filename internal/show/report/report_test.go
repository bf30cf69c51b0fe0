package report_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/ascii85"
	"encoding/base64"
	"encoding/json"
	"fmt"
	stdhtml "html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/gate"
	"github.com/gobfcl/bfcl/internal/number/score"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/show/report"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// unpacked is what a data block of the page holds.
func unpacked(t *testing.T, block string, to any) {
	t.Helper()
	var letters string
	require.NoError(t, json.Unmarshal([]byte(block), &letters))
	letters = strings.NewReplacer("v", `"`, "w", "&", "x", "<", "y", ">", "{", `\`).Replace(letters)
	r := testkit.Must(gzip.NewReader(ascii85.NewDecoder(strings.NewReader(letters))))(t)
	require.NoError(t, json.NewDecoder(r).Decode(to))
}

var blocks = regexp.MustCompile(`(?s)<script type="application/json"([^>]*)>(.*?)</script>`)

// TestOnlyOurScript: the page holds one script, the one its policy names, and
// nothing that a model wrote outside of the packed blocks.
func TestOnlyOurScript(t *testing.T) {
	page := html(t, reportOf(t, two(t), report.Options{}))
	rest := blocks.ReplaceAllString(page, "")
	assert.Equal(t, 1, strings.Count(rest, "<script"))
	assert.Equal(t, 1, strings.Count(rest, "<style"))
	for _, never := range []string{"pwned", "\x1b", "\u202e", "\x00", "<b>model", "style=\"", "http-equiv=\"refresh", "src=", "@import", "url("} {
		assert.NotContains(t, rest, never)
	}
	assert.Contains(t, rest, "broken&lt;b&gt;model")
	policy := stdhtml.UnescapeString(regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)[1])
	for tag, directive := range map[string]string{"script": "script-src", "style": "style-src"} {
		text := regexp.MustCompile(`(?s)<` + tag + `>(.*?)</` + tag + `>`).FindStringSubmatch(rest)[1]
		sum := sha256.Sum256([]byte(text))
		assert.Contains(t, policy, directive+" 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	assert.Contains(t, policy, "default-src 'none'")
	assert.NotContains(t, policy, "unsafe")
	for _, address := range regexp.MustCompile(`https?://[^"' )]*`).FindAllString(rest, -1) {
		assert.Equal(t, "http://www.w3.org/2000/svg", address, "a name space is no address that is asked")
	}
}

// TestBlocks: every case of every run is in the page, at the place the index
// names.
func TestBlocks(t *testing.T) {
	runs := two(t)
	page := html(t, reportOf(t, runs, report.Options{}))
	found := blocks.FindAllStringSubmatch(page, -1)
	var index struct {
		Runs, Cats, Types, IDs, V []string
		Cat, Chunk, Place         []int
		E                         [][]int
		ToolChunk, ToolPlace      []int
	}
	unpacked(t, found[0][2], &index)
	require.Equal(t, ` id="index"`, found[0][1])
	chunks := make([][]json.RawMessage, len(found)-1)
	for i, block := range found[1:] {
		unpacked(t, block[2], &chunks[i])
	}
	want := map[string]*eval.Result{}
	at := map[string]int{}
	for i, name := range index.Runs {
		at[name] = i
	}
	for _, run := range runs {
		require.Contains(t, index.Runs, run.Name)
		for _, part := range run.Parts {
			for k := range part.Results {
				want[run.Name+" "+part.Results[k].Case.ID] = &part.Results[k]
			}
		}
	}
	seen := 0
	for i, id := range index.IDs {
		var detail struct {
			Turns [][]struct{ Text string }
			Tools []int
			Runs  [][]struct{ S, T, Raw, Dec, Diff, Text string }
		}
		require.NoError(t, json.Unmarshal(chunks[index.Chunk[i]][index.Place[i]], &detail), id)
		for name, k := range at {
			r := want[name+" "+id]
			require.NotNil(t, r, id)
			require.Len(t, detail.Runs[k], 1)
			assert.Equal(t, r.Status.String(), detail.Runs[k][0].S, id)
			assert.Equal(t, r.ErrorType, detail.Runs[k][0].T, id)
			assert.Equal(t, r.Status.String()[0], index.V[k][i], id)
			if r.ErrorType != "" {
				assert.Equal(t, r.ErrorType, index.Types[index.E[k][i]])
			}
			seen++
		}
		assert.Equal(t, len(want[index.Runs[0]+" "+id].Case.Tools), len(detail.Tools), id)
		for _, tool := range detail.Tools {
			var doc string
			require.NoError(t, json.Unmarshal(chunks[index.ToolChunk[tool]][index.ToolPlace[tool]], &doc))
			assert.Contains(t, doc, `"name"`)
		}
	}
	assert.Equal(t, len(want), seen)
	t.Logf("%d results of %d cases in %d chunks", seen, len(index.IDs), len(chunks))
}

// TestSamePage: the page tells nothing of when and where it was made.
func TestSamePage(t *testing.T) {
	runs := two(t)
	first, second := html(t, reportOf(t, runs, report.Options{})), html(t, reportOf(t, runs, report.Options{}))
	assert.True(t, first == second)
}

func TestMarkdown(t *testing.T) {
	var b strings.Builder
	require.NoError(t, reportOf(t, two(t), report.Options{}).Markdown(&b))
	text := b.String()
	assert.Contains(t, text, "| 2 | broken&lt;b&gt;model |")
	assert.Less(t, strings.Index(text, "| 1 | right-model |"), strings.Index(text, "| 2 | "), "the best first")
	assert.Contains(t, text, "### Where calls went wrong")
	assert.Contains(t, text, "### Why answers failed")
	widths := map[int]bool{}
	board, _, _ := strings.Cut(text, "###")
	for line := range strings.SplitSeq(board, "\n") {
		if strings.HasPrefix(line, "|") {
			widths[strings.Count(line, "|")] = true
		}
	}
	assert.Len(t, widths, 1, "every row has as many cells: %v", widths)
	assert.NotContains(t, text, "<b>")
}

func TestRefused(t *testing.T) {
	runs := made(t, "simple_python", map[string]answerer{"a": right, "b": right})
	assert.ErrorContains(t, testkit.Err(report.New(nil, report.Options{})), "no run")
	runs[1].Digest = "00ff"
	assert.ErrorContains(t, testkit.Err(report.New(runs, report.Options{})), "different versions")
	runs[1].Dataset = "v4"
	assert.ErrorContains(t, testkit.Err(report.New(runs, report.Options{})), `a was run on "starter", b on "v4"`)
}

// TestNothingRight: a run without a right answer, and one of a single
// category, make a page.
func TestNothingRight(t *testing.T) {
	page := html(t, reportOf(t, made(t, "simple_java", map[string]answerer{"none": failing(9)}), report.Options{}))
	assert.Contains(t, page, "0.00")
	page = html(t, reportOf(t, made(t, "simple_java", map[string]answerer{"all": right}), report.Options{}))
	assert.Contains(t, page, "Every answer passed.")
	var index map[string]any
	unpacked(t, blocks.FindAllStringSubmatch(page, -1)[0][2], &index)
	for name, v := range index {
		assert.True(t, v != nil || strings.HasPrefix(name, "tool"), "%s: the script wants a list, if an empty one", name)
	}
}

// unreadByServer says of a run's malformed calls that the server could not read
// them, and returns how many they are.
func unreadByServer(run *tally.Run, kind cause.Kind) (n int) {
	for _, part := range run.Parts {
		for i := range part.Results {
			if r := &part.Results[i]; r.Cause.Kind == kind {
				r.Malformed, n = true, n+1
				r.Trace = &eval.Trace{Facts: []string{"the server could not read the calls"}}
			}
		}
	}
	return n
}

// TestSuspects: a group of failures states its evidence in each run.
func TestSuspects(t *testing.T) {
	runs := made(t, "simple_java", map[string]answerer{"fine": failing(1), "lossy<b>": failing(2)})
	n := unreadByServer(runs[1], cause.NoCall)
	require.Positive(t, n)
	page := html(t, reportOf(t, runs, report.Options{}))
	var index struct {
		Runs     []string
		Kinds    []cause.Kind
		Causes   []struct{ K int }
		Alike    []struct{ By, C int }
		Suspects []map[int]string
	}
	unpacked(t, blocks.FindAllStringSubmatch(page, -1)[0][2], &index)
	require.Equal(t, []string{"fine", "lossy<b>"}, index.Runs)
	require.Len(t, index.Suspects, 2)
	assert.Empty(t, index.Suspects[0])
	require.Len(t, index.Suspects[1], 1)
	for at, text := range index.Suspects[1] {
		assert.Zero(t, index.Alike[at].By, "of the coarsest grouping")
		assert.Equal(t, cause.NoCall, index.Kinds[index.Causes[index.Alike[at].C].K])
		assert.Contains(t, text, fmt.Sprintf("%d × server (the server could not read the calls)", n))
	}
}

// TestErrata: a case is shown as wrong only in the mode in which it is, which is
// named.
func TestErrata(t *testing.T) {
	list := testkit.Must(errata.Of("v4"))(t)
	_, digest := eval.Named("v4")
	items := map[eval.Mode]errata.Item{}
	for _, item := range list.Items {
		items[item.Mode] = item
	}
	require.Len(t, items, 3)
	shown := func(modes ...eval.Mode) map[int]string {
		var runs []*tally.Run
		for range modes {
			runs = append(runs, made(t, "simple_java", map[string]answerer{"m": right})...)
		}
		for k, mode := range modes {
			runs[k].Digest, runs[k].Mode, runs[k].UnderscoreToDot = digest, mode, mode == eval.FC
			for i, of := range []eval.Mode{"", eval.FC, eval.Prompt} {
				c := *runs[k].Parts[0].Results[i].Case
				c.ID = items[of].ID
				runs[k].Parts[0].Results[i].Case = &c
			}
		}
		var index struct{ Errata map[int]string }
		unpacked(t, blocks.FindAllStringSubmatch(html(t, reportOf(t, runs, report.Options{})), -1)[0][2], &index)
		maps.DeleteFunc(index.Errata, func(i int, _ string) bool { return i > 2 }) // ids that the starter suite shares with V4
		return index.Errata
	}
	both := string(items[""].Kind) + ": " + items[""].Reason
	fc := string(items[eval.FC].Kind) + " in fc mode: " + items[eval.FC].Reason
	prompt := string(items[eval.Prompt].Kind) + " in prompt mode: " + items[eval.Prompt].Reason
	assert.Equal(t, map[int]string{0: both, 1: fc}, shown(eval.FC))
	assert.Equal(t, map[int]string{0: both, 2: prompt}, shown(eval.Prompt))
	assert.Equal(t, map[int]string{0: both, 1: fc, 2: prompt}, shown(eval.FC, eval.Prompt))
}

// A shownCase is a case as the page holds it.
type shownCase struct {
	Runs [][]struct{ S, Why, Text, Raw string }
}

func firstCase(t *testing.T, page string) (c shownCase) {
	t.Helper()
	var chunk []json.RawMessage
	unpacked(t, blocks.FindAllStringSubmatch(page, -1)[1][2], &chunk)
	require.NoError(t, json.Unmarshal(chunk[0], &c))
	return c
}

// TestTrials: trials that disagree have a verdict of their own in the list,
// and each stands in the case.
func TestTrials(t *testing.T) {
	run := made(t, "simple_java", map[string]answerer{"m": right})[0]
	run.Trials = 2
	part := &run.Parts[0]
	var both []eval.Result
	for i, r := range part.Results {
		again := r
		again.Trial = 1
		if i == 0 {
			again.Status, again.ErrorType, again.Text = eval.Fail, "value_error:string", "value_error:string: another time"
		}
		both = append(both, r, again)
	}
	part.Results = both
	page := html(t, reportOf(t, []*tally.Run{run}, report.Options{}))
	found := blocks.FindAllStringSubmatch(page, -1)
	var index struct{ V []string }
	unpacked(t, found[0][2], &index)
	assert.Equal(t, "x"+strings.Repeat("p", len(both)/2-1), index.V[0])
	first := firstCase(t, page)
	require.Len(t, first.Runs[0], 2)
	assert.Equal(t, "another time", first.Runs[0][1].Why)
}

// TestWithoutAnswers: from JUnit alone a case shows what the failure said.
func TestWithoutAnswers(t *testing.T) {
	run := made(t, "simple_java", map[string]answerer{"m": failing(9)})[0]
	for i := range run.Parts[0].Results {
		run.Parts[0].Results[i].Result = nil
	}
	first := firstCase(t, html(t, reportOf(t, []*tally.Run{run}, report.Options{})))
	assert.Contains(t, first.Runs[0][0].Text, "I cannot, says model 9.")
	assert.Empty(t, first.Runs[0][0].Raw)
}

// TestErrors: infrastructure errors are shown as such, and are in no accuracy unless
// they are to count.
func TestErrors(t *testing.T) {
	run := made(t, "simple_java", map[string]answerer{"m": right})[0]
	r := &run.Parts[0].Results[0]
	r.Status, r.ErrorType, r.Text, r.Level, r.Cause = eval.Error, "infrastructure:timeout", "infrastructure:timeout: none", 0, cause.Cause{Kind: cause.Infrastructure}
	left := html(t, reportOf(t, []*tally.Run{run}, report.Options{}))
	assert.Contains(t, left, "1 result lost to infrastructure errors")
	assert.Contains(t, left, "15 / 15", "of those that have an answer")
	page := html(t, reportOf(t, []*tally.Run{run}, report.Options{AllowErrors: true}))
	assert.NotContains(t, page, "lost to infrastructure errors, ")
	assert.Contains(t, page, "15 / 16")
	var index struct{ V, Types []string }
	unpacked(t, blocks.FindAllStringSubmatch(page, -1)[0][2], &index)
	assert.True(t, strings.HasPrefix(index.V[0], "ep"))
	assert.Equal(t, []string{"infrastructure:timeout"}, index.Types)
}

// TestNothingAnswered: a run that errors kept from every answer makes a page.
func TestNothingAnswered(t *testing.T) {
	run := made(t, "simple_java", map[string]answerer{"m": right})[0]
	for i := range run.Parts[0].Results {
		r := &run.Parts[0].Results[i]
		r.Status, r.ErrorType, r.Level = eval.Error, "infrastructure:timeout", 0
		r.Cause = cause.Cause{Kind: cause.Infrastructure}
	}
	page := html(t, reportOf(t, []*tally.Run{run}, report.Options{}))
	assert.Contains(t, page, "16 results lost to infrastructure errors")
	assert.Contains(t, page, "infrastructure error")
}

// TestUnfinished: what is missing is said before any number.
func TestUnfinished(t *testing.T) {
	run := made(t, "simple_java", map[string]answerer{"m": right})[0]
	run.Parts[0].Results, run.Missing = run.Parts[0].Results[:10], 5
	page := html(t, reportOf(t, []*tally.Run{run}, report.Options{}))
	before, _, _ := strings.Cut(page, `id="board"`)
	assert.Contains(t, before, "The run is not finished: 5 of 15 results are missing")
	assert.Contains(t, page, "10 / 10")
}

// TestNoPath: where the cases lie stays on the machine.
func TestNoPath(t *testing.T) {
	run := made(t, "simple_java", map[string]answerer{"m": right})[0]
	run.Dataset, run.Suite, run.Path = "/home/someone/secret/lamps", "Lamps", "/home/someone/secret/run"
	page := html(t, reportOf(t, []*tally.Run{run}, report.Options{}))
	var b strings.Builder
	require.NoError(t, reportOf(t, []*tally.Run{run}, report.Options{}).Markdown(&b))
	assert.Contains(t, page, "Lamps")
	var index struct{ Path []string }
	unpacked(t, blocks.FindAllStringSubmatch(page, -1)[0][2], &index)
	assert.Equal(t, []string{"run"}, index.Path)
	for _, text := range []string{page, b.String()} {
		assert.NotContains(t, text, "secret")
	}
	run.Suite = ""
	assert.Contains(t, html(t, reportOf(t, []*tally.Run{run}, report.Options{})), "folder lamps")
}

// complete is a run of every case of V4, of which a share is right.
func complete(share float64) *tally.Run {
	in, out := 1.0, 2.0
	official := eval.Origin{State: eval.Official, Release: "v4", Commit: "6ea5797"}
	run := &tally.Run{Name: "whole", Run: record.Run{Model: "whole", Dataset: "v4", Data: official, Trials: 1, Prices: &record.Prices{Input: in, Output: out}}}
	for _, cat := range categories.All() {
		part := tally.Part{Category: cat}
		for i := range score.V4.Sizes[cat.Name] {
			r := eval.Result{Case: &eval.Case{ID: fmt.Sprintf("%s_%d", cat.Name, i)}, Response: eval.Response{Latency: 1500 * time.Millisecond, InputTokens: 900, OutputTokens: 50}}
			if float64(i%100) >= share*100 {
				r.Status, r.ErrorType, r.Cause.Kind = eval.Fail, "value_error:string", cause.WrongValue
			}
			part.Results = append(part.Results, r)
		}
		if len(part.Results) > 0 {
			run.Parts = append(run.Parts, part)
		}
	}
	return run
}

// TestAmongThePublished: a complete run of V4 has a range of ranks among them.
func TestAmongThePublished(t *testing.T) {
	r := reportOf(t, []*tally.Run{complete(.5)}, report.Options{})
	st := r.Entries[0].Standing
	require.NotNil(t, st)
	assert.Contains(t, html(t, r), fmt.Sprintf("would stand at %d of 110 (%d to %d)", st.Rank, st.Best, st.Worst))
	var b strings.Builder
	require.NoError(t, r.Markdown(&b))
	assert.Contains(t, b.String(), fmt.Sprintf("would stand at rank %d of 110", st.Rank))
	assert.Contains(t, b.String(), fmt.Sprintf("| %d (%d–%d) |", st.Rank, st.Best, st.Worst))
}

// TestRanks: runs that cannot be told apart share a range of ranks, as they do in
// compare, and where there are no pairs there are no ranks.
func TestRanks(t *testing.T) {
	t.Parallel()
	part := complete(.5)
	part.Parts = part.Parts[:1]
	for _, row := range []struct {
		name  string
		runs  []*tally.Run
		ranks []string
		says  string
	}{
		{"alone", []*tally.Run{complete(.5)}, []string{"1"}, "its 95% interval.\n"},
		{"two are equal", []*tally.Run{complete(.5), complete(.9), complete(.5)}, []string{"1", "2–3", "2–3"}, "comparing every pair"},
		{"all differ", []*tally.Run{complete(.5), complete(.9), complete(.7)}, []string{"1", "2", "3"}, "comparing every pair"},
		{"one is a part", []*tally.Run{complete(.7), part, complete(.9)}, []string{"1", "2", "–"}, "A run that lacks cases has none."},
		{"of different cases", []*tally.Run{complete(.5), part}, []string{"–", "–"}, "answered different cases"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := reportOf(t, row.runs, report.Options{})
			var b strings.Builder
			require.NoError(t, r.Markdown(&b))
			page := html(t, r)
			assert.Contains(t, b.String(), row.says)
			var ranks []string
			for _, m := range regexp.MustCompile(`(?m)^\| ([0-9–]+) \| whole `).FindAllStringSubmatch(b.String(), -1) {
				ranks = append(ranks, m[1])
			}
			assert.Equal(t, row.ranks, ranks)
			if len(row.runs) == 1 { // there is nothing to be first of
				assert.NotContains(t, page, `<td class="num soft">`)
				return
			}
			for _, rank := range row.ranks {
				assert.Contains(t, page, `<td class="num soft">`+rank+`</td>`)
			}
		})
	}
}

// TestNotAmongThePublished: altered data has no place, and the page says why
// before any number.
func TestNotAmongThePublished(t *testing.T) {
	run := complete(.5)
	run.Data = eval.Origin{State: eval.Altered, Release: "v4", Differing: []string{"prompts.json has other content"}}
	page := html(t, reportOf(t, []*tally.Run{run}, report.Options{}))
	assert.NotContains(t, page, "Public rank")
	before, _, _ := strings.Cut(page, `id="board"`)
	assert.Contains(t, before, "<li>The official data of v4 was altered")
	assert.Contains(t, before, "prompts.json has other content")
	assert.Contains(t, before, "v4 (altered)")
}

// TestPartSaysSo: a page over a part of the dataset is called one where a reader
// looks first.
func TestPartSaysSo(t *testing.T) {
	runs := made(t, "simple_python,multiple", map[string]answerer{"a": right, "b": broken})
	page := testkit.Must(report.New(runs, report.Options{}))(t)
	var html, text bytes.Buffer
	require.NoError(t, page.HTML(&html))
	require.NoError(t, page.Markdown(&text))
	part := regexp.MustCompile(`a part of starter: \d+ of \d+ cases`).FindString(text.String())
	require.NotEmpty(t, part)
	assert.Contains(t, text.String(), "## BFCL "+part)
	assert.Contains(t, text.String(), "> This is "+part)
	assert.Contains(t, html.String(), "<title>BFCL "+part)
	assert.Contains(t, html.String(), "<li>This is "+part)
	before, _, _ := strings.Cut(html.String(), `id="answer"`)
	assert.Contains(t, before, "<span>BFCL "+part, "before any number")
	assert.Contains(t, html.String(), "cases not run</summary>")
}

// TestClustersLieTogether: the cases of a cluster are packed one behind the other,
// so that what they have in common takes no room.
func TestClustersLieTogether(t *testing.T) {
	runs := made(t, "single_turn,multi_turn", map[string]answerer{"model": right})
	var index struct {
		IDs          []string
		Chunk, Place []int
	}
	unpacked(t, blocks.FindStringSubmatch(html(t, reportOf(t, runs, report.Options{})))[2], &index)
	clusters, cases := eval.New(0), map[string]*eval.Case{}
	for cat, result := range runs[0].All() {
		clusters.Add(cat, result.Case)
		cases[result.Case.ID] = result.Case
	}
	order := make([]int, len(index.IDs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, k int) int {
		return cmp.Or(cmp.Compare(index.Chunk[i], index.Chunk[k]), cmp.Compare(index.Place[i], index.Place[k]))
	})
	seen, last, shared := map[string]bool{}, "", 0
	for _, i := range order {
		of := clusters.Of(cases[index.IDs[i]])
		if of == last {
			shared++
		} else {
			assert.False(t, seen[of], index.IDs[i])
		}
		seen[of], last = true, of
	}
	assert.Greater(t, shared, 20)
}

// TestSplit: the bar of one run adds up to 100 points, by what the evidence speaks
// for.
func TestSplit(t *testing.T) {
	runs := listed(t)
	runs[0].Parts[0].Results[0].Amended = true
	text := html(t, reportOf(t, runs, report.Options{}))
	sum := 0.0
	for _, m := range regexp.MustCompile(`<rect class="(\w+)" x="[\d.]+" width="([\d.]+)" height="10"/>`).FindAllStringSubmatch(text, -1) {
		width := testkit.Must(strconv.ParseFloat(m[2], 64))(t)
		sum += width
	}
	assert.InDelta(t, 100, sum, 0.05)
	words := regexp.MustCompile(`<li>(?:<svg.*?</svg>)?([a-z ]+)(?: <b>(.*?)</b>)?</li>`).FindAllStringSubmatch(text, -1)
	var said []string
	for _, m := range words {
		said = append(said, m[1])
		assert.Regexp(t, `^(−?\d+\.\d\d)?$`, m[2])
	}
	assert.Equal(t, []string{"right", "defect confirmed", "case has a listed defect", "no server fault seen", "unexplained"}, said)
	assert.Less(t, strings.Index(text, "Look at the costliest cause"), strings.Index(text, "Read a confirmed defect"), "the costliest cause is the first step")
}

// TestGateOnPage: the page of two runs answers whether B may replace A as B's gate
// did, or says that none has and how one would.
func TestGateOnPage(t *testing.T) {
	runs := two(t)
	a := *runs[0]
	a.Name = "base<b>"
	none := []string{"no gate has decided between them", "bfcl gate --config gate.yaml"}
	for name, row := range map[string]struct {
		digest, model string
		shows         []string
	}{
		"decided":             {a.Digest, a.Model, []string{`<span class="worse"><strong class="word">`, "1 of 2 rules failed", "against base&lt;b&gt;", "failed: regression overall&lt;i&gt;: 45 lost"}},
		"of another version":  {"other", a.Model, none},
		"against another run": {a.Digest, "another", none},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			data, err := json.Marshal(map[string]any{"gate": gate.Decision{
				Digest: row.digest, Outcome: gate.Failed, Comparison: &compare.Comparison{A: compare.Side{Name: "base<b>", Model: row.model}},
				Rules: []gate.Check{{Kind: "regression", Name: "overall<i>", Outcome: gate.Failed, Got: "45 lost"}, {Kind: "floor", Name: "live", Outcome: gate.Passed}},
			}})
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(dir, tally.ScoreFile), data, 0o600))
			gated := *runs[1]
			gated.Path = dir
			text := html(t, reportOf(t, []*tally.Run{&a, &gated}, report.Options{}))
			for _, what := range row.shows {
				assert.Contains(t, text, what)
			}
		})
	}
}
