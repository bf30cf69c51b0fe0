package xmlcall

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// An element is what ElementTree keeps of an XML element, as far as calls
// need it. Names in a namespace are {namespace}name.
type element struct {
	tag        string
	attributes []attribute
	text       []byte // before the first child
	children   []*element
}

type attribute struct{ name, value string }

func (e *element) attribute(name string) (string, bool) {
	for _, a := range e.attributes {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

func (e *element) typeName() string {
	if name, ok := e.attribute("type"); ok {
		return name
	}
	return "string"
}

func (e *element) child(tag string) *element {
	for _, c := range e.children {
		if c.tag == tag {
			return c
		}
	}
	return nil
}

// A reader reads one document, which must be well-formed for expat with
// namespaces. There is no DOCTYPE, so there are only the predefined entities.
type reader struct {
	src    string
	i      int
	open   []frame
	spaces []namespace // namespaces bound now, innermost last
	root   *element
}

type frame struct {
	*element
	name   string // as written
	spaces int    // bindings when the element began
}

type namespace struct{ prefix, uri string }

// fail raises expat's error.
func (r *reader) fail(at int, msg string) {
	pyval.Check(&grammar.Error{Class: "ParseError", Msg: msg, Offset: at})
}

func parse(src string) *element {
	r := reader{src: src}
	if i := badCharacter(src); i >= 0 {
		r.fail(i, "invalid character")
	}
	for r.i < len(src) {
		switch {
		case src[r.i] != '<':
			r.characters()
		case r.at("</"):
			start := r.i
			r.i += len("</")
			name := r.name()
			r.blanks()
			if name == "" || !r.at(">") {
				r.fail(r.i, "bad end tag")
			}
			r.i++
			r.end(name, start)
		case r.at("<!--"):
			r.i += len("<!--")
			r.until("--", "comment")
			if !r.at(">") {
				r.fail(r.i, "-- in a comment")
			}
			r.i++
		case r.at("<![CDATA["):
			if len(r.open) == 0 {
				r.fail(r.i, "CDATA outside the root element")
			}
			r.i += len("<![CDATA[")
			r.add(newlines.Replace(r.until("]]>", "CDATA section")))
		case r.at("<?"):
			start := r.i
			r.i += len("<?")
			target := r.name()
			if target == "" || strings.EqualFold(target, "xml") || strings.Contains(target, ":") {
				r.fail(start, "bad processing instruction")
			}
			if !r.at("?>") && !r.blanks() {
				r.fail(r.i, "bad processing instruction")
			}
			r.until("?>", "processing instruction")
		default:
			r.startTag()
		}
	}
	if len(r.open) > 0 || r.root == nil {
		r.fail(len(src), "no element found")
	}
	return r.root
}

// badCharacter is the position of the first character in src that XML 1.0
// forbids, or -1.
func badCharacter(src string) int {
	for i, c := range src {
		if !isXMLChar(c) || c == utf8.RuneError && !strings.HasPrefix(src[i:], "\ufffd") {
			return i
		}
	}
	return -1
}

func isXMLChar(c rune) bool {
	return c >= ' ' && c < 0xd800 || c > 0xdfff && c < 0xfffe || c > 0xffff && c <= utf8.MaxRune ||
		c == '\t' || c == '\n' || c == '\r'
}

func (r *reader) at(s string) bool { return strings.HasPrefix(r.src[r.i:], s) }

func (r *reader) blanks() bool {
	start := r.i
	for r.i < len(r.src) && strings.IndexByte(" \t\r\n", r.src[r.i]) >= 0 {
		r.i++
	}
	return r.i > start
}

// add appends text where ElementTree keeps it.
func (r *reader) add(text string) {
	if n := len(r.open); n > 0 && len(r.open[n-1].children) == 0 {
		r.open[n-1].text = append(r.open[n-1].text, text...)
	}
}

var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// characters reads text up to the next tag.
func (r *reader) characters() {
	start := r.i
	end := strings.IndexByte(r.src[start:], '<')
	if end < 0 {
		end = len(r.src) - start
	}
	r.i = start + end
	raw := r.src[start:r.i]
	if len(r.open) == 0 {
		if strings.Trim(raw, " \t\r\n") != "" {
			r.fail(start, "text outside the root element")
		}
		return
	}
	if k := strings.Index(raw, "]]>"); k >= 0 {
		r.fail(start+k, "]]> in text")
	}
	r.add(r.expand(newlines.Replace(raw), start))
}

// expand replaces references.
func (r *reader) expand(s string, at int) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "&")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, found := strings.Cut(rest, ";")
		c, ok := reference(name)
		if !found || !ok {
			r.fail(at, "undefined entity or stray &")
		}
		out.WriteRune(c)
		s = after
	}
}

var entities = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

func reference(name string) (rune, bool) {
	if c, ok := entities[name]; ok {
		return c, true
	}
	digits, numeric := strings.CutPrefix(name, "#")
	if !numeric {
		return 0, false
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	c, err := strconv.ParseUint(digits, base, 21)
	return rune(c), err == nil && isXMLChar(rune(c))
}

// until moves past the next occurrence of s and returns what was before it.
func (r *reader) until(s, what string) string {
	n := strings.Index(r.src[r.i:], s)
	if n < 0 {
		r.fail(r.i, "unclosed "+what)
	}
	text := r.src[r.i : r.i+n]
	r.i += n + len(s)
	return text
}

// name reads a name with at most one colon, which is neither first nor last. It
// returns "" if there is none.
func (r *reader) name() string {
	start, colons, first := r.i, 0, true
	for r.i < len(r.src) {
		c, size := utf8.DecodeRuneInString(r.src[r.i:])
		if c == ':' && !first && colons == 0 {
			colons, first = 1, true
			r.i += size
			continue
		}
		if !isNameChar(c) || first && !isNameStart(c) {
			break
		}
		first = false
		r.i += size
	}
	if first {
		return ""
	}
	return r.src[start:r.i]
}

func isNameStart(c rune) bool { return c == '_' || unicode.IsLetter(c) && c < 0x10000 }

func isNameChar(c rune) bool {
	return isNameStart(c) || c == '-' || c == '.' || c == 0xb7 ||
		c < 0x10000 && unicode.In(c, unicode.Nd, unicode.Mn, unicode.Mc)
}
