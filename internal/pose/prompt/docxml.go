package prompt

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
