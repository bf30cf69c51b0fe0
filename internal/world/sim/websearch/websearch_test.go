package websearch

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
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
	env, err := sim.NewLibrary(class).Open(sim.Setup{Model: "m", Entry: "web_search_base_0", Involved: []string{Name}})
	require.NoError(t, err)
	return env
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
