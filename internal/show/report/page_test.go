package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/show/report"
)

func save(t *testing.T, runs []*tally.Run) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	require.NoError(t, os.WriteFile(path, []byte(html(t, reportOf(t, runs, report.Options{}))), 0o644))
	return path
}

// TestInBrowser uses the page as a reader does.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	b.size(1280, 900, false)
	b.open(save(t, two(t)))
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
		choose("find", "BROKEN")
		assert.Equal(t, "broken<b>model", first())
		choose("find", "")
	})
	t.Run("charts", func(t *testing.T) {
		off := `document.querySelectorAll('#shape .card [data-run="1"].off').length`
		assert.Zero(t, ask[int](b, off))
		ask[any](b, `document.querySelector('#legend input[value="1"]').click()`)
		assert.Equal(t, 1, ask[int](b, off))
		choose("bars", "non_live")
		assert.Equal(t, "non_live", ask[string](b, `[...document.querySelectorAll('.bars')].filter(e => !e.hidden).map(e => e.dataset.node).join()`))
	})
	t.Run("search and filter", func(t *testing.T) {
		all := ask[string](b, `document.getElementById('count').textContent`)
		choose("q", "simple_python_1")
		b.until(`document.getElementById('count').textContent !== ` + "`" + all + "`")
		assert.Positive(t, listed())
		assert.Equal(t, 0, ask[int](b, `[...document.querySelectorAll('#list code')].filter(e => !e.textContent.includes('simple_python_1')).length`))
		choose("q", "")
		b.until(`document.getElementById('count').textContent === ` + "`" + all + "`")
		for _, filter := range []struct{ id, value string }{{"f-verdict", "f"}, {"f-verdict", "d"}, {"f-type", "0"}, {"f-cat", "1"}} {
			choose(filter.id, filter.value)
			n := ask[string](b, `document.getElementById('count').textContent`)
			assert.NotEqual(t, all, n, filter.id)
			assert.NotEqual(t, "0", strings.Fields(n)[0], filter.id)
			choose(filter.id, "")
		}
		choose("f-run", ask[string](b, `[...document.getElementById('f-run').options].find(o => o.text === 'right-model').value`))
		choose("f-verdict", "f")
		assert.Equal(t, "0", strings.Fields(ask[string](b, `document.getElementById('count').textContent`))[0])
		choose("f-verdict", "")
		choose("f-run", "")
	})
	t.Run("case", func(t *testing.T) {
		choose("f-verdict", "f")
		ask[any](b, `document.querySelector('#list button').click()`)
		b.until(`document.querySelector('#case[open] .run[open] pre') !== null`)
		body := ask[string](b, `document.getElementById('body').textContent`)
		assert.Contains(t, body, `</script><script>window.pwned=1</script>`, "model text is text")
		assert.Contains(t, body, `\x1b[31mred`)
		assert.Contains(t, body, `\u202e`)
		assert.NotContains(t, body, "\u202e")
		id := ask[string](b, `document.getElementById('case-h').textContent`)
		assert.Contains(t, ask[string](b, `location.hash`), id)
		ask[any](b, `document.getElementById('next').click()`)
		b.until(`document.getElementById('case-h').textContent !== '` + id + `'`)
		ask[any](b, `document.getElementById('close').click()`)
		b.until(`!document.getElementById('case').open`)
		choose("f-verdict", "")
	})
	t.Run("conversation", func(t *testing.T) {
		choose("q", "multi_turn_base")
		b.until(`document.querySelector('#list code').textContent.startsWith('multi_turn_base')`)
		ask[any](b, `document.querySelector('#list button').click()`)
		b.until(`document.querySelector('#case[open] .run[open] .msg') !== null`)
		said := ask[string](b, `document.querySelector('.run[open]').textContent`)
		for _, who := range []string{"user, turn 1", "assistant, turn 1, step 1", "tool, turn 1, step 1", `\u202erole, turn 1, step 1`} {
			assert.Contains(t, said, who)
		}
		ask[any](b, `[...document.querySelectorAll('#body summary')].find(e => e.textContent.startsWith('Tools')).click()`)
		b.until(`[...document.querySelectorAll('#body details[open] pre')].some(e => e.textContent.includes('"parameters"'))`)
		ask[any](b, `document.getElementById('close').click()`)
		choose("q", "")
	})
	t.Run("flips", func(t *testing.T) {
		assert.Regexp(t, `^[1-9]\d* cases newly fail and 0 newly pass`, ask[string](b, `document.getElementById('flip-sum').textContent`))
		assert.Positive(t, ask[int](b, `document.querySelectorAll('#flip-lost button').length`))
		ask[any](b, `(() => { const a = document.getElementById('flip-a'), b = document.getElementById('flip-b'); [a.value, b.value] = [b.value, a.value]; a.dispatchEvent(new Event('change')); })()`)
		assert.Regexp(t, `^0 cases newly fail and [1-9]`, ask[string](b, `document.getElementById('flip-sum').textContent`))
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
	t.Run("phone", func(t *testing.T) {
		b.size(390, 844, false)
		assert.LessOrEqual(t, ask[int](b, `document.documentElement.scrollWidth`), 390, "nothing but tables and charts scrolls sideways")
	})
	assert.False(t, ask[bool](b, `'pwned' in window`))
	b.quiet()
}

// TestAddressOpensACase: a case can be linked to.
func TestAddressOpensACase(t *testing.T) {
	b := startBrowser(t)
	path := save(t, two(t))
	b.do(nil, "Page.navigate", map[string]any{"url": "file://" + path + "#case=simple_python_2"})
	b.until(`document.querySelector('#case[open] .run') !== null`)
	assert.Equal(t, "simple_python_2", ask[string](b, `document.getElementById('case-h').textContent`))
	b.do(nil, "Page.navigate", map[string]any{"url": "file://" + path + "#case=%zz%E0%A4%A"})
	b.until(`document.documentElement.dataset.ready === '1'`)
	b.quiet()
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

// TestPictures takes pictures for people to look at, where they are asked for.
func TestPictures(t *testing.T) {
	path := os.Getenv("BFCL_SCREENSHOT_OF")
	if path == "" {
		t.Skip("BFCL_SCREENSHOT_OF names no page")
	}
	b := startBrowser(t)
	for _, look := range []struct {
		name          string
		width, height int
		dark          bool
	}{{"light", 1280, 1000, false}, {"dark", 1280, 1000, true}, {"phone", 390, 844, false}} {
		b.size(look.width, look.height, look.dark)
		b.open(path)
		for _, section := range []string{"board", "shape", "failures", "spend", "flips", "cases"} {
			ask[any](b, `document.getElementById('`+section+`')?.scrollIntoView({behavior: 'instant'})`)
			b.shoot(look.name + "-" + section)
		}
		ask[any](b, `(() => { const v = document.getElementById('f-verdict'); v.value = 'f'; v.dispatchEvent(new Event('change')); document.querySelector('#list button').click(); })()`)
		b.until(`document.querySelector('#case[open] .run[open] pre') !== null`)
		b.shoot(look.name + "-case")
	}
	t.Log("ready after milliseconds:", ask[float64](b, `performance.getEntriesByName('ready')[0].startTime`))
	b.quiet()
}
