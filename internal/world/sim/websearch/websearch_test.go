package websearch

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// A fixed web gives one reply and one error to everything.
type fixed struct {
	reply string
	err   error
	asked int
}

func (f *fixed) Search(context.Context, Query) ([]byte, error) {
	f.asked++
	return []byte(f.reply), f.err
}

func (f *fixed) Fetch(context.Context, string) (*Page, error) { return &Page{Status: 200}, f.err }

func open(t *testing.T, class *sim.Class) *sim.Env {
	t.Helper()
	return testkit.Must(sim.NewLibrary(class).Open(sim.Setup{Model: "m", Entry: "web_search_base_0", Involved: []string{Name}}))(t)
}

func noWait(context.Context, time.Duration) error { return nil }

// TestQuota: a search engine that always says 429 is not asked forever, and
// the case gets no verdict.
func TestQuota(t *testing.T) {
	web := &fixed{reply: `{"error": "429"}`}
	env := open(t, On(web, noWait))
	env.Call("search_engine_query('x')")
	assert.Equal(t, mostWaits+1, web.asked)
	require.NotNil(t, env.Outage())
	assert.Equal(t, "search_quota", env.Outage().Kind)
	assert.Contains(t, env.Outage().Error(), "-resume")
}

func TestTrouble(t *testing.T) {
	down := eval.Infra("search", "the search engine is down")
	for _, c := range []struct {
		call string
		err  error
		want string // of Trouble's text
	}{
		{"search_engine_query('x')", down, "is down"},
		{"fetch_url_content('http://a.example/')", down, "is down"},
		{"fetch_url_content('http://a.example/')", context.Canceled, "canceled"},
		{"fetch_url_content('http://a.example/')", sim.Raise("Timeout", "timed out"), ""},
		{"search_engine_query('x')", &pyval.Exception{Class: "X", Msg: "odd"}, ""},
		{"fetch_url_content('file:///etc/passwd')", down, ""},
	} {
		env := open(t, On(&fixed{err: c.err}, noWait))
		env.Call(c.call)
		if c.want == "" {
			assert.Nil(t, env.Outage(), c.call)
		} else {
			assert.ErrorContains(t, env.Outage(), c.want, c.call)
		}
	}
	env := open(t, On(nil, nil))
	env.Call("search_engine_query('x')")
	assert.ErrorContains(t, env.Outage(), "-search")
}

// TestWaitEnds: an interrupt ends the wait for a search engine.
func TestWaitEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	env, err := sim.NewLibrary(On(&fixed{reply: `{"error": "429"}`}, nil)).Open(sim.Setup{
		Entry: "web_search_base_0", Involved: []string{Name}, World: sim.NewWorld(nil).Bound(ctx),
	})
	require.NoError(t, err)
	env.Call("search_engine_query('x')")
	assert.True(t, errors.Is(env.Outage(), context.Canceled))
}

