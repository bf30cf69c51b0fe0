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
