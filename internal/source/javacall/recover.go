package javacall

// trouble describes the furthest token that did not fit.
type trouble struct {
	far    int32
	want   uint8 // what may be missing before it
	within body  // the body that it is in
	lone   bool  // all of that statement is one expression
	path   bool  // names joined by dots come before it
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

// lacks fails and notes which token may be missing.
func (p *parser) lacks(bit uint8) bool {
	if p.fail(); p.pos == p.far {
		p.want |= bit
		p.within = p.body
	}
	return false
}

// semicolon takes a semicolon. The one at the end of the whole text may be
// missing, at a cost; lone reports whether the statement is one expression.
func (p *parser) semicolon(lone bool) bool {
	if p.is(tEOF) && !p.body.nested {
		p.ending = trouble{far: p.pos, want: wantSemi, within: p.body, lone: lone, path: p.pathEnd == p.pos}
		return true
	}
	if p.close(tSemi) {
		return true
	}
	if p.pos == p.far {
		p.lone = lone
		p.path = p.pathEnd == p.pos
	}
	return false
}
