// Package web is the web that a model's searches and fetches reach: live,
// behind guards, or replayed from a recording.
//
//	web       a web as the flags name it
//	guard     the addresses that no page is fetched from
//	fetch     pages from live servers, within limits
//	body      what a server sent, decompressed
//	engine    asking a search engine, with its troubles
//	serpapi   SerpAPI, upstream's search engine
//	searxng   a SearXNG server of the user's
//	record    searches and fetches written down
//	replay    and read again
//	offline   a dataset's own pages
//	source    such pages as they were written
//	index     the search engine over them
//
// A model chooses what is fetched: nothing here trusts an address or a page.
// The error of a page is a text that the model sees; the error of a search
// engine is an infrastructure error.
package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// The ways in which searches are answered, as -search names them.
const (
	SerpAPI = "serpapi"
	SearXNG = "searxng:" // and the server's address
	Offline = "offline"
	Replay  = "replay:" // and a file
)

// Options describe a web.
type Options struct {
	// Search is one of the ways above; "" is none.
	Search string
	// Record is a file to write searches and fetches to; "" is none.
	Record string
	// AllowHosts are hosts, with or without a port, that pages are fetched from
	// even if their addresses are not public.
	AllowHosts []string
	// Getenv is where keys come from, most often os.Getenv.
	Getenv func(string) string
	// Offline opens the offline web.
	Offline func() (websearch.Web, error)
}

// Check finds what Open would refuse, without opening anything.
func Check(o Options) error {
	switch {
	case o.Search == "" && o.Record != "":
		return errors.New("-search-record needs searches: give -search")
	case o.Search == "", o.Search == Offline, strings.HasPrefix(o.Search, Replay):
	case o.Search == SerpAPI:
		if o.Getenv(serpKey) == "" {
			return fmt.Errorf("-search=%s needs a key: set %s", SerpAPI, serpKey)
		}
	case strings.HasPrefix(o.Search, SearXNG):
		_, err := searxAddress(strings.TrimPrefix(o.Search, SearXNG))
		return err
	default:
		return fmt.Errorf("-search must be %s, %s<address>, %s or %s<file>, not %.100q", SerpAPI, SearXNG, Offline, Replay, o.Search)
	}
	if o.Record != "" && strings.HasPrefix(o.Search, Replay) {
		return errors.New("-search-record is for live searches; -search=replay: reads a recording")
	}
	return nil
}

// Open makes a web; nil if Options name none. The closer, which may be
// nil, ends a recording.
func Open(o Options) (websearch.Web, io.Closer, error) {
	if err := Check(o); err != nil || o.Search == "" {
		return nil, nil, err
	}
	w, err := open(o)
	if err != nil || o.Record == "" {
		return w, nil, err
	}
	r, err := NewRecorder(w, o.Record)
	if err != nil {
		return nil, nil, err
	}
	return r, r, nil
}

func open(o Options) (websearch.Web, error) {
	fetcher := NewFetcher(o.AllowHosts)
	switch {
	case o.Search == Offline:
		return o.Offline()
	case o.Search == SerpAPI:
		return live{newSerp(o.Getenv(serpKey)), fetcher}, nil
	case strings.HasPrefix(o.Search, SearXNG):
		searx, err := newSearx(strings.TrimPrefix(o.Search, SearXNG))
		return live{searx, fetcher}, err
	}
	return OpenReplay(strings.TrimPrefix(o.Search, Replay))
}

// Described returns a way to search without secrets, for records: an address
// loses its password.
func Described(search string) string {
	address, ok := strings.CutPrefix(search, SearXNG)
	if !ok {
		return search
	}
	u, err := searxAddress(address)
	if err != nil {
		return SearXNG
	}
	u.User, u.RawQuery = nil, ""
	return SearXNG + u.String()
}

// A searcher is a search engine.
type searcher interface {
	Search(ctx context.Context, q websearch.Query) ([]byte, error)
}

// A live web is a search engine and the servers of the internet.
type live struct {
	searcher
	*Fetcher
}
