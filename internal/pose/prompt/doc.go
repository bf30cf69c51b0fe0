package prompt

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// pythonDocs shows functions as docstrings, like upstream's
// _generate_function_doc_python.
func (w *Wording) pythonDocs(docs []*pyval.Dict) (string, error) {
	parts := make([]string, 0, 2*len(docs))
	for _, doc := range docs {
		var b strings.Builder
		if err := w.pythonDoc(&b, doc); err != nil {
			return "", tool.InFunction(doc, err)
		}
		parts = append(parts, b.String(), "\n")
	}
	return strings.Join(parts, "\n\n"), nil
}

func (w *Wording) pythonDoc(b *strings.Builder, doc *pyval.Dict) error {
	f, err := newFunction(doc)
	if err != nil {
		return err
	}
	b.WriteString("# Function: " + f.name + "\n    \"\"\"\n    " + f.desc + "\n\n")
	if f.props != nil && f.props.Len() > 0 {
		b.WriteString("    Args:\n")
		if err := w.pythonParams(b, f.props, 2); err != nil {
			return err
		}
	}
	b.WriteString("    \"\"\"\n")
	return nil
}

func (w *Wording) pythonParams(b *strings.Builder, props *pyval.Dict, depth int) error {
	for name, v := range props.All() {
		p, err := w.param(name, v)
		if err != nil {
			return err
		}
		indent(b, 4*depth)
		b.WriteString(p.name + " (" + pythonType(p.meta))
		if def, ok := p.meta.GetStr("default"); ok {
			b.WriteString(", default=" + pyval.Repr(def))
		}
		b.WriteString("): " + p.desc + "\n")
		if sub := p.meta.Child("properties"); sub != nil {
			if err := w.pythonParams(b, sub, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
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
	parts := make([]string, len(docs))
	for i, doc := range docs {
		var b strings.Builder
		if err := w.xmlDoc(&b, doc); err != nil {
			return "", tool.InFunction(doc, err)
		}
		parts[i] = b.String()
	}
	return strings.Join(parts, "\n"), nil
}

func (w *Wording) xmlDoc(b *strings.Builder, doc *pyval.Dict) error {
	f, err := newFunction(doc)
	if err != nil {
		return err
	}
	b.WriteString("<function name=\"" + f.name + "\">\n  <desc>" + f.desc + "</desc>\n")
	if f.props == nil {
		f.props = &pyval.Dict{}
	}
	if err := w.xmlParams(b, f.props, f.params, 1); err != nil {
		return err
	}
	b.WriteString("</function>\n")
	return nil
}

// xmlParams writes the properties of an object at an indentation of
// 2×depth; owner says which are required.
func (w *Wording) xmlParams(b *strings.Builder, props, owner *pyval.Dict, depth int) error {
	indent(b, 2*depth)
	b.WriteString("<params>\n")
	for name, v := range props.All() {
		p, err := w.param(name, v)
		if err != nil {
			return err
		}
		if err := w.xmlParam(b, p, isRequired(owner, name), depth+1); err != nil {
			return err
		}
	}
	indent(b, 2*depth)
	b.WriteString("</params>\n")
	return nil
}

func (w *Wording) xmlParam(b *strings.Builder, p param, required string, depth int) error {
	indent(b, 2*depth)
	b.WriteString("<param " + xmlAttributes(p, required) + ">\n")
	indent(b, 2*depth)
	b.WriteString("  <desc>" + p.desc + "</desc>\n")
	if props := p.meta.Child("properties"); props != nil {
		if err := w.xmlParams(b, props, p.meta, depth+1); err != nil {
			return err
		}
	}
	indent(b, 2*depth)
	b.WriteString("</param>\n")
	return nil
}

// xmlAttributes drops every comma, even in names and defaults, as upstream
// does.
func xmlAttributes(p param, required string) string {
	text := `name="` + p.name + `" type="` + xmlType(p) + `" required="` + required + `"`
	if def, ok := p.meta.GetStr("default"); ok {
		text += ` default="` + pyval.Repr(def) + `"`
	}
	return strings.ReplaceAll(text, ",", "")
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

func (w *Wording) param(name, v pyval.Value) (param, error) {
	p := param{name: pyval.Text(name)}
	meta, ok := v.(*pyval.Dict)
	if !ok {
		return p, &tool.DocError{Kind: "AttributeError", Msg: "parameter " + pyval.Repr(name) + " must be dict, not " + pyval.TypeName(v)}
	}
	p.meta, p.kind = meta, kindOf(meta)
	if d, ok := meta.GetStr("description"); ok {
		p.desc = pyval.Text(d)
	}
	if enum, ok := meta.GetStr("enum"); ok {
		p.desc += w.Tools.EnumNote(enum)
	}
	return p, nil
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

func newFunction(doc *pyval.Dict) (f function, err error) {
	name, err := tool.Need(doc, "name")
	if err != nil {
		return f, err
	}
	f.name = pyval.Text(name)
	if f.params, err = tool.NeedDict(doc, "parameters"); err != nil {
		return f, err
	}
	if d, ok := doc.GetStr("description"); ok {
		f.desc = pyval.Text(d)
	}
	f.props = f.params.Child("properties")
	return f, nil
}
