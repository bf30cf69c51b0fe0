package fetch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A module is the source of a Python file, cut at the marks that matter: its
// texts and its comments. Nothing is run, and whether the cuts are right is
// proved by the sums of the files that are made of them.
type module struct {
	src   string
	texts [][]int           // the places of string literals, without comments
	shape map[string]string // of texts side by side, by fingerprint
	made  int               // the values read so far
}

// mostMade bounds the values of a module: names can refer to each other.
const mostMade = 1 << 20

// mostTexts bounds how many texts are one value.
const mostTexts = 64

var (
	literal = pattern.Of(`(?s)#[^\n]*|(?:\b(?i:[rbuf]{1,2}))?(?:"""(?:[^\\]|\\.)*?"""|'''(?:[^\\]|\\.)*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`)
	between = pattern.Of(`^(?:\s|\\\n|#[^\n]*)*$`)
)

// newModule finds the texts of a source, and the shapes of those that stand side
// by side.
func newModule(src string) *module {
	m := &module{src: src, shape: map[string]string{}}
	for _, at := range literal().FindAllStringIndex(src, -1) {
		if src[at[0]] != '#' {
			m.texts = append(m.texts, at)
		}
	}
	for i := 0; i < len(m.texts); {
		last := i
		for last+1 < min(len(m.texts), i+mostTexts) && between().MatchString(src[m.texts[last][1]:m.texts[last+1][0]]) {
			last++
		}
		for end := last; end >= i; end-- { // without brackets around, a line end parts texts
			if shape, ok := shapeOf(src[m.texts[i][0]:m.texts[end][1]]); ok {
				m.shape[fingerprint(shape)] = shape
			}
		}
		i = last + 1
	}
	return m
}

// field stands for a value of an f-string in the shape of a text.
const field = "{}"

// fingerprint returns the SHA-256 of a text's shape in hex.
func fingerprint(shape string) string {
	sum := sha256.Sum256([]byte(shape))
	return hex.EncodeToString(sum[:])
}

// shapeOf returns the shape of string literals side by side.
func shapeOf(run string) (string, bool) {
	e, err := pycall.Expression("(" + run + ")")
	if err != nil || e.Kind != pycall.ExprConst && e.Kind != pycall.ExprJoined {
		return "", false
	}
	parts := e.Parts
	if e.Kind == pycall.ExprConst {
		parts = []*pycall.Expr{e}
	}
	var out strings.Builder
	for _, part := range parts {
		if text, ok := part.Value.(pyval.Str); ok && part.Kind == pycall.ExprConst {
			out.WriteString(string(text))
		} else {
			out.WriteString(field)
		}
	}
	return out.String(), true
}

// fill names the values of a shape in order: "{}" becomes "{name}".
func fill(shape string, names []string) (string, bool) {
	if strings.Count(shape, field) != len(names) {
		return "", false
	}
	for _, name := range names {
		shape = strings.Replace(shape, field, "{"+name+"}", 1)
	}
	return shape, true
}

// docs returns the texts in triple double quotes as they are in the source, with
// their escapes: docstrings may quote text in another language's syntax.
func (m *module) docs() (out []string) {
	for _, at := range m.texts {
		if text, ok := strings.CutPrefix(m.src[at[0]:at[1]], `"""`); ok {
			out = append(out, strings.TrimSuffix(text, `"""`))
		}
	}
	return out
}

// assigned returns the source of the value that the module assigns to a name at
// its outermost level: up to the first line end outside of brackets and texts.
func (m *module) assigned(name string) (string, bool) {
	begins := pattern.Of(`(?m)^` + name + `[ ]*(?::[^=\n]*)?=[ ]*`)().FindStringIndex(m.src)
	if begins == nil {
		return "", false
	}
	start, depth := begins[1], 0
	at := slices.IndexFunc(m.texts, func(t []int) bool { return t[0] >= start })
	for i := start; i < len(m.src); i++ {
		for at >= 0 && at < len(m.texts) && m.texts[at][0] <= i {
			i = max(i, m.texts[at][1])
			at++
		}
		if i >= len(m.src) {
			break
		}
		switch m.src[i] {
		case '#':
			i += strings.IndexByte(m.src[i:]+"\n", '\n') - 1
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\n':
			if depth <= 0 {
				return m.src[start:i], true
			}
		}
	}
	return m.src[start:], true
}

// constant returns the value that the module assigns to a name. Within it, the
// name of one of Python's types is a text.
func (m *module) constant(name string) (pyval.Value, error) {
	if m.made++; m.made > mostMade {
		return nil, errors.New("the constants are too large, or refer to each other")
	}
	src, ok := m.assigned(name)
	if !ok {
		if slices.Contains(typeNames, name) {
			return pyval.Str(name), nil
		}
		return nil, fmt.Errorf("no constant %.100q", name)
	}
	e, err := pycall.Expression("(" + src + "\n)")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m.value(e, nil)
}

var typeNames = []string{"str", "int", "float", "bool", "list", "dict", "tuple", "set", "bytes", "object", "complex"}

// value returns the value of an expression; bound are the names of its loops.
func (m *module) value(e *pycall.Expr, bound map[string]pyval.Value) (pyval.Value, error) {
	switch e.Kind {
	case pycall.ExprConst:
		return e.Value, nil
	case pycall.ExprName:
		if v, ok := bound[e.Text]; ok {
			return v, nil
		}
		return m.constant(e.Text)
	case pycall.ExprListComp:
		return m.each(e, bound)
	case pycall.ExprFormatted:
		return m.value(e.Parts[0], bound)
	case pycall.ExprJoined, pycall.ExprList, pycall.ExprTuple, pycall.ExprDict, pycall.ExprUnary, pycall.ExprBinary:
	default:
		return nil, fmt.Errorf("a constant with a %s", e.Kind)
	}
	parts := make([]pyval.Value, 0, len(e.Parts))
	for _, part := range e.Parts {
		unpacked := part.Kind == pycall.ExprStarred && len(part.Parts) == 1
		if unpacked {
			part = part.Parts[0]
		}
		v, err := m.value(part, bound)
		if err != nil {
			return nil, err
		}
		n, _ := pyval.Len(v)
		if m.made += 1 + n; m.made > mostMade {
			return nil, errors.New("the constants are too large, or refer to each other")
		}
		if list, ok := v.(*pyval.List); ok && unpacked {
			parts = append(parts, list.Items...)
			continue
		}
		parts = append(parts, v)
	}
	switch e.Kind {
	case pycall.ExprList:
		return pyval.NewList(parts...), nil
	case pycall.ExprTuple:
		return pyval.NewTuple(parts...), nil
	case pycall.ExprJoined:
		text := ""
		for _, part := range parts {
			text += pyval.Text(part)
		}
		return pyval.Str(text), nil
	}
	return e.Compose(parts)
}

// each returns the value of a list comprehension over a list with one name.
func (m *module) each(e *pycall.Expr, bound map[string]pyval.Value) (pyval.Value, error) {
	if len(e.Parts) != 2 || len(e.Parts[1].Parts) != 2 || bound != nil {
		return nil, errors.New("a list with conditions or several loops")
	}
	through, err := m.value(e.Parts[1].Parts[1], nil)
	list, ok := through.(*pyval.List)
	if err != nil || !ok {
		return nil, errors.Join(errors.New("a loop over no list"), err)
	}
	out := &pyval.List{}
	for _, item := range list.Items {
		v, err := m.value(e.Parts[0], map[string]pyval.Value{e.Parts[1].Parts[0].Text: item})
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}
