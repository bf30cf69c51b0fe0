// Package jscall reads function calls that a model wrote as JavaScript, and
// turns the argument texts into values of the type a tool document asks for.
//
// Upstream parses with the tree-sitter grammar for JavaScript, which is more
// lenient than the language: keywords are names wherever a keyword is not
// expected, `1 + b = 2` is an expression, and one missing bracket is supplied.
// The parser here accepts and refuses the same texts. It never evaluates
// anything: an argument's value is the text it was written as.
package jscall

import (
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Error is an exception that upstream raises.
type Error struct {
	// Class is the name of Python's exception class.
	Class string
	// Text is the exception's text.
	Text string
}

// Error returns the class and the text.
func (e *Error) Error() string { return e.Class + ": " + e.Text }

var (
	errSyntax    = &Error{"SyntaxError", "Error js parsing the source code."}
	errDuplicate = &Error{"Exception", "Error: Multiple arguments with the same name are not supported."}
	errEncode    = &Error{"UnicodeEncodeError", "'utf-8' codec can't encode: surrogates not allowed"}
)

// Parse is upstream's parse_javascript_function_call: the first top-level
// statement that is a call becomes [{name: {parameter: text}}], a program
// without one becomes None. The error is an *Error: for a text that the grammar
// refuses, or for two arguments with the same name.
func Parse(src string) (pyval.Value, error) {
	if !utf8.ValidString(src) {
		return nil, errEncode
	}
	p := newParser(src)
	if !p.program() {
		p = newParser(src)
		p.mend = true
		if !p.program() {
			return nil, errSyntax
		}
	}
	if p.found == nil {
		return pyval.None, nil
	}
	return p.found.value(src)
}

// span is a piece of the source.
type span struct{ start, end int }

func (s span) in(src string) string { return src[s.start:s.end] }

// An argument is what upstream keeps of an argument: an assignment's name and
// value or, without a name, a bare identifier or `true`.
type argument struct {
	named     bool
	name, val span
}

// foundCall is a call at the top of an expression statement.
type foundCall struct {
	callee span
	args   []argument
}

func (c *foundCall) value(src string) (pyval.Value, error) {
	names := namesMet.Get().(*pyval.Names)
	defer namesMet.Put(names)
	params := pyval.NewDict(len(c.args))
	for _, a := range c.args {
		if err := a.store(src, params, names); err != nil {
			return nil, err
		}
	}
	call := pyval.NewDict(1)
	_ = call.Set(names.Str(c.callee.in(src)), params) // a str is hashable
	list := pyval.MakeList(1)
	list.Items[0] = call
	return list, nil
}

// namesMet are names of functions and parameters, because the same ones occur
// again and again.
var namesMet = sync.Pool{New: func() any { return new(pyval.Names) }}

// store adds the argument under upstream's key: the name's text, or None for an
// unnamed argument.
func (a argument) store(src string, params *pyval.Dict, names *pyval.Names) error {
	text := a.val.in(src)
	if !a.named {
		if _, twice := params.Get(pyval.None); twice {
			return errDuplicate
		}
		return params.Set(pyval.None, pyval.Str(text))
	}
	name := a.name.in(src)
	if params.Has(name) {
		return errDuplicate
	}
	return params.Set(names.Str(name), pyval.Str(unquoted(text)))
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
