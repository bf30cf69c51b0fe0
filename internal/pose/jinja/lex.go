package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A kind is a sort of token.
type kind uint8

const (
	eof kind = iota
	data
	beginOutput
	endOutput
	beginTag
	endTag
	name
	text
	number
	operator
)

// A token is a piece of template text. For a text or a number, value is its
// value.
type token struct {
	kind  kind
	text  string
	value pyval.Value
	line  int
}

// describe returns the token as errors name it.
func (t token) describe() string {
	switch t.kind {
	case eof:
		return "end of template"
	case data:
		return "template text"
	case endOutput:
		return "end of print statement"
	case endTag:
		return "end of statement block"
	}
	return "'" + t.text + "'"
}

// A lexer splits a template into tokens.
type lexer struct {
	src      string
	at, line int
	trim     bool // the first line break after a tag is removed
	lstrip   bool // blanks before a tag that begins its line are removed
	newLine  bool // the text read last ended a line
	tokens   []token
}

// lex returns the template's tokens, eof last.
func lex(src string, o Options) []token {
	src = strings.ReplaceAll(src, "\r\n", "\n")
	src = strings.TrimSuffix(strings.ReplaceAll(src, "\r", "\n"), "\n")
	l := &lexer{src: src, line: 1, trim: o.TrimBlocks, lstrip: o.LStripBlocks, newLine: true}
	for l.next() {
	}
	l.add(eof, "")
	return l.tokens
}

func (l *lexer) add(k kind, s string) {
	l.tokens = append(l.tokens, token{kind: k, text: s, line: l.line})
}

// skip moves on by n bytes and counts the lines.
func (l *lexer) skip(n int) string {
	s := l.src[l.at : l.at+n]
	l.at += n
	l.line += strings.Count(s, "\n")
	if s != "" {
		l.newLine = s[n-1] == '\n'
	}
	return s
}

// spaces returns the length of the white space at the beginning of s.
func spaces(s string) int { return len(s) - len(strings.TrimLeftFunc(s, pyval.IsSpace)) }

// next reads the text before a mark and what the mark begins. It reports
// whether there may be more.
func (l *lexer) next() bool {
	i := l.mark()
	if i < 0 {
		l.text(len(l.src)-l.at, "")
		return false
	}
	opening := l.src[l.at+i : l.at+i+2]
	l.text(i, l.src[l.at+i:])
	start := l.line
	l.skip(2)
	if l.at < len(l.src) && (l.src[l.at] == '-' || l.src[l.at] == '+') {
		l.skip(1)
	}
	switch opening {
	case "{#":
		l.comment(start)
	case "{%":
		if !l.raw(start) {
			l.add(beginTag, opening)
			l.inside("%}", endTag)
		}
	default:
		l.add(beginOutput, opening)
		l.inside("}}", endOutput)
	}
	return true
}

// mark returns the distance to the next {{, {% or {#, -1 if there is none.
func (l *lexer) mark() int {
	for i := l.at; i+1 < len(l.src); i++ {
		if l.src[i] == '{' && strings.IndexByte("{%#", l.src[i+1]) >= 0 {
			return i - l.at
		}
	}
	return -1
}

// text reads n bytes of text; the mark that follows may remove blanks at its
// end.
func (l *lexer) text(n int, mark string) {
	fresh, line := l.newLine, l.line
	s := l.stripped(l.skip(n), mark, fresh)
	if s != "" {
		l.tokens = append(l.tokens, token{kind: data, text: s, line: line})
	}
}

// stripped returns a text without the blanks that the mark after it removes;
// fresh says that the text begins a line.
func (l *lexer) stripped(s, mark string, fresh bool) string {
	switch {
	case len(mark) < 3:
	case mark[2] == '-':
		return strings.TrimRightFunc(s, pyval.IsSpace)
	case l.lstrip && mark[2] != '+' && mark[1] != '{':
		begin := strings.LastIndexByte(s, '\n') + 1
		if (begin > 0 || fresh) && spaces(s[begin:]) == len(s)-begin {
			return s[:begin]
		}
	}
	return s
}

