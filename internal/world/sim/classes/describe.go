package classes

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// maxText is how long the text of a tree may get. Copied directories share
// what is in them, so that a text can be longer than the tree is large.
const maxText = 1 << 24

// Describe is State with the tree as upstream's Directory.__repr__ shows it.
func (s *system) Describe() *pyval.Dict {
	p := printer{}
	p.directory(s.root)
	return sim.Answer("long_context", s.longContext, "root", string(p.out))
}

// A printer writes the text of a tree.
type printer struct {
	out  []byte
	path []*contents // from the root's to those available
}

func (p *printer) directory(d *directory) {
	parent := "None"
	if d.parent != nil {
		parent = d.parent.name
	}
	p.out = append(p.out, "<Directory: "+d.name+", Parent: "+parent+", Contents: "...)
	p.contents(d.contents)
	p.out = append(p.out, '>')
}

// contents are shown as Python's repr of a dict, which leaves out what is
// inside itself.
func (p *printer) contents(c *contents) {
	if slices.Contains(p.path, c) || len(p.path) > maxDepth || len(p.out) > maxText {
		p.out = append(p.out, "{...}"...)
		return
	}
	p.path = append(p.path, c)
	p.out = append(p.out, '{')
	for i, e := range c.entries {
		if i > 0 {
			p.out = append(p.out, ", "...)
		}
		p.out = append(pyval.AppendRepr(p.out, pyval.Str(e.name)), ": "...)
		p.item(e.item)
		if len(p.out) > maxText {
			p.out = append(p.out, "..."...)
			break
		}
	}
	p.out = append(p.out, '}')
	p.path = p.path[:len(p.path)-1]
}

func (p *printer) item(it item) {
	switch it := it.(type) {
	case *directory:
		p.directory(it)
	case *file:
		p.out = append(p.out, "<<File: "+it.name+", Content: "...)
		p.out = append(append(p.out, pyval.Text(it.content)...), ">>"...)
	}
}
