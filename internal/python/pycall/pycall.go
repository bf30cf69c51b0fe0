// Package pycall reads calls written as Python text, as upstream's ast_parse
// does: `[f(a=1), g(b="x")]` becomes [{"f": {"a": 1}}, {"g": {"b": "x"}}].
//
// Its place is between a model's text and the judges. The text goes through
// four steps, one file or two each:
//
//	lex, number, text           source text to tokens, CPython 3.11's tokenizer
//	parse, atom, args, fstring  tokens to nodes, the grammar of mode "eval"
//	resolve                     nodes to values, upstream's resolve_ast_call
//	unparse                     nodes to text, where upstream uses ast.unparse
//	eval, format                arithmetic on literals, where upstream uses eval
//
// Nothing is run: names, calls and attributes inside arithmetic are errors,
// although upstream evaluates them in its own namespace. Only Run calls
// functions, and only those that it is given.
package pycall

import (
	"fmt"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Error says why a text is not a list of calls.
type Error struct {
	Class  string // the Python exception that upstream raises
	Msg    string // what was found or expected
	Offset int    // where, in bytes from the start of the text that was parsed
}

// Error returns the class, the offset and the cause.
func (e *Error) Error() string { return fmt.Sprintf("%s at byte %d: %s", e.Class, e.Offset, e.Msg) }

// Parse reads a call, or a list, tuple or set display of calls, and returns the
// list of {name: {parameter: value}}. White space around the text, and then
// single quotes, are dropped, as upstream's ast_parse does for Python.
func Parse(src string) (pyval.Value, error) {
	return read(strings.Trim(pyval.Strip(src), "'"), (*parser).calls)
}

// read returns what a reading makes of one expression.
func read(src string, value reading) (pyval.Value, error) {
	p := start(src)
	defer p.release()
	body := p.eval()
	if p.err != nil {
		return nil, p.err
	}
	v := value(p, body)
	if p.err != nil {
		return nil, p.err
	}
	return v, nil
}

// ParseWhole reads calls that stand in a list or one behind another, on lines or
// with commas, and drops nothing: what Parse leaves out of a call is an error.
// It also reads what models write and Python does not: a line break in a text, a
// parameter that has a keyword's name, and JSON's true, false and null.
func ParseWhole(src string) (pyval.Value, error) {
	p := parsers.Get().(*parser)
	defer p.release()
	p.whole = true
	p.reset(pyval.Strip(src))
	out := &pyval.List{}
	for p.err == nil && p.tok != tEnd {
		if p.take(tNewline) || p.take(tComma) {
			continue
		}
		if found, ok := p.calls(p.expression()).(*pyval.List); ok && p.err == nil {
			out.Items = append(out.Items, found.Items...)
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return out, nil
}

// Literal reads a Python literal as Python's ast.literal_eval does.
func Literal(src string) (pyval.Value, error) {
	return read(strings.TrimLeft(src, " \t"), (*parser).literal)
}

var parsers = sync.Pool{New: func() any {
	return &parser{nodes: make([]node, firstChunk), names: new(pyval.Names)}
}}

func start(text string) *parser {
	p := parsers.Get().(*parser)
	p.reset(text)
	return p
}

// release makes the parser available again. It keeps the first chunk of nodes.
func (p *parser) release() {
	clear(p.nodes[:p.used])
	if p.kept != nil {
		p.nodes, p.kept = p.kept, nil
		clear(p.nodes)
	}
	clear(p.args)
	*p = parser{nodes: p.nodes, names: p.names, buf: p.buf[:0], args: p.args[:0]}
	if cap(p.buf) > 1<<16 {
		p.buf = nil
	}
	if cap(p.args) > 1<<10 {
		p.args = nil
	}
	parsers.Put(p)
}

// ParseV1 reads calls as the ast_parse of upstream's first release did. The
// whole text must be a list, tuple or set display of calls: nothing around it
// is dropped. A call without keyword arguments becomes its own text.
func ParseV1(src string) (pyval.Value, error) { return read(src, (*parser).callsV1) }

func (p *parser) callsV1(body *node) pyval.Value {
	if body.kind != kList && body.kind != kTuple && body.kind != kSet {
		return p.missing(body, "elts")
	}
	out := &pyval.List{}
	for e := body.first; e != nil && p.err == nil; e = e.next {
		if e.kind != kCall {
			return p.wrong(e, "AssertionError", "")
		}
		out.Items = append(out.Items, p.value(e))
	}
	return out
}
