// Package grammar reads texts by a grammar that is written as text, and mends
// those that lack a token as upstream's fault-tolerant parsers do.
//
// A grammar is a list of rules, `name = alternatives ;`. Alternatives are
// tried in order, and the first that fits is taken. Rules are made of
//
//	'+' 'new'        a token with this text
//	word number      a token of a kind, or another rule
//	a b   a | b      one after the other; the first that fits
//	a? a* a+ (a b)   at most once; any number of times; at least once; a group
//	&a !a            what must follow, or must not, without taking it
//	<call>           a Node, with the nodes within it
//	.name            a Node without extent, to mark a place
//	#1 ?1            sets the parser's note to 1; fits if the note is 1
//	ASI              a Special: what only code can say
//
// A node begins where the innermost rule with ":=" or "~=" instead of "=" began.
// One with "~=" also keeps what it found at each place, so that trying it again
// costs nothing.
//
//	grammar, compile   a grammar's text to expressions, what lexers share
//	parse              a text to nodes
//	mend               missing tokens and what they cost
package grammar

import (
	"fmt"
	"strings"
)

// A Kind is a class of tokens.
type Kind uint8

// The kinds of tokens. In a grammar they are named in lower case.
const (
	EOF Kind = iota
	Bad
	Word
	Number
	String
	Char
	Punct
	Private // JavaScript's #name
)

var kinds = map[string]Kind{
	"eof": EOF, "bad": Bad, "word": Word, "number": Number, "string": String, "char": Char, "private": Private,
}

// A Token is a token of a text.
type Token struct {
	Start, End int // bytes
	Kind       Kind
	Newline    bool  // a line ends between the token before and this one
	Comments   uint8 // how many comments stand there, 255 for more
	text       uint8
	ready      bool
}

// A Lexer scans the token that follows an offset, with the blanks and comments
// before it.
type Lexer func(src string, from int) Token

// A Special decides in code whether a place fits. It returns where the text
// goes on, which is pos itself if nothing is taken.
type Special func(p *Parse, pos Pos, t Token) (Pos, bool)

// A Grammar reads texts of one language.
type Grammar struct {
	lex   Lexer
	rules []rule
	names map[string]int
	texts map[string]uint8 // the texts of tokens, numbered from 1
	nodes map[string]int8
	mend  []missing
}

type rule struct {
	name      string
	body      *expr
	opens     bool
	keeps     bool
	first     set
	nullable  bool
	described bool
}

// set is a set of kinds and of texts of tokens.
type set [4]uint64

const kindBits = 8 // the first bits are kinds

func (s *set) add(bit int)      { s[bit/64] |= 1 << (bit % 64) }
func (s *set) has(bit int) bool { return s[bit/64]>>(bit%64)&1 == 1 }

func (s *set) join(o set) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s *set) fits(t Token) bool {
	return s.has(int(t.Kind)) || t.text > 0 && s.has(kindBits+int(t.text))
}

// token returns the token after an offset, with the number of its text.
func (g *Grammar) token(src string, from int) Token {
	t := g.lex(src, from)
	t.ready = true
	if t.Kind == Word || t.Kind == Punct {
		t.text = g.texts[src[t.Start:t.End]]
	}
	return t
}

// New compiles a grammar. Nodes are numbered from 1 as they are listed, then as
// they occur. The texts of tokens that may be missing are listed in the order in
// which they are tried; "" is a word.
func New(text string, lex Lexer, specials map[string]Special, nodes []string, missing ...string) *Grammar {
	g := &Grammar{lex: lex, names: map[string]int{}, texts: map[string]uint8{}, nodes: map[string]int8{}}
	for i, name := range nodes {
		g.nodes[name] = int8(i + 1)
	}
	c := compiler{Grammar: g, specials: specials, words: pieces.FindAllString(text, -1)}
	for c.at < len(c.words) {
		i, is := c.rule(c.take()), c.take()
		body := c.alternatives()
		if c.take() != ";" || !strings.HasSuffix(is, "=") || c.rules[i].body != nil {
			panic("no end of rule " + c.rules[i].name)
		}
		r := &c.rules[i]
		r.body, r.opens, r.keeps = body, is != "=", is == "~="
	}
	for _, r := range c.rules {
		if r.body == nil {
			panic("no rule " + r.name)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range g.rules {
			changed = g.describe(&g.rules[i]) || changed
		}
	}
	for _, m := range missing {
		g.mend = append(g.mend, g.missing(m))
	}
	return g
}

func (g *Grammar) rule(name string) int {
	if i, ok := g.names[name]; ok {
		return i
	}
	g.names[name] = len(g.rules)
	g.rules = append(g.rules, rule{name: name})
	return len(g.rules) - 1
}

func (g *Grammar) text(s string) uint8 {
	n, ok := g.texts[s]
	if !ok {
		if n = uint8(len(g.texts) + 1); int(n)+kindBits >= 256 {
			panic(fmt.Sprintf("too many texts: %s", s))
		}
		g.texts[s] = n
	}
	return n
}

// Digit reports whether c is a decimal digit.
func Digit(c byte) bool { return c >= '0' && c <= '9' }

// Scan returns the token after the blanks and comments at a place. blank returns
// the length of one of them and whether it ends a line, next a token's kind and
// length.
func Scan(src string, from int, blank func(s string) (n int, line bool), next func(s string) (Kind, int)) Token {
	t := Token{Start: from}
	for t.Start < len(src) {
		n, line := blank(src[t.Start:])
		if n == 0 {
			break
		}
		if src[t.Start] == '/' {
			t.Comments = min(t.Comments, 254) + 1
		}
		t.Newline = t.Newline || line
		t.Start += n
	}
	n := 0
	t.Kind, n = next(src[t.Start:])
	t.End = t.Start + n
	return t
}
