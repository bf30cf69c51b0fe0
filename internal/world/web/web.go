// Package web is what the simulated and the executed calls of a model reach by
// HTTP: searches and pages, live behind guards or replayed from a recording, the
// APIs of executable categories, and embeddings. Judges do not import it.
//
//	web         a web as the flags name it
//	publicnet   the addresses that no page is fetched from
//	fetch       pages from live servers, within limits, decompressed
//	engine      asking SerpAPI, upstream's, or a SearXNG server of the user's
//	record      searches and fetches written down, and read again
//	offline     a dataset's own pages, and the search engine over them
//	apis        the public APIs of executable and REST categories
//	embed       embedders by name: the embedded one, or a server that speaks OpenAI's protocol
//
// A model chooses what is fetched: nothing here trusts an address or a page.
// The error of a page is a text that the model sees; the error of a search
// engine is an infrastructure error.
package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

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
	return SearXNG + bare(address)
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

const htmlType = "text/html; charset=utf-8"

// A source is one page as it was written.
type source struct {
	host, site, path, title string
	line                    int

	status   int
	location string
	kind     string // the Content-Type
	encode   string
	date     string
	delay    int
	body     strings.Builder
}

func (p *source) address() string { return "https://" + p.host + p.path }

// frame surrounds the text of a page with the scripts, styles and links that
// real pages have: the modes of a fetch differ in them.
var frame = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<title>{{.Title}} | {{.Site}}</title>
<meta name="viewport" content="width=device-width">
<style>body{max-width:44em;margin:auto}nav a{margin-right:1em}</style>
<script>window.page={path:{{.Path}},views:0};window.page.views++;</script>
</head>
<body>
<header><a href="/">{{.Site}}</a></header>
<main>
<h1>{{.Title}}</h1>
{{with .Date}}<p class="date"><time datetime="{{.}}">{{.}}</time></p>
{{end}}{{.Text}}
</main>
<footer><nav><a href="/">Front page</a></nav><p>&copy; {{.Site}}</p></footer>
<script src="/static/count.js" async></script>
</body>
</html>
`))

// bytes is the page's body.
func (p *source) bytes() ([]byte, error) {
	text := strings.TrimSpace(p.body.String())
	out := bytes.NewBufferString(text + "\n")
	if strings.HasPrefix(p.kind, "text/html") {
		out.Reset()
		if err := frame.Execute(out, map[string]any{
			"Title": p.title, "Site": p.site, "Path": p.path, "Date": p.date, "Text": template.HTML(text),
		}); err != nil {
			return nil, err
		}
	}
	if p.encode == "latin-1" {
		return charmap.ISO8859_1.NewEncoder().Bytes(out.Bytes())
	}
	return out.Bytes(), nil
}

const pageMark = "=== "

// parsePages reads the sites of a file.
func parsePages(name, text string) (pages []*source, err error) {
	var host, site string
	var p *source
	fields, last := false, 0 // whether lines are still fields of the page
	complain := func(msg string) error { return fmt.Errorf("%s:%d: %s", name, last, msg) }
	for line := range strings.SplitSeq(text, "\n") {
		last++
		value, isHost := strings.CutPrefix(line, "host: ")
		siteName, isName := strings.CutPrefix(line, "name: ")
		head, isPage := strings.CutPrefix(line, pageMark)
		switch {
		case isHost:
			host, site, p = value, "", nil
		case isName && p == nil:
			site = siteName
		case isPage:
			path, title, ok := strings.Cut(head, " ")
			if !ok || !strings.HasPrefix(path, "/") || host == "" || site == "" {
				return nil, complain("a page needs a site's host and name above it, and a path and a title: === /path Title")
			}
			p = &source{host: host, site: site, path: path, title: title, line: last, status: http.StatusOK, kind: htmlType}
			pages = append(pages, p)
			fields = true
		case p == nil:
			if strings.TrimSpace(line) != "" {
				return nil, complain("this line belongs to no page")
			}
		case fields && line != "":
			if err := p.set(line); err != nil {
				return nil, complain(err.Error())
			}
		default:
			fields = false
			p.body.WriteString(line + "\n")
		}
	}
	return pages, nil
}

// set reads a field of a page.
func (p *source) set(line string) (err error) {
	name, value, _ := strings.Cut(line, ": ")
	switch name {
	case "status":
		p.status, err = strconv.Atoi(value)
	case "delay":
		p.delay, err = strconv.Atoi(value)
	case "location":
		p.location = value
	case "type":
		p.kind = value
	case "encode":
		p.encode = value
	case "date":
		p.date = value
	default:
		return fmt.Errorf("unknown field %q of a page", name)
	}
	if err != nil {
		return fmt.Errorf("%s is not a number", name)
	}
	return nil
}
