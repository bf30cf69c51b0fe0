package web

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

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
			body, err := p.bytes()
			if err != nil {
				return nil, err
			}
			return &websearch.Page{URL: p.address(), Status: p.status, Reason: http.StatusText(p.status), ContentType: p.kind, Body: body}, nil
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

func missing(u *url.URL) (*websearch.Page, error) {
	return &websearch.Page{
		URL: addressOf(u), Status: http.StatusNotFound, Reason: http.StatusText(http.StatusNotFound),
		ContentType: htmlType, Body: []byte("<!DOCTYPE html><title>Not found</title><p>There is no such page."),
	}, nil
}

// An index ranks pages by BM25 over their words; a word of the title counts
// for several.
type index struct {
	docs []document
	// in is how many documents have a word.
	in      map[string]int
	average float64
}

type document struct {
	page   *source
	text   string
	counts map[string]int
	length float64
}

// A hit is a page that a search found.
type hit struct {
	page    *source
	snippet string
	score   float64
}

const (
	titleWeight = 3
	mostHits    = 30
	bmK, bmB    = 1.2, 0.75
)

func newIndex(pages []*source) *index {
	x := &index{in: map[string]int{}}
	for _, p := range pages {
		if p.status != 200 || p.location != "" {
			continue
		}
		d := document{page: p, text: strings.Join(strings.Fields(websearch.Text(p.body.String())), " "), counts: map[string]int{}}
		for _, word := range words(d.text + " " + p.site) {
			d.counts[word]++
		}
		for _, word := range words(p.title) {
			d.counts[word] += titleWeight
		}
		for word, n := range d.counts {
			x.in[word]++
			d.length += float64(n)
		}
		x.average += d.length
		x.docs = append(x.docs, d)
	}
	x.average /= float64(max(len(x.docs), 1))
	return x
}

// search finds the pages that have any of the words, best first; equal ones in
// the order of their addresses.
func (x *index) search(keywords string) []hit {
	asked := slices.DeleteFunc(words(keywords), func(word string) bool { return x.in[word] == 0 })
	slices.Sort(asked)
	asked = slices.Compact(asked)
	var hits []hit
	for i := range x.docs {
		if score := x.score(&x.docs[i], asked); score > 0 {
			hits = append(hits, hit{x.docs[i].page, snippet(x.docs[i].text, asked), score})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.page.address(), b.page.address()))
	})
	return hits[:min(len(hits), mostHits)]
}

// score is rounded, so that the order is the same on every machine.
func (x *index) score(d *document, asked []string) float64 {
	sum := 0.0
	for _, word := range asked {
		n := float64(d.counts[word])
		if n == 0 {
			continue
		}
		in := float64(x.in[word])
		rarity := math.Log(1 + (float64(len(x.docs))-in+0.5)/(in+0.5))
		sum += rarity * n * (bmK + 1) / (n + bmK*(1-bmB+bmB*d.length/x.average))
	}
	const digits = 1e6
	return math.Round(sum*digits) / digits
}

// snippet is the part of a text that has most of the words, about as long as
// search engines show.
func snippet(text string, asked []string) string {
	const length = 30 // words
	fields := strings.Fields(text)
	best, at := -1, 0
	for i := 0; i < len(fields); i += length / 3 {
		n := 0
		part := words(strings.Join(fields[i:min(i+length, len(fields))], " "))
		for _, word := range asked {
			if slices.Contains(part, word) {
				n++
			}
		}
		if n > best {
			best, at = n, i
		}
	}
	end := min(at+length, len(fields))
	out := strings.Join(fields[at:end], " ")
	if at > 0 {
		out = "... " + out
	}
	if end < len(fields) {
		out += " ..."
	}
	return out
}

// stopwords say nothing about a page.
var stopwords = strings.Fields("a an and are as at be by did do does for from had has have how in is it its of on or that the their this to was were what when where which who whose will with")

// words are a text's words in lower case, without stopwords, and in the
// singular if that is easy.
func words(text string) []string {
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	out := fields[:0]
	for _, word := range fields {
		if slices.Contains(stopwords, word) {
			continue
		}
		if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
			word = word[:len(word)-1]
		}
		out = append(out, word)
	}
	return out
}
