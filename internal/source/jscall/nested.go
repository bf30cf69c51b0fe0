package jscall

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// template reads a template after its first quote.
func template(p *grammar.Parse, pos grammar.Pos, _ grammar.Token) (grammar.Pos, bool) {
	for i := pos.Offset(); i < len(p.Src); {
		switch rest := p.Src[i:]; {
		case rest[0] == '`':
			return grammar.At(i + 1), true
		case rest[0] == '\\':
			n := len(escapeForm().FindString(rest))
			if n == 0 {
				return pos, false
			}
			i += n
		case strings.HasPrefix(rest, "${"):
			end, ok := p.Rule("sequence", grammar.At(i+2))
			if t := p.Token(end); !ok || !p.Text(t, "}") {
				return pos, false
			}
			i = p.Token(end).End
		default:
			i++
		}
	}
	return pos, false
}

// An element is a JSX element that is being read.
type element struct {
	*grammar.Parse
	at int // the offset that is reached
	ok bool
}

// jsx reads an element or a fragment after its "<".
func jsx(p *grammar.Parse, pos grammar.Pos, _ grammar.Token) (grammar.Pos, bool) {
	e := element{p, pos.Offset(), true}
	e.element()
	return grammar.At(e.at), e.ok
}

// take goes past a text that is next, after blanks.
func (e *element) take(text string) bool {
	t := lex(e.Src, e.at)
	if !e.ok || !strings.HasPrefix(e.Src[t.Start:], text) {
		return false
	}
	e.at = t.Start + len(text)
	return true
}

func (e *element) need(ok bool) {
	e.ok = e.ok && ok
}

// element reads from after the "<" to the end.
func (e *element) element() {
	if !e.Enter() {
		e.ok = false
		return
	}
	defer e.Leave()
	if !e.take(">") {
		e.tag()
		for e.ok && !e.take(">") {
			if e.take("/") {
				e.need(e.take(">"))
				return
			}
			e.attribute()
		}
	}
	for e.ok {
		i := strings.IndexAny(e.Src[e.at:], "<>{}")
		if i < 0 {
			e.ok = false
			return
		}
		e.at += i
		switch {
		case e.take("{"):
			e.container()
		case !e.take("<"):
			e.ok = false
		case e.take("/"):
			if !e.take(">") {
				e.tag()
				e.need(e.take(">"))
			}
			return
		default:
			e.element()
		}
	}
}

// tag reads a name with dots, or with one colon.
func (e *element) tag() {
	e.name()
	if e.take(":") {
		e.name()
		return
	}
	for e.take(".") {
		e.name()
	}
}

// name reads an identifier that may contain hyphens.
func (e *element) name() {
	t := lex(e.Src, e.at)
	if t.Kind != grammar.Word {
		e.ok = false
		return
	}
	e.at = t.End
	for e.at < len(e.Src) && (e.Src[e.at] == '-' || wordByte(e.Src[e.at])) {
		e.at++
	}
}

func (e *element) attribute() {
	if e.take("{") {
		e.container()
		return
	}
	e.name()
	if e.take(":") {
		e.name()
	}
	if !e.take("=") {
		return
	}
	for _, quote := range []string{`"`, `'`} { // without escapes
		if e.take(quote) {
			n := strings.Index(e.Src[e.at:], quote)
			e.need(n >= 0)
			e.at += n + 1
			return
		}
	}
	switch {
	case e.take("{"):
		e.container()
	case e.take("<"):
		e.element()
	default:
		e.ok = false
	}
}

// container reads an expression in curly brackets up to its end.
func (e *element) container() {
	if e.take("}") {
		return
	}
	e.take("...")
	end, ok := e.Rule("sequence", grammar.At(e.at))
	e.need(ok)
	e.at = end.Offset()
	e.need(e.take("}"))
}
