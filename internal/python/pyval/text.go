package pyval

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// IsSpace reports whether a character is white space in Python: for
// str.isspace, str.strip, str.split and a pattern's \s.
func IsSpace(r rune) bool {
	switch {
	case r <= ' ':
		return r == ' ' || r >= '\t' && r <= '\r' || r >= 0x1c && r <= 0x1f
	case r < 0x1680:
		return r == 0x85 || r == 0xa0
	}
	switch r {
	case 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// Blank is the class of characters of IsSpace, in a regular expression.
const Blank = `[\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]`

// XIDStart reports whether a rune has the Unicode property XID_Start.
func XIDStart(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) && !unicode.In(r, unicode.Pattern_Syntax, notXID, notXIDStart)
}

// XIDContinue reports whether a rune has the Unicode property XID_Continue.
func XIDContinue(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc,
		unicode.Other_ID_Start, unicode.Other_ID_Continue) && !unicode.In(r, unicode.Pattern_Syntax, notXID)
}

// notXID and notXIDStart are the letters that Unicode takes out of ID_Start and
// ID_Continue, because normalisation turns them into something else.
var (
	notXID = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x037a, Hi: 0x037a, Stride: 1}, {Lo: 0x309b, Hi: 0x309c, Stride: 1},
		{Lo: 0xfc5e, Hi: 0xfc63, Stride: 1}, {Lo: 0xfdfa, Hi: 0xfdfb, Stride: 1},
		{Lo: 0xfe70, Hi: 0xfe7e, Stride: 2},
	}}
	notXIDStart = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x0e33, Hi: 0x0e33, Stride: 1}, {Lo: 0x0eb3, Hi: 0x0eb3, Stride: 1},
		{Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
	}}
)

// Strip returns Python's s.strip().
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// Lower is Python's s.lower(): Unicode's full lower case, in which a capital
// sigma that ends a word becomes a final one.
func Lower(s string) string {
	first := strings.IndexFunc(s, func(r rune) bool { return 'A' <= r && r <= 'Z' || r >= utf8.RuneSelf })
	if first < 0 {
		return s
	}
	out := append(make([]byte, 0, len(s)+utf8.UTFMax), s[:first]...)
	for i := first; i < len(s); {
		r, size := DecodeRune(s[i:])
		switch {
		case size == 1 && r >= utf8.RuneSelf:
			out = append(out, s[i])
		case r == 'Σ' && endsWord(s[:i], s[i+size:]):
			out = append(out, "ς"...)
		case r == 'İ': // the only letter whose lower case is two
			out = append(out, "i̇"...)
		default:
			out = AppendRune(out, unicode.ToLower(r))
		}
		i += size
	}
	return string(out)
}

// endsWord is Unicode's condition Final_Sigma: a cased letter before and none
// after, not counting what is case-ignorable. (A letter may be both.)
func endsWord(before, after string) bool {
	for {
		r, size := utf8.DecodeLastRuneInString(before)
		if size == 0 {
			return false
		}
		before = before[:len(before)-size]
		if !caseIgnorable(r) {
			if !cased(r) {
				return false
			}
			break
		}
	}
	for after != "" {
		r, size := DecodeRune(after)
		if after = after[size:]; !caseIgnorable(r) {
			return !cased(r)
		}
	}
	return true
}

func cased(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Ll, unicode.Lt, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// middle are the letters' companions of Unicode's Word_Break property:
// MidLetter, MidNumLet and Single_Quote.
const middle = "'.:·\u0387\u055f\u05f4‘’\u2024\u2027\ufe13\ufe52\ufe55\uff07\uff0e\uff1a"

func caseIgnorable(r rune) bool {
	return strings.ContainsRune(middle, r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// Names holds strs that occur again and again, such as the keys of a dataset.
// It belongs to one parser and is not safe for concurrent use.
type Names [1024]Value

// Str returns the Str of a text, shared among equal ones met before.
func (n *Names) Str(s string) Value {
	const longest = 40
	if len(s) == 0 || len(s) > longest {
		return Str(s)
	}
	slot := &n[(uint(len(s))*149^uint(s[0])*7^uint(s[len(s)-1])*31^uint(s[len(s)/2])*13)%uint(len(n))]
	if known, ok := (*slot).(Str); ok && string(known) == s {
		return *slot
	}
	*slot = Str(strings.Clone(s)) // a part of the text would keep all of it alive
	return *slot
}

// A Template is a text with named fields in braces, filled in as by Python's
// str.format. Attributes, conversions and format specs are not supported.
type Template struct {
	parts []templatePart
	size  int // bytes of literal text
}

// A templatePart is literal text, followed by a field unless field is -1.
type templatePart struct {
	text  string
	field int
}

// Braces finds what braces mean in a template: a pair of one kind stands for one,
// and a field's name, the first group, is between two. Single ones mean nothing.
var Braces = pattern.Of(`\{\{|\}\}|\{([^}]*)\}|[{}]`)

// ParseTemplate reads a template whose fields must be among those given.
func ParseTemplate(text string, fields ...string) (*Template, error) {
	t := &Template{}
	literal, at := "", 0
	for _, m := range Braces().FindAllStringSubmatchIndex(text, -1) {
		found := text[m[0]:m[1]]
		literal, at = literal+text[at:m[0]], m[1]
		switch {
		case found == "{{" || found == "}}":
			literal += found[:1]
			continue
		case m[2] < 0:
			return nil, fmt.Errorf("single %q in template", found[0])
		}
		name := text[m[2]:m[3]]
		field := slices.Index(fields, name)
		if field < 0 {
			return nil, fmt.Errorf("unknown field {%.40s} in template; known fields are %q", name, fields)
		}
		t.add(literal, field)
		literal = ""
	}
	t.add(literal+text[at:], -1)
	return t, nil
}

func (t *Template) add(text string, field int) {
	t.parts = append(t.parts, templatePart{text, field})
	t.size += len(text)
}

// Fill returns the text with the fields' values, which are given in the order
// of the fields that ParseTemplate was given. Braces in values are literal.
func (t *Template) Fill(values ...string) string {
	size := t.size
	for _, v := range values {
		size += len(v)
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range t.parts {
		b.WriteString(p.text)
		if p.field >= 0 && p.field < len(values) {
			b.WriteString(values[p.field])
		}
	}
	return b.String()
}
