// Package javacall reads Java call text as upstream's Java parser does, and
// turns argument texts into values as upstream's Java type converter does.
//
// Upstream parses with a fault-tolerant grammar and refuses a text when the
// cheapest tree holds an error node; a tree that is merely short of a token
// (most often the final semicolon) passes. Which of the two is cheaper depends
// on the length of the text: `f(a=1)` is refused, `longName(a=1)` is not.
// Package grammar reads and mends texts by the grammar in java.grammar.
package javacall

import (
	_ "embed"
	"errors"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

//go:embed java.grammar
var rules string

var java = sync.OnceValue(func() *grammar.Grammar {
	return grammar.New(rules, lex, map[string]grammar.Special{
		"GREATER": func(p *grammar.Parse, pos grammar.Pos, t grammar.Token) (grammar.Pos, bool) {
			n, assigns := greater(p.Src[t.Start:])
			return grammar.At(t.Start + n), n > 0 && !assigns
		},
		"SHIFTS": func(p *grammar.Parse, pos grammar.Pos, t grammar.Token) (grammar.Pos, bool) {
			n, assigns := greater(p.Src[t.Start:])
			return grammar.At(t.Start + n), assigns
		},
		"LETTER": func(_ *grammar.Parse, pos grammar.Pos, t grammar.Token) (grammar.Pos, bool) {
			return pos, t.End == t.Start+1
		},
	}, strings.Fields("call class object array assign argument object_end name args argsend op value type typeend init"), "", "}", ")", ">", "]", ";")
})

// The nodes of the grammar.
const (
	nCall int8 = iota + 1
	nClass
	nObject
	nArray
	nAssign
	nArgument
	nObjectEnd
	nName
	nArgs
	nArgsEnd
	nOp
	nValue
	nType
	nTypeEnd
	nInit
)

// greater returns the length of the operator that begins with ">", and whether
// it is an assignment (">>=", ">>>=").
func greater(s string) (n int, assigns bool) {
	for n < len(s) && n < 3 && s[n] == '>' {
		n++
	}
	if n > 0 && n < len(s) && s[n] == '=' {
		return n + 1, n > 1
	}
	return n, false
}

// Parse reads the first call of a Java text as upstream's
// parse_java_function_call does: a list with one dict, which has the function's
// name and its arguments and is empty if there is no call. Arguments are texts.
// Errors are *grammar.Error.
func Parse(src string) (pyval.Value, error) {
	if !utf8.ValidString(src) {
		return nil, &grammar.Error{Class: "UnicodeEncodeError", Msg: "the text holds a lone surrogate or is not UTF-8"}
	}
	nodes, err := java().Read(src)
	switch {
	case errors.Is(err, grammar.ErrDeep):
		return nil, &grammar.Error{Class: "RecursionError", Msg: "maximum recursion depth exceeded"}
	case err != nil:
		return nil, &grammar.Error{Class: "SyntaxError", Msg: "Error parsing java the source code."}
	}
	call := firstCall(nodes)
	if call == nil {
		return &pyval.Dict{}, nil
	}
	r := renderer{source: newSource(src)}
	return r.call(call)
}

// lex scans the next token of a Java text. A ">" is always a token of its own:
// only the grammar can tell shifts from the ends of type arguments.
func lex(src string, from int) grammar.Token {
	t := grammar.Scan(src, from, blank, next)
	if t.Kind == grammar.Bad {
		t.End = max(t.End, t.Start+1)
	}
	return t
}

// blank returns the length of the white space, which is ASCII here, or of the
// comment that s begins with. A block comment that does not end is none.
func blank(s string) (n int, line bool) {
	switch {
	case s[0] == ' ' || s[0] >= '\t' && s[0] <= '\r':
		return 1, false
	case strings.HasPrefix(s, "//"):
		if n := strings.IndexAny(s, "\n\x00"); n >= 0 {
			return n, false
		}
		return len(s), false
	case strings.HasPrefix(s, "/*"):
		n := strings.Index(s[2:], "*/")
		if n >= 0 && strings.IndexByte(s[2:2+n], 0) < 0 {
			return n + 4, false
		}
	}
	return 0, false
}

// next returns the kind and the length of the token that s begins with.
func next(s string) (grammar.Kind, int) {
	if s == "" {
		return grammar.EOF, 0
	}
	switch c := s[0]; {
	case c == '"':
		return some(grammar.String, text(s))
	case c == '\'':
		return some(grammar.Char, len(charForm().FindString(s)))
	case grammar.Digit(c) || c == '.' && len(s) > 1 && grammar.Digit(s[1]):
		return grammar.Number, len(numberForm().FindString(s))
	}
	if n := word(s); n > 0 {
		return grammar.Word, n
	}
	return some(grammar.Punct, operator(s))
}

// some returns a token's kind and length; of length 0 it is none.
func some(k grammar.Kind, n int) (grammar.Kind, int) {
	if n == 0 {
		return grammar.Bad, 1
	}
	return k, n
}

func word(s string) int {
	n := 0
	for n < len(s) {
		c, size := rune(s[n]), 1
		switch {
		case c >= utf8.RuneSelf:
			c, size = utf8.DecodeRuneInString(s[n:])
			if n == 0 && !pyval.XIDStart(c) || n > 0 && c != '¢' && !pyval.XIDContinue(c) {
				return n
			}
		case c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' || n > 0 && grammar.Digit(byte(c)):
		default:
			return n
		}
		n += size
	}
	return n
}

var operators = strings.Fields(`<<= ... @interface :: -> ++ -- == != <= << && || += -= *= /= %= &= |= ^=
	( ) [ ] { } ; , . : ? @ = < > + - * / % ^ & | ! ~`)

// operator returns the length of the operator that s begins with.
func operator(s string) int {
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return len(op)
		}
	}
	return 0
}

