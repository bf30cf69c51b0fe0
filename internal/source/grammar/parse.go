package grammar

// A Pos is a place between the tokens of a text: the offset at which the token
// before it ends, and how many tokens that were made up there lie behind.
type Pos int

const madeUp = 4 // bits of a Pos that count tokens made up

// At returns the place at an offset.
func At(offset int) Pos { return Pos(offset << madeUp) }

// Offset returns the number of bytes before a place.
func (p Pos) Offset() int { return int(p >> madeUp) }

// A Node is a part of a text that the grammar names.
type Node struct {
	Kind       int8
	Start, End int // bytes, without the blanks before
	Kids       []*Node
	from       Pos
}

// A Parse is one reading of a text.
type Parse struct {
	Src     string
	g       *Grammar
	nodes   []*Node
	open    frame // of the innermost rule that opens
	note    int
	quiet   int // within what must or must not follow
	depth   int
	steps   int
	deep    bool    // the text is too deep, or too dear
	far     Pos     // the furthest place that did not fit
	want    set     // the tokens that would have fitted there
	heads   []int32 // by offset, the latest of what was kept there, from 1
	kept    []found
	tokens  []Token  // by offset, the token after it
	inserts []insert // tokens made up, by offset
	skip    int      // the offset after which a token is left out; -1: none
}

type frame struct {
	from Pos
	mark int
}

// A found is what a rule found at a place.
type found struct {
	rule  int32
	older int32 // what was kept before at the same offset
	pos   Pos
	end   Pos
	nodes []*Node
	note  int8
	ok    bool
	quiet bool // what it missed was not noted
}

// The nesting that is read, and the rules that are tried for each byte.
const (
	maxDepth     = 120_000
	stepsPerByte = 40
)

// Token returns the token after a place.
func (p *Parse) Token(pos Pos) Token {
	off := pos.Offset()
	if len(p.inserts) > 0 {
		n := int(pos) & (1<<madeUp - 1)
		for _, in := range p.inserts {
			if in.at != off {
				continue
			}
			if n == 0 {
				return Token{Start: off, End: off, Kind: in.kind, text: in.text}
			}
			n--
		}
	}
	t := &p.tokens[off]
	if !t.ready {
		*t = p.g.token(p.Src, off)
	}
	if off == p.skip {
		return p.g.token(p.Src, t.End)
	}
	return *t
}

// after returns the place after a token that was taken at a place.
func (p *Parse) after(pos Pos, t Token) Pos {
	if t.Start == t.End && t.Kind != EOF {
		return pos + 1
	}
	return At(t.End)
}

// Text reports whether a token has a text that the grammar names.
func (p *Parse) Text(t Token, text string) bool { return t.text > 0 && t.text == p.g.texts[text] }

// miss notes that nothing of a set fits at a place.
func (p *Parse) miss(pos Pos, s *set) {
	if p.quiet > 0 || pos < p.far {
		return
	}
	if pos > p.far {
		p.far, p.want = pos, set{}
	}
	p.want.join(*s)
}

// match reads an expression at a place.
func (p *Parse) match(e *expr, pos Pos) (Pos, bool) {
	switch e.op {
	case opTake:
		t := p.Token(pos)
		if !e.first.fits(t) {
			p.miss(pos, &e.first)
			return pos, false
		}
		return p.after(pos, t), true
	case opSeq:
		for _, k := range e.kids {
			next, ok := p.match(k, pos)
			if !ok {
				return pos, false
			}
			pos = next
		}
		return pos, true
	case opAlt:
		return p.either(e, pos)
	case opStar:
		for {
			next, ok := p.optional(e.kids[0], pos)
			if !ok || next == pos {
				return pos, true
			}
			pos = next
		}
	case opOpt:
		next, _ := p.optional(e.kids[0], pos)
		return next, true
	case opRule:
		return p.rule(e.n, pos)
	case opSpecial:
		next, ok := e.special(p, pos, p.Token(pos))
		if !ok {
			p.miss(pos, &set{})
		}
		return next, ok
	}
	return p.silent(e, pos)
}

// silent reads an expression that takes no token.
func (p *Parse) silent(e *expr, pos Pos) (Pos, bool) {
	switch e.op {
	case opAnd, opNot:
		mark, note := len(p.nodes), p.note
		p.quiet++
		_, ok := p.match(e.kids[0], pos)
		p.quiet--
		p.nodes, p.note = p.nodes[:mark], note
		if ok == (e.op == opAnd) {
			return pos, true
		}
		p.miss(pos, &set{})
		return pos, false
	case opNode:
		kids := append([]*Node(nil), p.nodes[p.open.mark:]...)
		n := &Node{Kind: int8(e.n), Start: p.start(p.open.from), End: pos.Offset(), Kids: kids, from: p.open.from}
		p.nodes = append(p.nodes[:p.open.mark], n)
	case opMark:
		p.nodes = append(p.nodes, &Node{Kind: int8(e.n), Start: pos.Offset(), End: pos.Offset(), from: pos})
	case opNote:
		p.note = e.n
	case opNoted:
		return pos, p.note == e.n
	}
	return pos, true
}

