package web

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// patience is the time limit of a fetch in seconds.
const patience = 20

// Pages are a small web of a dataset's own, served from memory, and a search
// engine over them. They give the same answers each time and need no network,
// so that anyone can try and test web search. They do not change.
//
// The source files stand in the dataset's folder web. A file holds sites, a
// site pages:
//
//	host: almanac.example
//	name: The Almanac
//
//	=== /path Title of the page
//	status: 301
//	location: /elsewhere
//
//	<p>Text with <a href="/path">links</a>.</p>
//
// The lines below a page's title are status, location, type (the Content-Type),
// encode (the charset of its bytes), date, and delay: the seconds until it
// comes. They are not waited for: a delay longer than the time limit of a fetch
// is a time-out at once.
type Pages struct {
	pages map[string]*source // by address
	hosts map[string]bool
	index *index
}

// LoadPages reads the source files of a folder.
func LoadPages(files fs.FS) (*Pages, error) {
	names, err := fs.Glob(files, "*.txt")
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("the dataset has no pages to search offline (%d files): give -search", len(names))
	}
	w := &Pages{pages: map[string]*source{}, hosts: map[string]bool{}}
	var all []*source
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		pages, err := parsePages(name, string(data))
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			if w.pages[p.address()] != nil {
				return nil, fmt.Errorf("%s:%d: page %s is there twice", name, p.line, p.address())
			}
			w.pages[p.address()] = p
			w.hosts[p.host] = true
		}
		all = append(all, pages...)
	}
	w.index = newIndex(all)
	return w, nil
}

// Addresses returns the addresses of all pages, in no particular order.
func (w *Pages) Addresses() []string {
	out := make([]string, 0, len(w.pages))
	for address := range w.pages {
		out = append(out, address)
	}
	return out
}

// Search implements websearch.Web: the best pages in SerpAPI's form. Regions
// make no difference.
func (w *Pages) Search(ctx context.Context, q websearch.Query) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	keywords, err := pyval.Try(func() string { return sim.Text("{}", q.Keywords) })
	if err != nil {
		return nil, err
	}
	results := pyval.NewList()
	for i, hit := range w.index.search(keywords) {
		results.Items = append(results.Items, sim.Answer(
			"position", i+1, "title", hit.page.title, "link", hit.page.address(), "snippet", hit.snippet))
	}
	text, err := pyval.JSON(sim.Answer("organic_results", results), 0)
	return []byte(text), err
}

// Fetch implements websearch.Web, following redirects.
func (w *Pages) Fetch(ctx context.Context, address string) (*websearch.Page, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for range maxRedirects + 1 {
		u, err := url.Parse(address)
		if err != nil || !w.hosts[u.Hostname()] {
			return nil, sim.Raise("ConnectionError", "Name or service not known")
		}
		p := w.pages[addressOf(u)]
		switch {
		case p == nil:
			return missing(u)
		case p.delay > patience:
			return nil, sim.Raise("ReadTimeout", fmt.Sprintf("Read timed out. (read timeout=%d)", patience))
		case p.location == "":
			return w.serve(p)
		}
		next, err := u.Parse(p.location)
		if err != nil {
			return nil, sim.Raise("InvalidURL", "the redirect leads nowhere")
		}
		address = next.String()
	}
	return nil, sim.Raise("TooManyRedirects", fmt.Sprintf("Exceeded %d redirects.", maxRedirects))
}

// addressOf is an address in the form under which pages are kept.
func addressOf(u *url.URL) string {
	path := strings.TrimSuffix(u.Path, "/")
	if path == "" {
		path = "/"
	}
	return "https://" + strings.ToLower(u.Hostname()) + path
}

func (w *Pages) serve(p *source) (*websearch.Page, error) {
	body, err := p.bytes()
	if err != nil {
		return nil, err
	}
	return &websearch.Page{
		URL: p.address(), Status: p.status, Reason: http.StatusText(p.status), ContentType: p.kind, Body: body,
	}, nil
}

func missing(u *url.URL) (*websearch.Page, error) {
	return &websearch.Page{
		URL: addressOf(u), Status: http.StatusNotFound, Reason: http.StatusText(http.StatusNotFound),
		ContentType: htmlType, Body: []byte("<!DOCTYPE html><title>Not found</title><p>There is no such page."),
	}, nil
}
