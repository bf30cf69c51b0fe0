package pycall

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// calls is the second half of upstream's ast_parse: the body must be a call or
// have elements that are calls.
func (p *parser) calls(body *node) pyval.Value {
	switch body.kind {
	case kCall:
		return pyval.NewList(p.call(body))
	case kList, kTuple, kSet:
	default:
		return p.missing(body, "elts")
	}
	out := pyval.MakeList(count(body.first))
	i := 0
	for e := body.first; e != nil && p.err == nil; e = e.next {
		if e.kind != kCall {
			p.fail("AssertionError", int(e.pos), "element is not a call")
			break
		}
		out.Items[i] = p.call(e)
		i++
	}
	return out
}

func count(n *node) (total int) {
	for ; n != nil; n = n.next {
		total++
	}
	return total
}

// missing is Python's AttributeError for a node.
func (p *parser) missing(n *node, attribute string) pyval.Value {
	return p.wrong(n, "AttributeError", "'"+kindNames[n.kind]+"' object has no attribute '"+attribute+"'")
}

// wrong fails on behalf of a function that returns a value.
func (p *parser) wrong(n *node, class, msg string) pyval.Value {
	p.fail(class, int(n.pos), msg)
	return pyval.None
}

// call is upstream's resolve_ast_call: positional arguments are dropped, and
// only names and attributes count in the function.
func (p *parser) call(n *node) pyval.Value {
	args := pyval.NewDict(n.keywordCount())
	for a := n.second(); a != nil && p.err == nil; a = a.next {
		switch {
		case p.whole && (a.kind != kKeyword || a.op == 1):
			p.fail("ValueError", int(a.pos), "expected an argument with its name")
		case p.whole && args.Has(a.text):
			p.fail("ValueError", int(a.pos), "expected each argument once")
		case a.kind != kKeyword:
		case a.op == 1:
			_ = args.Set(pyval.None, p.value(a.first))
		default:
			_ = args.Set(p.names.Str(a.text), p.value(a.first))
		}
	}
	if root := n.first; p.whole {
		for ; root.kind == kAttribute; root = root.first {
		}
		if root.kind != kName {
			p.fail("ValueError", int(n.pos), "expected a function's name")
		}
	}
	out := pyval.NewDict(1)
	_ = out.Set(p.names.Str(p.functionName(n.first)), args) // a str is hashable
	return out
}

func (n *node) keywordCount() (total int) {
	for a := n.second(); a != nil; a = a.next {
		if a.kind == kKeyword {
			total++
		}
	}
	return total
}

func (p *parser) functionName(f *node) string {
	if f.kind == kName {
		return f.text
	}
	if name, ok := p.written(f); ok {
		return name
	}
	size := 0
	for g := f; g.kind == kAttribute; g = g.first {
		size++
	}
	parts := make([]string, size+1)
	for ; f.kind == kAttribute; f = f.first {
		parts[size] = f.text
		size--
	}
	if f.kind != kName {
		return strings.Join(parts[1:], ".")
	}
	parts[0] = f.text
	return strings.Join(parts, ".")
}

// written returns names joined by dots as a part of the source, if the source
// has nothing else between them.
func (p *parser) written(f *node) (name string, ok bool) {
	size := 0
	for g := f; g != nil; g = g.first {
		size += len(g.text) + 1
	}
	start := int(f.pos)
	if start+size-1 > len(p.src) {
		return "", false
	}
	name = p.src[start : start+size-1]
	rest := name
	for ; f.kind == kAttribute; f = f.first {
		end := len(rest) - len(f.text) - 1
		if end <= 0 || rest[end] != '.' || rest[end+1:] != f.text {
			return "", false
		}
		rest = rest[:end]
	}
	return name, f.kind == kName && rest == f.text
}

// value is upstream's resolve_ast_by_type.
func (p *parser) value(n *node) pyval.Value {
	switch n.kind {
	case kConst:
		if n.val == pyval.Ellipsis {
			return pyval.Str("...")
		}
		return n.val
	case kName:
		return pyval.Str(n.text)
	case kUnary:
		return p.negated(n)
	case kList:
		return &pyval.List{Items: p.each(n, (*parser).value)}
	case kTuple:
		return &pyval.Tuple{Items: p.each(n, (*parser).value)}
	case kDict:
		return p.dict(n, (*parser).value, (*parser).unsupportedUnpack)
	case kBinary:
		return p.arithmetic(n)
	case kCall:
		if n.op == 0 {
			return pyval.Str(p.unparse(n))
		}
		return p.call(n)
	case kSubscript:
		return pyval.Str(p.unparse(n.first) + "[" + p.unparse(n.second()) + "]")
	case kLambda:
		return p.wrong(n, "TypeError", "the body of a lambda is not subscriptable")
	}
	return p.wrong(n, "Exception", "Unsupported AST type: <class 'ast."+kindNames[n.kind]+"'>")
}

