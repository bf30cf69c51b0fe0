package jinja

import (
	"html"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A markup is a text that the filters safe and escape made: it is HTML, so what
// is added to it is escaped. Everything else takes it for a text.
type markup string

// Kind is a text's.
func (markup) Kind() pyval.Kind { return pyval.KindStr }

// bare returns a markup as the text it is, and any other object unchanged.
func bare(v object) object {
	if m, ok := v.(markup); ok {
		return pyval.Str(m)
	}
	return v
}

// escaped returns s with the entities that MarkupSafe writes, which are those of
// html.EscapeString.
func escaped(s string) string { return html.EscapeString(s) }

// added returns a + b if one of them is markup.
func (f *frame) added(line int, a, b object) (object, bool) {
	_, first := a.(markup)
	_, second := b.(markup)
	if !first && !second || a.Kind() != pyval.KindStr || b.Kind() != pyval.KindStr {
		return nil, false
	}
	var out strings.Builder
	for _, v := range []object{a, b} {
		s := f.str(line, v)
		if _, safe := v.(markup); !safe {
			s = escaped(s)
		}
		f.r.spend(line, len(s))
		out.WriteString(s)
	}
	return markup(out.String()), true
}

// like returns s as markup if v is markup.
func like(v object, s string) object {
	if _, ok := v.(markup); ok {
		return markup(s)
	}
	return pyval.Str(s)
}

func filterSafe(c *call) object { return markup(c.subject()) }

// filterEscape leaves markup as it is.
func filterEscape(c *call) object {
	if m, ok := c.of.(markup); ok {
		return m
	}
	return filterForceEscape(c)
}

func filterForceEscape(c *call) object {
	s := escaped(c.subject())
	c.r.spend(c.line, len(s))
	return markup(s)
}
