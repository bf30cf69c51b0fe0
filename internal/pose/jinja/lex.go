package jinja

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
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

// blanks is any white space, in a regular expression.
const blanks = pyval.Blank + `*`

// The forms of what a template holds: a mark that begins something, the rest of
// a tag that begins a raw block, and what stands within tags: a text, a number,
// a name or an operator.
var (
	markForm  = pattern.Of(`\{[{%#]`)
	rawForm   = pattern.Of(`^` + blanks + `raw` + blanks + `(?:-%\}` + blanks + `|%\})`)
	tokenForm = pattern.Of(`^(?s)(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(` + based + `|` + digits + `(?:\.` + digits + `)?(?:[eE][+-]?` + digits + `)?)` +
		`|([\p{L}_][\p{L}\p{Nd}_]*)|//|\*\*|[=!<>]=|[-+*/%~\[\](){}<>=.:|,;])`)
	wholeForm = pattern.Of(`^(?:` + based + `|` + digits + `)`)
)

const (
	digits = `[0-9](?:_?[0-9])*`
	based  = `0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+`
)

// A lexer splits a template into tokens.
type lexer struct {
	src      string
	at, line int
	lstrip   bool // blanks before a tag that begins its line are removed
	newLine  bool // the text read last ended a line
	tokens   []token

	// comment and raw find the end of a comment and of a raw block; ends have
	// the ends of what else a mark begins.
	comment, raw *regexp.Regexp
	ends         map[kind]*regexp.Regexp
}

// lex returns the template's tokens, eof last.
func lex(src string, o Options) []token {
	src = strings.ReplaceAll(src, "\r\n", "\n")
	src = strings.TrimSuffix(strings.ReplaceAll(src, "\r", "\n"), "\n")
	l := &lexer{src: src, line: 1, lstrip: o.LStripBlocks, newLine: true}
	closing := func(mark string) string { // with the white space that it removes
		if o.TrimBlocks {
			return `(?:-` + mark + blanks + `|\+` + mark + `|` + mark + `\n?)`
		}
		return `(?:-` + mark + blanks + `|\+?` + mark + `)`
	}
	l.comment = regexp.MustCompile(closing(`#\}`))
	l.raw = regexp.MustCompile(`\{%[-+]?` + blanks + `endraw` + blanks + closing(`%\}`))
	l.ends = map[kind]*regexp.Regexp{
		endTag:    regexp.MustCompile(`^` + closing(`%\}`)),
		endOutput: regexp.MustCompile(`^(?:-\}\}` + blanks + `|\}\})`),
	}
	for l.next() {
	}
	l.add(token{kind: eof})
	return l.tokens
}

// add keeps a token that begins here.
func (l *lexer) add(t token) {
	t.line = l.line
	l.tokens = append(l.tokens, t)
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

// next reads the text before a mark and what the mark begins. It reports
// whether there may be more.
func (l *lexer) next() bool {
	m := markForm().FindStringIndex(l.src[l.at:])
	if m == nil {
		l.text(len(l.src) - l.at)
		return false
	}
	l.text(m[0])
	start, opening := l.line, l.skip(2)
	if l.at < len(l.src) && (l.src[l.at] == '-' || l.src[l.at] == '+') {
		l.skip(1)
	}
	raw := rawForm().FindString(l.src[l.at:])
	switch {
	case opening == "{#":
		l.skip(l.until(l.comment, start, "Missing end of comment tag")[1])
	case opening == "{{":
		l.add(token{kind: beginOutput})
		l.inside(endOutput)
	case raw != "":
		l.skip(len(raw))
		m := l.until(l.raw, start, "Missing end of raw directive")
		l.text(m[0])
		l.skip(m[1] - m[0])
	default:
		l.add(token{kind: beginTag})
		l.inside(endTag)
	}
	return true
}

// until returns where the end of something begins and ends.
func (l *lexer) until(end *regexp.Regexp, start int, missing string) []int {
	m := end.FindStringIndex(l.src[l.at:])
	if m == nil {
		fail(start, "%s", missing)
	}
	return m
}

// text reads n bytes of text, without the blanks that the mark after it removes.
func (l *lexer) text(n int) {
	fresh, line := l.newLine, l.line
	s := l.skip(n)
	switch mark := l.src[l.at:]; {
	case len(mark) < 3:
	case mark[2] == '-':
		s = strings.TrimRightFunc(s, pyval.IsSpace)
	case l.lstrip && mark[2] != '+' && mark[1] != '{':
		begin := strings.LastIndexByte(s, '\n') + 1
		if (begin > 0 || fresh) && pyval.Strip(s[begin:]) == "" {
			s = s[:begin]
		}
	}
	if s != "" {
		l.tokens = append(l.tokens, token{kind: data, text: s, line: line})
	}
}

// inside reads an expression or a tag up to its end. Inside brackets, the mark
// that ends it does not count.
func (l *lexer) inside(end kind) {
	var open []byte
	for l.at < len(l.src) {
		src := l.src[l.at:]
		if m := l.ends[end].FindString(src); m != "" && len(open) == 0 {
			l.add(token{kind: end})
			l.skip(len(m))
			return
		}
		if n := len(src) - len(strings.TrimLeftFunc(src, pyval.IsSpace)); n > 0 {
			l.skip(n)
			continue
		}
		open = l.token(src, open)
	}
	l.add(token{kind: eof})
}

// token reads one token; open holds the brackets around it.
func (l *lexer) token(src string, open []byte) []byte {
	m := tokenForm().FindStringSubmatch(src)
	if m == nil {
		if src[0] == '"' || src[0] == '\'' {
			fail(l.line, "a string is never closed")
		}
		r, _ := utf8.DecodeRuneInString(src)
		fail(l.line, "unexpected char %q", r)
	}
	t := token{kind: operator, text: m[0]}
	switch {
	case m[1] != "":
		s, err := pycall.Unescape(m[1][1 : len(m[1])-1])
		if err != nil {
			fail(l.line, "%v in a string", err)
		}
		t.kind, t.value = text, pyval.Str(s)
	case m[2] != "":
		if l.src[l.at-1] == '.' { // a.0.1 holds no float
			t.text = wholeForm().FindString(src)
		}
		v, err := pycall.Number(t.text)
		if err != nil {
			fail(l.line, "invalid number %.40s", t.text)
		}
		t.kind, t.value = number, v
	case m[3] != "":
		t.kind = name
	default:
		open = l.bracket(t.text, open)
	}
	l.add(t)
	l.skip(len(t.text))
	return open
}

// bracket returns the brackets that are open behind an operator.
func (l *lexer) bracket(op string, open []byte) []byte {
	if i := strings.Index("([{", op); i >= 0 {
		return append(open, ")]}"[i])
	}
	if !strings.Contains(")]}", op) {
		return open
	}
	if len(open) == 0 {
		fail(l.line, "unexpected '%s'", op)
	}
	if want := open[len(open)-1]; want != op[0] {
		fail(l.line, "unexpected '%s', expected '%c'", op, want)
	}
	return open[:len(open)-1]
}
