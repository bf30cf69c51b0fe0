package pycall

import (
	"strings"
	"unicode/utf8"
)

type token = uint8

const (
	tError token = iota
	tEnd
	tNewline
	tName
	tNumber
	tString
	tOther // an operator or keyword that is not part of an expression

	tLeftParen
	tRightParen
	tLeftBracket
	tRightBracket
	tLeftBrace
	tRightBrace
	tComma
	tColon
	tDot
	tEllipsis
	tAssign
	tWalrus

	tOr // binary operators follow, loosest first
	tXor
	tAnd
	tLeftShift
	tRightShift
	tPlus
	tMinus
	tStar
	tSlash
	tDoubleSlash
	tPercent
	tAt
	tDoubleStar
	tTilde

	tEqual // comparisons
	tNotEqual
	tLess
	tLessEqual
	tGreater
	tGreaterEqual
	tIs
	tIsNot
	tIn
	tNotIn

	tTrue // keywords
	tFalse
	tNone
	tBoolAnd
	tBoolOr
	tNot
	tIf
	tElse
	tFor
	tAsync
	tAwait
	tLambda
	tYield
	tFrom
)

// spellings are the operators as Python's ast.unparse writes them.
var spellings = [...]string{
	tOr: "|", tXor: "^", tAnd: "&", tLeftShift: "<<", tRightShift: ">>", tPlus: "+", tMinus: "-",
	tStar: "*", tSlash: "/", tDoubleSlash: "//", tPercent: "%", tAt: "@", tDoubleStar: "**",
	tTilde: "~", tNot: "not", tEqual: "==", tNotEqual: "!=", tLess: "<", tLessEqual: "<=",
	tGreater: ">", tGreaterEqual: ">=", tIs: "is", tIsNot: "is not", tIn: "in", tNotIn: "not in",
	tBoolAnd: "and", tBoolOr: "or",
}

// keywords are Python's; those that are not part of an expression are tOther.
var keywords = map[string]token{
	"True": tTrue, "False": tFalse, "None": tNone, "and": tBoolAnd, "or": tBoolOr, "not": tNot, "is": tIs, "in": tIn,
	"if": tIf, "else": tElse, "for": tFor, "async": tAsync, "await": tAwait, "lambda": tLambda, "yield": tYield, "from": tFrom,
	"as": tOther, "assert": tOther, "break": tOther, "class": tOther, "continue": tOther, "def": tOther, "del": tOther, "elif": tOther,
	"except": tOther, "finally": tOther, "global": tOther, "import": tOther, "nonlocal": tOther, "pass": tOther, "raise": tOther,
	"return": tOther, "try": tOther, "while": tOther, "with": tOther,
}

// jsonWords are JSON's, which ParseWhole reads too.
var jsonWords = map[string]token{"true": tTrue, "false": tFalse, "null": tNone}

var single = [128]token{
	'(': tLeftParen, ')': tRightParen, '[': tLeftBracket, ']': tRightBracket, '{': tLeftBrace,
	'}': tRightBrace, ',': tComma, ':': tColon, '.': tDot, '=': tAssign, '|': tOr, '^': tXor,
	'&': tAnd, '+': tPlus, '-': tMinus, '*': tStar, '/': tSlash, '%': tPercent, '@': tAt,
	'~': tTilde, '<': tLess, '>': tGreater, ';': tOther,
}

// operatorAt is the longest operator at the start of s.
func operatorAt(s string) (tok token, size int) {
	if s[0] >= 128 {
		return tError, 1
	}
	if len(s) > 2 && s[:3] == "..." {
		return tEllipsis, 3
	}
	if len(s) > 2 && s[2] == '=' && s[0] == s[1] && (s[0] == '*' || s[0] == '/' || s[0] == '<' || s[0] == '>') {
		return tOther, 3
	}
	if len(s) > 1 {
		if tok := double(s[:2]); tok != tError {
			return tok, 2
		}
	}
	return single[s[0]], 1
}

func double(s string) token {
	switch s {
	case "**":
		return tDoubleStar
	case "//":
		return tDoubleSlash
	case "<<":
		return tLeftShift
	case ">>":
		return tRightShift
	case "==":
		return tEqual
	case "!=":
		return tNotEqual
	case "<=":
		return tLessEqual
	case ">=":
		return tGreaterEqual
	case ":=":
		return tWalrus
	case "->", "<>", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=":
		return tOther
	}
	return tError
}

// maxBrackets is CPython's MAXLEVEL, the most brackets open at once.
const maxBrackets = 200

// advance reads the next token. After a failure it stays at tError.
func (p *parser) advance() {
	if p.err != nil {
		p.tok = tError
		return
	}
	if p.lineStart && p.brackets == 0 && !p.indentation() {
		return
	}
	p.pos = p.skipBlanks(p.end)
	if p.pos < 0 {
		p.syntax(p.end, "unexpected text or end after a line continuation")
		return
	}
	p.end = p.pos
	if p.pos >= len(p.src) {
		p.tok = tEnd
		return
	}
	switch c := p.src[p.pos]; {
	case c == '\n':
		p.end++
		p.tok, p.lineStart = tNewline, true
	case isNameByte(c) && !isDigit(c):
		p.name()
	case isDigit(c) || c == '.' && p.pos+1 < len(p.src) && isDigit(p.src[p.pos+1]):
		p.number()
	case c == '"' || c == '\'':
		p.quoted(p.pos)
	default:
		p.operator()
	}
}

