package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// TestEngineKeepsItsKey: the key is in the address, which a redirect would tell
// to its target as the referrer, and a reply may throw it back.
func TestEngineKeepsItsKey(t *testing.T) {
	const key = "planted+key/0123456789"
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed with %v", r.Header)
	}))
	defer other.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, key, r.URL.Query().Get("api_key"))
		if r.URL.Query().Get("q") == "redirect" {
			http.Redirect(w, r, other.URL, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, `{"organic_results": [{"title": "`+key+` and `+url.QueryEscape(key)+`"}]}`)
	}))
	defer s.Close()
	engine := newSerp(key)
	engine.address, engine.wait = s.URL, time.Millisecond
	testkit.Fails(engine.Search(t.Context(), query("redirect")))(t, "HTTP 302")
	reply := testkit.Must(engine.Search(t.Context(), query("echo")))(t)
	assert.Equal(t, `{"organic_results": [{"title": "[key] and [key]"}]}`, string(reply))
}

func query(keywords string) websearch.Query {
	return websearch.Query{Keywords: pyval.Str(keywords), Region: pyval.Str("wt-wt")}
}

func sameParams(t *testing.T, id string, want *pyval.Dict) {
	t.Helper()
	at := func(name string) pyval.Value {
		v, _ := want.GetStr(name)
		return v
	}
	expected := url.Values{}
	for name, v := range want.All() {
		setParam(expected, pyval.Text(name), v)
	}
	key, _ := at("api_key").(pyval.Str)
	got := serpParams(websearch.Query{Keywords: at("q"), Region: at("kl")}, string(key))
	assert.Equal(t, expected, got, id)
}

// serpAt is SerpAPI played by a server.
func serpAt(t *testing.T, h http.HandlerFunc) *serp {
	t.Helper()
	server := httptest.NewServer(h)
	s := newSerp("k3y&secret")
	s.address, s.wait = server.URL, time.Microsecond
	s.client.Transport = &http.Transport{}
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		server.Close()
	})
	return s
}

func TestSerpAPI(t *testing.T) {
	s := serpAt(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "k3y&secret", r.URL.Query().Get("api_key"))
		_, _ = io.WriteString(w, `{"organic_results": [], "q": "`+r.URL.Query().Get("q")+`"}`)
	})
	body := testkit.Must(s.Search(t.Context(), query("tea & milk")))(t)
	assert.JSONEq(t, `{"organic_results": [], "q": "tea & milk"}`, string(body))
}

func TestEngineTroubles(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		kind   string // of infrastructure's error; "" is a reply
		tries  int
		fatal  bool
	}{
		{200, `{"error": "no results"}`, "", 1, false},
		{400, `{"error": "Missing query"}`, "", 1, false},
		{500, `{"error": "Internal"}`, transport.ServerError, engineTries, false},
		{401, `{"error": "Invalid API key"}`, transport.Unauthorized, 1, true},
		{429, `{"error": "Your account has run out of searches."}`, "search_quota", 1, true},
		{404, `gone`, "search", 1, false},
	} {
		tries := 0
		s := serpAt(t, func(w http.ResponseWriter, _ *http.Request) {
			tries++
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		})
		body, err := s.Search(t.Context(), query("x"))
		assert.Equal(t, c.tries, tries, c.body)
		if c.kind == "" {
			require.NoError(t, err)
			assert.Equal(t, c.body, string(body))
			continue
		}
		require.Error(t, err)
		assert.Equal(t, c.kind, eval.InfraKind(err), c.body)
		assert.Equal(t, c.fatal, transport.IsFatal(err), c.body)
		assert.NotContains(t, err.Error(), "secret")
	}
}

// TestEngineRecovers: a passing fault is retried and not reported.
func TestEngineRecovers(t *testing.T) {
	tries := 0
	s := serpAt(t, func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries < engineTries {
			w.WriteHeader(http.StatusBadGateway)
		}
		_, _ = io.WriteString(w, "{}")
	})
	body := testkit.Must(s.Search(t.Context(), query("x")))(t)
	assert.Equal(t, "{}", string(body))
}

// TestEngine429: a 429 is left to the tool, which waits as upstream does.
func TestEngine429(t *testing.T) {
	s := serpAt(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) })
	_, err := s.Search(t.Context(), query("x"))
	var e *sim.Exception
	require.ErrorAs(t, err, &e)
	assert.Contains(t, e.Msg, "429")
}

func TestEngineUnreachable(t *testing.T) {
	s := serpAt(t, func(http.ResponseWriter, *http.Request) {})
	s.address = "http://127.0.0.1:1/k3y&secret"
	_, err := s.Search(t.Context(), query("x"))
	require.Error(t, err)
	assert.Equal(t, transport.Connection, eval.InfraKind(err))
	assert.NotContains(t, err.Error(), "secret")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Search(ctx, query("x"))
	assert.True(t, errors.Is(err, context.Canceled))
}

func TestSearXNG(t *testing.T) {
	var asked url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.Query()
		if r.URL.Path != "/sub/search" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = io.WriteString(w, `{"query": "x", "results": [{"url": "https://a.example/", "title": "A", "content": null, "score": 1}, 5]}`)
	}))
	defer server.Close()
	s := testkit.Must(newSearx(server.URL + "/sub/"))(t)
	s.client.Transport = &http.Transport{DisableKeepAlives: true}
	body := testkit.Must(s.Search(t.Context(), websearch.Query{Keywords: pyval.Str("x"), Region: pyval.Str("us-en")}))(t)
	assert.JSONEq(t, `{"organic_results": [{"title": "A", "link": "https://a.example/", "snippet": ""}]}`, string(body))
	assert.Equal(t, url.Values{"q": {"x"}, "format": {"json"}, "language": {"en-US"}}, asked)
	for _, body := range []string{"", "[]", "{}", `{"results": 5}`, "<html>"} {
		assert.Equal(t, body, string(asSerp([]byte(body))))
	}
	assert.Empty(t, languageOf(pyval.Str("wt-wt")))
	assert.Empty(t, languageOf(pyval.None))
}
