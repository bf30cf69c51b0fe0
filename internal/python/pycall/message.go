package pycall

import (
	"errors"
	"fmt"
	"strings"
)

// explain gives a syntax error the text that CPython has for the mistakes that
// models make. A plain "invalid syntax" is replaced by an error in the tokens
// after it, as in "3x", or by a bracket that is never closed.
func explain(src string, e *Error) *Error {
	if e.Class != "SyntaxError" {
		return e
	}
	walk := tokenWalk{at: e.Offset}
	fault := walk.run(src)
	switch {
	case e.Msg == "invalid syntax" && fault != nil && fault.Class == "SyntaxError":
		e = fault
	case e.Msg == "invalid syntax":
		return walk.assignment(src, e)
	}
	return walk.reword(src, e)
}

// A tokenWalk reads all tokens of a text that did not parse.
type tokenWalk struct {
	at   int       // where parsing failed
	open []bracket // brackets open at the end
	then []bracket // brackets open where parsing failed
	name bool      // parsing failed right after a name
}

type bracket struct {
	char byte
	pos  int
	call bool // the parenthesis of a call
}

func (w *tokenWalk) run(src string) *Error {
	p := start(src)
	defer p.release()
	before, closed := tEnd, false
	for p.err == nil && p.tok != tEnd {
		if p.pos == w.at {
			w.then, w.name = append([]bracket(nil), w.open...), before == tName
		}
		switch p.tok {
		case tLeftParen, tLeftBracket, tLeftBrace:
			w.open = append(w.open, bracket{src[p.pos], p.pos, before == tName || closed})
		case tRightParen, tRightBracket, tRightBrace:
			if err := w.pop(src[p.pos], p.pos); err != nil {
				return err
			}
		}
		closed = p.tok == tRightParen || p.tok == tRightBracket
		before = p.tok
		p.advance()
	}
	var fault *Error
	if errors.As(p.err, &fault) {
		return fault
	}
	if n := len(w.open); n > 0 && w.at >= len(src) {
		last := w.open[n-1]
		return &Error{Class: "SyntaxError", Msg: fmt.Sprintf("'%c' was never closed", last.char), Offset: last.pos}
	}
	return nil
}

func (w *tokenWalk) pop(char byte, pos int) *Error {
	n := len(w.open)
	if n == 0 {
		return &Error{Class: "SyntaxError", Msg: fmt.Sprintf("unmatched '%c'", char), Offset: pos}
	}
	last := w.open[n-1]
	if w.open = w.open[:n-1]; strings.IndexByte("([{", last.char) != strings.IndexByte(")]}", char) {
		return &Error{
			Class: "SyntaxError", Offset: pos,
			Msg: fmt.Sprintf("closing parenthesis '%c' does not match opening parenthesis '%c'", char, last.char),
		}
	}
	return nil
}

// assignment gives the error at a misplaced "=" CPython's text.
func (w *tokenWalk) assignment(src string, e *Error) *Error {
	n := len(w.then)
	rest := src[min(w.at, len(src)):]
	if n == 0 || !strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "==") {
		return e
	}
	msg := e.Msg
	switch {
	case w.then[n-1].call:
		msg = `expression cannot contain assignment, perhaps you meant "=="?`
	case w.name:
		msg = "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"
	}
	return &Error{Class: e.Class, Msg: msg, Offset: e.Offset}
}

// reword gives the tokenizer's errors CPython's texts.
func (w *tokenWalk) reword(src string, e *Error) *Error {
	msg := e.Msg
	switch {
	case msg == "unmatched closing bracket" && e.Offset < len(src):
		msg = fmt.Sprintf("unmatched '%c'", src[e.Offset])
	case msg == "unterminated string literal":
		msg = fmt.Sprintf("unterminated string literal (detected at line %d)", 1+strings.Count(src[:min(e.Offset, len(src))], "\n"))
	}
	return &Error{Class: e.Class, Msg: msg, Offset: e.Offset}
}
