package javacall

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Error is an exception that upstream raises.
type Error struct {
	Class string // the exception's class, as Python names it
	Msg   string // its text
}

// Error returns the class and the text.
func (e *Error) Error() string { return e.Class + ": " + e.Msg }

func syntaxError() error {
	return &Error{"SyntaxError", "Error parsing java the source code."}
}

// maxNesting bounds creations within creations, about where upstream's
// recursion fails.
const maxNesting = 490

// firstCall is the node of the first call in the text, the outermost of those
// that begin at the same token, or -1 if there is none.
func (p *parser) firstCall() int {
	first := -1
	for i := range p.nodes {
		if n := &p.nodes[i]; n.kind == nCall && (first < 0 || n.start <= p.nodes[first].start) {
			first = i
		}
	}
	return first
}

// A source cuts texts out of a Java text. Upstream cuts a str, which counts
// characters, at positions that count bytes; after the first character beyond
// ASCII every text is therefore shifted.
type source struct {
	text  string
	runes []int32 // where each character begins; nil for ASCII
}

func newSource(text string) source {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			s := source{text: text, runes: make([]int32, 0, len(text))}
			for i := range text {
				s.runes = append(s.runes, int32(i))
			}
			return s
		}
	}
	return source{text: text}
}

func (s source) cut(start, end int32) string {
	if s.runes != nil {
		start, end = s.offset(start), s.offset(end)
	}
	if start >= end {
		return ""
	}
	return s.text[start:end]
}

func (s source) offset(i int32) int32 {
	if int(i) < len(s.runes) {
		return s.runes[i]
	}
	return int32(len(s.text))
}

// A renderer turns parts of a parsed text into the texts that upstream makes
// of them.
type renderer struct {
	*parser
	source
	comments []comment
	names    *pyval.Names
	depth    int
}

// raw is the text of tokens as it is in the source.
func (r *renderer) raw(start, end int32) string {
	if start >= end {
		return ""
	}
	return r.cut(r.tokens[start].start, r.tokens[end-1].end)
}

// call is upstream's result for a call.
func (r *renderer) call(i int) (pyval.Value, error) {
	args, err := r.arguments(i)
	if err != nil {
		return nil, err
	}
	out := pyval.NewDict(1)
	_ = out.Set(r.names.Str(r.name(&r.nodes[i])), args) // a str is hashable
	list := pyval.MakeList(1)
	list.Items[0] = out
	return list, nil
}

// name is the name of a call with the object before it.
func (r *renderer) name(n *node) string {
	if n.b < 0 {
		return r.raw(n.a, n.a+1)
	}
	if n.a == n.b+1 && r.asWritten(n.start, n.a+1) {
		return r.raw(n.start, n.a+1)
	}
	return r.raw(n.start, n.b) + "." + r.raw(n.a, n.a+1)
}

// asWritten reports whether the source has no blanks or comments between the
// tokens and can be cut there.
func (r *renderer) asWritten(start, end int32) bool {
	if r.runes != nil {
		return false
	}
	for i := start + 1; i < end; i++ {
		if r.tokens[i].start != r.tokens[i-1].end {
			return false
		}
	}
	return true
}

// arguments are the named arguments of a call, and its one unnamed name or
// class under None.
func (r *renderer) arguments(i int) (*pyval.Dict, error) {
	inner := r.within(r.nodes[i].c, int32(i), r.nodes[i].first)
	args := pyval.NewDict(len(inner))
	repeated := false
	for _, k := range inner {
		key, val, err := r.argument(k)
		if err != nil {
			return nil, err
		}
		if key == nil {
			continue
		}
		if _, ok := args.Get(key); ok {
			repeated = true
		}
		if err := args.Set(key, val); err != nil {
			return nil, err
		}
	}
	if repeated {
		return nil, &Error{"Exception", "Error: Multiple arguments with the same name are not supported."}
	}
	return args, nil
}

// argument is the key and value of an argument; the key is nil for arguments
// that upstream leaves out.
func (r *renderer) argument(k int32) (key, val pyval.Value, err error) {
	arg := r.nodes[k]
	if arg.kind != nArgument {
		return nil, nil, nil
	}
	if k > arg.first {
		if n := r.nodes[k-1]; n.start == arg.start && n.end == arg.end {
			switch n.kind {
			case nAssign:
				return r.assigned(k - 1)
			case nClass:
				return pyval.None, pyval.Str(r.raw(n.start, n.end)), nil
			}
		}
	}
	if t := r.tokens[arg.start]; arg.end == arg.start+1 && t.kind == tWord && !constant.has(t.word) {
		return pyval.None, pyval.Str(r.raw(arg.start, arg.end)), nil
	}
	return nil, nil, nil
}

