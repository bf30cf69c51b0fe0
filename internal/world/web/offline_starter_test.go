package web_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web"
)

func starter(t *testing.T) *web.Pages {
	t.Helper()
	d := testkit.Must(fixtures.Open(fixtures.Starter, ""))(t)
	pages, own, err := d.Web()
	require.NoError(t, err)
	assert.True(t, own)
	return testkit.Must(web.LoadPages(pages))(t)
}

func rows(t *testing.T, name string) (out []*pyval.Dict) {
	t.Helper()
	testkit.Rows(t, filepath.Join(testkit.ModuleRoot(t), "fixtures", "starter", filepath.FromSlash(name)), func(_ int, row *pyval.Dict) {
		out = append(out, row)
	})
	return out
}

// text is Python source of a text.
func text(s string) string { return pyval.Repr(pyval.Str(s)) }

// holds reports whether a text would be accepted as an answer.
func holds(message string, answers ...pyval.Value) bool {
	return judge.Check(pyval.Str(message), pyval.NewList(answers...)).Passed()
}

// TestOfflineReachable walks the way to each answer, by searches and fetches: what
// each hop needs stands on a page that its search finds, in every mode of a
// fetch, and the last page has the answer.
func TestOfflineReachable(t *testing.T) {
	w := starter(t)
	questions, answers := rows(t, "BFCL_v4_web_search.json"), rows(t, "possible_answer/BFCL_v4_web_search.json")
	require.Len(t, answers, len(questions))
	assert.GreaterOrEqual(t, len(questions), 12)
	walked, manyHops, open := 0, 0, 0
	for i, row := range answers {
		id := testkit.Text(row, "id")
		assert.Equal(t, testkit.Text(questions[i], "id"), id)
		accepted := testkit.Field(row, "ground_truth").(*pyval.List).Items
		question := pyval.Repr(testkit.Field(questions[i], "question"))
		hops := testkit.Field(row, "source").(*pyval.List).Items
		if len(hops) == 0 {
			open++
			assert.True(t, holds(question, accepted...), "%s: the question says what to answer", id)
			nowhere(t, w, id, accepted)
			continue
		}
		assert.False(t, holds(question, accepted...), "%s: the question tells the answer", id)
		page := ""
		for _, hop := range hops {
			walked++
			page = walk(t, w, id, hop.(*pyval.Dict))
		}
		if len(hops) > 1 {
			manyHops++
		}
		assert.True(t, holds(page, accepted...), "%s: the last page lacks the answer", id)
	}
	t.Logf("%d questions, %d of several hops, %d without an answer; %d hops walked", len(questions), manyHops, open, walked)
	assert.GreaterOrEqual(t, manyHops, 6)
	assert.Equal(t, 1, open)
}

// content is the text of a page in a result; of an error, the result.
func content(t *testing.T, result string) string {
	t.Helper()
	v := testkit.Must(pyval.ParseJSON(result))(t)
	if text, ok := v.(*pyval.Dict).GetStr("content"); ok {
		return strings.Join(strings.Fields(pyval.Text(text)), " ") // Markdown breaks lines
	}
	return result
}

// walk takes one hop, with and without snippets, and gives the page.
func walk(t *testing.T, w *web.Pages, id string, hop *pyval.Dict) (page string) {
	t.Helper()
	address, want := testkit.Text(hop, "source"), testkit.Field(hop, "answer")
	for _, snippets := range []bool{true, false} {
		env, err := sim.NewLibrary(websearch.On(w, nil)).Open(sim.Setup{
			Entry: id, Involved: []string{websearch.Name},
			Config: sim.Answer(websearch.Name, sim.Answer("show_snippet", pyval.Bool(snippets))),
		})
		require.NoError(t, err)
		found := env.Call("search_engine_query(keywords=" + text(testkit.Text(hop, "search")) + ", max_results=5)").Text
		assert.Contains(t, found, text(address), "%s: %s", id, testkit.Text(hop, "search"))
		assert.Equal(t, snippets, strings.Contains(found, "'body': "), id)
		for _, mode := range []string{"raw", "markdown", "truncate"} {
			page = content(t, env.Call("fetch_url_content("+text(address)+", mode="+text(mode)+")").Text)
			assert.True(t, holds(page, want), "%s: %s lacks %s in mode %s", id, address, pyval.Repr(want), mode)
		}
	}
	return page
}

// nowhere checks that no page answers a question that has no answer.
func nowhere(t *testing.T, w *web.Pages, id string, accepted []pyval.Value) {
	t.Helper()
	for _, address := range w.Addresses() {
		page := content(t, call(t, w, "fetch_url_content("+text(address)+", 'truncate')"))
		assert.False(t, holds(page, accepted...), "%s: %s", id, address)
		assert.NotRegexp(t, `(?i)quillon[^.]{0,80}(play|fiddle|flute|drum|accordion|violin|trumpet|piano)`, page, id)
	}
}

// linked matches the addresses on a page.
var linked = regexp.MustCompile(`href="([^"]+)"`)

// TestOfflineStarterWeb: the pages are of many kinds, and their links lead somewhere.
func TestOfflineStarterWeb(t *testing.T) {
	w := starter(t)
	kinds := map[string]int{}
	for _, address := range w.Addresses() {
		out := call(t, w, "fetch_url_content("+text(address)+")")
		page, err := w.Fetch(t.Context(), address)
		switch {
		case err != nil:
			kinds["slow"]++
			assert.Contains(t, out, "Read timed out")
			continue
		case page.URL != address:
			kinds["redirect"]++
		case page.Status == 404:
			kinds["404"]++
		case page.ContentType == "application/pdf":
			kinds["pdf"]++
		case strings.Contains(out, `\ufffd`):
			kinds["broken"]++
		default:
			kinds["plain"]++
			if len(out) > 3000 {
				kinds["long"]++
			}
		}
		for _, link := range linked.FindAllStringSubmatch(string(page.Body), -1) {
			follow(t, w, address, link[1])
		}
	}
	t.Logf("%d pages: %v", len(w.Addresses()), kinds)
	assert.GreaterOrEqual(t, len(w.Addresses()), 60)
	for _, kind := range []string{"slow", "redirect", "404", "pdf", "broken", "long"} {
		assert.NotZero(t, kinds[kind], kind)
	}
}

// follow follows a link of a page; a missing target gives a page that says so.
func follow(t *testing.T, w *web.Pages, from, link string) {
	t.Helper()
	if strings.HasPrefix(link, "/") {
		host, _, _ := strings.Cut(strings.TrimPrefix(from, "https://"), "/")
		link = "https://" + host + link
	}
	page, err := w.Fetch(t.Context(), link)
	if assert.NoError(t, err, "%s links to %s", from, link) {
		assert.Equal(t, 200, page.Status, "%s links to %s", from, link)
	}
}
