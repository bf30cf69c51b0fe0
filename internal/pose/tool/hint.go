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

func javaHints(src *Source) parameterHints {
	const key = "parameter_hint"
	return parameterHints{
		any:       src.Template(nil, key, "java_any"),
		other:     src.Template([]string{"type"}, key, "java_other"),
		listTypes: []string{"ArrayList", "Array"},
		list:      src.Template([]string{"items_type"}, key, "java_ArrayList_or_Array"),
	}
}

func javaScriptHints(src *Source) parameterHints {
	const key = "parameter_hint"
	return parameterHints{
		any:       src.Template(nil, key, "javascript_any"),
		other:     src.Template([]string{"type"}, key, "javascript_other"),
		listTypes: []string{"array"},
		list:      src.Template([]string{"items_type"}, key, "javascript_array"),
		dict:      src.Template([]string{"properties_json"}, key, "javascript_dict_with_properties"),
	}
}

// Hinted adds a language's hints to a document, like upstream's
// _func_doc_language_specific_pre_processing. For Java and JavaScript all
// parameters become strings whose descriptions name the type. The document
// itself is not changed; the result shares what is the same.
func (w *Wording) Hinted(doc *pyval.Dict, lang eval.Language) (*pyval.Dict, error) {
	out := doc.Clone()
	if err := w.hint(out, lang); err != nil {
		return nil, InFunction(doc, err)
	}
	return out, nil
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

func (w *Wording) hint(doc *pyval.Dict, lang eval.Language) error {
	if err := extend(doc, w.hints[lang]); err != nil {
		return err
	}
	params, err := NeedDict(doc, "parameters")
	if err != nil {
		return err
	}
	props, err := Need(params, "properties")
	if err != nil || lang == eval.Python {
		return err
	}
	hints := &w.java
	if lang == eval.JavaScript {
		hints = &w.js
	}
	hinted, err := mapProperties(props, hints.apply)
	if err != nil {
		return err
	}
	params = params.Clone()
	params.SetStr("properties", hinted)
	doc.SetStr("parameters", params)
	return nil
}

// mapProperties returns a copy of a dict of parameters, with f applied to a
// copy of each.
func mapProperties(v pyval.Value, f func(*pyval.Dict) error) (*pyval.Dict, error) {
	props, ok := v.(*pyval.Dict)
	if !ok {
		return nil, &DocError{Kind: "AttributeError", Msg: "properties must be dict, not " + pyval.TypeName(v)}
	}
	out := pyval.NewDict(props.Len())
	for name, v := range props.All() {
		param, err := asDict("parameter "+pyval.Repr(name), v)
		if err != nil {
			return nil, err
		}
		param = param.Clone()
		if err := f(param); err != nil {
			return nil, err
		}
		_ = out.Set(name, param) // a dict's key is hashable
	}
	return out, nil
}

func (h *parameterHints) apply(param *pyval.Dict) error {
	t, err := Need(param, "type")
	if err != nil {
		return err
	}
	name := pyval.Text(t)
	text := h.any.Fill()
	if name != "any" {
		text = h.other.Fill(name)
	}
	if err := extend(param, text); err != nil {
		return err
	}
	if slices.Contains(h.listTypes, name) {
		if err := h.describeItems(param); err != nil {
			return err
		}
	}
	if name == "dict" && h.dict != nil && param.Has("properties") {
		if err := h.describeProperties(param); err != nil {
			return err
		}
	}
	param.SetStr("type", pyval.Str("string"))
	return nil
}

func (h *parameterHints) describeItems(param *pyval.Dict) error {
	items, err := NeedDict(param, "items")
	if err != nil {
		return err
	}
	t, err := Need(items, "type")
	if err != nil {
		return err
	}
	param.Delete(pyval.Str("items"))
	return extend(param, h.list.Fill(pyval.Text(t)))
}

func (h *parameterHints) describeProperties(param *pyval.Dict) error {
	props, _ := param.GetStr("properties")
	text, err := pyval.JSON(props, 0)
	if err != nil {
		return &DocError{Kind: "TypeError", Msg: err.Error()}
	}
	param.Delete(pyval.Str("properties"))
	return extend(param, h.dict.Fill(text))
}