// assigned is the name and value of `name=value`. Upstream takes the
// assignment's first and third part, and comments are parts.
func (r *renderer) assigned(k int32) (key, val pyval.Value, err error) {
	n := r.nodes[k]
	key = r.names.Str(r.raw(n.start, n.a))
	value := n.a + 1
	if r.tokens[n.a].kind == tGt {
		for r.tokens[value-1].kind == tGt {
			value++
		}
	}
	var between, after []comment
	if len(r.comments) > 0 {
		between, after = r.commentsAt(n.a, n.a), r.commentsAt(value, value)
	}
	switch {
	case len(between) >= 2:
		return key, pyval.Str(r.cut(between[1].start, between[1].end)), nil
	case len(between) == 1:
		return key, pyval.Str(r.raw(n.a, value)), nil
	case len(after) > 0:
		return key, pyval.Str(r.cut(after[0].start, after[0].end)), nil
	}
	text, err := r.value(value, n.end, k, n.first)
	return key, pyval.Str(text), err
}

// value is the text of an argument's value.
func (r *renderer) value(start, end, last, first int32) (string, error) {
	if k := r.tokens[start].kind; end == start+1 && (k == tString || k == tChar) {
		s := r.source
		if s.runes == nil {
			return s.text[r.tokens[start].start+1 : r.tokens[start].end-1], nil
		}
		return middle(r.raw(start, end)), nil
	}
	if last == first && r.asWritten(start, end) { // no node within
		return r.raw(start, end), nil
	}
	var b strings.Builder
	err := r.render(&b, start, end, last, first)
	return b.String(), err
}

// middle is Python's s[1:-1].
func middle(s string) string {
	_, first := utf8.DecodeRuneInString(s)
	s = s[first:]
	_, last := utf8.DecodeLastRuneInString(s)
	return s[:len(s)-last]
}

// within lists, in the order of the text, the outermost nodes of
// nodes[first:last] that begin at or after a token.
func (r *renderer) within(start, last, first int32) []int32 {
	n := 0
	for i := last - 1; i >= first && r.nodes[i].start >= start; i = r.nodes[i].first - 1 {
		n++
	}
	out := make([]int32, n)
	for i := last - 1; n > 0; i = r.nodes[i].first - 1 {
		n--
		out[n] = i
	}
	return out
}

// render writes the tokens from start to end: nodes as upstream writes them,
// everything else without the blanks between tokens. nodes[first:last] hold the
// nodes within.
func (r *renderer) render(b *strings.Builder, start, end, last, first int32) error {
	from := start
	for _, i := range r.within(start, last, first) {
		n := r.nodes[i]
		if n.start < from || n.end > end {
			continue
		}
		r.plain(b, start, from, n.start)
		if err := r.node(b, i); err != nil {
			return err
		}
		from = n.end
	}
	r.plain(b, start, from, end)
	return nil
}

// plain writes tokens with the comments before them; a comment before the
// very first token of the whole is not part of it.
func (r *renderer) plain(b *strings.Builder, whole, start, end int32) {
	if len(r.comments) == 0 && r.runes == nil {
		for _, t := range r.tokens[start:end] {
			b.WriteString(r.text[t.start:t.end])
		}
		return
	}
	for i := start; i < end; i++ {
		if i > whole {
			r.writeComments(b, i)
		}
		b.WriteString(r.raw(i, i+1))
	}
}

func (r *renderer) writeComments(b *strings.Builder, i int32) {
	for _, c := range r.commentsAt(i, i) {
		b.WriteString(r.cut(c.start, c.end))
	}
}

// commentsAt are the comments before tokens from to to.
func (r *renderer) commentsAt(from, to int32) []comment {
	before := func(c comment, token int32) int { return cmp.Compare(c.before, token) }
	lo, _ := slices.BinarySearchFunc(r.comments, from, before)
	hi, _ := slices.BinarySearchFunc(r.comments, to+1, before)
	return r.comments[lo:hi]
}
