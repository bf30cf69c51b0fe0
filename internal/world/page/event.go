package page

import (
	"html"
	"strings"

	nethtml "golang.org/x/net/html"
)

// A handler takes the events of Python's html.parser with convert_charrefs
// off: data comes in the pieces in which that parser hands it out.
type handler interface {
	start(tag string, attrs map[string]string)
	end(tag string)
	data(text string)
	// reference is a character reference by name or, after "#", by number.
	reference(name string)
	// other is a comment, a declaration or an instruction.
	other()
}

// void are the elements without content.
var void = map[string]bool{
	"area": true, "base": true, "basefont": true, "bgsound": true, "br": true, "col": true, "command": true, "embed": true, "frame": true,
	"hr": true, "image": true, "img": true, "input": true, "isindex": true, "keygen": true, "link": true, "menuitem": true, "meta": true,
	"nextid": true, "param": true, "source": true, "spacer": true, "track": true, "wbr": true,
}

// parse reads HTML. Only script and style contain raw text, as in Python's
// parser.
func parse(src string, h handler) {
	z := nethtml.NewTokenizer(strings.NewReader(src))
	rest := len(src)
	raw := false
	for {
		kind := z.Next()
		if kind == nethtml.ErrorToken {
			return
		}
		token := string(z.Raw())
		rest -= len(token)
		switch kind {
		case nethtml.TextToken:
			if raw {
				h.data(token)
				break
			}
			text(token, rest == 0, h)
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			tag, attrs := attributes(z)
			if raw = (tag == "script" || tag == "style") && kind == nethtml.StartTagToken; !raw {
				z.NextIsNotRawText()
			}
			h.start(tag, attrs)
			if kind == nethtml.SelfClosingTagToken {
				h.end(tag)
			}
		case nethtml.EndTagToken:
			raw = false
			name, _ := z.TagName()
			h.end(string(name))
		default:
			h.other()
		}
	}
}

func attributes(z *nethtml.Tokenizer) (tag string, attrs map[string]string) {
	name, more := z.TagName()
	tag = string(name)
	for more {
		var key, val []byte
		key, val, more = z.TagAttr()
		if attrs == nil {
			attrs = map[string]string{}
		}
		attrs[string(key)] = string(val)
	}
	return tag, attrs
}

// text hands out a run of text between tags. last reports whether nothing follows.
func text(s string, last bool, h handler) {
	for s != "" {
		amp := strings.IndexByte(s, '&')
		if amp < 0 {
			h.data(s)
			return
		}
		if amp > 0 {
			h.data(s[:amp])
			s = s[amp:]
		}
		name, size := refOf(s, last)
		switch {
		case name != "":
			h.reference(name)
		case last && len(s) == 2 && isLetter(s[1]):
			h.data(s[1:]) // as it happens to come out in Python's parser
		default:
			h.data(s[:size])
		}
		s = s[size:]
	}
}

// refOf is the reference that s begins with and its length, or no name and
// the length of what is data. At the very end Python's parser takes no
// reference that lacks its semicolon.
func refOf(s string, last bool) (name string, size int) {
	n := 1
	if strings.HasPrefix(s, "&#") {
		n = 2
		digit := isDigit
		if len(s) > 2 && (s[2] == 'x' || s[2] == 'X') {
			n, digit = 3, isHex
		}
		first := n
		for n < len(s) && digit(s[n]) {
			n++
		}
		// Python wants a character behind that is not a hexadecimal digit.
		if n == first || n < len(s) && isHex(s[n]) {
			return "", 2
		}
	} else {
		for n < len(s) && (isLetter(s[n]) || n > 1 && (isDigit(s[n]) || s[n] == '-' || s[n] == '.')) {
			n++
		}
		if n == 1 {
			return "", 1
		}
	}
	if n >= len(s) && last {
		if n < 3 || s[n-1] != '-' && s[n-1] != '.' {
			return "", n
		}
		n-- // else the name would include what ends it
	}
	name = s[1:n]
	if n < len(s) && s[n] == ';' {
		n++
	}
	return name, n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// named is the character of a name of HTML 5, as Python's html.entities.
func named(name string) (string, bool) {
	ref := "&" + name + ";"
	text := html.UnescapeString(ref)
	return text, text != ref && (name == "semi" || !strings.HasSuffix(text, ";"))
}