func TestOddReplies(t *testing.T) {
	for _, c := range []struct{ reply, want string }{
		{`5`, `{"error": "'int' object is not iterable"}`},
		{`null`, `{"error": "'NoneType' object is not iterable"}`},
		{`""`, `{"error": "` + noResults + `"}`},
		{`"ab"`, `{"error": "dictionary update sequence element #0 has length 1; 2 is required"}`},
		{`[[1, 2, 3]]`, `{"error": "dictionary update sequence element #0 has length 3; 2 is required"}`},
		{`{"organic_results": {"a": 1}}`, `Error during execution: unhashable type: 'slice'`},
		{`{"organic_results": "ab"}`, `Error during execution: string indices must be integers, not 'str'`},
		{`{"organic_results": [5]}`, `Error during execution: 'int' object is not subscriptable`},
		{"\xef\xbb\xbf{\"organic_results\": []}", `[]`},
		{"{\"organic_results\": [\xff", `{"error": "Expecting value: line 1 column 22 (char 21)"}`},
	} {
		env := open(t, On(&fixed{reply: c.reply}, noWait))
		assert.Equal(t, c.want, env.Call("search_engine_query('x')").Text, c.reply)
		assert.Nil(t, env.Outage())
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ body, contentType, want string }{
		{"caf\xc3\xa9", "text/html; charset=utf-8", "café"},
		{"caf\xe9", "text/html", "café"},
		{"\x93x\x94", "text/html; charset=iso-8859-1", "“x”"},
		{"\x93x\x94", "text/html; charset=windows-1252", "“x”"},
		{"caf\xc3\xa9", "application/json", "café"},
		{"caf\xc3\xa9", "application/octet-stream", "café"},
		{"caf\xe9", "application/octet-stream", "café"},
		{"\xef\xbb\xbfx", "", "x"},
		{"\xef\xbb\xbfx", "text/plain; charset=UTF-8", "x"},
		{"\xff\xfeh\x00i\x00", "", "hi"},
		{"h\x00i\x00", "text/html; charset=utf-16", "hi"},
		{"\x83n", "text/html; charset=Shift_JIS", "ハ"},
		{"\xe6\x97\xa5", "text/html; charset=nope", "日"},
		{"a\xe2\x82b\xf0\x9f\x98", "text/html; charset=utf8", "a\ufffdb\ufffd"},
		{"a\xed\xa0\x80", "text/html; charset=utf8", "a\ufffd\ufffd\ufffd"},
		{"x", `text/html; charset="utf-8`, "x"},
		{"", "", ""},
	} {
		assert.Equal(t, c.want, Decode([]byte(c.body), c.contentType), "%q as %s", c.body, c.contentType)
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"<p>a<b>b</b> c</p>", "a\nb\nc"},
		{"x<script>var a = '<p>y</p>'</script><style>p{}</style>z", "x\nz"},
		{"<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢"},
		{"<template>no<p>no</p></template>yes", "yes"},
		{"a &amp; b&nbsp;&lt;c&gt; &bogus; &#150; &#x110000; &#xD800;", "a & b\u00a0<c> &bogus; – \ufffd \ufffd"},
		{"<textarea><i>x</i></textarea>", "x"},
		{"a<!-- hidden -->b<?php x ?>c<!doctype html>d", "a\nb\nc\nd"},
		{"<p>unclosed <b>bold", "unclosed\nbold"},
		{"</p>stray</nothing>", "stray"},
		{"<p><ruby>漢<rt>kan</ruby> after</p>", "漢\nafter"},
		{"<div><template>no<br></div>yes", "yes"},
		{strings.Repeat("<br>", 5000) + "<script>no</script>yes", "yes"},
	} {
		assert.Equal(t, c.want, Text(c.src), c.src)
	}
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"<h2>Title <a href='/x'>linked</a></h2>y", "## Title [linked](/x)\n\ny"},
		{"<a href='#top'>inside</a> <a href=/a>one<a href=/b> two </a>", "inside [one](/a) [two](/b)"},
		{"<a href='/x'><img src=i.png alt='[a]'></a>", "[![[a]](i.png)](/x)"},
		{"<ol start=4><li>four<li>five <ul><li>deep</ul></ol><p>on", "4. four\n5. five\n  - deep\n\non"},
		{"<dl><dt>term<dd>meaning</dl>", "term\nmeaning"},
		{"<blockquote><p>a</p><blockquote>b</blockquote></blockquote>c", "> a\n> \n> > b\n\nc"},
		{"<table><tr><th><p>a</p></th><th>b</th></tr><tr><td>1<td>2<br>3</table>z", "| a | b |\n| --- | --- |\n| 1 | 2 3 |\n\nz"},
		{"x<b> bold </b>y <i>it</i>. <q>said</q>", "x **bold** y *it*. \"said\""},
		{"<pre>a\n  b</pre>c", "```\na\n  b\n```\n\nc"},
		{"AT&T &euro; &#8594; a&nbsp;b &lt;", "AT&T € → a b <"},
		{"<script>x</script><head><title>t</title></head>y<hr>z", "y\n\n---\n\nz"},
		{"</ul></table></td></blockquote></a></b></pre>", ""},
		{"<table><tr><td><table><tr><td>in</table>out</table>", "| |\n| --- |\n\n| in |\n| --- |\n\nout"},
	} {
		assert.Equal(t, c.want, Markdown(c.src), c.src)
	}
}

// TestDeep gives pages whose marks nest without end.
// TestDeepCode: line breaks in deep code would grow two hundredfold.
func TestDeepCode(t *testing.T) {
	src := strings.Repeat("<blockquote>", 50) + strings.Repeat("<ul>", 50) + "<pre>" + strings.Repeat("\n", 1<<20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_ = Markdown(src)
	runtime.ReadMemStats(&after)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(128<<20))
}

func TestDeep(t *testing.T) {
	for _, tag := range []string{"<blockquote>", "<ul><li>", "<div>", "<b>", "<a href=x>", "<table><tr><td>", "<pre>", "<abbr title=x>y", "</q>", "&#", "&a", "<!--", "<!"} {
		src := strings.Repeat(tag, 20_000)
		assert.True(t, utf8.ValidString(Text(src)), tag)
		assert.Less(t, len(Markdown(src)), 40*len(src), tag)
	}
}

func FuzzPage(f *testing.F) {
	for _, seed := range []string{
		"<p>a <b>b</b></p>", "<ul><li>x<ol><li>y</ol></ul>", "<pre>\n a</pre>", "<a href=x><h1>t</h1></a>", "&#x41;&amp&lt;", "<table><tr><th>a<td>b</table>",
		"<script>", "<style></style></head>", "<!doctype html><!--", "\x00\xff", "<blockquote>a<br>b</blockquote><hr>", "<img src=x><abbr title=a>b</abbr>",
	} {
		f.Add([]byte(seed), "text/html; charset=utf-8")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		text := Decode(body, contentType)
		if !utf8.ValidString(text) {
			t.Fatalf("%q as %q is no text: %q", body, contentType, text)
		}
		for _, out := range []string{Text(text), Markdown(text)} {
			if !utf8.ValidString(out) {
				t.Fatalf("%q gives %q", text, out)
			}
		}
	})
}

// FuzzReply has a search engine and a model that send anything: each call ends
// in a text, and never in the harness's own trouble.
func FuzzReply(f *testing.F) {
	f.Add(`{"organic_results": [{"title": "a", "link": "http://a.example/", "snippet": "b"}]}`, "search_engine_query('x', max_results=1)")
	f.Add(`{"error": "429 no results"}`, "search_engine_query(keywords=['x'], region=5)")
	f.Add(`[["organic_results", [[1]]]]`, "fetch_url_content('http://a.example/', mode='markdown')")
	f.Fuzz(func(t *testing.T, reply, call string) {
		env := open(t, On(&fixed{reply: reply}, noWait))
		for range 2 {
			if outage := env.Outage(); env.Call(call).Text == "" && outage == nil {
				t.Logf("an empty result of %q", call)
			}
		}
		_ = pyval.Repr(pyval.Str(env.Call("search_engine_query('x')").Text))
	})
}
