package web_test

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
	"github.com/gobfcl/bfcl/internal/world/web"
)

const site = `host: one.example
name: One & only

=== / Front page

<p>Welcome to <strong>One</strong>. See <a href="/tea">tea</a> &amp; <a href="https://two.example/x">more</a>.</p>

=== /tea Tea
date: 2020-01-02

<h2>Green</h2>
<ul>
<li>leaf</li>
<li>water at 80 degrees</li>
</ul>
<table>
<tr><th>Kind</th><th>Minutes</th></tr>
<tr><td>green</td><td>3</td></tr>
</table>
<blockquote><p>hot</p></blockquote>

=== /old Old tea
status: 301
location: /tea

=== /loop Loop
status: 302
location: /loop

=== /slow Slow
delay: 21

never

=== /bytes Broken
encode: latin-1

Café

=== /file File
type: text/plain

plain <b>
`

func load(t *testing.T, text string) (*web.Pages, error) {
	t.Helper()
	return web.LoadPages(fstest.MapFS{"a.txt": {Data: []byte(text)}})
}

func call(t *testing.T, w websearch.Web, text string) string {
	t.Helper()
	env := testkit.Must(sim.NewLibrary(websearch.On(w, nil)).Open(sim.Setup{Entry: "web_search_base_0", Involved: []string{websearch.Name}}))(t)
	out := env.Call(text)
	require.Nil(t, env.Outage())
	return out.Text
}

func TestOffline(t *testing.T) {
	w := testkit.Must(load(t, site))(t)
	assert.Equal(t, "[{'title': 'Tea', 'href': 'https://one.example/tea', 'body': 'Green leaf water at 80 degrees Kind Minutes green 3 hot'}]",
		call(t, w, "search_engine_query('green', 1)"))
	assert.Equal(t, "[]", call(t, w, "search_engine_query('zebra')"))
	for _, c := range []struct{ call, want string }{
		{"fetch_url_content('https://one.example', 'truncate')", `Welcome to\nOne\n. See\ntea\n&\nmore\n.`},
		{"fetch_url_content('http://one.example/old', 'markdown')", `# Tea\n\n2020-01-02\n\n## Green\n\n- leaf\n- water at 80 degrees\n\n| Kind | Minutes |\n| --- | --- |\n| green | 3 |\n\n> hot`},
		{"fetch_url_content('https://one.example/tea')", `<tr><td>green</td><td>3</td></tr>`},
		{"fetch_url_content('https://one.example/loop')", "Exceeded 5 redirects."},
		{"fetch_url_content('https://one.example/slow')", "Read timed out. (read timeout=20)"},
		{"fetch_url_content('https://one.example/none')", "404 Client Error: Not Found for url: https://one.example/none"},
		{"fetch_url_content('https://other.example/')", "Name or service not known"},
		{"fetch_url_content('https://one.example/bytes', 'truncate')", `Caf\ufffd`},
		{"fetch_url_content('https://one.example/file')", `{"content": "plain <b>\n"}`},
	} {
		assert.Contains(t, call(t, w, c.call), c.want, c.call)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, testkit.Err(w.Fetch(ctx, "https://one.example/")), context.Canceled)
	assert.ErrorIs(t, testkit.Err(w.Search(ctx, websearch.Query{Keywords: pyval.Str("x")})), context.Canceled)
}

func TestOfflineLoadRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"words", "a.txt:1: this line belongs to no page"},
		{"=== /x Title", "a.txt:1: a page needs"},
		{"host: a.example\nname: A\n=== /x", "a.txt:3: a page needs"},
		{"host: a.example\nname: A\n=== /x T\nstatus: no", "a.txt:4: status is not a number"},
		{"host: a.example\nname: A\n=== /x T\ncolour: red", `a.txt:4: unknown field "colour"`},
		{"host: a.example\nname: A\n=== /x T\n\n=== /x T\n", "a.txt:5: page https://a.example/x is there twice"},
	} {
		testkit.Fails(load(t, c.text))(t, c.want)
	}
	assert.ErrorContains(t, testkit.Err(web.LoadPages(fstest.MapFS{})), "-search")
}

// TestOfflineHostileKeywords: no keywords break the search.
func TestOfflineHostileKeywords(t *testing.T) {
	w := testkit.Must(load(t, site))(t)
	for _, keywords := range []pyval.Value{pyval.None, pyval.Str(""), pyval.Str("\x00\xff\u202e"), pyval.MakeInt(3), pyval.NewList(pyval.Str("tea")), pyval.Str(strings.Repeat("tea ", 100_000))} {
		body := testkit.Must(w.Search(t.Context(), websearch.Query{Keywords: keywords}))(t)
		testkit.Must(pyval.ParseJSON(string(body)))(t)
	}
}

func FuzzOfflineLoad(f *testing.F) {
	f.Add(site)
	f.Add("host: a\nname: b\n=== / [x](\n\n* [**](a)b**\n|")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := load(t, text)
		if err != nil {
			return
		}
		for _, address := range w.Addresses() {
			_, _ = w.Fetch(t.Context(), address)
		}
		_, _ = w.Search(t.Context(), websearch.Query{Keywords: pyval.Str(text)})
	})
}

func TestPublicnetHas(t *testing.T) {
	for _, ip := range []string{
		"127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "169.254.169.254",
		"192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255", "168.63.129.16", "100.100.100.200",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1",
		"64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "2001:db8::1", "::127.0.0.1", "fec0::1", "100::1", "192.0.0.192", "100.64.0.1",
	} {
		assert.False(t, web.Has(netip.MustParseAddr(ip)), ip)
	}
	for _, ip := range []string{"93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "::ffff:8.8.8.8"} {
		assert.True(t, web.Has(netip.MustParseAddr(ip)), ip)
	}
	assert.False(t, web.Has(netip.Addr{}))
}

func TestPublicnetControl(t *testing.T) {
	assert.NoError(t, web.Control("tcp", "93.184.216.34:443", nil))
	for _, address := range []string{"127.0.0.1:80", "[::1]:80", "100.100.100.200:80", "example.com:80", ""} {
		assert.ErrorIs(t, web.Control("tcp", address, nil), web.ErrClosed, address)
	}
}
