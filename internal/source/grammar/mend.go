package grammar

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Error is an exception that upstream raises.
type Error struct {
	Class  string // the exception's class, as Python names it
	Msg    string // its text
	Offset int    // of the fault, in bytes; 0 if it has no place
}

// Error returns the class, the place and the text.
func (e *Error) Error() string {
	if e.Offset > 0 {
		return fmt.Sprintf("%s at byte %d: %s", e.Class, e.Offset, e.Msg)
	}
	return e.Class + ": " + e.Msg
}

// Int is Python's int(s).
func Int(s string) (pyval.Value, error) { return converted(pyval.IntFromText(s)) }

// Float is Python's float(s).
func Float(s string) (pyval.Value, error) { return converted(pyval.FloatFromText(s)) }

// converted returns a Python exception as this package's error.
func converted[T pyval.Value](v T, err error) (pyval.Value, error) {
	if e, ok := errors.AsType[*pyval.Exception](err); ok {
		return nil, &Error{Class: e.Class, Msg: e.Msg}
	}
	return v, err
}

// Why a text is not read: it is nested too deeply, or it does not fit.
var (
	ErrDeep   = errors.New("nested too deeply")
	ErrSyntax = errors.New("no text of the language")
)

// The costs that a fault-tolerant parser weighs: a missing token; an error, its
// characters, lines and parts.
const (
	costMissing = 610
	costError   = 500
	costLine    = 30
	costPart    = 100
	mostMissing = 8
	// shortToken is the length of a token that is cheaper to leave out than a
	// missing one is to make up.
	shortToken = costMissing - costError - costPart - 1
)

// The parts that a statement is assumed to have so far. Above one, the exact
// number rarely matters.
const (
	partsWithin  = 8 // within brackets
	partsWhole   = 2 // where only its end is missing
	partsOutside = 3 // at most, where the text ends too early
)

// A missing is a token that may be made up.
type missing struct {
	kind Kind
	text uint8
	bit  int
	end  bool // it can be missing at the end of a text
}

func (g *Grammar) missing(text string) missing {
	if text == "" {
		return missing{kind: Word, bit: int(Word)}
	}
	n := g.text(text)
	return missing{kind: Punct, text: n, bit: kindBits + int(n), end: text == ";" || text == "}"}
}

// An insert is a token made up at an offset.
type insert struct {
	missing
	at int
}

// Read returns the nodes of a text. Where the text does not fit, it makes up
// the first token that lets the next one fit, and refuses the text if leaving
// something out would have been cheaper.
func (g *Grammar) Read(src string) ([]*Node, error) {
	p := &Parse{Src: src, g: g, tokens: make([]Token, len(src)+1), heads: make([]int32, len(src)+1), skip: -1}
	for !p.read() {
		if p.deep {
			return nil, ErrDeep
		}
		if len(p.inserts) == mostMissing || !p.supply() {
			return nil, ErrSyntax
		}
	}
	nodes := p.nodes
	if len(p.inserts) > 0 && !p.cheapest(nodes) {
		return nil, ErrSyntax
	}
	return nodes, nil
}

// supply makes up the token that is missing at the furthest place that was
// reached.
func (p *Parse) supply() bool {
	far, want := p.far, p.want
	next := p.Token(far)
	for _, m := range p.g.mend {
		if far < 0 || next.Kind == Bad || !want.has(m.bit) || next.Kind == EOF && !m.end {
			continue
		}
		p.inserts = append(p.inserts, insert{m, far.Offset()})
		if p.read() || p.far >= p.after(far+1, next) && (next.Kind != EOF || p.far > far) {
			return true
		}
		p.inserts = p.inserts[:len(p.inserts)-1]
	}
	return false
}

// A gap is a place where a token is missing.
type gap struct {
	insert
	next   Token // the token after it
	before int   // where the token before it may be left out; -1: nowhere
	error  int   // the cost of an error over what comes before it, instead
	parts  int   // of the whole text up to it
}

// cheapest reports whether no error would have been cheaper than the tokens
// that were made up.
func (p *Parse) cheapest(nodes []*Node) bool {
	inserts := p.inserts
	var before *gap
	atEnd, parts := 0, 0
	for i, in := range inserts {
		g := p.gap(nodes, in)
		switch {
		case before != nil && before.oneTokenTo(&g) && before.error+costPart+before.next.End-before.at <= 2*costMissing:
			return false
		case g.next.Kind == EOF:
			atEnd += costMissing
			if p.find(nodes, "path", in.at) != nil {
				atEnd += costMissing
			}
			parts = max(parts, g.parts)
		case g.at > 0 && g.error <= costMissing || p.endsAfter(&g, len(inserts)-i) || p.goesOn(&g, g.at) || p.goesOn(&g, g.before):
			return false
		}
		before = &g
	}
	return atEnd == 0 || p.error(0, inserts[len(inserts)-1].at, parts) > atEnd
}

// oneTokenTo reports whether one short token stands between two gaps, so that
// one error may cover both.
func (g *gap) oneTokenTo(o *gap) bool {
	return g.next.Kind != String && g.next.End == o.at && g.next.End-g.at <= shortToken
}

// error returns the cost of an error over a piece of the text.
func (p *Parse) error(start, end, parts int) int {
	piece := p.Src[min(p.g.token(p.Src, start).Start, end):end]
	return costError + len(piece) + costLine*strings.Count(piece, "\n") + costPart*parts
}

