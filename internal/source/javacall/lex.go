package javacall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind uint8

// The kinds of tokens. A ">" is always a token of its own: the parser
// distinguishes shifts from the ends of type arguments.
const (
	tEOF kind = iota
	tBad
	tWord
	tNumber
	tChar
	tString
	tLParen
	tRParen
	tLBracket
	tRBracket
	tLBrace
	tRBrace
	tSemi
	tComma
	tDot
	tDots
	tColon
	tColons
	tQuestion
	tArrow
	tAt
	tAtInterface
	tEq
	tAssign
	tLt
	tGt
	tPlus // + and -
	tStar
	tAmp
	tPipe
	tBinary // the other binary operators
	tNot    // ! and ~
	tStep   // ++ and --
)

type token struct {
	kind       kind
	word       word
	start, end int32
}

// A comment is a comment before the token with a given index.
type comment struct {
	before     int32
	start, end int32
}

type lexer struct {
	src      string
	i        int
	tokens   []token
	comments []comment
	depth    int // nesting of texts within expressions within texts
}

// scan reads all tokens; the last one is tEOF. It stops at the first character
// that no token can contain, which becomes tBad.
func (l *lexer) scan() {
	if l.tokens == nil {
		l.tokens = make([]token, 0, len(l.src)/3+2)
	}
	for {
		l.blanks()
		start := l.i
		if start >= len(l.src) {
			l.push(tEOF, start)
			return
		}
		k := l.next(l.src[start])
		l.push(k, start)
		if k == tBad {
			return
		}
	}
}

func (l *lexer) push(k kind, start int) {
	t := token{kind: k, start: int32(start), end: int32(l.i)}
	if k == tWord {
		t.word = keyword(l.src[start:l.i])
	}
	l.tokens = append(l.tokens, t)
}

func (l *lexer) peek(n int) byte {
	if l.i+n < len(l.src) {
		return l.src[l.i+n]
	}
	return 0
}

// blanks skips white space, which is ASCII here, and comments.
func (l *lexer) blanks() {
	for l.i < len(l.src) {
		c := l.src[l.i]
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			l.i++
		case c == '/' && (l.peek(1) == '/' || l.peek(1) == '*'):
			if !l.comment() {
				return
			}
		default:
			return
		}
	}
}

// comment reads a comment; an unterminated block comment is not one.
func (l *lexer) comment() bool {
	start, i := l.i, l.i+2
	if l.src[l.i+1] == '/' {
		for i < len(l.src) && l.src[i] != '\n' && l.src[i] != 0 {
			i++
		}
	} else {
		for ; i+1 < len(l.src) && (l.src[i] != '*' || l.src[i+1] != '/'); i++ {
			if l.src[i] == 0 {
				return false
			}
		}
		if i+1 >= len(l.src) {
			return false
		}
		i += 2
	}
	l.i = i
	l.comments = append(l.comments, comment{int32(len(l.tokens)), int32(start), int32(i)})
	return true
}

func (l *lexer) next(c byte) kind {
	switch {
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$':
		return l.word()
	case c >= '0' && c <= '9' || c == '.' && digit(l.peek(1)):
		return l.number()
	case c == '"':
		return l.text()
	case c == '\'':
		return l.char()
	case c >= utf8.RuneSelf:
		if r, _ := utf8.DecodeRuneInString(l.src[l.i:]); wordStart(r) {
			return l.word()
		}
		return tBad
	}
	return l.operator(c)
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func (l *lexer) word() kind {
	for l.i < len(l.src) {
		c := l.src[l.i]
		if c < utf8.RuneSelf {
			if c != '_' && c != '$' && !digit(c) && (c|0x20 < 'a' || c|0x20 > 'z') {
				break
			}
			l.i++
			continue
		}
		r, size := utf8.DecodeRuneInString(l.src[l.i:])
		if !wordPart(r) {
			break
		}
		l.i += size
	}
	return tWord
}

var single = [128]kind{
	'(': tLParen, ')': tRParen, '[': tLBracket, ']': tRBracket, '{': tLBrace, '}': tRBrace,
	';': tSemi, ',': tComma, '.': tDot, ':': tColon, '?': tQuestion, '@': tAt, '=': tEq,
	'<': tLt, '>': tGt, '+': tPlus, '-': tPlus, '*': tStar, '/': tBinary, '%': tBinary,
	'^': tBinary, '&': tAmp, '|': tPipe, '!': tNot, '~': tNot,
}

var longer = []struct {
	text string
	kind kind
}{
	{"<<=", tAssign}, {"...", tDots}, {"@interface", tAtInterface},
	{"::", tColons}, {"->", tArrow}, {"++", tStep}, {"--", tStep},
	{"==", tBinary}, {"!=", tBinary}, {"<=", tBinary}, {"<<", tBinary}, {"&&", tBinary}, {"||", tBinary},
	{"+=", tAssign}, {"-=", tAssign}, {"*=", tAssign}, {"/=", tAssign}, {"%=", tAssign},
	{"&=", tAssign}, {"|=", tAssign}, {"^=", tAssign},
}

// seconds are the second characters of the longer operators.
const seconds = "<.i:>+-=&|"

func (l *lexer) operator(c byte) kind {
	if c >= 128 || single[c] == tEOF {
		return tBad
	}
	if second := l.peek(1); strings.IndexByte(seconds, second) >= 0 && c != '>' {
		rest := l.src[l.i:]
		for _, op := range longer {
			if op.text[0] == c && op.text[1] == second && len(rest) >= len(op.text) && rest[:len(op.text)] == op.text {
				l.i += len(op.text)
				return op.kind
			}
		}
	}
	l.i++
	return single[c]
}

func (l *lexer) char() kind {
	i := l.i + 1
	for i < len(l.src) && l.src[i] != '\'' && l.src[i] != '\n' && l.src[i] != 0 {
		if l.src[i] == '\\' {
			if i++; i >= len(l.src) || l.src[i] == 0 {
				return tBad
			}
		}
		i++
	}
	if i >= len(l.src) || l.src[i] != '\'' || i == l.i+1 {
		return tBad
	}
	l.i = i + 1
	return tChar
}

var xidExceptions = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x37a, Hi: 0x37a, Stride: 1}, {Lo: 0x309b, Hi: 0x309c, Stride: 1}, {Lo: 0xfc5e, Hi: 0xfc63, Stride: 1},
	{Lo: 0xfdfa, Hi: 0xfdfb, Stride: 1}, {Lo: 0xfe70, Hi: 0xfe7e, Stride: 2},
}}

// xidPartOnly are letters that may continue a word but not begin one.
var xidPartOnly = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0xe33, Hi: 0xe33, Stride: 1}, {Lo: 0xeb3, Hi: 0xeb3, Stride: 1}, {Lo: 0xff9e, Hi: 0xff9f, Stride: 1},
}}

// wordStart is Unicode's XID_Start beyond ASCII.
func wordStart(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) &&
		!unicode.In(r, unicode.Pattern_Syntax, xidExceptions, xidPartOnly)
}

// wordPart is Unicode's XID_Continue beyond ASCII, and the cent sign.
func wordPart(r rune) bool {
	if r == 0xa2 {
		return true
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start, unicode.Mn, unicode.Mc, unicode.Nd,
		unicode.Pc, unicode.Other_ID_Continue) && !unicode.In(r, unicode.Pattern_Syntax, xidExceptions)
}
