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