// gap describes the place of a token that was made up, from the statements
// around it.
func (p *Parse) gap(nodes []*Node, in insert) gap {
	g := gap{insert: in, next: p.g.token(p.Src, in.at), before: -1}
	if in.kind == Word && !(p.Text(g.next, ")") && p.stays(nodes, in.at)) {
		g.before = p.placeBefore(in.at)
	}
	first, list := 0, nodes
	done, holder := p.holder(list, in.at)
	outer := done
	for holder != nil {
		body := p.find(holder.Kids, "body", in.at)
		if body == nil {
			break
		}
		first, list = body.Start, body.Kids
		done, holder = p.holder(list, in.at)
	}
	parts := partsWithin
	if in.text == p.g.texts[";"] {
		parts = partsWhole
		if holder != nil && p.find(holder.Kids, "lone", in.at) != nil {
			parts = p.pieces(holder.Start, in.at, in.at)
			if first := p.g.token(p.Src, holder.Start); !p.Text(first, "for") && !p.Text(first, "while") && !p.Text(first, "if") {
				parts = 1
			}
		}
	}
	switch {
	case in.at == 0:
		parts = 0
	case in.kind == Word && holder != nil && p.find(holder.Kids, "typed", in.at) != nil:
		parts = 1
	}
	g.error = p.error(first, in.at, done+parts)
	g.parts = outer + min(parts, partsOutside)
	return g
}

// placeBefore returns the offset after which the token stands that ends at an
// offset, or -1.
func (p *Parse) placeBefore(at int) int {
	for from := 0; from < at; {
		t := p.g.token(p.Src, from)
		if t.End >= at {
			return from
		}
		from = t.End
	}
	return -1
}

// stays reports whether leaving out the token before a place is no way out,
// because upstream's parser would be where it is with the token made up: behind
// a binary operator in a call's first argument, or a comma that is not the
// first.
func (p *Parse) stays(nodes []*Node, at int) bool {
	arg, list := p.innermost(nodes, at)
	if arg == nil {
		return false
	}
	if arg.Start == at {
		n := 0
		for _, k := range list {
			if k.Kind == arg.Kind {
				n++
			}
		}
		return n > 2
	}
	return p.find(arg.Kids, "binary", at) != nil && p.find(arg.Kids, "assign", at) == nil &&
		p.Src[p.placeBefore(arg.Start)] == '('
}

// innermost returns the innermost argument that holds a place, and the nodes
// that it is among.
func (p *Parse) innermost(nodes []*Node, at int) (*Node, []*Node) {
	for _, n := range nodes {
		if n.Start > at || n.End < at {
			continue
		}
		if arg, list := p.innermost(n.Kids, at); arg != nil {
			return arg, list
		}
		if n.Kind == p.g.nodes["argument"] {
			return n, nodes
		}
	}
	return nil, nil
}

// holder returns the statement that a place is in, and how many come before it.
func (p *Parse) holder(list []*Node, at int) (int, *Node) {
	done := 0
	for _, n := range list {
		if n.Kind != p.g.nodes["statement"] {
			continue
		}
		if n.End >= at {
			return done, n
		}
		done++
	}
	return done, nil
}

// find returns a node with a name that holds a place, or nil.
func (p *Parse) find(nodes []*Node, name string, at int) *Node {
	for _, n := range nodes {
		if n.Start > at || n.End < at {
			continue
		}
		if n.Kind == p.g.nodes[name] {
			return n
		}
		if in := p.find(n.Kids, name, at); in != nil {
			return in
		}
	}
	return nil
}

// endsAfter reports whether one short token stands between a gap and the end of
// the text, so that one error over all of it is cheaper than what was made up.
func (p *Parse) endsAfter(g *gap, made int) bool {
	t := g.next
	return t.Kind != String && t.End-t.Start <= shortToken && p.g.token(p.Src, t.End).Kind == EOF &&
		p.error(0, t.End, p.pieces(0, t.End, g.at)) < costMissing*made
}

// pieces returns about how many parts a parser has that comes to the end of an
// unfinished text: a name with what is selected or called is one, unless that
// goes beyond the place where the text is open.
func (p *Parse) pieces(at, end, open int) int {
	n, joins := 0, false
	for at < end {
		t := p.g.token(p.Src, at)
		at = t.End
		switch text := p.Src[t.Start:t.End]; {
		case text == "." && joins:
			at = p.g.token(p.Src, at).End
			continue
		case (text == "(" || text == "[") && joins:
			if m := p.closes(t); m > 0 && m <= open {
				at = m
				continue
			}
		case text == "for" || text == "while" || text == "if" || text == "switch":
			n, joins = n+1, false
			continue
		}
		n++
		joins = t.Kind == Word
	}
	return n
}

// closes returns the end of the bracket that a token opens, 0 if it has none.
func (p *Parse) closes(t Token) int {
	for depth := 0; t.Kind != EOF; t = p.g.token(p.Src, t.End) {
		switch p.Src[t.Start:t.End] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return t.End
			}
		}
	}
	return 0
}

// goesOn reports whether the text can be read without the token after an offset
// instead of the one that was made up, if that token is short.
func (p *Parse) goesOn(g *gap, without int) bool {
	if without < 0 {
		return false
	}
	t := p.g.token(p.Src, without)
	if t.Kind == String || t.End-t.Start > shortToken || without < g.at && p.Text(t, ".") && p.Text(g.next, "[") ||
		without == g.at && p.g.token(p.Src, t.End).Kind == EOF {
		return false
	}
	inserts := p.inserts
	p.inserts, p.skip = nil, without
	for _, in := range inserts {
		if in.at != g.at {
			p.inserts = append(p.inserts, in)
		}
	}
	ok := p.read()
	p.inserts, p.skip = inserts, -1
	return ok
}
