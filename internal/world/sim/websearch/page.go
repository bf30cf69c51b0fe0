package websearch

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

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
