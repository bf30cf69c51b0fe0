package websearch

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
