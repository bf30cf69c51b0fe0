// Package jscall reads function calls that a model wrote as JavaScript, and
// turns the argument texts into values of the type a tool document asks for.
//
// Upstream parses with the tree-sitter grammar for JavaScript, which is more
// lenient than the language: keywords are names wherever a keyword is not
// expected, `1 + b = 2` is an expression, and missing tokens are supplied.
// Package grammar reads and mends texts by the grammar in js.grammar. Nothing
// is ever evaluated: an argument's value is the text it was written as.
package jscall

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

//go:embed js.grammar
var rules string

var javascript = sync.OnceValue(func() *grammar.Grammar {
	return grammar.New(rules, lex, map[string]grammar.Special{
		"ASI":      asi,
		"NEWLINE":  when(func(p *grammar.Parse, t grammar.Token) bool { return t.Newline }),
		"ENDS":     when(ends),
		"BEGINS":   when(begins),
		"BREAK":    when(breaks),
		"TEMPLATE": template,
		"ELEMENT":  jsx,
		"HASHBANG": line("#!"),
		"OLD":      line("<!--", "-->"),
		"REGEX": func(p *grammar.Parse, pos grammar.Pos, t grammar.Token) (grammar.Pos, bool) {
			if !strings.HasPrefix(p.Src[t.Start:], "/") {
				return pos, false
			}
			n := len(regexForm().FindString(p.Src[t.Start:]))
			return grammar.At(t.Start + n), n > 0
		},
	}, strings.Fields("statement call assign argument last args plain op value"), "", "}", ")", ";", "]")
})

// when is a special that takes nothing.
func when(fits func(*grammar.Parse, grammar.Token) bool) grammar.Special {
	return func(p *grammar.Parse, pos grammar.Pos, t grammar.Token) (grammar.Pos, bool) { return pos, fits(p, t) }
}

// line takes the line that begins with one of some texts: the first line of a
// script, or the comments of old web pages, which the grammar accepts where no
// operator can be.
func line(texts ...string) grammar.Special {
	return func(p *grammar.Parse, pos grammar.Pos, t grammar.Token) (grammar.Pos, bool) {
		for _, s := range texts {
			if strings.HasPrefix(p.Src[t.Start:], s) {
				n := strings.IndexByte(p.Src[t.Start:]+"\n", '\n')
				return grammar.At(t.Start + n), true
			}
		}
		return pos, len(texts) == 1
	}
}

func ends(p *grammar.Parse, t grammar.Token) bool {
	return t.Kind == grammar.EOF || p.Text(t, ";") || p.Text(t, "}")
}

// asi is a semicolon that is inserted: at a closing bracket, at the end, or at a
// line break that no operator follows.
func asi(p *grammar.Parse, pos grammar.Pos, t grammar.Token) (grammar.Pos, bool) {
	if t.Kind == grammar.EOF || p.Text(t, "}") || p.Text(t, "++") || p.Text(t, "--") || p.Text(t, "!") {
		return pos, t.Newline || t.Kind == grammar.EOF || p.Text(t, "}")
	}
	return pos, t.Newline && (t.Kind != grammar.Punct || t.End == t.Start || strings.IndexByte(",:;*%><=?^|&/([.+-!", p.Src[t.Start]) < 0)
}

// begins reports whether a token can begin an expression.
func begins(p *grammar.Parse, t grammar.Token) bool {
	switch t.Kind {
	case grammar.EOF, grammar.Bad:
		return false
	case grammar.Punct:
		switch p.Src[t.Start:t.End] {
		case "(", "[", "{", "`", "/", "/=", "<", "!", "~", "-", "+", "++", "--", "@":
			return true
		}
		return false
	}
	return !p.Text(t, "in") && !p.Text(t, "instanceof")
}

// breaks reports whether a line break ends the statement here although the next
// token could continue it.
func breaks(p *grammar.Parse, t grammar.Token) bool {
	return t.Newline && (p.Text(t, "++") || p.Text(t, "--") || p.Text(t, "`"))
}

