package pycall

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/runenames"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// isPrefix reports whether a name right before a quote is a literal's prefix.
func isPrefix(s string) bool {
	switch len(s) {
	case 1:
		return strings.Contains("bBuUrRfF", s)
	case 2:
		a, b := s[0]|0x20, s[1]|0x20
		return a == 'r' && (b == 'b' || b == 'f') || b == 'r' && (a == 'b' || a == 'f')
	}
	return false
}

// A literal is a string token taken apart.
type literal struct {
	body                  string
	raw, bytes, formatted bool
}

func (p *parser) literalToken() literal {
	var l literal
	for _, c := range []byte(p.src[p.pos:p.quote]) {
		switch c | 0x20 {
		case 'r':
			l.raw = true
		case 'b':
			l.bytes = true
		case 'f':
			l.formatted = true
		}
	}
	size := 1
	if quote := p.src[p.quote]; p.end-p.quote >= 6 && p.src[p.quote+1] == quote && p.src[p.quote+2] == quote {
		size = 3
	}
	l.body = p.src[p.quote+size : p.end-size]
	return l
}

// strings reads one or more string literals side by side.
func (p *parser) strings() *node {
	pos := p.pos
	first := p.literalToken()
	unicodeKind := p.src[pos] == 'u'
	p.advance()
	if p.tok != tString && !first.formatted {
		text, err := decodeText(first)
		if err != nil {
			return p.syntax(pos, err.Error())
		}
		n := p.new(kConst, pos)
		n.val = pyval.Str(text)
		if first.bytes {
			n.val = pyval.Bytes(text)
		} else if unicodeKind {
			n.op = 1
		}
		return n
	}
	join := joiner{p: p, pos: pos, formatted: first.formatted}
	join.literal(first)
	for p.tok == tString {
		l := p.literalToken()
		if l.bytes != first.bytes {
			return p.syntax(p.pos, "cannot mix bytes and nonbytes literals")
		}
		join.pos = p.pos
		join.formatted = join.formatted || l.formatted
		join.literal(l)
		p.advance()
	}
	if join.formatted {
		return join.finish(pos)
	}
	n := p.new(kConst, pos)
	n.val = pyval.Str(join.text)
	if first.bytes {
		n.val = pyval.Bytes(join.text)
	} else if unicodeKind {
		n.op = 1
	}
	return n
}

// Unescape returns the text that the body of a string literal denotes.
func Unescape(body string) (string, error) { return decodeText(literal{body: body}) }

