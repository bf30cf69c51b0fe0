package websearch

import (
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

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
