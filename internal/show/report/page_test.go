package report_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/show/report"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func save(t *testing.T, runs []*tally.Run) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(html(t, reportOf(t, runs, report.Options{}))), 0o644))
	return path
}

// tag gives the first cases of the runs a tag, as a suite of one's own does.
func tag(runs []*tally.Run, text string, n int) {
	for _, run := range runs {
		for i := range run.Parts[0].Results[:n] {
			c := *run.Parts[0].Results[i].Case
			c.Entry = c.Entry.Clone()
			c.Entry.SetStr("tags", pyval.NewList(pyval.Str(text)))
			run.Parts[0].Results[i].Case = &c
		}
	}
}

// TestInBrowser uses the page as a reader does.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	b.size(1280, 900, false)
	runs := two(t)
	tag(runs, "<i>refunds", 3)
	unread := 0
	for _, run := range runs {
		unread += unreadByServer(run, cause.Malformed)
	}
	b.open(save(t, runs))
	first := func() string {
		return ask[string](b, `document.querySelector('#table tbody tr:not([hidden]) th span').textContent`)
	}
	listed := func() int { return ask[int](b, `document.querySelectorAll('#list li').length`) }
	choose := func(id, value string) {
		b.t.Helper()
		ask[any](b, `(() => { const e = document.getElementById('`+id+`'); e.value = '`+value+`'; e.dispatchEvent(new Event(e.type === 'search' ? 'input' : 'change', {bubbles: true})); })()`)
	}

	t.Run("sort", func(t *testing.T) {
		overall := `document.querySelector('#table th[data-node=overall]')`
		assert.Equal(t, "right-model", first())
		assert.Equal(t, "descending", ask[string](b, overall+`.ariaSort`))
		ask[any](b, overall+`.querySelector('button').click()`)
		assert.Equal(t, "broken<b>model", first())
		assert.Equal(t, "ascending", ask[string](b, overall+`.ariaSort`))
		ask[any](b, `document.querySelector('#table thead th:nth-child(2) button').click()`)
		assert.Equal(t, "broken<b>model", first())
		assert.Equal(t, "none", ask[string](b, overall+`.ariaSort`))
		ask[any](b, `document.querySelector('#table thead th:nth-child(2) button').click()`)
		assert.Equal(t, "right-model", first())
	})
	t.Run("columns and models", func(t *testing.T) {
		shown := `[...document.querySelectorAll('#table thead th[data-node]')].filter(e => !e.hidden).map(e => e.dataset.node).join()`
		before := ask[string](b, shown)
		choose("group", "non_live")
		assert.Contains(t, ask[string](b, shown), "simple_python")
		assert.NotContains(t, ask[string](b, shown), "multi_turn")
		choose("group", "")
		assert.Equal(t, before, ask[string](b, shown))
	})
	counted := func() string { return ask[string](b, `document.getElementById('count').textContent`) }
	cases := func() string { return strings.Fields(counted())[0] }
	all := cases()
	t.Run("search and filter", func(t *testing.T) {
		choose("q", "simple_python_1")
		b.until(`location.hash.includes('q=simple_python_1')`)
		assert.Positive(t, listed())
		assert.Equal(t, 0, ask[int](b, `[...document.querySelectorAll('#list code')].filter(e => !e.textContent.includes('simple_python_1')).length`))
		b.until(`document.documentElement.dataset.deep === '1'`)
		choose("q", "window.pwned=1")
		b.until(`location.hash.includes('window.pwned')`)
		assert.NotEqual(t, "0", cases(), "answers are searched")
		choose("q", "^(parallel|multiple)_[0-3]$|nothing\\\\d")
		ask[any](b, `document.getElementById('re').click()`)
		assert.Equal(t, "0", cases(), "an expression is of all that a case says")
		choose("q", "(")
		b.until(`document.getElementById('count').textContent.startsWith('Not a regular expression')`)
		choose("q", "(simple|multiple)_(python_)?[0-3]\\\\n")
		b.until(`document.querySelectorAll('#list li').length >= 8`)
		ask[any](b, `document.getElementById('re').click()`)
		choose("q", "")
		b.until(`location.hash === '#cases' || location.hash === ''`)
		assert.Equal(t, all, cases())
		for _, filter := range []struct{ id, value string }{
			{"f-verdict", "failed"}, {"f-verdict", "fail"}, {"f-among", "differ"}, {"f-among", "only"}, {"f-category", "multiple"}, {"f-category", "live"}, {"f-tag", "<i>refunds"},
			{"f-cause", ask[string](b, `document.getElementById('f-cause').options[1].value`)},
		} {
			choose(filter.id, filter.value)
			assert.NotEqual(t, all, cases(), filter.id)
			assert.NotEqual(t, "0", cases(), filter.id)
			choose(filter.id, "")
		}
		choose("f-tag", "<i>refunds")
		assert.Equal(t, "3", cases())
		choose("f-tag", "")
		choose("f-run", "right-model")
		choose("f-verdict", "fail")
		assert.Equal(t, "0", cases())
		ask[any](b, `document.querySelector('#chips [data-clear="*"]').click()`)
		assert.Equal(t, all, cases())
	})
	t.Run("sort", func(t *testing.T) {
		choose("f-sort", "slow")
		top := ask[string](b, `document.querySelector('#list .t').textContent`)
		assert.Contains(t, top, "2.00 s")
		choose("f-sort", "id")
		assert.Equal(t, "chatable_0", ask[string](b, `document.querySelector('#list code').textContent`))
		choose("f-sort", "")
		assert.Contains(t, ask[string](b, `document.querySelector('#list li').textContent`), "✗", "failures stand first")
	})
	t.Run("matrix and groups", func(t *testing.T) {
		want := ask[string](b, `document.querySelector('#matrix tr[data-cat=multiple] td.h1 a, #matrix tr[data-cat=multiple] td a').textContent`)
		ask[any](b, `document.querySelector('#matrix tr[data-cat=multiple] td a').click()`)
		assert.Equal(t, want, cases(), "a cell leads to its cases")
		assert.Contains(t, ask[string](b, `location.hash`), "category=multiple&cause=")
		assert.Equal(t, 1, ask[int](b, `document.querySelectorAll('#group-list th').length`))
		assert.Equal(t, want, ask[string](b, `document.querySelector('#group-list td').textContent`))
		assert.Regexp(t, `^\d+\.\d\d · \d+\.\d\d$`, ask[string](b, `document.querySelectorAll('#group-list td')[2].textContent`), "points of runs do not add up")
		ask[any](b, `document.querySelector('#group-list a').click()`)
		assert.Equal(t, "function", ask[string](b, `document.getElementById('by').value`), "a group is looked at more finely")
		finer := ask[int](b, `document.querySelectorAll('#group-list th').length`)
		assert.Greater(t, finer, 1)
		n := ask[string](b, `document.querySelector('#group-list td').textContent`)
		ask[any](b, `document.querySelector('#group-list a').click()`)
		assert.Equal(t, n, cases())
		for range 3 {
			ask[any](b, `history.back()`)
		}
		b.until(`document.getElementById('count').textContent.startsWith('` + all + ` of')`)
		ask[any](b, `history.forward()`)
		b.until(`document.getElementById('count').textContent.startsWith('` + want + ` of')`)
		ask[any](b, `history.back()`)
		b.until(`document.getElementById('count').textContent.startsWith('` + all + ` of')`)
		choose("m-run", "right-model")
		assert.Zero(t, ask[int](b, `document.querySelectorAll('#matrix td a').length`))
		choose("m-run", "")
	})
	t.Run("suspects", func(t *testing.T) {
		suspects := func() []string {
			return ask[[]string](b, `[...document.querySelectorAll('#group-list .suspect')].map(e => e.textContent)`)
		}
		said := suspects()
		require.Len(t, said, 1, "of the one group that has any")
		assert.True(t, strings.HasPrefix(said[0], fmt.Sprintf("broken<b>model: %d × server (the server could not read the calls)", unread)), said[0])
		choose("by", "function")
		assert.Empty(t, suspects(), "of the coarsest grouping only")
		choose("by", "cause")
		choose("f-run", "right-model")
		assert.Empty(t, suspects())
		choose("f-run", "")
		assert.Equal(t, said, suspects())
	})
	t.Run("charts lead to cases", func(t *testing.T) {
		ask[any](b, `document.querySelector('#failures details td a').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))`)
		assert.Contains(t, ask[string](b, `location.hash`), "run=")
		ask[any](b, `history.back()`)
		b.until(`document.getElementById('count').textContent.startsWith('` + all + ` of')`)
	})
	t.Run("case", func(t *testing.T) {
		choose("f-category", "multiple")
		choose("f-verdict", "fail")
		ask[any](b, `document.querySelector('#list a').click()`)
		b.until(`document.querySelector('#case[open] .run[open] pre') !== null`)
		body := ask[string](b, `document.getElementById('body').textContent`)
		assert.Contains(t, body, `</script><script>window.pwned=1</script>`, "model text is text")
		assert.Contains(t, body, `\x1b[31mred`)
		assert.Contains(t, body, `\u202e`)
		assert.NotContains(t, body, "\u202e")
		assert.Positive(t, ask[int](b, `document.querySelectorAll('#body .beside tbody tr').length`), "parameter by parameter")
		id := ask[string](b, `document.getElementById('case-h').textContent`)
		assert.Contains(t, ask[string](b, `location.hash`), "case="+id)
		for button, want := range map[string]string{
			"copy-command": `^Copied: bfcl judge --id ` + id + ` --run \S+\.$`, "copy-curl": `^Copied: a request`, "copy-link": `^Copied: the link`, "save": `^Saved ` + id + `\.json`,
		} {
			ask[any](b, `document.getElementById('said').textContent = ''; document.getElementById('`+button+`').click()`)
			b.until(`document.getElementById('said').textContent !== ''`)
			assert.Regexp(t, want, ask[string](b, `document.getElementById('said').textContent`))
		}
		ask[any](b, `document.getElementById('next').click()`)
		b.until(`document.getElementById('case-h').textContent !== '` + id + `'`)
		ask[any](b, `document.getElementById('close').click()`)
		b.until(`!location.hash.includes('case=')`)
		ask[any](b, `history.back()`)
		b.until(`document.getElementById('case').open`)
		ask[any](b, `history.back()`)
		b.until(`!document.getElementById('case').open`)
		choose("f-verdict", "")
		choose("f-category", "")
	})
	t.Run("conversation", func(t *testing.T) {
		choose("f-category", "multi_turn_base")
		choose("f-verdict", "fail")
		ask[any](b, `document.querySelector('#list a').click()`)
		b.until(`document.querySelector('#case[open] .run[open] .turn') !== null`)
		said := ask[string](b, `document.querySelector('.run[open]').textContent`)
		for _, what := range []string{"Turn 1", "fails here", "Made", "Expected"} {
			assert.Contains(t, said, what)
		}
		assert.Equal(t, []string{"1", "1"}, ask[[]string](b, `[...document.querySelectorAll('.run[open] .turn[open]')].map(e => e.dataset.turn)`), "the turn that fails is open in both runs")
		ask[any](b, `document.querySelector('.run[open] .turn[data-turn="2"] summary').click()`)
		b.until(`location.hash.includes('turn=2')`)
		ask[any](b, `[...document.querySelectorAll('#body summary')].find(e => e.textContent.startsWith('Tools')).click()`)
		b.until(`[...document.querySelectorAll('#body details[open] pre')].some(e => e.textContent.includes('"parameters"')) || document.querySelectorAll('#body details[open] > details').length > 0`)
		ask[any](b, `document.getElementById('copy-command').click()`)
		b.until(`document.getElementById('said').textContent.startsWith('Copied: bfcl trace ')`)
		ask[any](b, `document.getElementById('close').click()`)
		b.until(`!location.hash.includes('case=')`)
		ask[any](b, `document.querySelector('#chips [data-clear="*"]')?.click()`)
	})
	t.Run("flips", func(t *testing.T) {
		said := ask[string](b, `document.getElementById('pair').textContent`)
		assert.Regexp(t, `change over the same 260 cases[−+]\d+\.\d\d points`, said)
		assert.Less(t, strings.Index(said, "Fixed in B"), strings.Index(said, "Broken in B"), "the side that gained comes first")
		assert.Regexp(t, `real|could be chance`, said)
		assert.Zero(t, ask[int](b, `document.querySelectorAll('#pair .reasons ol li').length`), "collapsed")
		ask[any](b, `document.querySelector('#pair details[data-group]').open = true`)
		b.until(`document.querySelectorAll('#pair .reasons ol li').length > 0`)
		assert.Equal(t, "true", ask[string](b, `(() => { const d = document.querySelector('#pair details[open]'); return String(d.querySelectorAll('li').length === Math.min(50, parseInt(d.querySelector('summary span:last-child').textContent))); })()`))
		ask[any](b, `document.querySelector('#pair .reasons ol li a').click()`)
		b.until(`document.querySelectorAll('#case[open] .run[open]').length === 2`)
		ask[any](b, `document.getElementById('close').click()`)
		b.until(`!location.hash.includes('case=')`)
	})
	t.Run("theme", func(t *testing.T) {
		paper := `getComputedStyle(document.body).backgroundColor`
		light := ask[string](b, paper)
		b.size(1280, 900, true)
		dark := ask[string](b, paper)
		assert.NotEqual(t, light, dark, "the system's choice")
		ask[any](b, `document.getElementById('theme').click()`)
		assert.Equal(t, light, ask[string](b, paper), "light, though the system is dark")
		ask[any](b, `document.getElementById('theme').click()`)
		assert.Equal(t, dark, ask[string](b, paper))
	})
	t.Run("narrow", func(t *testing.T) {
		for _, width := range []int{320, 360, 390} {
			b.size(width, 844, false)
			assert.Empty(t, ask[string](b, fmt.Sprintf(wider, width)))
			assert.Empty(t, ask[string](b, `[...document.querySelectorAll('nav a')].filter(e => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > innerWidth; }).map(e => e.textContent).join()`), "the navigation is complete")
		}
	})
	assert.False(t, ask[bool](b, `'pwned' in window`))
	b.quiet()
}

