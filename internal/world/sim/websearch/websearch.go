// Package websearch is upstream's WebSearchAPI: a model searches the web and
// fetches pages of it. The run decides what the web is: see Web.
package websearch

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"github.com/gobfcl/bfcl/internal/eval"
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
		wait = sim.Sleep
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

// jitter is upstream's uniform(0, backoff), from a generator without a seed.
var jitter = func(backoff time.Duration) time.Duration {
	return time.Duration(rand.Int64N(int64(backoff) + 1))
}

// Upstream waits forever if a search engine says 429; here a search gives up
// after some tries, about twenty minutes.
const (
	firstBackoff = 2 * time.Second
	mostBackoff  = 120 * time.Second
	mostWaits    = 12
)

const noResults = "Failed to retrieve the search results from server. Please try again later."

// search is upstream's search_engine_query.
func (b bound) search(a *sim.Object, args []pyval.Value) pyval.Value {
	if b.web == nil {
		return pyval.Must[pyval.Value](nil, errNoWeb)
	}
	query := Query{Keywords: args[0], Region: args[2]}
	backoff := firstBackoff
	for range mostWaits + 1 {
		reply, raised := b.ask(a.Context(), query)
		switch {
		case raised != nil && !strings.Contains(raised.Msg, "429"):
			return sim.Fail(raised.Msg)
		case raised == nil && !refused(reply):
			return results(reply, args[1], a.True("show_snippet"))
		}
		if err := b.wait(a.Context(), backoff+jitter(backoff)); err != nil {
			pyval.Check(sim.OutageOf(eval.InfraKind(err), err))
		}
		backoff = min(2*backoff, mostBackoff)
	}
	return pyval.Must[pyval.Value](nil, sim.OutageOf("search_quota", fmt.Errorf("the search engine still says 429 (too many requests) after %d waits: its quota may be used up; continue later with -resume", mostWaits)))
}

// ask asks the search engine once. raised is what upstream's client raises.
func (b bound) ask(ctx context.Context, query Query) (reply *pyval.Dict, raised *sim.Exception) {
	body, err := b.web.Search(ctx, query)
	if err != nil {
		return nil, exception(err)
	}
	text := strings.TrimPrefix(string(body), "\ufeff")
	v, err := pyval.ParseJSON(strings.ToValidUTF8(text, "\ufffd"))
	if err != nil {
		return nil, sim.Raise("ValueError", pyval.JSONException(text, err).Msg)
	}
	if reply, err = pyval.Try(func() *pyval.Dict { return asDict(v) }); err != nil {
		return nil, sim.AsException(err)
	}
	return reply, nil
}

// exception separates what a model sees from infrastructure errors, which it
// raises.
func exception(err error) *sim.Exception {
	e, ok := errors.AsType[*sim.Exception](err)
	if !ok {
		pyval.Check(sim.OutageOf(eval.InfraKind(err), err))
	}
	return e
}

// refused reports whether a reply says 429.
func refused(reply *pyval.Dict) bool {
	v, ok := reply.GetStr("error")
	return ok && strings.Contains(pyval.Text(v), "429")
}

