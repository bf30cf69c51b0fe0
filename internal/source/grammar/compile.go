package grammar

import (
	"regexp"
	"strconv"
)

type op uint8

const (
	opTake op = iota // a token of the set
	opSeq
	opAlt
	opStar
	opOpt
	opAnd
	opNot
	opRule
	opSpecial
	opNode
	opMark
	opNote
	opNoted
)

// An expr is a part of a rule.
type expr struct {
	op       op
	kids     []*expr
	n        int // of a rule, a node or a note
	special  Special
	first    set // the tokens it may begin with
	nullable bool
}

// A compiler reads a grammar's text.
type compiler struct {
	*Grammar
	specials map[string]Special
	words    []string
	at       int
}

var pieces = regexp.MustCompile(`'[^']+'|[A-Za-z_]\w*|[:~]?=|<\w+>|\.\w+|[#?]\d|[|()?*+&!;]`)

func (c *compiler) peek() string {
	if c.at < len(c.words) {
		return c.words[c.at]
	}
	return ""
}

func (c *compiler) take() string {
	s := c.peek()
	c.at++
	return s
}

func (c *compiler) alternatives() *expr {
	e := &expr{op: opAlt, kids: []*expr{c.sequence()}}
	for c.peek() == "|" {
		c.at++
		e.kids = append(e.kids, c.sequence())
	}
	if len(e.kids) == 1 {
		return e.kids[0]
	}
	all := &expr{op: opTake}
	for _, k := range e.kids {
		if k.op != opTake {
			return e
		}
		all.first.join(k.first)
	}
	return all
}

func (c *compiler) sequence() *expr {
	e := &expr{op: opSeq}
	for {
		switch c.peek() {
		case "|", ")", ";", "":
			if len(e.kids) == 1 {
				return e.kids[0]
			}
			return e
		}
		e.kids = append(e.kids, c.repeated())
	}
}

func (c *compiler) repeated() *expr {
	e := c.item()
	for {
		switch c.peek() {
		case "?":
			e = &expr{op: opOpt, kids: []*expr{e}}
		case "*":
			e = &expr{op: opStar, kids: []*expr{e}}
		case "+":
			e = &expr{op: opSeq, kids: []*expr{e, {op: opStar, kids: []*expr{e}}}}
		default:
			return e
		}
		c.at++
	}
}

func (c *compiler) item() *expr {
	w := c.take()
	switch w[0] {
	case '(':
		e := c.alternatives()
		c.take()
		return e
	case '&':
		return &expr{op: opAnd, kids: []*expr{c.item()}}
	case '!':
		return &expr{op: opNot, kids: []*expr{c.item()}}
	case '<':
		return &expr{op: opNode, n: c.node(w[1 : len(w)-1])}
	case '.':
		return &expr{op: opMark, n: c.node(w[1:])}
	case '#', '?':
		n, _ := strconv.Atoi(w[1:])
		return &expr{op: map[byte]op{'#': opNote, '?': opNoted}[w[0]], n: n}
	case '\'':
		e := &expr{op: opTake}
		e.first.add(kindBits + int(c.text(w[1:len(w)-1])))
		return e
	}
	if k, ok := kinds[w]; ok {
		e := &expr{op: opTake}
		e.first.add(int(k))
		return e
	}
	if s := c.specials[w]; s != nil {
		return &expr{op: opSpecial, special: s}
	}
	return &expr{op: opRule, n: c.rule(w)}
}

func (c *compiler) node(name string) int {
	n, ok := c.nodes[name]
	if !ok {
		n = int8(len(c.nodes) + 1)
		c.nodes[name] = n
	}
	return int(n)
}

var anything = set{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

// describe finds out which tokens a rule may begin with, and reports whether
// that is more than was known.
func (g *Grammar) describe(r *rule) bool {
	first, nullable := g.begins(r.body)
	if r.described && first == r.first && nullable == r.nullable {
		return false
	}
	r.first, r.nullable, r.described = first, nullable, true
	return true
}

func (g *Grammar) begins(e *expr) (set, bool) {
	switch e.op {
	case opTake:
		return e.first, false
	case opSeq:
		e.first, e.nullable = set{}, true
		for _, k := range e.kids {
			f, n := g.begins(k)
			if e.nullable {
				e.first.join(f)
			}
			e.nullable = e.nullable && n
		}
	case opAlt:
		e.first, e.nullable = set{}, false
		for _, k := range e.kids {
			f, n := g.begins(k)
			e.first.join(f)
			e.nullable = e.nullable || n
		}
	case opStar, opOpt:
		e.first, _ = g.begins(e.kids[0])
		e.nullable = true
	case opRule:
		e.first, e.nullable = g.rules[e.n].first, g.rules[e.n].nullable
	case opSpecial:
		e.first, e.nullable = anything, true
	default: // takes nothing
		for _, k := range e.kids {
			g.begins(k)
		}
		e.first, e.nullable = set{}, true
	}
	return e.first, e.nullable
}
