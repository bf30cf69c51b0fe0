package pycall

import (
	"bytes"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxUnparse bounds the depth of a tree that is written back or computed,
// about where Python's recursive ast.unparse raises RecursionError.
const maxUnparse = 326

// Precedences of Python's ast.unparse, loosest first.
const (
	precNamed = iota
	precTuple
	precYield
	precTest
	precOr
	precAnd
	precNot
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precArith
	precTerm
	precFactor
	precPower
	precAwait
	precAtom
)

var precedences = [256]int{
	tOr: precBitOr, tXor: precBitXor, tAnd: precBitAnd, tLeftShift: precShift, tRightShift: precShift,
	tPlus: precArith, tMinus: precArith, tStar: precTerm, tSlash: precTerm, tDoubleSlash: precTerm,
	tPercent: precTerm, tAt: precTerm, tDoubleStar: precPower, tBoolAnd: precAnd, tBoolOr: precOr,
}

// unparse is Python's ast.unparse(n).
func (p *parser) unparse(n *node) string {
	if n.depth > maxUnparse {
		p.fail("RecursionError", int(n.pos), "nested too deeply to be written back")
		return ""
	}
	w := unparser{p: p, out: p.buf[:0]}
	w.expr(n, precTest)
	p.buf = w.out[:0]
	return string(w.out)
}

type unparser struct {
	p     *parser
	out   []byte
	plain bool // strings avoid backslashes, as within an f-string's braces
}

func (w *unparser) text(s string) { w.out = append(w.out, s...) }

// enclose opens a parenthesis around what binds looser than required.
func (w *unparser) enclose(own, asked int) bool {
	if asked > own {
		w.text("(")
		return true
	}
	return false
}

func (w *unparser) closeIf(opened bool) {
	if opened {
		w.text(")")
	}
}

// expr writes a node in a place that requires a precedence.
func (w *unparser) expr(n *node, asked int) {
	switch n.kind {
	case kName:
		w.text(n.text)
	case kConst:
		w.constant(n)
	case kFString:
		w.fstring(n)
	case kList:
		w.elements("[", n, "]")
	case kSet:
		w.elements("{", n, "}")
	case kDict:
		w.elements("{", n, "}")
	case kTuple:
		w.tuple(n, asked)
	case kPair:
		w.expr(n.first, precTest)
		w.text(": ")
		w.expr(n.second(), precTest)
	case kUnpack:
		w.text("**")
		w.expr(n.first, precBitOr)
	case kStarred:
		w.text("*")
		w.expr(n.first, precBitOr)
	case kCall:
		w.call(n)
	case kKeyword:
		w.keyword(n)
	case kAttribute:
		w.attribute(n)
	case kSubscript:
		w.subscript(n)
	case kSlice:
		w.slice(n)
	case kListComp:
		w.comprehension("[", n, "]")
	case kSetComp, kDictComp:
		w.comprehension("{", n, "}")
	case kGenerator:
		w.comprehension("(", n, ")")
	default:
		w.operation(n, asked)
	}
}

// operation writes the nodes that may need parentheses.
func (w *unparser) operation(n *node, asked int) {
	switch n.kind {
	case kNamed:
		opened := w.enclose(precNamed, asked)
		w.expr(n.first, precAtom)
		w.text(" := ")
		w.expr(n.second(), precAtom)
		w.closeIf(opened)
	case kAwait:
		w.prefixed("await", precAwait, n, asked)
	case kYield:
		w.prefixed("yield", precYield, n, asked)
	case kYieldFrom:
		w.prefixed("yield from", precYield, n, asked)
	case kUnary:
		w.unary(n, asked)
	case kBinary:
		w.binary(n, asked)
	case kBool:
		w.boolean(n, asked)
	case kCompare:
		w.compare(n, asked)
	case kIf:
		w.conditional(n, asked)
	case kLambda:
		w.lambda(n, asked)
	}
}

func (w *unparser) prefixed(word string, own int, n *node, asked int) {
	opened := w.enclose(own, asked)
	w.text(word)
	if n.first != nil {
		w.text(" ")
		w.expr(n.first, precAtom)
	}
	w.closeIf(opened)
}

func (w *unparser) unary(n *node, asked int) {
	own := precFactor
	if n.op == tNot {
		own = precNot
	}
	opened := w.enclose(own, asked)
	w.text(spellings[n.op])
	if n.op == tNot {
		w.text(" ")
	}
	w.expr(n.first, own)
	w.closeIf(opened)
}

func (w *unparser) binary(n *node, asked int) {
	own := precedences[n.op]
	left, right := own, own+1
	if n.op == tDoubleStar {
		left, right = own+1, own
	}
	opened := w.enclose(own, asked)
	w.expr(n.first, left)
	w.text(" ")
	w.text(spellings[n.op])
	w.text(" ")
	w.expr(n.second(), right)
	w.closeIf(opened)
}

// boolean keeps a quirk of CPython: each value must bind tighter than the one
// before.
func (w *unparser) boolean(n *node, asked int) {
	own := precedences[n.op]
	opened := w.enclose(own, asked)
	for e := n.first; e != nil; e = e.next {
		if e != n.first {
			w.text(" ")
			w.text(spellings[n.op])
			w.text(" ")
		}
		own = min(own+1, precAtom)
		w.expr(e, own)
	}
	w.closeIf(opened)
}

func (w *unparser) compare(n *node, asked int) {
	opened := w.enclose(precCompare, asked)
	w.expr(n.first, precBitOr)
	for e := n.second(); e != nil; e = e.next {
		w.text(" ")
		w.text(spellings[e.op])
		w.text(" ")
		w.expr(e.first, precBitOr)
	}
	w.closeIf(opened)
}

func (w *unparser) conditional(n *node, asked int) {
	opened := w.enclose(precTest, asked)
	body, test := n.first, n.second()
	w.expr(body, precOr)
	w.text(" if ")
	w.expr(test, precOr)
	w.text(" else ")
	w.expr(test.next, precTest)
	w.closeIf(opened)
}

func (w *unparser) items(first *node) {
	for e := first; e != nil; e = e.next {
		if e != first {
			w.text(", ")
		}
		w.expr(e, precTest)
	}
}

func (w *unparser) elements(left string, n *node, right string) {
	w.text(left)
	w.items(n.first)
	w.text(right)
}

// tupleItems writes a tuple's elements, a single one with a comma.
func (w *unparser) tupleItems(n *node) {
	w.items(n.first)
	if n.first != nil && n.first.next == nil {
		w.text(",")
	}
}

func (w *unparser) tuple(n *node, asked int) {
	opened := n.first == nil || asked > precTuple
	if opened {
		w.text("(")
	}
	w.tupleItems(n)
	w.closeIf(opened)
}

// call writes positional arguments before keywords, as Python's tree has them.
func (w *unparser) call(n *node) {
	w.expr(n.first, precAtom)
	w.text("(")
	separator := ""
	for _, keywords := range [...]bool{false, true} {
		for a := n.second(); a != nil; a = a.next {
			if keywords == (a.kind == kKeyword) {
				w.text(separator)
				w.expr(a, precTest)
				separator = ", "
			}
		}
	}
	w.text(")")
}

func (w *unparser) keyword(n *node) {
	if n.op == 1 {
		w.text("**")
	} else {
		w.text(n.text)
		w.text("=")
	}
	w.expr(n.first, precTest)
}

// attribute writes a blank between an int and the dot, which would otherwise
// belong to the number.
func (w *unparser) attribute(n *node) {
	w.expr(n.first, precAtom)
	if v := n.first; v.kind == kConst && (v.val.Kind() == pyval.KindInt || v.val.Kind() == pyval.KindBool) {
		w.text(" ")
	}
	w.text(".")
	w.text(n.text)
}

func (w *unparser) subscript(n *node) {
	w.expr(n.first, precAtom)
	w.text("[")
	if index := n.second(); index.kind == kTuple && index.first != nil {
		w.tupleItems(index)
	} else {
		w.expr(index, precTest)
	}
	w.text("]")
}

func (w *unparser) slice(n *node) {
	part := n.first
	for _, bit := range [...]uint8{1, 2, 4} {
		if bit == 2 || bit == 4 && n.op&bit != 0 {
			w.text(":")
		}
		if n.op&bit != 0 {
			w.expr(part, precTest)
			part = part.next
		}
	}
}

func (w *unparser) constant(n *node) {
	switch v := n.val.(type) {
	case pyval.Float, pyval.Complex:
		// Infinity has no literal; 1e309 overflows to it.
		w.out = append(w.out, bytes.ReplaceAll(pyval.AppendRepr(nil, v), []byte("inf"), []byte("1e309"))...)
		return
	case pyval.EllipsisType:
		w.text("...")
		return
	case pyval.Str:
		if n.op == 1 {
			w.text("u")
		}
		if w.plain {
			w.quoted(string(v))
			return
		}
	case pyval.Int:
		if tooLong(v) {
			w.p.fail("ValueError", int(n.pos), "integer too long to be written")
			return
		}
	}
	w.out = pyval.AppendRepr(w.out, n.val)
}

// tooLong reports whether an int has more digits than CPython writes; a bit is
// less than a third of a digit.
func tooLong(n pyval.Int) bool {
	if _, small := n.Int64(); small {
		return false
	}
	bits := n.Big().BitLen()
	return bits > 4*maxDigits || bits > 3*maxDigits && len(n.String()) > maxDigits
}
