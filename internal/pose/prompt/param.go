package prompt

import (
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