// wider are the elements that a window of a width does not hold, other than what
// scrolls by itself; with everything open that folds.
const wider = `(async width => {
	const root = document.querySelector('dialog[open]') ?? document.documentElement;
	for (const d of root.querySelectorAll('details')) d.open = true;
	await new Promise(done => setTimeout(done, 50)); // what opens is built then
	const out = [...root.querySelectorAll('*')].filter(e => !e.closest('.scroll *, pre *, .hush, .skip, noscript') && e.checkVisibility() && (e.getBoundingClientRect().right > width + .5 || e.matches('#body p, #body summary') && e.scrollWidth > e.clientWidth + 1));
	return (root.scrollWidth > width ? root.scrollWidth + ' wide ' : '') + out.slice(0, 5).map(e => e.outerHTML.slice(0, 80)).join('\n');
})(%d)`

// TestNarrow: no page and no case is wider than a phone, whatever the names.
func TestNarrow(t *testing.T) {
	b := startBrowser(t)
	long := strings.Repeat("Instruct-", 12) + "FC"
	twice := func(n int, c *eval.Case) *eval.Response { // the error type is one long word
		r := right(n, c)
		if calls, ok := r.Result.(*pyval.List); ok && c.Scene == nil && len(calls.Items) > 1 {
			r.Result = pyval.NewList(calls.Items[0], calls.Items[0])
		}
		return r
	}
	few := made(t, "simple_python,multiple,parallel,multi_turn_base", map[string]answerer{"a": right, long: broken, "c": broken, "d": twice})
	for name, runs := range map[string][]*tally.Run{"one": few[3:], "two": few[:2], "four": few, "unequal": unequal(t)} {
		page := save(t, runs)
		for _, hash := range []string{"", "#case=multiple_0", "#case=parallel_1", "#case=multi_turn_base_0"} {
			b.size(360, 780, false)
			b.do(nil, "Page.navigate", map[string]any{"url": "about:blank"})
			b.open(page + hash)
			if hash != "" {
				b.until(`document.querySelector('#case[open] .run[open], #case[open] .why') !== null`)
			}
			assert.Empty(t, ask[string](b, fmt.Sprintf(wider, 360)), "%s %s", name, hash)
		}
	}
}

