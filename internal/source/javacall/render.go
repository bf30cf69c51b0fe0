package javacall

import "strings"

// node writes a node as upstream's traverse_node does.
func (r *renderer) node(b *strings.Builder, i int32) error {
	if r.depth++; r.depth > maxNesting {
		return &Error{"RecursionError", "maximum recursion depth exceeded"}
	}
	defer func() { r.depth-- }()
	n := r.nodes[i]
	switch n.kind {
	case nCall, nClass:
		b.WriteString(r.raw(n.start, n.end))
		return nil
	case nObject:
		return r.object(b, i)
	case nArray:
		return r.array(b, i)
	}
	return r.render(b, n.start, n.end, i, n.first)
}

// object writes "new", the type and the arguments. A body and what comes before
// "new" are left out.
func (r *renderer) object(b *strings.Builder, i int32) error {
	n := r.nodes[i]
	b.WriteString("new ")
	r.plain(b, n.a, n.a, n.b)
	b.WriteByte('(')
	separate := false
	next := func() {
		if separate {
			b.WriteString(", ")
		}
		separate = true
	}
	from := n.c + 1
	for _, k := range r.within(n.c, i, n.first) {
		arg := r.nodes[k]
		if arg.kind != nArgument || arg.end >= n.d {
			continue
		}
		r.loose(b, from, arg.start, next)
		next()
		if err := r.render(b, arg.start, arg.end, k, arg.first); err != nil {
			return err
		}
		from = arg.end
	}
	r.loose(b, from, n.d-1, next)
	b.WriteByte(')')
	return nil
}

// loose writes the comments between arguments, which count as arguments.
func (r *renderer) loose(b *strings.Builder, from, to int32, next func()) {
	for _, c := range r.commentsAt(from, to) {
		next()
		b.WriteString(r.cut(c.start, c.end))
	}
}

// array writes "new", the type, one pair of brackets and the initial values.
// Without those upstream fails.
func (r *renderer) array(b *strings.Builder, i int32) error {
	n := r.nodes[i]
	if n.c < 0 {
		return &Error{"AttributeError", "'NoneType' object has no attribute 'type'"}
	}
	b.WriteString("new ")
	r.plain(b, n.a, n.a, n.b)
	b.WriteString("[]")
	return r.render(b, n.c, n.end, i, n.first)
}
