package offline

import (
	"fmt"
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

// html reports whether a page is rendered; others are served as they are.
func (p *source) html() bool { return strings.HasPrefix(p.kind, "text/html") }

// bytes is the page's body.
func (p *source) bytes() ([]byte, error) {
	text := strings.TrimSpace(p.body.String()) + "\n"
	if p.html() {
		text = p.render()
	}
	if p.encode == "latin-1" {
		return charmap.ISO8859_1.NewEncoder().Bytes([]byte(text))
	}
	return []byte(text), nil
}

const pageMark = "=== "

// parse reads the sites of a file.
func parse(name, text string) (pages []*source, err error) {
	var host, site string
	var page *source
	fields, last := false, 0 // whether lines are still fields of the page
	complain := func(msg string) error { return fmt.Errorf("%s:%d: %s", name, last, msg) }
	for line := range strings.SplitSeq(text, "\n") {
		last++
		value, isHost := strings.CutPrefix(line, "host: ")
		siteName, isName := strings.CutPrefix(line, "name: ")
		head, isPage := strings.CutPrefix(line, pageMark)
		switch {
		case isHost:
			host, site, page = value, "", nil
		case isName && page == nil:
			site = siteName
		case isPage:
			path, title, ok := strings.Cut(head, " ")
			if !ok || !strings.HasPrefix(path, "/") || host == "" || site == "" {
				return nil, complain("a page needs a site's host and name above it, and a path and a title: === /path Title")
			}
			page = &source{host: host, site: site, path: path, title: title, line: last, status: http.StatusOK, kind: htmlType}
			pages = append(pages, page)
			fields = true
		case page == nil:
			if strings.TrimSpace(line) != "" {
				return nil, complain("this line belongs to no page")
			}
		case fields && line != "":
			if err := page.set(line); err != nil {
				return nil, complain(err.Error())
			}
		default:
			fields = false
			page.body.WriteString(line + "\n")
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

// plain is the page's text without marks.
func (p *source) plain() string {
	var out []string
	for line := range strings.Lines(p.body.String()) {
		line = strings.Trim(strings.TrimSpace(line), "|")
		line = strings.TrimLeft(line, "*#> ")
		line = strings.ReplaceAll(strings.ReplaceAll(line, " | ", ", "), "**", "")
		if line = strings.TrimSpace(unlinked(line)); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, " ")
}

// unlinked keeps the texts of links.
func unlinked(s string) string {
	var b strings.Builder
	for {
		before, text, _, after, ok := cutLink(s)
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		b.WriteString(text)
		s = after
	}
}

// cutLink splits a text at its first link.
func cutLink(s string) (before, text, target, after string, ok bool) {
	open := strings.IndexByte(s, '[')
	if open < 0 {
		return s, "", "", "", false
	}
	middle := strings.Index(s[open:], "](")
	if middle < 0 {
		return s, "", "", "", false
	}
	middle += open
	end := strings.IndexByte(s[middle:], ')')
	if end < 0 {
		return s, "", "", "", false
	}
	end += middle
	return s[:open], s[open+1 : middle], s[middle+2 : end], s[end+1:], true
}
