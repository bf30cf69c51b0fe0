package web

import (
	"encoding/json"
	"testing"
)

// FuzzResults reads what a search engine says: what asSerp makes of a list of
// results is JSON, and anything else stays as it came.
func FuzzResults(f *testing.F) {
	f.Add([]byte(`{"results": [{"title": "a", "url": "http://a.example/", "content": null}, 5]}`))
	f.Add([]byte(`{"results": {}}`))
	f.Add([]byte("{\"results\": [{\"title\": \"\xff\"}]}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if out := asSerp(body); string(out) != string(body) && !json.Valid(out) {
			t.Fatalf("%q became %q", body, out)
		}
	})
}
