package prompt

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// pythonDocs shows functions as docstrings, like upstream's
// _generate_function_doc_python.
func (w *Wording) pythonDocs(docs []*pyval.Dict) (string, error) {
	parts, err := written(docs, w.pythonDoc)
	if err != nil || len(parts) == 0 {
		return "", err
	}
	return strings.Join(parts, "\n\n\n\n\n") + "\n\n\n", nil
}

// written returns the text that write writes of each document.
func written(docs []*pyval.Dict, write func(b *strings.Builder, doc *pyval.Dict)) ([]string, error) {
	parts := make([]string, len(docs))
	for i, doc := range docs {
		var err error
		parts[i], err = tool.Try(doc, func() string {
			var b strings.Builder
			write(&b, doc)
			return b.String()
		})
		if err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func (w *Wording) pythonDoc(b *strings.Builder, doc *pyval.Dict) {
	f := newFunction(doc)
	b.WriteString("# Function: " + f.name + "\n    \"\"\"\n    " + f.desc + "\n\n")
	if f.props != nil && f.props.Len() > 0 {
		b.WriteString("    Args:\n")
		w.pythonParams(b, f.props, 2)
	}
	b.WriteString("    \"\"\"\n")
}

func (w *Wording) pythonParams(b *strings.Builder, props *pyval.Dict, depth int) {
	for name, v := range props.All() {
		p := w.param(name, v)
		indent(b, 4*depth)
		b.WriteString(p.name + " (" + pythonType(p.meta))
		if def, ok := p.meta.GetStr("default"); ok {
			b.WriteString(", default=" + pyval.Repr(def))
		}
		b.WriteString("): " + p.desc + "\n")
		if sub := p.meta.Child("properties"); sub != nil {
			w.pythonParams(b, sub, depth+1)
		}
	}
}

func indent(b *strings.Builder, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

var pythonTypes = map[string]string{"string": "str", "number": "float", "integer": "int", "boolean": "bool"}

// pythonType returns a parameter's type as an annotation; types that upstream
// does not know, such as float, stay as they are.
func pythonType(meta *pyval.Dict) string {
	kind := kindOf(meta)
	if name, ok := pythonTypes[kind]; ok {
		return name
	}
	switch kind {
	case "array", "list", "tuple":
		if items := meta.Child("items"); items != nil {
			return "list[" + pythonType(items) + "]"
		}
	case "object", "dict":
		if extra := meta.Child("additionalProperties"); extra != nil {
			return "dict[str, " + pythonType(extra) + "]"
		}
		return "dict"
	}
	return kind
}

// xmlDocs shows functions as XML, like upstream's _generate_function_doc_xml,
// which escapes nothing either.
func (w *Wording) xmlDocs(docs []*pyval.Dict) (string, error) {
	parts, err := written(docs, w.xmlDoc)
	return strings.Join(parts, "\n"), err
}

func (w *Wording) xmlDoc(b *strings.Builder, doc *pyval.Dict) {
	f := newFunction(doc)
	b.WriteString("<function name=\"" + f.name + "\">\n  <desc>" + f.desc + "</desc>\n")
	if f.props == nil {
		f.props = &pyval.Dict{}
	}
	w.xmlParams(b, f.props, f.params, 1)
	b.WriteString("</function>\n")
}

// xmlParams writes the properties of an object at an indentation of
// 2×depth; owner says which are required.
func (w *Wording) xmlParams(b *strings.Builder, props, owner *pyval.Dict, depth int) {
	indent(b, 2*depth)
	b.WriteString("<params>\n")
	for name, v := range props.All() {
		w.xmlParam(b, w.param(name, v), isRequired(owner, name), depth+1)
	}
	indent(b, 2*depth)
	b.WriteString("</params>\n")
}

func (w *Wording) xmlParam(b *strings.Builder, p param, required string, depth int) {
	indent(b, 2*depth)
	// Drops every comma, even in names and defaults, as upstream
	// does.
	text := `name="` + p.name + `" type="` + xmlType(p) + `" required="` + required + `"`
	if def, ok := p.meta.GetStr("default"); ok {
		text += ` default="` + pyval.Repr(def) + `"`
	}
	b.WriteString("<param " + strings.ReplaceAll(text, ",", "") + ">\n")
	indent(b, 2*depth)
	b.WriteString("  <desc>" + p.desc + "</desc>\n")
	if props := p.meta.Child("properties"); props != nil {
		w.xmlParams(b, props, p.meta, depth+1)
	}
	indent(b, 2*depth)
	b.WriteString("</param>\n")
}

func xmlType(p param) string {
	if items := p.meta.Child("items"); items != nil && items.Has("type") {
		return p.kind + "[" + kindOf(items) + "]"
	}
	if extra := p.meta.Child("additionalProperties"); extra != nil {
		return p.kind + "[" + kindOf(extra) + "]"
	}
	return p.kind
}

// isRequired returns "true" if an object requires a property and "false" if
// not. An object without a list of required properties requires all.
func isRequired(owner *pyval.Dict, name pyval.Value) string {
	v, _ := owner.GetStr("required")
	list, ok := v.(*pyval.List)
	if !ok {
		return "true"
	}
	for _, item := range list.Items {
		if pyval.Equal(item, name) {
			return "true"
		}
	}
	return "false"
}

// A param is what the Python and the XML form show of one parameter. If
// upstream's code would raise an exception on a malformed part of a document (a
// required that is not a list, additionalProperties that is not a dict), the
// part is left out.
type param struct {
	meta *pyval.Dict
	name string
	kind string // see kindOf
	desc string // including the accepted values
}

func (w *Wording) param(name, v pyval.Value) param {
	p := param{name: pyval.Text(name)}
	meta, ok := v.(*pyval.Dict)
	if !ok {
		pyval.Check(&tool.DocError{Kind: "AttributeError", Msg: "parameter " + pyval.Repr(name) + " must be dict, not " + pyval.TypeName(v)})
	}
	p.meta, p.kind = meta, kindOf(meta)
	if d, ok := meta.GetStr("description"); ok {
		p.desc = pyval.Text(d)
	}
	if enum, ok := meta.GetStr("enum"); ok {
		p.desc += w.Tools.EnumNote(enum)
	}
	return p
}

// kindOf returns a document's type, "string" if there is none.
func kindOf(d *pyval.Dict) string {
	if t, ok := d.GetStr("type"); ok {
		return pyval.Text(t)
	}
	return "string"
}

// A function is what both forms show of a function besides its parameters.
type function struct {
	name, desc string
	params     *pyval.Dict
	props      *pyval.Dict // may be nil
}

func newFunction(doc *pyval.Dict) function {
	f := function{name: pyval.Text(tool.Need(doc, "name")), params: tool.NeedDict(doc, "parameters")}
	if d, ok := doc.GetStr("description"); ok {
		f.desc = pyval.Text(d)
	}
	f.props = f.params.Child("properties")
	return f
}
