package web

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// A counted web answers each request with the number of it.
type counted struct {
	asked int
	err   error
}

func (c *counted) Search(context.Context, websearch.Query) ([]byte, error) {
	c.asked++
	return []byte(`{"organic_results": []}`), c.err
}

func (c *counted) Fetch(_ context.Context, url string) (*websearch.Page, error) {
	if c.asked++; c.err != nil {
		return nil, c.err
	}
	return &websearch.Page{URL: url + "#end", Status: 200, Reason: "OK", ContentType: "text/html", Body: []byte("\xff\x00page " + url)}, nil
}

// TestRecordReplay: a run that was recorded can be repeated without a network.
func TestRecordReplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "searches.jsonl")
	behind := &counted{}
	r := testkit.Must(NewRecorder(behind, file))(t)
	reply := testkit.Must(r.Search(t.Context(), query("tea")))(t)
	page := testkit.Must(r.Fetch(t.Context(), "https://a.example/"))(t)
	_, err := r.Fetch(t.Context(), "https://a.example/")
	require.NoError(t, err)
	assert.Equal(t, 2, behind.asked, "what is recorded is not asked again")
	behind.err = sim.Raise("Timeout", "timed out")
	_, err = r.Fetch(t.Context(), "https://slow.example/")
	assert.EqualError(t, err, "Timeout: timed out")
	behind.err = eval.Infra("search", "down")
	_, err = r.Search(t.Context(), query("down"))
	assert.ErrorContains(t, err, "down")
	behind.err = sim.Raise("HTTPError", "429 Too Many Requests")
	testkit.Fails(r.Search(t.Context(), query("busy")))(t, "429")
	require.NoError(t, r.Close())

	w, closer, err := Open(Options{Search: Replay + file})
	require.NoError(t, err)
	assert.Nil(t, closer)
	again := testkit.Must(w.Search(t.Context(), query("tea")))(t)
	assert.Equal(t, string(reply), string(again))
	got := testkit.Must(w.Fetch(t.Context(), "https://a.example/"))(t)
	assert.Empty(t, cmp.Diff(page, got))
	_, err = w.Fetch(t.Context(), "https://slow.example/")
	var raised *sim.Exception
	require.ErrorAs(t, err, &raised)
	assert.Equal(t, "timed out", raised.Msg)
	for _, lost := range []string{"down", "busy", "\x1b[31mnever"} {
		_, err = w.Search(t.Context(), query(lost))
		assert.Equal(t, "unrecorded", eval.InfraKind(err))
		assert.NotContains(t, err.Error(), "\x1b")
	}
	testkit.Fails(w.Fetch(t.Context(), "https://other.example/"))(t, "https://other.example/")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = w.Fetch(ctx, "https://a.example/")
	assert.True(t, errors.Is(err, context.Canceled))
}

// TestRecordingGoesOn: a recording continues after a kill truncated its last
// line.
func TestRecordingGoesOn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "searches.jsonl")
	for range 3 {
		behind := &counted{}
		r := testkit.Must(NewRecorder(behind, file))(t)
		testkit.Must(r.Search(t.Context(), query("tea")))(t)
		testkit.Must(r.Fetch(t.Context(), "https://a.example/"+strings.Repeat("x", behind.asked)))(t)
		require.NoError(t, r.Close())
		out := testkit.Must(os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0))(t)
		_, err := out.WriteString(`{"fetch": "https://torn.exa`)
		require.NoError(t, err)
		require.NoError(t, out.Close())
	}
	data := testkit.Must(os.ReadFile(file))(t)
	assert.Equal(t, 3, strings.Count(string(data), "\n"))
}

func TestDamagedRecording(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"nonsense", "not a JSON object"},
		{"[]", "not a JSON object"},
		{"{}", `neither "search" nor "fetch"`},
		{`{"search": "x"}`, `neither "body"`},
		{`{"fetch": "x", "body": "y"}`, "status"},
		{`{"fetch": "x", "body": "y", "status": 99999}`, "status"},
		{`{"fetch": "x", "base64": "!", "status": 200}`, "illegal base64"},
		{`{"search": "x", "body": "{}"}` + "\n" + `{"search": "x", "body": "{}"}`, ":2: this request is already on an earlier line"},
	} {
		file := filepath.Join(t.TempDir(), "r.jsonl")
		require.NoError(t, os.WriteFile(file, []byte(c.line+"\n"), 0o644))
		_, err := OpenReplay(file)
		require.ErrorContains(t, err, c.want, c.line)
		assert.Contains(t, err.Error(), file+":", c.line)
		testkit.Fails(NewRecorder(&counted{}, file))(t, c.want, c.line)
		data := testkit.Must(os.ReadFile(file))(t)
		assert.Equal(t, c.line+"\n", string(data), "a damaged recording is left alone")
	}
	testkit.Fails(OpenReplay(filepath.Join(t.TempDir(), "none")))(t, "-search=replay")
}

func TestOpen(t *testing.T) {
	keys := func(string) string { return "" }
	for _, c := range []struct {
		search, record, want string
	}{
		{"serpapi", "", "SERPAPI_API_KEY"},
		{"google", "", `not "google"`},
		{"searxng:", "", "searxng:http://localhost:8080"},
		{"searxng:ftp://x", "", "searxng:http://localhost:8080"},
		{"", "x.jsonl", "give -search"},
		{"replay:x", "y", "reads a recording"},
		{"replay:/none", "", "-search=replay"},
	} {
		_, _, err := Open(Options{Search: c.search, Record: c.record, Getenv: keys})
		assert.ErrorContains(t, err, c.want, c.search)
	}
	w, _, err := Open(Options{})
	require.NoError(t, err)
	assert.Nil(t, w)
	own := &counted{}
	w, _, err = Open(Options{Search: "offline", Offline: func() (websearch.Web, error) { return own, nil }})
	require.NoError(t, err)
	assert.Same(t, own, w)
	w, _, err = Open(Options{Search: "serpapi", Getenv: func(string) string { return "k" }})
	require.NoError(t, err)
	assert.IsType(t, live{}, w)
	assert.Equal(t, "searxng:https://s.example/x", Described("searxng:https://user:pw@s.example/x?token=t"))
	assert.Equal(t, "serpapi", Described("serpapi"))
}

func FuzzRecording(f *testing.F) {
	f.Add(`{"search": "x", "region": null, "body": "{}"}` + "\n")
	f.Add(`{"fetch": "u", "status": 200, "base64": "AAA="}` + "\n" + `{"fetch": "v", "exception": "Timeout", "message": "m"}` + "\n")
	f.Fuzz(func(t *testing.T, src string) {
		r, whole, err := readRecording("r", strings.NewReader(src))
		if err == nil && (whole > int64(len(src)) || r == nil) {
			t.Fatalf("%q: %d", src, whole)
		}
	})
}

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