// asDict is Python's dict(v), which SerpAPI's client makes of a reply.
func asDict(v pyval.Value) *pyval.Dict {
	if d, ok := v.(*pyval.Dict); ok {
		return d
	}
	d := &pyval.Dict{}
	for i, item := range sim.Items(v) {
		pair, err := pyval.Iterate(item)
		switch {
		case err != nil:
			panic(pyval.Raise("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i))
		case len(pair) != 2:
			panic(pyval.Raise("ValueError", "dictionary update sequence element #%d has length %d; 2 is required", i, len(pair)))
		}
		sim.Put(d, pair[0], pair[1])
	}
	return d
}

// results are Python's first results as the model sees them.
func results(reply *pyval.Dict, most pyval.Value, snippets bool) pyval.Value {
	organic, ok := reply.GetStr("organic_results")
	if !ok {
		return sim.Fail(noResults)
	}
	switch organic.(type) {
	case *pyval.List, *pyval.Tuple, pyval.Str:
	case *pyval.Dict:
		panic(sim.Raise("TypeError", "unhashable type: 'slice'"))
	default:
		panic(sim.Raise("TypeError", "'"+pyval.TypeName(organic)+"' object is not subscriptable"))
	}
	out := pyval.NewList()
	for _, found := range sim.First(sim.Items(organic), most) {
		shown := sim.Answer("title", sim.At(found, "title"), "href", sim.At(found, "link"))
		if snippets {
			shown.SetStr("body", sim.At(found, "snippet"))
		}
		out.Items = append(out.Items, shown)
	}
	return out
}

// fetch is upstream's fetch_url_content.
func (b bound) fetch(a *sim.Object, args []pyval.Value) pyval.Value {
	address := sim.MustText(args[0], "startswith")
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		panic(sim.Raise("ValueError", "Invalid URL: "+address))
	}
	if b.web == nil {
		return pyval.Must[pyval.Value](nil, errNoWeb)
	}
	p, err := b.web.Fetch(a.Context(), address)
	content := ""
	if err == nil {
		content, err = pyval.Try(func() string { return read(p, args[1]) })
	}
	if err != nil {
		return sim.Fail("An error occurred while fetching " + address + ": " + exception(err).Msg)
	}
	return sim.Answer("content", content)
}

// read raises for a page's status as requests' raise_for_status does.
func read(p *Page, mode pyval.Value) string {
	switch p.Status / 100 {
	case 4:
		panic(pyval.Raise("HTTPError", "%d Client Error: %s for url: %s", p.Status, p.Reason, p.URL))
	case 5:
		panic(pyval.Raise("HTTPError", "%d Server Error: %s for url: %s", p.Status, p.Reason, p.URL))
	}
	text := Decode(p.Body, p.ContentType)
	switch mode {
	case pyval.Str("raw"):
		return text
	case pyval.Str("markdown"):
		return Markdown(text)
	case pyval.Str("truncate"):
		return Text(text)
	}
	panic(sim.Raise("ValueError", sim.Text("Unsupported mode: {}", mode)))
}

// Decode returns the text of a response's body: by the charset that a byte-order
// mark or the header declares, text without one as ISO-8859-1 as in Python's
// requests, anything else by its bytes. Bytes that fit no character become U+FFFD.
func Decode(body []byte, contentType string) string {
	if strings.Contains(contentType, "text") && !strings.Contains(contentType, "charset") {
		contentType += "; charset=iso-8859-1"
	}
	if enc, _, declared := charset.DetermineEncoding(body, contentType); declared || !utf8.Valid(body) {
		if text, err := enc.NewDecoder().Bytes(body); err == nil {
			body = text
		}
	}
	return strings.TrimPrefix(strings.ToValidUTF8(string(body), "\ufffd"), "\ufeff")
}

// special are the elements whose texts BeautifulSoup's get_text leaves out.
var special = map[string]bool{"script": true, "style": true, "template": true, "rt": true, "rp": true}

// Text returns the pieces of an HTML page's text, stripped, one a line.
func Text(src string) string {
	s := soup{count: map[string]int{}}
	parse(src, &s)
	return strings.Join(s.pieces, "\n")
}

// void elements have no end tag. maxOpen bounds the elements that are followed:
// deeper ones hide nothing.
var void = map[string]bool{"area": true, "base": true, "br": true, "col": true, "embed": true, "hr": true, "img": true,
	"input": true, "link": true, "meta": true, "param": true, "source": true, "track": true, "wbr": true}

const maxOpen = 4096

// A soup gathers pieces of text.
type soup struct {
	open   []string       // elements under way, the innermost last
	count  map[string]int // of open, by tag
	hidden int            // special elements in open
	pieces []string
}

// element follows what is open: an end tag also ends what is unclosed within its
// element, so that it hides nothing behind it.
func (s *soup) element(tag string, _ map[string]string, start bool) {
	switch {
	case start && !void[tag] && len(s.open) < maxOpen:
		s.open = append(s.open, tag)
		s.follow(tag, 1)
	case !start && s.count[tag] > 0:
		for last := ""; last != tag; {
			last = s.open[len(s.open)-1]
			s.open = s.open[:len(s.open)-1]
			s.follow(last, -1)
		}
	}
}

func (s *soup) follow(tag string, by int) {
	s.count[tag] += by
	if special[tag] {
		s.hidden += by
	}
}

func (s *soup) data(text string) {
	if piece := strings.TrimSpace(text); piece != "" && s.hidden == 0 {
		s.pieces = append(s.pieces, piece)
	}
}

// A handler takes what a page consists of: where elements start and end, and
// texts.
type handler interface {
	element(tag string, attrs map[string]string, start bool)
	data(text string)
}

// parse reads HTML. Only script and style contain raw text, as in Python's
// parser.
func parse(src string, h handler) {
	for z := html.NewTokenizer(strings.NewReader(src)); ; {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return
		case html.TextToken:
			h.data(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, attrs := attributes(z)
			if kind == html.SelfClosingTagToken || tag != "script" && tag != "style" {
				z.NextIsNotRawText()
			}
			h.element(tag, attrs, true)
			if kind == html.SelfClosingTagToken {
				h.element(tag, nil, false)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			h.element(string(name), nil, false)
		}
	}
}

func attributes(z *html.Tokenizer) (tag string, attrs map[string]string) {
	name, more := z.TagName()
	tag, attrs = string(name), map[string]string{}
	for more {
		var key, val []byte
		key, val, more = z.TagAttr()
		attrs[string(key)] = string(val)
	}
	return tag, attrs
}