// unequal are five runs of which no two answered the same cases.
func unequal(t *testing.T) (runs []*tally.Run) {
	t.Helper()
	for i, run := range made(t, "simple_python,multiple", map[string]answerer{"a": broken, "b": right, "c": failing(2), "d": failing(3), "e": failing(4)}) {
		run.Parts[i%2].Results = run.Parts[i%2].Results[i+1:]
		runs = append(runs, run)
	}
	return runs
}

// TestUnranked: runs of different cases stand as they were given, and nothing is
// marked as the best.
func TestUnranked(t *testing.T) {
	b := startBrowser(t)
	b.open(save(t, unequal(t)))
	assert.Equal(t, []string{"a", "b", "c", "d", "e"}, ask[[]string](b, `[...document.querySelectorAll('#table tbody th span')].map(e => e.textContent)`))
	assert.Equal(t, "none", ask[string](b, `document.querySelector('#table th[data-node=overall]').ariaSort`))
	assert.Zero(t, ask[int](b, `document.querySelectorAll('.best').length`))
	assert.Contains(t, ask[string](b, `document.querySelector('#board .lead').textContent`), "cannot be ranked")
}

// TestSides: the question stands above the answers, A to the left of B, and of four
// runs two are open.
func TestSides(t *testing.T) {
	b := startBrowser(t)
	runs := made(t, "simple_python,multiple", map[string]answerer{"a": right, "b": broken, "c": broken, "d": right})
	shown := func(runs []*tally.Run, hash string) []string {
		b.do(nil, "Page.navigate", map[string]any{"url": "about:blank"})
		b.open(save(t, runs) + hash)
		b.until(`document.querySelector('#case[open] .run[open]') !== null`)
		assert.True(t, ask[bool](b, `!!(document.querySelector('#body .msg.user').compareDocumentPosition(document.querySelector('#body .run')) & 4)`), "the question comes first")
		return ask[[]string](b, `[...document.querySelectorAll('#body .run')].map(e => (e.open ? '' : '+') + (e.querySelector('.side')?.textContent ?? '') + ' ' + e.querySelector('summary b:not(.side)').textContent)`)
	}
	assert.Equal(t, []string{"A a", "B b"}, shown(runs[:2], "#case=multiple_0"))
	assert.Equal(t, []string{"A b", "B a"}, shown(runs[:2], "#from=b&to=a&case=multiple_0"))
	assert.Equal(t, []string{" b", " a", "+ c", "+ d"}, shown(runs, "#case=multiple_0"), "what failed beside what passed")
	assert.Equal(t, []string{"A d", "B c", "+ b", "+ a"}, shown(runs, "#from=d&to=c&case=multiple_0"))
	assert.NotEqual(t, ask[string](b, `getComputedStyle(document.querySelector('.run[open] summary')).backgroundColor`), ask[string](b, `getComputedStyle(document.querySelector('.run:not([open]) summary')).backgroundColor`), "what is folded looks so")
}