// The nodes of the grammar.
const (
	nStatement int8 = iota + 1
	nCall
	nAssign
	nArgument
	nLast
	nArgs
	nPlain
	nOp
	nValue
)

var (
	errDuplicate = &grammar.Error{Class: "Exception", Msg: "Error: Multiple arguments with the same name are not supported."}
	errEncode    = &grammar.Error{Class: "UnicodeEncodeError", Msg: "'utf-8' codec can't encode: surrogates not allowed"}
)

// Parse is upstream's parse_javascript_function_call: the first top-level
// statement that is a call becomes [{name: {parameter: text}}], a program
// without one becomes None. The error is a *grammar.Error: for a text that the
// grammar refuses, or for two arguments with the same name.
func Parse(src string) (pyval.Value, error) {
	if !utf8.ValidString(src) {
		return nil, errEncode
	}
	nodes, err := javascript().Read(src)
	if err != nil {
		return nil, &grammar.Error{Class: "SyntaxError", Msg: "Error js parsing the source code."}
	}
	for _, n := range nodes {
		if call := called(n); call != nil {
			return value(src, call)
		}
	}
	return pyval.None, nil
}

// called returns the call that a statement is, or nil.
func called(statement *grammar.Node) *grammar.Node {
	last := statement.Kid(nLast)
	if statement.Kind != nStatement || last == nil {
		return nil
	}
	for _, n := range statement.Kids {
		if n.Kind == nCall && n.Start == statement.Start && n.End == last.Start {
			return n
		}
	}
	return nil
}

func value(src string, n *grammar.Node) (pyval.Value, error) {
	var mark *grammar.Node
	for _, k := range n.Kids { // the last of the marks is the call's own
		if k.Kind == nArgs || k.Kind == nPlain {
			mark = k
		}
	}
	params := pyval.NewDict(len(n.Kids))
	if mark.Kind == nArgs && lex(src, mark.Start).Comments == 0 { // upstream takes a comment for the arguments
		for _, arg := range n.After(nArgs) {
			if err := store(src, arg, params); err != nil {
				return nil, err
			}
		}
	}
	call := pyval.Object(src[n.Start:mark.Start], params)
	return pyval.NewList(call), nil
}

// store adds the argument under upstream's key: the name's text, or None for an
// unnamed argument.
func store(src string, arg *grammar.Node, params *pyval.Dict) error {
	if arg.Kind != nArgument {
		return nil
	}
	if n := arg.Whole(); n != nil && n.Kind == nAssign {
		op := n.Kid(nOp).Start
		name := src[n.Start:op]
		if params.Has(name) {
			return errDuplicate
		}
		// Returns the text that upstream takes for the value of an assignment:
		// its third part, and comments are parts.
		at := n.Kid(nValue).Start
		parts := comments(src, op)
		equals := lex(src, op)
		parts = append(parts, src[equals.Start:equals.End])
		parts = append(parts, comments(src, at)...)
		start := min(lex(src, at).Start, n.End)
		params.SetStr(name, pyval.Str(unquoted(append(parts, src[start:n.End])[1])))
		return nil
	}
	t := lex(src, arg.Start)
	if t.Kind != grammar.Word || t.End != arg.End {
		return nil
	}
	switch src[t.Start:t.End] {
	case "this", "super", "false", "null", "undefined", "yield":
		return nil
	}
	if _, twice := params.Get(pyval.None); twice {
		return errDuplicate
	}
	return params.Set(pyval.None, pyval.Str(src[t.Start:t.End]))
}

// comments returns the comments after an offset.
func comments(src string, at int) []string {
	var out []string
	for at < len(src) {
		n, _ := blank(src[at:])
		if n == 0 {
			break
		}
		if src[at] == '/' {
			out = append(out, src[at:at+n])
		}
		at += n
	}
	return out
}

// unquoted drops a quote from both ends, even if they belong to two strings:
// upstream looks at the first and last character only.
func unquoted(text string) string {
	n := len(text)
	if n >= 2 && (text[0] == '"' || text[0] == '\'') && text[n-1] == text[0] {
		return text[1 : n-1]
	}
	return text
}
