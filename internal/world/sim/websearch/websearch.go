// Package websearch is upstream's WebSearchAPI: a model searches the web and
// fetches pages of it. The run decides what the web is: see Web.
//
//	websearch   the class, its two methods and what they need
//	search      what a search engine replied, as results
//	fetch       what a server sent, as text
//	page        its bytes as text, and HTML as the text in it
//	markdown    HTML as Markdown
package websearch

import (
	_ "embed"

	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed web_search.json
var doc string

// Name is the class's name.
const Name = "WebSearchAPI"

// A Query is one search.
type Query struct {
	// Keywords are most often a str; None is not sent.
	Keywords pyval.Value
	// Region is DuckDuckGo's kl; None is not sent.
	Region pyval.Value
}

// A Page is what a server sent.
type Page struct {
	// URL is the page's address after redirects.
	URL string
	// Status and Reason are those of HTTP's status line.
	Status int
	Reason string
	// ContentType is the header's value.
	ContentType string
	// Body is decompressed.
	Body []byte
}

// A Web is what the tools work on. It is safe for concurrent use. An error that
// is a *pyval.Exception or a *sim.Exception is what a model sees; any other
// error is an infrastructure error and ends the case without a verdict.
type Web interface {
	// Search returns the search engine's reply: SerpAPI's JSON.
	Search(ctx context.Context, q Query) ([]byte, error)
	// Fetch returns a page, whatever its status.
	Fetch(ctx context.Context, url string) (*Page, error)
}

// Wait is how a search waits before it asks again; tests have their own.
type Wait func(ctx context.Context, d time.Duration) error

// On returns the class on a web; nil means that there is none, which its
// methods then report. A nil wait is the clock's.
func On(web Web, wait Wait) *sim.Class {
	if wait == nil {
		wait = sleep
	}
	b := bound{web, wait}
	return &sim.Class{
		Name: Name, DocFile: "web_search.json", Doc: doc, Stateless: true,
		Methods: []sim.Method{
			{Name: "search_engine_query", Params: sim.Params("keywords", "max_results=10", `region="wt-wt"`), Call: sim.On(b.search)},
			{Name: "fetch_url_content", Params: sim.Params("url", `mode="raw"`), Call: sim.On(b.fetch)},
		},
		New: sim.Load(sim.Table(`{"show_snippet": true}`), 0),
	}
}

// A bound is the class's methods on a web.
type bound struct {
	web  Web
	wait Wait
}

var errNoWeb = &sim.Outage{Kind: "search", Err: errors.New("this run has no web to search: give -search")}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// jitter is upstream's uniform(0, backoff), from a generator without a seed.
var jitter = func(backoff time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(backoff) + 1))
}