// decodeText is the text that a literal's body denotes.
func decodeText(l literal) (string, error) {
	if l.bytes && !isASCII(l.body) {
		return "", errors.New("bytes can only contain ASCII literal characters")
	}
	i := strings.IndexByte(l.body, '\\')
	if l.raw || i < 0 {
		return l.body, nil
	}
	out := append(make([]byte, 0, len(l.body)), l.body[:i]...)
	rest := l.body[i:]
	for rest != "" {
		if rest[0] != '\\' {
			out = append(out, rest[0])
			rest = rest[1:]
			continue
		}
		var err error
		if out, rest, err = unescape(out, rest, l.bytes); err != nil {
			return "", err
		}
	}
	return string(out), nil
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

const escapeFrom, escapeTo = `\'"abfnrtv`, "\\'\"\a\b\f\n\r\t\v"

// unescape decodes the escape at the start of s.
func unescape(out []byte, s string, bytes bool) (grown []byte, rest string, err error) {
	if len(s) < 2 { // before a value of an f-string
		return append(out, '\\'), "", nil
	}
	c := s[1]
	if k := strings.IndexByte(escapeFrom, c); k >= 0 {
		return append(out, escapeTo[k]), s[2:], nil
	}
	switch {
	case c == '\n':
		return out, s[2:], nil
	case c >= '0' && c <= '7':
		r, n := rune(0), 1
		for ; n < 4 && n < len(s) && s[n] >= '0' && s[n] <= '7'; n++ {
			r = r<<3 | rune(s[n]-'0')
		}
		return appendCode(out, r, bytes), s[n:], nil
	case c == 'x':
		return hexEscape(out, s, 2, bytes)
	case c == 'u' && !bytes:
		return hexEscape(out, s, 4, false)
	case c == 'U' && !bytes:
		return hexEscape(out, s, 8, false)
	case c == 'N' && !bytes:
		end := strings.IndexByte(s, '}')
		if len(s) < 3 || s[2] != '{' || end < 4 {
			return nil, "", errors.New(`malformed \N character escape`)
		}
		r, ok := runeNamed(s[3:end])
		if !ok {
			return nil, "", errors.New("unknown Unicode character name")
		}
		return utf8.AppendRune(out, r), s[end+1:], nil
	}
	return append(out, '\\'), s[1:], nil
}

func appendCode(out []byte, r rune, bytes bool) []byte {
	if bytes {
		return append(out, byte(r))
	}
	return pyval.AppendRune(out, r)
}

func hexEscape(out []byte, s string, digits int, bytes bool) ([]byte, string, error) {
	if len(s) < 2+digits {
		return nil, "", errors.New("truncated escape")
	}
	var r uint32
	for _, c := range []byte(s[2 : 2+digits]) {
		k := strings.IndexByte("0123456789abcdef", c|0x20)
		if k < 0 || k < 10 && !isDigit(c) {
			return nil, "", errors.New("truncated escape")
		}
		r = r<<4 | uint32(k)
	}
	if r > utf8.MaxRune {
		return nil, "", errors.New("illegal Unicode character")
	}
	return appendCode(out, rune(r), bytes), s[2+digits:], nil
}

// namedRunes maps Unicode's names to characters. It is built at the first
// \N{..} escape, which models hardly ever write.
var namedRunes = sync.OnceValue(func() map[string]rune {
	names := make(map[string]rune, 1<<15)
	for r := rune(' '); r <= 0xe01ef; r++ {
		if name := runenames.Name(r); name != "" && name[0] != '<' {
			names[name] = r
		}
	}
	return names
})

const ideograph = "CJK UNIFIED IDEOGRAPH-"

// runeNamed is Python's unicodedata.lookup without aliases.
func runeNamed(name string) (rune, bool) {
	name = strings.ToUpper(name)
	if digits, ok := strings.CutPrefix(name, ideograph); ok {
		n, err := strconv.ParseUint(digits, 16, 32)
		if err != nil || len(digits) > 5 || len(digits) < 4 {
			return 0, false
		}
		return rune(n), unicode.Is(unicode.Unified_Ideograph, rune(n))
	}
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		l, rest := longestPrefix(hangulLead, syllable)
		v, rest := longestPrefix(hangulVowel, rest)
		t, rest := longestPrefix(hangulTail, rest)
		if l < 0 || v < 0 || t < 0 || rest != "" {
			return 0, false
		}
		return 0xac00 + rune((l*len(hangulVowel)+v)*len(hangulTail)+t), true
	}
	r, ok := namedRunes()[name]
	return r, ok
}

var (
	hangulLead  = strings.Split("G GG N D DD R M B BB S SS  J JJ C K T P H", " ")
	hangulVowel = strings.Split("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I", " ")
	hangulTail  = strings.Split(" G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H", " ")
)

func longestPrefix(table []string, s string) (index int, rest string) {
	index = -1
	for i, text := range table {
		if strings.HasPrefix(s, text) && (index < 0 || len(text) > len(table[index])) {
			index = i
		}
	}
	if index < 0 {
		return index, s
	}
	return index, s[len(table[index]):]
}

// identifier is a non-ASCII name as Python keeps it, in form NFKC; "" if it is
// not a name.
func identifier(text string) string {
	for i, r := range text {
		if !nameRune(r, i == 0) {
			return ""
		}
	}
	return norm.NFKC.String(text)
}

// nameRune reports whether a rune can be part of a name, or begin one.
func nameRune(r rune, first bool) bool {
	switch {
	case r < utf8.RuneSelf:
		return isNameByte(byte(r)) && !(first && isDigit(byte(r)))
	case first:
		return pyval.XIDStart(r)
	}
	return pyval.XIDContinue(r)
}