// indentation skips blank lines and comments at the start of a line; a first
// line that is indented is CPython's IndentationError.
func (p *parser) indentation() bool {
	for {
		i, col, kept := p.end, 0, 0
		for ; i < len(p.src); i++ {
			switch c := p.src[i]; {
			case c == ' ':
				col++
				continue
			case c == '\t':
				col = (col/8 + 1) * 8
				continue
			case c == '\f':
				col = 0
				continue
			case c == '\\' && i+2 < len(p.src) && p.src[i+1] == '\n':
				if kept == 0 {
					kept = col
				}
				i++
				continue
			}
			break
		}
		if i < len(p.src) && p.src[i] == '#' {
			i = lineEnd(p.src, i)
		}
		if i < len(p.src) && p.src[i] == '\n' {
			p.end = i + 1
			continue
		}
		if i < len(p.src) && (kept > 0 || col > 0) && !p.whole {
			p.fail("IndentationError", i, "unexpected indent")
			return false
		}
		p.end, p.lineStart = i, false
		return true
	}
}

func lineEnd(src string, i int) int {
	if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(src)
}

// skipBlanks returns the start of the next token from i on, or -1 at a
// backslash that does not continue the line. Newlines count as blanks within
// brackets.
func (p *parser) skipBlanks(i int) int {
	for ; i < len(p.src); i++ {
		switch c := p.src[i]; c {
		case ' ', '\t', '\f':
		case '\n':
			if p.brackets == 0 {
				return i
			}
		case '#':
			i = lineEnd(p.src, i) - 1
		case '\\':
			if i+2 >= len(p.src) || p.src[i+1] != '\n' {
				return -1
			}
			i++
		default:
			return i
		}
	}
	return i
}

// follows reports whether the token after the current one is this operator of
// one or two characters, without moving.
func (p *parser) follows(op string) bool {
	i := p.end
	if i >= len(p.src) || p.src[i] != op[0] {
		if i = p.skipBlanks(i); i < 0 {
			return false
		}
	}
	if !strings.HasPrefix(p.src[i:], op) {
		return false
	}
	return op != "=" || !strings.HasPrefix(p.src[i:], "==")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isNameByte reports whether CPython's tokenizer takes a byte into a name
// before it looks at the name more closely.
func isNameByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || isDigit(c) || c >= utf8.RuneSelf
}

func (p *parser) name() {
	i, ascii := p.pos, true
	for ; i < len(p.src) && isNameByte(p.src[i]); i++ {
		ascii = ascii && p.src[i] < utf8.RuneSelf
	}
	text := p.src[p.pos:i]
	if i < len(p.src) && (p.src[i] == '"' || p.src[i] == '\'') && isPrefix(text) {
		p.quoted(i)
		return
	}
	p.end, p.text = i, text
	if ascii {
		p.tok = tName
		if word, ok := keywords[text]; ok {
			p.tok = word
		} else if word, ok := jsonWords[text]; ok && p.whole {
			p.tok = word
		}
		return
	}
	if p.text = identifier(text); p.text == "" {
		p.syntax(p.pos, "invalid character in a name")
		return
	}
	p.tok = tName
}

// quoted skips a string literal whose first quote is at i.
func (p *parser) quoted(i int) {
	quote, triple := p.src[i], false
	body := i + 1
	if i+2 < len(p.src) && p.src[i+1] == quote && p.src[i+2] == quote {
		triple, body = true, body+2
	}
	for j := body; j < len(p.src); j++ {
		switch c := p.src[j]; {
		case c == '\\':
			j++
		case c == '\n' && !triple && !p.whole:
			p.syntax(p.pos, "unterminated string literal")
			return
		case c == quote && !triple:
			p.tok, p.quote, p.end = tString, i, j+1
			return
		case c == quote && strings.HasPrefix(p.src[j:], p.src[body-3:body]):
			p.tok, p.quote, p.end = tString, i, j+3
			return
		}
	}
	p.syntax(p.pos, "unterminated string literal")
}

func (p *parser) operator() {
	c := p.src[p.pos]
	switch c {
	case ',':
		p.tok, p.end = tComma, p.pos+1
	case '(', '[', '{':
		p.tok, p.end = single[c], p.pos+1
		if p.brackets++; p.brackets > maxBrackets {
			p.syntax(p.pos, "too many nested parentheses")
		}
	case ')', ']', '}':
		p.tok, p.end = single[c], p.pos+1
		if p.brackets--; p.brackets < 0 {
			p.syntax(p.pos, "unmatched closing bracket")
		}
	default:
		tok, size := operatorAt(p.src[p.pos:])
		p.tok, p.end = tok, p.pos+size
		if tok == tError {
			p.syntax(p.pos, "invalid character")
		}
	}
}