const (
	digits   = `[0-9](?:_?[0-9])*`
	hex      = `[0-9a-fA-F](?:_?[0-9a-fA-F])*`
	octal    = `[0-7](?:_?[0-7])*`
	exponent = `(?:[eE][+-]?` + digits + `)?[fFdD]?`
	// whole is a decimal integer without leading zeros. Groups are joined by any
	// number of underscores, after the first digit by one.
	whole = `(?:0|[1-9](?:_?[0-9](?:_*[0-9])*)?)`
)

var (
	// charForm is a character literal, which may hold several.
	charForm = pattern.Of(`^(?s)'(?:[^'\\\n\x00]|\\[^\x00])+'`)
	// escapeForm is an escape sequence. Of an octal one, it is the first digit: the
	// others are read as ordinary text, which makes no difference.
	escapeForm = pattern.Of(`^\\(?:x[0-9a-fA-F]{2}|u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]+\})|[^xu\x00])`)
	// blockForm is a text block.
	blockForm = pattern.Of(`^(?s)"""(?:[^\\\x00]|\\.)*?"""`)
	// numberForm is a number; the alternatives stand before shorter ones.
	numberForm = pattern.Of(`^(?:` + digits + `\.(?:` + digits + `)?` + exponent + `|\.` + digits + exponent +
		`|0[xX](?:` + hex + `[lL]|(?:` + hex + `(?:\.(?:` + hex + `)?)?|\.` + hex + `)(?:[pP][+-]?` + whole + `[fFdD]?)?)` +
		`|0[bB][01](?:_?[01])*[lL]?|0[oO]?` + octal + `[lL]?|` + whole + `(?:[eEpP][+-]?` + digits + `[fFdD]?|[lLfFdD])?)`)
)

// text returns the length of a string or a text block. Both may contain line
// ends.
func text(s string) int {
	if strings.HasPrefix(s, `"""`) {
		return len(blockForm().FindString(s))
	}
	for i := 1; i < len(s) && s[i] != 0; {
		switch {
		case s[i] == '"':
			return i + 1
		case strings.HasPrefix(s[i:], `\{`):
			n := embedded(s[i+2:])
			if n == 0 {
				return 0
			}
			i += n + 2
		case s[i] == '\\':
			n := len(escapeForm().FindString(s[i:]))
			if n == 0 {
				return 0
			}
			i += n
		default:
			i++
		}
	}
	return 0
}

// embedded returns the length of an expression in a text up to its "}".
func embedded(s string) int {
	for at, open := 0, 1; ; {
		t := lex(s, at)
		switch {
		case t.Kind == grammar.EOF || t.Kind == grammar.Bad:
			return 0
		case s[t.Start:t.End] == "{":
			open++
		case s[t.Start:t.End] == "}":
			if open--; open == 0 && at > 0 {
				return t.End
			} else if open == 0 {
				return 0
			}
		}
		at = t.End
	}
}
