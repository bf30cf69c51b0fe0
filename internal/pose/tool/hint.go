package tool

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// parameterHints are a language's texts for parameters, which tell a model to
// write values as source text.
type parameterHints struct {
	any       *pyval.Template
	other     *pyval.Template // field: the type
	listTypes []string
	list      *pyval.Template // field: the elements' type
	dict      *pyval.Template // field: properties as JSON; nil if they are not described
}

// readHints reads the texts of a language; list is the end of the key of that
// for lists.
func readHints(src *Source, language, list string, listTypes ...string) parameterHints {
	const key = "parameter_hint"
	return parameterHints{
		any:       src.Template(nil, key, language+"_any"),
		other:     src.Template([]string{"type"}, key, language+"_other"),
		listTypes: listTypes,
		list:      src.Template([]string{"items_type"}, key, language+"_"+list),
	}
}

// Hinted adds a language's hints to a document, like upstream's
// _func_doc_language_specific_pre_processing. For Java and JavaScript all
// parameters become strings whose descriptions name the type. The document
// itself is not changed; the result shares what is the same.
func (w *Wording) Hinted(doc *pyval.Dict, lang eval.Language) (*pyval.Dict, error) {
	return Try(doc, func() *pyval.Dict { return w.hinted(doc.Clone(), lang) })
}

// HintedAll returns the result of Hinted for each document.
func (w *Wording) HintedAll(docs []*pyval.Dict, lang eval.Language) ([]*pyval.Dict, error) {
	out := make([]*pyval.Dict, len(docs))
	for i, doc := range docs {
		var err error
		if out[i], err = w.Hinted(doc, lang); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (w *Wording) hinted(doc *pyval.Dict, lang eval.Language) *pyval.Dict {
	extend(doc, w.hints[lang])
	params := NeedDict(doc, "parameters")
	props := Need(params, "properties")
	hints := map[eval.Language]*parameterHints{eval.Java: &w.java, eval.JavaScript: &w.js}[lang]
	if hints == nil {
		return doc
	}
	params = params.Clone()
	params.SetStr("properties", mapProperties(props, hints.apply))
	doc.SetStr("parameters", params)
	return doc
}

// mapProperties returns a copy of a dict of parameters, with f applied to a
// copy of each.
func mapProperties(v pyval.Value, f func(*pyval.Dict)) *pyval.Dict {
	props, ok := v.(*pyval.Dict)
	if !ok {
		raise("AttributeError", "properties must be dict, not %s", pyval.TypeName(v))
	}
	out := pyval.NewDict(props.Len())
	for name, v := range props.All() {
		param := as[*pyval.Dict]("parameter "+pyval.Repr(name), v, "dict").Clone()
		f(param)
		_ = out.Set(name, param) // a dict's key is hashable
	}
	return out
}

func (h *parameterHints) apply(param *pyval.Dict) {
	name := pyval.Text(Need(param, "type"))
	text := h.any.Fill()
	if name != "any" {
		text = h.other.Fill(name)
	}
	extend(param, text)
	if slices.Contains(h.listTypes, name) {
		t := Need(NeedDict(param, "items"), "type")
		param.Delete(pyval.Str("items"))
		extend(param, h.list.Fill(pyval.Text(t)))
	}
	if props, ok := param.GetStr("properties"); ok && name == "dict" && h.dict != nil {
		text := jsonText(props)
		param.Delete(pyval.Str("properties"))
		extend(param, h.dict.Fill(text))
	}
	param.SetStr("type", pyval.Str("string"))
}
