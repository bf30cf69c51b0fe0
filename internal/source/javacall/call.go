package javacall

import (
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// maxNesting bounds creations within creations, about where upstream's
// recursion fails.
const maxNesting = 490

// firstCall returns the first call in the text, the outermost of those that
// begin at the same token, or nil if there is none.
func firstCall(nodes []*grammar.Node) *grammar.Node {
	var first *grammar.Node
	var look func([]*grammar.Node)
	look = func(nodes []*grammar.Node) {
		for _, n := range nodes {
			if n.Kind == nCall && (first == nil || n.Start < first.Start) {
				first = n
			}
			look(n.Kids)
		}
	}
	look(nodes)
	return first
}

// A source cuts texts out of a Java text. Upstream cuts a str, which counts
// characters, at positions that count bytes; after the first character beyond
// ASCII every text is therefore shifted.
type source struct {
	text  string
	runes []int // where each character begins; nil for ASCII
}

func newSource(text string) source {
	s := source{text: text}
	if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		for i := range text {
			s.runes = append(s.runes, i)
		}
	}
	return s
}

func (s source) cut(start, end int) string {
	if s.runes != nil {
		start, end = s.offset(start), s.offset(end)
	}
	if start >= end {
		return ""
	}
	return s.text[start:end]
}

func (s source) offset(i int) int {
	if i < len(s.runes) {
		return s.runes[i]
	}
	return len(s.text)
}

// A renderer turns parts of a parsed text into the texts that upstream makes
// of them.
type renderer struct {
	source
	depth int
}

// call is upstream's result for a call.
func (r *renderer) call(n *grammar.Node) (pyval.Value, error) {
	args, err := r.arguments(n)
	if err != nil {
		return nil, err
	}
	out := pyval.Object(r.name(n), args)
	return pyval.NewList(out), nil
}

// name is the name of a call with the object before it.
func (r *renderer) name(n *grammar.Node) string {
	object, name := n.Kid(nObjectEnd), n.Kid(nName)
	if object == nil {
		return r.token(n.Start)
	}
	return r.cut(n.Start, object.Start) + "." + r.token(name.Start)
}

// token returns the text of the token after an offset.
func (r *renderer) token(at int) string {
	t := lex(r.text, at)
	return r.cut(t.Start, t.End)
}

// arguments are the named arguments of a call, and its one unnamed name or
// class under None.
func (r *renderer) arguments(n *grammar.Node) (*pyval.Dict, error) {
	args, repeated := pyval.NewDict(len(n.Kids)), false
	for _, arg := range n.After(nArgs) {
		key, val, err := r.argument(arg)
		if err != nil {
			return nil, err
		}
		if key == nil {
			continue
		}
		_, again := args.Get(key)
		repeated = repeated || again
		if err := args.Set(key, val); err != nil {
			return nil, err
		}
	}
	if repeated {
		return nil, &grammar.Error{Class: "Exception", Msg: "Error: Multiple arguments with the same name are not supported."}
	}
	return args, nil
}

// argument is the key and value of an argument; the key is nil for arguments
// that upstream leaves out.
func (r *renderer) argument(arg *grammar.Node) (key, val pyval.Value, err error) {
	if arg.Kind != nArgument {
		return nil, nil, nil
	}
	if whole := arg.Whole(); whole != nil {
		switch whole.Kind {
		case nAssign:
			return r.assigned(whole)
		case nClass:
			return pyval.None, pyval.Str(r.cut(arg.Start, arg.End)), nil
		}
	}
	t := lex(r.text, arg.Start)
	if t.End < arg.End || t.Kind != grammar.Word && arg.Start < arg.End {
		return nil, nil, nil
	}
	switch text := r.text[arg.Start:arg.End]; text {
	case "true", "false", "null", "this", "super":
		return nil, nil, nil
	}
	return pyval.None, pyval.Str(r.cut(arg.Start, arg.End)), nil
}

// assigned is the name and value of `name=value`. Upstream takes the
// assignment's first and third part, and comments are parts.
func (r *renderer) assigned(n *grammar.Node) (key, val pyval.Value, err error) {
	op, value := n.Kid(nOp).Start, n.Kid(nValue).Start
	key = pyval.Str(r.cut(n.Start, op))
	operator, first := lex(r.text, op).Start, lex(r.text, value).Start
	if value == n.End { // the value is missing
		first = value
	}
	between, after := r.comments(op, operator), r.comments(value, first)
	switch {
	case len(between) >= 2:
		return key, pyval.Str(between[1]), nil
	case len(between) == 1:
		return key, pyval.Str(r.cut(operator, value)), nil
	case len(after) > 0:
		return key, pyval.Str(after[0]), nil
	}
	text, err := r.value(first, n)
	return key, pyval.Str(text), err
}

