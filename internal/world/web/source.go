package web

import (
	"bytes"
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

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

// html reports whether a page gets a frame; others are served as they are.
func (p *source) html() bool { return strings.HasPrefix(p.kind, "text/html") }

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
	if p.html() {
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
