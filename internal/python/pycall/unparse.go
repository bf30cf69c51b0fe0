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

func (w *unparser) text(parts ...string) {
	for _, s := range parts {
		w.out = append(w.out, s...)
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
	case kSet, kDict:
		w.elements("{", n, "}")
	case kTuple:
		opened := n.first == nil || asked > precTuple
		if opened {
			w.text("(")
		}
		w.tupleItems(n)
		if opened {
			w.text(")")
		}
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
		if n.op == 1 {
			w.text("**")
		} else {
			w.text(n.text, "=")
		}
		w.expr(n.first, precTest)
	case kAttribute:
		w.expr(n.first, precAtom)
		if v := n.first; v.kind == kConst && (v.val.Kind() == pyval.KindInt || v.val.Kind() == pyval.KindBool) {
			w.text(" ")
		}
		w.text(".", n.text)
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

// precedence returns that of a node that may need parentheses.
func precedence(n *node) int {
	switch n.kind {
	case kNamed:
		return precNamed
	case kAwait:
		return precAwait
	case kYield, kYieldFrom:
		return precYield
	case kCompare:
		return precCompare
	case kBinary, kBool:
		return precedences[n.op]
	case kUnary:
		if n.op == tNot {
			return precNot
		}
		return precFactor
	}
	return precTest
}

// operation writes the nodes that may need parentheses, which they get in a
// place that asks for a tighter one.
func (w *unparser) operation(n *node, asked int) {
	own := precedence(n)
	if asked > own {
		w.text("(")
		defer w.text(")")
	}
	switch n.kind {
	case kNamed:
		w.expr(n.first, precAtom)
		w.text(" := ")
		w.expr(n.second(), precAtom)
	case kAwait:
		w.prefixed("await", n)
	case kYield:
		w.prefixed("yield", n)
	case kYieldFrom:
		w.prefixed("yield from", n)
	case kUnary:
		w.text(spellings[n.op])
		if n.op == tNot {
			w.text(" ")
		}
		w.expr(n.first, own)
	case kBinary:
		left, right := own, own+1
		if n.op == tDoubleStar {
			left, right = own+1, own
		}
		w.expr(n.first, left)
		w.text(" ", spellings[n.op], " ")
		w.expr(n.second(), right)
	case kBool:
		w.boolean(n, own)
	case kCompare:
		w.expr(n.first, precBitOr)
		for e := n.second(); e != nil; e = e.next {
			w.text(" ", spellings[e.op], " ")
			w.expr(e.first, precBitOr)
		}
	case kIf:
		body, test := n.first, n.second()
		w.expr(body, precOr)
		w.text(" if ")
		w.expr(test, precOr)
		w.text(" else ")
		w.expr(test.next, precTest)
	case kLambda:
		w.lambda(n)
	}
}

func (w *unparser) prefixed(word string, n *node) {
	w.text(word)
	if n.first != nil {
		w.text(" ")
		w.expr(n.first, precAtom)
	}
}

// boolean keeps a quirk of CPython: each value must bind tighter than the one
// before.
func (w *unparser) boolean(n *node, own int) {
	for e := n.first; e != nil; e = e.next {
		if e != n.first {
			w.text(" ", spellings[n.op], " ")
		}
		own = min(own+1, precAtom)
		w.expr(e, own)
	}
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

func (w *unparser) comprehension(left string, n *node, right string) {
	w.text(left)
	w.expr(n.first, precTest)
	for c := n.second(); c != nil; c = c.next {
		if c.op == 1 {
			w.text(" async")
		}
		w.text(" for ")
		w.expr(c.first, precTuple)
		w.text(" in ")
		iterable := c.second()
		w.expr(iterable, precOr)
		for e := iterable.next; e != nil; e = e.next {
			w.text(" if ")
			w.expr(e, precOr)
		}
	}
	w.text(right)
}

func (w *unparser) lambda(n *node) {
	w.text("lambda")
	separator, pass := " ", uint8(passPlain)
	param := n.first
	for ; param.kind == kParam; param = param.next {
		w.text(separator)
		separator = ", "
		if pass == passPosOnly && param.op != passPosOnly {
			w.text("/, ")
		}
		switch {
		case param.op == passVar:
			w.text("*")
		case param.op == passKwargs:
			w.text("**")
		case param.op == passKeyOnly && pass != passVar && pass != passKeyOnly:
			w.text("*, ")
		}
		w.text(param.text)
		if param.first != nil {
			w.text("=")
			w.expr(param.first, precTest)
		}
		pass = param.op
	}
	if pass == passPosOnly {
		w.text(", /")
	}
	w.text(": ")
	w.expr(param, precTest)
}