// closing returns the length of a closing mark with the white space that it
// removes, 0 if src does not begin with one.
func (l *lexer) closing(src, mark string) int {
	n := len(mark)
	switch {
	case strings.HasPrefix(src, "-"+mark):
		return 1 + n + spaces(src[1+n:])
	case mark != "}}" && strings.HasPrefix(src, "+"+mark):
		return 1 + n
	case !strings.HasPrefix(src, mark):
		return 0
	case mark != "}}" && l.trim && strings.HasPrefix(src[n:], "\n"):
		return n + 1
	}
	return n
}

func (l *lexer) comment(start int) {
	for i := l.at; i < len(l.src); i++ {
		if n := l.closing(l.src[i:], "#}"); n > 0 {
			l.skip(i - l.at + n)
			return
		}
	}
	fail(start, "Missing end of comment tag")
}

// raw reads a raw block up to its end if the tag that was opened begins one.
func (l *lexer) raw(start int) bool {
	n, ok := l.bareTag(l.src[l.at:], "raw")
	if !ok {
		return false
	}
	if rest := l.src[l.at+n:]; strings.HasPrefix(rest, "-%}") {
		n += 3 + spaces(rest[3:])
	} else if strings.HasPrefix(rest, "%}") {
		n += 2
	} else {
		return false
	}
	l.skip(n)
	for i := l.at; i < len(l.src); i++ {
		if !strings.HasPrefix(l.src[i:], "{%") {
			continue
		}
		sign := strings.TrimLeft(l.src[i+2:min(i+3, len(l.src))], "-+")
		body := i + 3 - len(sign)
		body = min(body, len(l.src))
		n, ok := l.bareTag(l.src[body:], "endraw")
		if !ok {
			continue
		}
		if end := l.closing(l.src[body+n:], "%}"); end > 0 {
			l.text(i-l.at, l.src[i:])
			l.skip(body + n + end - l.at)
			return true
		}
	}
	fail(start, "Missing end of raw directive")
	return true
}

// bareTag returns the length of a tag's name and the blanks around it.
func (l *lexer) bareTag(src, tag string) (int, bool) {
	n := spaces(src)
	if !strings.HasPrefix(src[n:], tag) {
		return 0, false
	}
	n += len(tag)
	return n + spaces(src[n:]), true
}

// inside reads an expression or a tag up to its closing mark. Inside brackets
// the mark does not count.
func (l *lexer) inside(mark string, end kind) {
	var open []byte
	for l.at < len(l.src) {
		src := l.src[l.at:]
		if n := l.closing(src, mark); n > 0 && len(open) == 0 {
			l.add(end, mark)
			l.skip(n)
			return
		}
		if n := spaces(src); n > 0 {
			l.skip(n)
			continue
		}
		open = l.token(src, open)
	}
	l.add(eof, "")
}

// token reads one token; open holds the brackets around it.
func (l *lexer) token(src string, open []byte) []byte {
	first, _ := utf8.DecodeRuneInString(src)
	switch {
	case src[0] == '"' || src[0] == '\'':
		l.quoted(src)
	case src[0] >= '0' && src[0] <= '9':
		l.number(src)
	case first == '_' || unicode.IsLetter(first):
		n := strings.IndexFunc(src, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if n < 0 {
			n = len(src)
		}
		l.add(name, src[:n])
		l.skip(n)
	default:
		return l.operator(src, open)
	}
	return open
}

var long = []string{"//", "**", "==", "!=", ">=", "<="}

func (l *lexer) operator(src string, open []byte) []byte {
	n := 1
	for _, op := range long {
		if strings.HasPrefix(src, op) {
			n = 2
		}
	}
	op := src[:n]
	if n == 1 && !strings.Contains("+-/*%~[](){}><=.:|,;", op) {
		r, _ := utf8.DecodeRuneInString(src)
		fail(l.line, "unexpected char %q", r)
	}
	switch op {
	case "(", "[", "{":
		open = append(open, map[string]byte{"(": ')', "[": ']', "{": '}'}[op])
	case ")", "]", "}":
		if len(open) == 0 {
			fail(l.line, "unexpected '%s'", op)
		}
		if want := open[len(open)-1]; want != op[0] {
			fail(l.line, "unexpected '%s', expected '%c'", op, want)
		}
		open = open[:len(open)-1]
	}
	l.add(operator, op)
	l.skip(n)
	return open
}