// TestAddress: what is shown can be linked to.
func TestAddress(t *testing.T) {
	b := startBrowser(t)
	path := save(t, two(t))
	visit := func(hash string) {
		b.do(nil, "Page.navigate", map[string]any{"url": "about:blank"})
		b.open(path + hash)
	}
	heading := `document.getElementById('case-h').textContent`
	visit("#case=simple_python_2")
	b.until(`document.querySelector('#case[open] .run') !== null`)
	assert.Equal(t, "simple_python_2", ask[string](b, heading))
	visit("#cases&category=multi_turn_base&case=multi_turn_base_0&run=" + url.QueryEscape("broken<b>model") + "&turn=2")
	b.until(`document.querySelector('#case[open] .turn[open][data-turn="2"]') !== null`)
	assert.Regexp(t, `^15 of`, ask[string](b, `document.getElementById('count').textContent`))
	visit("#case=simple_python_999")
	assert.Equal(t, "No such case", ask[string](b, heading))
	assert.Contains(t, ask[string](b, `document.getElementById('body').textContent`), "simple_python_999")
	visit("#case=%zz%E0%A4%A")
	assert.Equal(t, "No such case", ask[string](b, heading))
	visit("#cases")
	b.until(`Math.abs(document.getElementById('cases').getBoundingClientRect().top) < 200`)
	visit("#cases&cause=nonsense&category=none&among=what&level=x&sort=y&run=nobody")
	assert.Regexp(t, `^0 of`, ask[string](b, `document.getElementById('count').textContent`), "what the page does not have filters all out")
	b.quiet()
}

