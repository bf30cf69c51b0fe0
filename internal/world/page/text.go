package page

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Text is BeautifulSoup(src, "html.parser") without script and style
// elements, .get_text(separator="\n", strip=True).
func Text(src string) string {
	s := soup{count: map[string]int{}}
	parse(src, &s)
	s.flush()
	return strings.Join(s.pieces, "\n")
}

// A soup gathers pieces of text. Of BeautifulSoup's tree it keeps the names of
// the open elements, to know which text is not part of the page.
type soup struct {
	open   []string
	count  map[string]int // of open elements by name
	hidden int            // of the open elements
	buf    strings.Builder
	pieces []string
}

// special are the elements whose texts get_text leaves out.
var special = map[string]bool{"script": true, "style": true, "template": true, "rt": true, "rp": true}

// maxOpen bounds the elements that are kept open: a page can open millions.
const maxOpen = 4096

func (s *soup) flush() {
	if s.buf.Len() == 0 {
		return
	}
	if piece := pyval.Strip(s.buf.String()); piece != "" && s.hidden == 0 {
		s.pieces = append(s.pieces, piece)
	}
	s.buf.Reset()
}

func (s *soup) start(tag string, _ map[string]string) {
	s.flush()
	if void[tag] || len(s.open) >= maxOpen {
		return
	}
	s.open = append(s.open, tag)
	s.count[tag]++
	if special[tag] {
		s.hidden++
	}
}

// end closes the innermost element of the name with all inside it.
func (s *soup) end(tag string) {
	s.flush()
	for s.count[tag] > 0 {
		last := len(s.open) - 1
		name := s.open[last]
		s.open = s.open[:last]
		s.count[name]--
		if special[name] {
			s.hidden--
		}
		if name == tag {
			return
		}
	}
}

func (s *soup) data(text string) { s.buf.WriteString(text) }

func (s *soup) other() { s.flush() }

func (s *soup) reference(name string) { s.buf.WriteString(referred(name)) }

// referred returns the text of a character reference.
func referred(name string) string {
	if number, ok := strings.CutPrefix(name, "#"); ok {
		return soupCharacter(number)
	}
	if text, ok := named(name); ok {
		return text
	}
	return "&" + name
}

// soupCharacter reads the numbers below 256 as bytes of windows-1252.
func soupCharacter(number string) string {
	n := codePoint(number)
	if n >= 0 && n < 256 {
		if r := charmap.Windows1252.DecodeByte(byte(n)); r != '\ufffd' && !undefined1252[n] {
			return string(r)
		}
	}
	if text := character(n); text != "" {
		return text
	}
	return "\ufffd"
}

// undefined1252 are the bytes that Python's windows-1252 lacks.
var undefined1252 = map[int64]bool{0x81: true, 0x8d: true, 0x8f: true, 0x90: true, 0x9d: true}

// codePoint is the number of a numeric reference; -1 if it is not a number or
// is beyond Unicode.
func codePoint(number string) int64 {
	base := 10
	if number != "" && (number[0] == 'x' || number[0] == 'X') {
		number, base = number[1:], 16
	}
	n, err := strconv.ParseInt(number, base, 64)
	if err != nil || n > 0x10ffff {
		return -1
	}
	return n
}

// character is Python's chr(n), a lone surrogate becoming U+FFFD, or nothing.
func character(n int64) string {
	if n < 0 {
		return ""
	}
	return string(rune(n))
}
