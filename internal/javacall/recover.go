package javacall

import "strings"

// The costs that the fault-tolerant parser weighs: a missing token; an error
// node, its characters, lines and parts.
const (
	costMissing  = 610
	costError    = 500
	costPerChar  = 1
	costPerLine  = 30
	costPerPart  = 100
	mostMissing  = 8
	partsWithin  = 8
	partsOutside = 3
	shortToken   = costMissing - costError - costPerPart - 1
)

// trouble is what a parser knows of the furthest token that did not fit.
type trouble struct {
	far    int32
	want   uint8 // what may be missing before it
	within body  // the body that it stands in
	lone   bool  // all of that statement is one expression
	path   bool  // names joined by dots stand before it
}

const (
	wantName uint8 = 1 << iota
	wantBrace
	wantBraceWithin
	wantParen
	wantAngle
	wantBracket
	wantSemi
)

// wanted lists what can be missing in the order in which they are tried.
var wanted = [...]struct {
	bit   uint8
	kind  kind
	atEnd bool // it can be missing at the end of the text
}{
	{wantName, tWord, false}, {wantBraceWithin, tRBrace, false}, {wantBrace, tRBrace, true}, {wantParen, tRParen, false},
	{wantAngle, tGt, false}, {wantBracket, tRBracket, false}, {wantSemi, tSemi, true},
}

// fail notes that the current token does not fit.
func (p *parser) fail() bool {
	if p.pos > p.far {
		p.trouble = trouble{far: p.pos, within: p.body}
	}
	return false
}

// close takes a closing token, or notes that it is missing.
func (p *parser) close(k kind) bool {
	switch k {
	case tRBrace:
		return p.closing(k, wantBrace)
	case tRParen:
		return p.closing(k, wantParen)
	case tRBracket:
		return p.closing(k, wantBracket)
	case tGt:
		return p.closing(k, wantAngle)
	}
	return p.closing(k, wantSemi)
}

func (p *parser) closing(k kind, bit uint8) bool {
	if p.is(k) {
		p.pos++
		return true
	}
	return p.lacks(bit)
}

// lacks fails and notes what may be missing.
func (p *parser) lacks(bit uint8) bool {
	if p.fail(); p.pos == p.far {
		p.want |= bit
		p.within = p.body
	}
	return false
}

func (p *parser) semicolon(lone bool) bool {
	if p.close(tSemi) {
		return true
	}
	if p.pos == p.far {
		p.lone = lone
		p.path = p.pathEnd == p.pos
	}
	return false
}

// mend parses the tokens, supplies closing tokens where they are missing, and
// decides as upstream's parser whether a tree with an error would be cheaper.
func mend(src string, p *parser) bool {
	cost, last := 0, gap{}
	for missing := 0; !p.parse(); missing++ {
		if p.deep || missing == mostMissing || p.want == 0 {
			return false
		}
		g := p.gap(src)
		if g.atEnd {
			cost += g.cost
		} else if g.errorCost < costMissing || p.skips() {
			return false
		}
		if last.follows(g) && last.errorCost+costPerPart+last.next <= 2*costMissing {
			return false
		}
		if last = g; !p.supply() {
			return false
		}
	}
	end := int32(len(p.tokens)) - 1
	return cost == 0 || errorCost(src, p.tokens, 0, end, p.pieces) > cost
}

// A gap is a place where a closing token is missing.
type gap struct {
	at        int32
	atEnd     bool
	cost      int // of filling it
	errorCost int // of an error node over the statement instead
	next      int // characters to the end of the token after it
}

func (p *parser) gap(src string) gap {
	g := gap{at: p.far, atEnd: p.tokens[p.far].kind == tEOF, cost: costMissing}
	if g.atEnd && p.path {
		g.cost += costMissing
	}
	g.errorCost = errorCost(src, p.tokens, p.within.first, p.far, p.within.done+p.parts())
	if p.far > 0 {
		g.next = int(p.tokens[p.far].end - p.tokens[p.far-1].end)
	}
	return g
}

// follows tells whether the next gap comes one short token after this one, so
// that one error node may cover both.
func (g gap) follows(next gap) bool {
	return g.at > 0 && next.at == g.at+2 && g.next <= shortToken
}

// skips tells whether leaving out the token that did not fit, if it is so
// short that this is cheaper than a missing token, lets the parser go on.
func (p *parser) skips() bool {
	t, tokens := p.trouble, p.tokens
	if tokens[t.far].end-tokens[t.far].start > shortToken {
		return false
	}
	p.tokens = append(append(make([]token, 0, len(tokens)), tokens[:t.far]...), tokens[t.far+1:]...)
	goesOn := p.parse() || p.far > t.far+3 || p.tokens[t.far].kind == tEOF && p.want&wantSemi != 0
	p.tokens, p.trouble = tokens, t
	return goesOn
}

// parts is the number of parts that the statement in trouble has so
// far, in most cases; above one its exact value rarely matters.
func (p *parser) parts() int {
	switch {
	case p.lone:
		return 1
	case p.want&wantSemi != 0:
		return 2
	}
	return partsWithin
}

// errorCost is the cost of an error node over some tokens.
func errorCost(src string, tokens []token, from, to int32, parts int) int {
	start, end := tokens[from].start, max(tokens[from].start, tokens[to-1].end)
	return costError + costPerChar*int(end-start) +
		costPerLine*strings.Count(src[start:end], "\n") + costPerPart*parts
}

// parse starts over with the parser's tokens.
func (p *parser) parse() bool {
	*p = parser{tokens: p.tokens, nodes: p.nodes[:0], pieces: p.pieces, trouble: trouble{far: -1}}
	if p.program() {
		return true
	}
	if p.tokens[p.far].kind == tEOF {
		p.pieces = max(p.pieces, p.within.outer+min(p.parts(), partsOutside))
	}
	return false
}

// supply inserts a closing token that lets the parser get past the token that
// did not fit.
func (p *parser) supply() bool {
	t, tokens := p.trouble, p.tokens
	last := tokens[t.far].kind == tEOF
	for _, w := range wanted {
		if t.want&w.bit == 0 || last && !w.atEnd {
			continue
		}
		p.tokens = insert(tokens, t.far, w.kind)
		if p.parse() || p.far > t.far+1 || last && p.far == t.far+1 && p.want != 0 {
			return true
		}
		p.tokens = tokens
	}
	return false
}

func insert(tokens []token, at int32, k kind) []token {
	out := make([]token, 0, len(tokens)+1)
	out = append(out, tokens[:at]...)
	end := int32(0)
	if at > 0 {
		end = tokens[at-1].end
	}
	return append(append(out, token{kind: k, start: end, end: end}), tokens[at:]...)
}