// TestPrint: a printed page is light and whole, and an open case prints alone.
func TestPrint(t *testing.T) {
	b := startBrowser(t)
	b.size(1000, 1200, true)
	b.open(save(t, two(t)))
	b.do(nil, "Emulation.setEmulatedMedia", map[string]any{"media": "print", "features": []map[string]string{{"name": "prefers-color-scheme", "value": "dark"}}})
	assert.Equal(t, "rgb(255, 255, 255)", ask[string](b, `getComputedStyle(document.body).backgroundColor`))
	shown := func(selector string) bool {
		return ask[bool](b, `(() => { const e = document.querySelector('`+selector+`'); return e.checkVisibility() && e.getBoundingClientRect().height > 0; })()`)
	}
	assert.True(t, shown("#pair svg"), "the bars")
	assert.False(t, shown("header"))
	assert.False(t, shown("#swap"), "paper has no buttons")
	assert.Empty(t, ask[string](b, `[...document.querySelectorAll('.scroll')].filter(e => e.checkVisibility() && getComputedStyle(e).overflowX !== 'visible').map(e => e.getAttribute('aria-label')).join()`), "nothing is clipped")
	ask[any](b, `location.hash = '#case=simple_python_0'`)
	b.until(`document.querySelector('#case[open] .run') !== null`)
	assert.True(t, shown("#case"))
	assert.False(t, shown("main"))
}