// A reading returns the value of a node.
type reading func(p *parser, n *node) pyval.Value

// each returns the values of a display's elements.
func (p *parser) each(n *node, read reading) []pyval.Value {
	if n.first == nil {
		return nil
	}
	out := make([]pyval.Value, 0, count(n.first))
	for e := n.first; e != nil && p.err == nil; e = e.next {
		out = append(out, read(p, e))
	}
	return out
}

// dict returns the value of a dict display; unpacked returns it if there is a
// ** in the display.
func (p *parser) dict(n *node, read, unpacked reading) pyval.Value {
	d := pyval.NewDict(count(n.first))
	for e := n.first; e != nil && p.err == nil; e = e.next {
		if e.kind == kUnpack {
			return unpacked(p, n)
		}
		key := read(p, e.first)
		if err := d.Set(key, read(p, e.second())); err != nil {
			return p.wrong(e, "TypeError", err.Error())
		}
	}
	return d
}

func (p *parser) unsupportedUnpack(n *node) pyval.Value {
	return p.wrong(n, "Exception", "Unsupported AST type: <class 'NoneType'>")
}

// negated keeps a quirk of upstream's resolve_ast_by_type: every unary
// operator, also "not", "~" and "+", is taken for a minus.
func (p *parser) negated(n *node) pyval.Value {
	switch n.first.kind {
	case kConst:
		v, err := pyval.Unary("-", n.first.val)
		if err != nil {
			return p.raise(n, err)
		}
		return v
	case kAttribute, kSubscript, kAwait, kYield, kYieldFrom, kNamed, kDictComp:
		return p.wrong(n, "TypeError", "bad operand type for unary -")
	}
	return p.missing(n.first, "value")
}

// literal is the rest of Python's ast.literal_eval.
func (p *parser) literal(n *node) pyval.Value {
	if p.err != nil {
		return pyval.None
	}
	switch n.kind {
	case kConst:
		return n.val
	case kTuple:
		return &pyval.Tuple{Items: p.each(n, (*parser).literal)}
	case kList:
		return &pyval.List{Items: p.each(n, (*parser).literal)}
	case kSet:
		return p.setOf(n, p.each(n, (*parser).literal))
	case kDict:
		return p.dict(n, (*parser).literal, (*parser).malformed)
	case kCall:
		if n.first.kind == kName && n.first.text == "set" && n.first.next == nil {
			return &pyval.Set{}
		}
	case kUnary:
		if v := n.first; v.kind == kConst && (n.op == tPlus || n.op == tMinus) && isNumber(v.val) {
			signed, _ := pyval.Unary(spellings[n.op], v.val) // every number can have a sign
			return signed
		}
	case kBinary:
		return p.complexLiteral(n)
	}
	return p.malformed(n)
}

func (p *parser) malformed(n *node) pyval.Value {
	return p.wrong(n, "ValueError", "malformed node or string: "+kindNames[n.kind])
}

func (p *parser) setOf(n *node, items []pyval.Value) pyval.Value {
	s, err := pyval.NewSet(items...)
	if err != nil {
		return p.wrong(n, "TypeError", err.Error())
	}
	return s
}

// complexLiteral reads 1+2j: a real number, then an imaginary one.
func (p *parser) complexLiteral(n *node) pyval.Value {
	right, ok := n.second().val.(pyval.Complex)
	if n.second().kind != kConst || !ok || n.op != tPlus && n.op != tMinus {
		return p.malformed(n)
	}
	left := n.first
	if left.kind != kConst && left.kind != kUnary {
		return p.malformed(left)
	}
	re := p.literal(left)
	if p.err != nil {
		return pyval.None
	}
	if re.Kind() != pyval.KindInt && re.Kind() != pyval.KindFloat {
		return p.malformed(n)
	}
	return p.binaryValue(n, n.op, re, right)
}

func isNumber(v pyval.Value) bool {
	return v.Kind() == pyval.KindInt || v.Kind() == pyval.KindFloat || v.Kind() == pyval.KindComplex
}
