package pyval

import (
	"fmt"
	"slices"
	"strings"
)

// A Template is a text with named fields in braces, filled in as by Python's
// str.format. Attributes, conversions and format specs are not supported.
type Template struct {
	parts []templatePart
	size  int // bytes of literal text
}

// A templatePart is literal text, followed by a field unless field is -1.
type templatePart struct {
	text  string
	field int
}

// ParseTemplate reads a template whose fields must be among those given.
func ParseTemplate(text string, fields ...string) (*Template, error) {
	t := &Template{}
	var literal strings.Builder
	for rest := text; ; {
		i := strings.IndexAny(rest, "{}")
		if i < 0 {
			literal.WriteString(rest)
			t.add(literal.String(), -1)
			return t, nil
		}
		literal.WriteString(rest[:i])
		brace, after := rest[i], rest[i+1:]
		if after != "" && after[0] == brace {
			literal.WriteByte(brace)
			rest = after[1:]
			continue
		}
		name, tail, closed := strings.Cut(after, "}")
		if brace == '}' || !closed {
			return nil, fmt.Errorf("single %q in template", brace)
		}
		field := slices.Index(fields, name)
		if field < 0 {
			return nil, fmt.Errorf("unknown field {%.40s} in template; known fields are %q", name, fields)
		}
		t.add(literal.String(), field)
		literal.Reset()
		rest = tail
	}
}

func (t *Template) add(text string, field int) {
	t.parts = append(t.parts, templatePart{text, field})
	t.size += len(text)
}

// Fill returns the text with the fields' values, which are given in the order
// of the fields that ParseTemplate was given. Braces in values are literal.
func (t *Template) Fill(values ...string) string {
	size := t.size
	for _, v := range values {
		size += len(v)
	}
	var b strings.Builder
	b.Grow(size)
	for _, p := range t.parts {
		b.WriteString(p.text)
		if p.field >= 0 && p.field < len(values) {
			b.WriteString(values[p.field])
		}
	}
	return b.String()
}