// TestWithoutScript: the tables stand in the HTML, and what needs the script says so.
func TestWithoutScript(t *testing.T) {
	b := startBrowser(t)
	b.do(nil, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
	b.do(nil, "Page.navigate", map[string]any{"url": "file://" + save(t, two(t))})
	b.until(`document.querySelector('noscript p')?.checkVisibility() ?? false`)
	assert.Positive(t, ask[int](b, `document.querySelectorAll('#table tbody tr').length`))
	assert.False(t, ask[bool](b, `['filter', 'matrix', 'groups'].some(id => document.getElementById(id).checkVisibility())`), "what needs the script is not shown")
	assert.Regexp(t, `change.* points`, ask[string](b, `document.getElementById('pair').textContent`))
}

// TestNamesForScreenReaders: every control has a name, every chart a text.
func TestNamesForScreenReaders(t *testing.T) {
	b := startBrowser(t)
	b.open(save(t, two(t)))
	nameless := ask[string](b, `[...document.querySelectorAll('button,select,input')].filter(e =>
		!(e.textContent.trim() || e.getAttribute('aria-label') || e.closest('label')?.textContent.trim())).map(e => e.outerHTML.slice(0, 80)).join('\n')`)
	assert.Empty(t, nameless)
	assert.Zero(t, ask[int](b, `[...document.querySelectorAll('svg[role=img]')].filter(e => !e.querySelector('title')?.textContent || !e.querySelector('desc')?.textContent).length`))
	assert.Zero(t, ask[int](b, `(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id); return ids.length - new Set(ids).size; })()`), "ids are unique")
	assert.Zero(t, ask[int](b, `[...document.querySelectorAll('[aria-labelledby]')].filter(e => e.getAttribute('aria-labelledby').split(' ').some(id => !document.getElementById(id))).length`))
}

// TestAccessible: axe-core finds nothing at A and AA, in each theme, wide and narrow,
// with a case open and without. $BFCL_AXE names its file; .ci/axe fetches it.
func TestAccessible(t *testing.T) {
	path := os.Getenv("BFCL_AXE")
	if path == "" {
		t.Skip("BFCL_AXE names no axe.min.js: .ci/axe fetches it")
	}
	axe := testkit.Must(os.ReadFile(path))(t)
	b := startBrowser(t)
	runs := two(t)
	pages := map[string]string{"two runs": save(t, runs), "one run": save(t, runs[:1]), "three runs": save(t, three(t))}
	checked := 0
	pages["errata"] = save(t, listed(t))
	for name, page := range pages {
		for _, look := range []struct {
			width int
			dark  bool
		}{{1440, false}, {1440, true}, {360, false}} {
			hashes := []string{"#cases&verdict=failed&by=parameter", "#cases&verdict=fail&case=multiple_0", "#case=multi_turn_base_0"}
			switch name {
			case "one run":
				hashes = hashes[:1]
			case "errata":
				hashes = []string{"#cases&among=errata"}
			case "three runs":
				hashes = []string{"", "#answer&from=a&to=c"}
			}
			for _, hash := range hashes {
				b.size(look.width, 900, look.dark)
				b.do(nil, "Page.navigate", map[string]any{"url": "about:blank"})
				b.open(page + hash)
				if strings.Contains(hash, "_0") {
					b.until(`document.querySelector('#case[open] .run[open]') !== null`)
				}
				b.do(nil, "Runtime.evaluate", map[string]any{"expression": string(axe)})
				ask[any](b, `(() => { window.found = null; axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], rules: {'label-content-name-mismatch': {enabled: true}}}).then(r => { window.found = r; }); })()`)
				b.until(`window.found !== null`)
				assert.Positive(t, ask[int](b, `found.passes.length`))
				assert.Empty(t, ask[string](b, faint), "%s, %d wide, dark %v, %s", name, look.width, look.dark, hash)
				assert.Empty(t, ask[string](b, `found.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 150) + ' ' + (n.any[0]?.message || n.failureSummary)).join('\n  ')).join('\n')`), "%s, %d wide, dark %v, %s", name, look.width, look.dark, hash)
				checked++
			}
		}
	}
	t.Logf("%d views looked at", checked)
}

// faint are the texts whose contrast is below 4.5, those of one letter too, which
// axe leaves to people.
const faint = `(() => {
	const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const over = (colour, under) => { paint.fillStyle = 'rgb(' + under + ')'; paint.fillRect(0, 0, 1, 1); paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3); };
	const paper = e => over(getComputedStyle(e).backgroundColor, e.parentElement ? paper(e.parentElement) : [255, 255, 255]);
	const light = c => [.2126, .7152, .0722].reduce((sum, part, i) => sum + part * (c[i] <= 10 ? c[i] / 3294 : ((c[i] / 255 + .055) / 1.055) ** 2.4), 0);
	const found = new Set(), root = document.querySelector('dialog[open]') ?? document;
	for (const e of root.querySelectorAll('*')) {
		if (e.closest('svg, option, noscript') || !e.checkVisibility() || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
		const under = paper(e), [a, b] = [light(under), light(over(getComputedStyle(e).color, under))].sort((x, y) => y - x);
		const contrast = (a + .05) / (b + .05);
		if (contrast < 4.5) found.add(e.tagName + '.' + e.className + ' ' + contrast.toFixed(2));
	}
	return [...found].join('\n');
})()`

// three are runs of which the first is right.
func three(t *testing.T) []*tally.Run {
	t.Helper()
	return made(t, "simple_python,multiple,parallel", map[string]answerer{"a": right, "b": broken, "c": broken})
}

// TestThreeRuns: the difference of any two runs is one choice away, and it is the
// one that compare computes.
func TestThreeRuns(t *testing.T) {
	b := startBrowser(t)
	b.size(1280, 900, false)
	runs := three(t)
	b.open(save(t, runs))
	assert.False(t, ask[bool](b, `document.getElementById('answer').checkVisibility()`), "nothing is chosen yet")
	assert.Positive(t, ask[int](b, `document.querySelectorAll('.multiples svg').length`))
	ask[any](b, `document.getElementById('more-groups').click()`)
	lost := ask[[]float64](b, `[...document.querySelectorAll('#group-list tr:not(.suspect)')].map(tr => tr.cells[2].textContent.split(' · ').map(Number)).reduce((a, b) => a.map((x, i) => x + b[i]))`)
	right := ask[[]float64](b, `[...document.querySelectorAll('#table tbody tr')].map(tr => 100 * [...tr.cells].find(td => td.dataset.sort).dataset.sort)`)
	for i := range runs {
		assert.InDelta(t, 100-right[i], lost[i], 0.1, "the groups cost what the run lost")
	}
	ask[any](b, `document.querySelectorAll('.pick')[0].click()`)
	ask[any](b, `document.querySelectorAll('.pick')[1].click()`)
	b.until(`document.querySelector('#pair .big') !== null`)
	c := testkit.Must(compare.Pair(runs[0], runs[1], compare.Options{}))(t)
	assert.Equal(t, strings.ReplaceAll(fmt.Sprintf("%+.2f", c.Overall.Points), "-", "−")+" points", ask[string](b, `document.querySelector('#pair .big').textContent`))
	parts := ask[float64](b, `[...document.querySelectorAll('#pair .adds tbody tr:not(.sum) td:nth-child(2)')].reduce((n, e) => n + parseFloat(e.textContent.replace('−', '-')), 0)`)
	assert.InDelta(t, compare.Rounded(c.Overall.Points), parts, 1e-9, "the parts add up")
	assert.Contains(t, ask[string](b, `location.hash`), "from=a&to=")
	b.quiet()
}

// TestKeyboard: the walk from the answer to a case and its neighbours, by keys
// alone.
func TestKeyboard(t *testing.T) {
	b := startBrowser(t)
	b.size(1280, 900, false)
	b.open(save(t, two(t)))
	press := func(key string) {
		b.do(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": key, "text": map[bool]string{true: key}[len(key) == 1]})
		b.do(nil, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key})
	}
	focused := func() string { return ask[string](b, `document.activeElement.textContent`) }
	press("?")
	b.until(`document.getElementById('keys').open`)
	press("?")
	b.until(`!document.getElementById('keys').open`)
	press("j")
	first := focused()
	assert.NotEmpty(t, ask[string](b, `document.activeElement.dataset.case ?? ''`), "the first case")
	press("j")
	assert.NotEqual(t, first, focused())
	press("k")
	assert.Equal(t, first, focused())
	ask[any](b, `document.activeElement.click()`) // as Enter does
	b.until(`document.querySelector('#case[open] .run') !== null`)
	id := ask[string](b, `document.getElementById('case-h').textContent`)
	press("j")
	b.until(`document.getElementById('case-h').textContent !== '` + id + `'`)
	press("k")
	b.until(`document.getElementById('case-h').textContent === '` + id + `'`)
	ask[any](b, `document.getElementById('close').click()`)
	b.until(`!document.getElementById('case').open`)
	press("g")
	assert.Equal(t, "group-list", ask[string](b, `document.activeElement.closest('tbody').id`))
	press("/")
	b.until(`document.activeElement.id === 'q'`)
	press("j")
	assert.Equal(t, "j", ask[string](b, `document.getElementById('q').value`), "in a field it is a letter")
	b.quiet()
}

// TestCutOff: a page that lost its end says so.
func TestCutOff(t *testing.T) {
	b := startBrowser(t)
	path := save(t, two(t))
	text := testkit.Must(os.ReadFile(path))(t)
	const told = `document.querySelector('main > [role=alert]') !== null`
	b.open(path)
	b.until(`document.readyState === 'complete'`)
	assert.False(t, ask[bool](b, told))
	require.NoError(t, os.WriteFile(path, text[:len(text)-1000], 0o600))
	b.open(path)
	b.until(told)
	assert.Equal(t, "1", ask[string](b, `document.documentElement.dataset.ready`), "what is there is shown")
}

// TestPicturesOfGuide takes those of docs/report.md, where internal/test/bench/pictures asks for
// them: of starter runs, and of figures alone where the cases are upstream's.
func TestPicturesOfGuide(t *testing.T) {
	folder := os.Getenv("BFCL_PICTURES_OF")
	if folder == "" {
		t.Skip("BFCL_PICTURES_OF names no folder of pages")
	}
	b := startBrowser(t)
	visit := func(page, hash string, width int, dark bool) {
		b.size(width, 900, dark)
		b.do(nil, "Page.navigate", map[string]any{"url": "about:blank"})
		b.open(filepath.Join(folder, page) + hash)
	}
	visit("v1.html", "", 1440, false)
	b.part("board", "#board")
	visit("one.html", "", 1440, false)
	b.shoot("one")
	visit("two.html", "", 1440, false)
	b.shoot("two")
	visit("v4.html", "#cases&cause=wrong_count", 1440, false)
	b.part("walk-groups", "#groups")
	visit("runs-5.html", "#cases&category=parallel&cause=wrong_count", 1440, false)
	ask[any](b, `document.querySelector('#list a').click()`)
	b.until(`document.querySelector('#case[open] .run[open] .beside') !== null`)
	ask[any](b, `[...document.querySelectorAll('#body > details')].forEach(e => { e.open = false; })`)
	b.shoot("case")
	visit("runs-5.html", "#cases&verdict=fail&category=multi_turn_base", 1440, false)
	ask[any](b, `document.querySelector('#list a').click()`)
	b.until(`document.querySelector('#case[open] .turn[open]') !== null`)
	b.shoot("conversation")
	visit("runs-5.html", "#cases&verdict=fail", 360, false)
	ask[any](b, `document.getElementById('count').scrollIntoView({behavior: 'instant'})`)
	b.shoot("phone")
	if url := os.Getenv("BFCL_VIEW_URL"); url != "" {
		b.size(1440, 700, false)
		b.do(nil, "Page.navigate", map[string]any{"url": url})
		b.until(`document.querySelectorAll('#table tbody tr').length > 0`)
		b.shoot("view")
	}
	b.quiet()
}
