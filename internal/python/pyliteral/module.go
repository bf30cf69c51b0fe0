// Package pyliteral reads constants and texts out of Python modules. Nothing is
// run. A constant is what a module assigns to a name at its outermost level: a
// literal, an expression that concatenates other constants, lists or texts, or
// a list comprehension over a list. Anything else is refused with its line.
//
// Its place is between the parser of expressions, package pycall, and what
// fetches upstream's data.
package pyliteral

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Module is the source of one Python file.
type Module struct {
	assigned map[string]assignment
	runs     []string
	shapes   map[string]string // of the runs, by fingerprint; nil until the first call of Text
}

// An assignment is what is to the right of a name's "=".
type assignment struct {
	src  string
	line int
	// changed reports whether the name is also changed in place, such as by
	// "+=".
	changed bool
}

// Parse reads a module's source.
func Parse(src string) (*Module, error) {
	src = strings.TrimPrefix(src, "\ufeff")
	m := &Module{assigned: map[string]assignment{}}
	s := scanner{
		src:       src,
		statement: func(start, end, line int) { m.add(src, start, end, line) },
		run:       func(start, end int) { m.runs = append(m.runs, src[start:end]) },
	}
	if err := s.scan(); err != nil {
		return nil, err
	}
	return m, nil
}

var (
	assigns  = pattern.Of(`^([A-Za-z_]\w*)\s*(?::[^=]*)?=([^=].*|\n.*|$)`)
	modifies = pattern.Of(`^([A-Za-z_]\w*)\s*(?:[-+*/%&|^@]|//|\*\*|<<|>>)=`)
)

// add records a logical line that assigns to a name at the outermost level.
func (m *Module) add(src string, start, end, line int) {
	if start > 0 && src[start-1] != '\n' {
		return
	}
	text := src[start:end]
	first, _, _ := strings.Cut(text, "\n")
	if found := modifies().FindStringSubmatch(first); found != nil {
		was := m.assigned[found[1]]
		was.changed = true
		m.assigned[found[1]] = was
		return
	}
	if found := assigns().FindStringSubmatchIndex(first); found != nil {
		m.assigned[first[found[2]:found[3]]] = assignment{src: text[found[4]:], line: line}
	}
}

// Has reports whether the module assigns to a name at its outermost level.
func (m *Module) Has(name string) bool {
	_, ok := m.assigned[name]
	return ok
}

// Constant returns the value that the module last assigns to a name. Within it,
// the name of one of Python's types, such as int, is a text.
func (m *Module) Constant(name string) (pyval.Value, error) {
	r := reader{module: m, known: map[string]pyval.Value{}, sizes: map[string]int{}}
	return r.constant(name)
}

// field stands for a value in the shape of a text.
const field = "{}"

// Fingerprint returns the SHA-256 of a text's shape in hex. The values of an
// f-string are {} in it.
func Fingerprint(shape string) string {
	sum := sha256.Sum256([]byte(shape))
	return hex.EncodeToString(sum[:])
}

// Text returns the shape of the text in the module that has the given
// fingerprint; ok reports whether there is one. In an f-string only the texts
// around its values are read.
func (m *Module) Text(fingerprint string) (shape string, ok bool) {
	if m.shapes == nil {
		m.shapes = map[string]string{}
		for _, run := range m.runs {
			if shape, ok := shapeOf(run); ok {
				m.shapes[Fingerprint(shape)] = shape
			}
		}
	}
	shape, ok = m.shapes[fingerprint]
	return shape, ok
}

// shapeOf is the shape of a run: one or several string literals side by side.
func shapeOf(run string) (string, bool) {
	e, err := pycall.Expression("(" + run + ")")
	if err != nil {
		return "", false
	}
	if text, ok := e.Value.(pyval.Str); ok && e.Kind == pycall.ExprConst {
		return string(text), true
	}
	if e.Kind != pycall.ExprJoined {
		return "", false
	}
	var out strings.Builder
	for _, part := range e.Parts {
		if text, ok := part.Value.(pyval.Str); ok && part.Kind == pycall.ExprConst {
			out.WriteString(string(text))
		} else {
			out.WriteString(field)
		}
	}
	return out.String(), true
}

// Fill names the values of a shape in order: "{}" becomes "{name}".
func Fill(shape string, names ...string) (string, error) {
	if have := strings.Count(shape, field); have != len(names) {
		return "", fmt.Errorf("want %d values in the text, got %d", len(names), have)
	}
	for _, name := range names {
		shape = strings.Replace(shape, field, "{"+name+"}", 1)
	}
	return shape, nil
}

// Docs returns the texts in triple double quotes as they are in the source,
// with their escapes: docstrings may quote text in another language's syntax.
func (m *Module) Docs() []string {
	const quotes = `"""`
	var out []string
	for _, run := range m.runs {
		text, opened := strings.CutPrefix(run, quotes)
		text, closed := strings.CutSuffix(text, quotes)
		if opened && closed && !strings.Contains(text, quotes) {
			out = append(out, text)
		}
	}
	return out
}