// start returns the offset of the token after a place.
func (p *Parse) start(pos Pos) int { return p.Token(pos).Start }

func (p *Parse) either(e *expr, pos Pos) (Pos, bool) {
	t := p.Token(pos)
	mark := len(p.nodes)
	for _, k := range e.kids {
		if !k.nullable && !k.first.fits(t) {
			p.miss(pos, &k.first)
			continue
		}
		if next, ok := p.match(k, pos); ok {
			return next, true
		}
		p.nodes = p.nodes[:mark]
	}
	return pos, false
}

func (p *Parse) optional(e *expr, pos Pos) (Pos, bool) {
	if !e.nullable && !e.first.fits(p.Token(pos)) {
		p.miss(pos, &e.first)
		return pos, false
	}
	mark := len(p.nodes)
	next, ok := p.match(e, pos)
	if !ok {
		p.nodes = p.nodes[:mark]
		return pos, false
	}
	return next, true
}

func (p *Parse) rule(i int, pos Pos) (Pos, bool) {
	r := &p.g.rules[i]
	if !r.nullable && !r.first.fits(p.Token(pos)) {
		p.miss(pos, &r.first)
		return pos, false
	}
	if r.keeps {
		if f := p.keeps(i, pos); f != nil && (!f.quiet || p.quiet > 0) {
			p.nodes, p.note = append(p.nodes, f.nodes...), int(f.note)
			return f.end, f.ok
		}
	}
	p.steps++
	p.depth++
	if p.deep || p.depth > maxDepth || p.steps > stepsPerByte*(len(p.Src)+100) {
		p.deep = true
		return pos, false
	}
	mark, around := len(p.nodes), p.open
	if r.opens {
		p.open = frame{pos, mark}
	}
	next, ok := p.match(r.body, pos)
	p.open = around
	p.depth--
	if !ok {
		p.nodes, next = p.nodes[:mark], pos
	}
	if r.keeps {
		p.keep(found{rule: int32(i), pos: pos, end: next, note: int8(p.note), ok: ok, quiet: p.quiet > 0}, p.nodes[mark:])
	}
	return next, ok
}

// keeps returns what a rule found at a place, or nil.
func (p *Parse) keeps(rule int, pos Pos) *found {
	for i := p.heads[pos.Offset()]; i > 0; i = p.kept[i-1].older {
		if f := &p.kept[i-1]; f.rule == int32(rule) && f.pos == pos {
			return f
		}
	}
	return nil
}

func (p *Parse) keep(f found, nodes []*Node) {
	if len(nodes) > 0 {
		f.nodes = append(f.nodes, nodes...)
	}
	f.older = p.heads[f.pos.Offset()]
	p.kept = append(p.kept, f)
	p.heads[f.pos.Offset()] = int32(len(p.kept))
}

// read reads the whole text by the grammar's first rule.
func (p *Parse) read() bool {
	clear(p.heads)
	p.nodes, p.kept, p.far, p.want, p.note = nil, p.kept[:0], -1, set{}, 0
	p.open, p.depth = frame{}, 0
	_, ok := p.rule(0, 0)
	return ok
}

// Kid returns the first node of a kind within a node, or nil.
func (n *Node) Kid(kind int8) *Node {
	for _, k := range n.Kids {
		if k.Kind == kind {
			return k
		}
	}
	return nil
}

// After returns the nodes within a node that come after the last one of a kind.
func (n *Node) After(kind int8) []*Node {
	for i := len(n.Kids) - 1; i >= 0; i-- {
		if n.Kids[i].Kind == kind {
			return n.Kids[i+1:]
		}
	}
	return nil
}

// Whole returns the node within a node that is all of it, or nil.
func (n *Node) Whole() *Node {
	if k := len(n.Kids) - 1; k >= 0 && n.Kids[k].Start == n.Start && n.Kids[k].End == n.End {
		return n.Kids[k]
	}
	return nil
}

// Rule reads a rule at a place, for a Special that finds one within what it
// scans.
func (p *Parse) Rule(name string, pos Pos) (Pos, bool) { return p.rule(p.g.names[name], pos) }

// Enter counts a level of nesting and reports whether that many are read; Leave
// ends the level.
func (p *Parse) Enter() bool {
	p.depth++
	p.steps++
	p.deep = p.deep || p.depth > maxDepth
	return !p.deep
}

// Leave ends a level of nesting.
func (p *Parse) Leave() { p.depth-- }