// value is the text of an argument's value.
func (r *renderer) value(start int, n *grammar.Node) (string, error) {
	t := lex(r.text, start)
	if t.End == n.End && (t.Kind == grammar.String || t.Kind == grammar.Char) {
		return middle(r.cut(t.Start, t.End)), nil
	}
	var b strings.Builder
	err := r.render(&b, start, n.End, n.After(nValue))
	return b.String(), err
}

// middle is Python's s[1:-1].
func middle(s string) string {
	_, first := utf8.DecodeRuneInString(s)
	s = s[first:]
	_, last := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-last]
}

// render writes the tokens from start to end: nodes as upstream writes them,
// everything else without the blanks between tokens.
func (r *renderer) render(b *strings.Builder, start, end int, nodes []*grammar.Node) error {
	at := start
	err := r.within(nodes, func(n *grammar.Node) error {
		if n.Start < at || n.End > end {
			return nil
		}
		r.plain(b, start, at, n.Start)
		at = n.End
		return r.node(b, n)
	})
	r.plain(b, start, at, end)
	return err
}

// within goes through nodes, and through those of statements.
func (r *renderer) within(nodes []*grammar.Node, do func(*grammar.Node) error) error {
	for _, n := range nodes {
		var err error
		switch n.Kind {
		case nCall, nClass, nObject, nArray, nAssign, nArgument:
			err = do(n)
		default:
			err = r.within(n.Kids, do)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// plain writes tokens with the comments before them; a comment before the
// very first token of the whole is not part of it.
func (r *renderer) plain(b *strings.Builder, whole, at, end int) {
	for at < end {
		t := lex(r.text, at)
		if t.Start >= end {
			return
		}
		if t.Comments > 0 && t.Start > whole {
			for _, c := range r.comments(at, t.Start) {
				b.WriteString(c)
			}
		}
		b.WriteString(r.cut(t.Start, t.End))
		at = t.End
	}
}

// comments returns the comments between two offsets, whatever tokens are there
// as well.
func (r *renderer) comments(at, end int) []string {
	var out []string
	for at < end {
		n, _ := blank(r.text[at:])
		switch {
		case n == 0:
			at = lex(r.text, at).End
			continue
		case r.text[at] == '/':
			out = append(out, r.cut(at, at+n))
		}
		at += n
	}
	return out
}

// node writes a node as upstream's traverse_node does.
func (r *renderer) node(b *strings.Builder, n *grammar.Node) error {
	if r.depth++; r.depth > maxNesting {
		return &grammar.Error{Class: "RecursionError", Msg: "maximum recursion depth exceeded"}
	}
	defer func() { r.depth-- }()
	switch n.Kind {
	case nCall, nClass:
		b.WriteString(r.cut(n.Start, n.End))
		return nil
	case nObject:
		return r.object(b, n)
	case nArray:
		// Writes "new", the type, one pair of brackets and the initial values.
		// Without those upstream fails.
		initial := n.Kid(nInit)
		if initial == nil {
			return &grammar.Error{Class: "AttributeError", Msg: "'NoneType' object has no attribute 'type'"}
		}
		r.created(b, n)
		b.WriteString("[]")
		return r.render(b, lex(r.text, initial.Start).Start, n.End, n.After(nInit))
	}
	return r.render(b, n.Start, n.End, n.Kids)
}

// object writes "new", the type and the arguments. A body and what comes before
// "new" are left out.
func (r *renderer) object(b *strings.Builder, n *grammar.Node) error {
	r.created(b, n)
	b.WriteByte('(')
	separate := false
	next := func() {
		if separate {
			b.WriteString(", ")
		}
		separate = true
	}
	at, end := n.Kid(nArgs).Start, n.Kid(nArgsEnd).Start
	loose := func(to int) { // comments between arguments count as arguments
		for _, c := range r.comments(at, to) {
			next()
			b.WriteString(c)
		}
	}
	for _, arg := range n.After(nArgs) {
		if arg.Kind != nArgument || arg.End > end {
			continue
		}
		loose(arg.Start)
		next()
		if err := r.render(b, arg.Start, arg.End, arg.Kids); err != nil {
			return err
		}
		at = arg.End
	}
	loose(end)
	b.WriteByte(')')
	return nil
}

// created writes "new" and the type.
func (r *renderer) created(b *strings.Builder, n *grammar.Node) {
	b.WriteString("new ")
	start := lex(r.text, n.Kid(nType).Start).Start
	r.plain(b, start, start, n.Kid(nTypeEnd).Start)
}
