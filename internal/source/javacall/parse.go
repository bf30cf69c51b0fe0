package javacall

// maxDepth bounds the nesting of what is parsed, stepsPerToken the work: a
// text that is tried in two ways at each of many levels is given up.
const (
	maxDepth      = 10000
	stepsPerToken = 40
)

type nodeKind uint8

const (
	nCall nodeKind = iota
	nClass
	nObject
	nArray
	nAssign
	nArgument
)

// A node is a part of the text that a value's text or the search for the call
// depends on; everything else is just tokens. Nodes are in the order in which
// they ended, so that the nodes within nodes[i] are nodes[first:i].
type node struct {
	kind       nodeKind
	start, end int32 // tokens
	first      int32 // the first node within
	// nCall: the name, the end of the object (-1: none) and the "(".
	// nObject and nArray: the type's start and end, and the "(" or "{" (-1: none).
	// nAssign: the operator, in a.
	a, b, c int32
	// nObject: the end of the arguments.
	d int32
}

// A body is a sequence of statements or members.
type body struct {
	first  int32 // its first token
	done   int   // statements or members that ended
	outer  int   // the same for the top level, with what labels add
	nested bool  // it is not the top level
}

type parser struct {
	tokens []token
	nodes  []node
	pos    int32
	depth  int
	steps  int
	deep   bool // the text is too deep

	labelDepth int // the depth of the expression that a case label ends with

	body    body    // the innermost program, block or class body
	pathEnd int32   // the end of the latest names joined by dots
	trouble         // the furthest token that did not fit
	ending  trouble // the end of the text, if it lacks a semicolon

	matching []int32         // "(" to ")", made on demand
	typeEnds map[int32]int32 // "<" to the end of its type arguments, -1: none
}

func (p *parser) tok() token         { return p.tokens[p.pos] }
func (p *parser) is(k kind) bool     { return p.tokens[p.pos].kind == k }
func (p *parser) isWord(w word) bool { return p.tokens[p.pos].word == w }

func (p *parser) ahead(n int32) token {
	if i := p.pos + n; int(i) < len(p.tokens) {
		return p.tokens[i]
	}
	return p.tokens[len(p.tokens)-1]
}

func (p *parser) expect(k kind) bool {
	if !p.is(k) {
		return p.fail()
	}
	p.pos++
	return true
}

func (p *parser) word(w word) bool {
	if !p.isWord(w) {
		return p.fail()
	}
	p.pos++
	return true
}

// accept takes the token if it is of the given kind.
func (p *parser) accept(k kind) bool {
	if !p.is(k) {
		return false
	}
	p.pos++
	return true
}

func (p *parser) acceptWord(w word) bool {
	if !p.isWord(w) {
		return false
	}
	p.pos++
	return true
}

// name takes an identifier that is not a keyword of the given set.
func (p *parser) name(not words64) bool {
	if !p.is(tWord) || not.has(p.tok().word) {
		return p.fail()
	}
	p.pos++
	return true
}

// isName reports whether name would succeed.
func (p *parser) isName(not words64) bool { return p.is(tWord) && !not.has(p.tok().word) }

func (p *parser) enter() bool {
	p.depth++
	p.steps++
	if p.depth > maxDepth || p.steps > stepsPerToken*len(p.tokens) {
		p.deep = true
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

func (p *parser) mark() int32 { return int32(len(p.nodes)) }

func (p *parser) add(n node) {
	n.end = p.pos
	p.nodes = append(p.nodes, n)
}

// try runs a speculative parse and takes everything back if it fails.
func (p *parser) try(parse func() bool) bool {
	pos, nodes, depth, in := p.pos, len(p.nodes), p.depth, p.body
	if parse() {
		return true
	}
	p.pos, p.nodes, p.depth, p.body = pos, p.nodes[:nodes], depth, in
	return false
}

// match is the ")" that belongs to the "(" at the position, -1 if none does.
func (p *parser) match(pos int32) int32 {
	if p.matching == nil {
		p.matching = pairs(p.tokens)
	}
	return p.matching[pos]
}

func pairs(tokens []token) []int32 {
	out := make([]int32, len(tokens))
	var open []int32
	for i, t := range tokens {
		out[i] = -1
		switch t.kind {
		case tLParen, tLBracket, tLBrace:
			open = append(open, int32(i))
		case tRParen, tRBracket, tRBrace:
			if n := len(open); n > 0 && tokens[open[n-1]].kind == t.kind-1 {
				out[open[n-1]] = int32(i)
				open = open[:n-1]
			}
		}
	}
	return out
}
