package tool

import "github.com/gobfcl/bfcl/internal/python/pyval"

// foldKeys are the keys of a parameter that Gemini or Palmyra refuse, in the
// order in which upstream's convert_to_tool folds them into the description.
// They are also the keys of their texts.
var foldKeys = []string{
	"default", "optional", "required", "maximum", "minItems", "maxItems", "additionalProperties", "enum", "format",
}

// folded reports whether a parameter's key is refused: Gemini takes enum for
// strings only, and neither takes format for strings.
func folded(key string, param *pyval.Dict, style Style) bool {
	t, _ := param.GetStr("type")
	isString := t == pyval.Value(pyval.Str("string"))
	switch key {
	case "enum":
		return style == Writer || !isString
	case "format":
		return isString
	}
	return true
}

// fold moves refused keys of the top-level parameters into their descriptions.
// The parameters are the schema's own copies.
func (w *Wording) fold(schema *pyval.Dict, style Style) error {
	schema.Delete(pyval.Str("optional"))
	props, err := NeedDict(schema, "properties")
	if err != nil {
		return err
	}
	for _, v := range props.All() {
		param, err := asDict("parameter", v)
		if err != nil {
			return err
		}
		if err := w.foldParameter(param, style); err != nil {
			return err
		}
	}
	return nil
}

func (w *Wording) foldParameter(param *pyval.Dict, style Style) error {
	if !param.Has("description") {
		param.SetStr("description", pyval.Str(""))
	}
	for i, key := range foldKeys {
		v, ok := param.GetStr(key)
		if !ok || !folded(key, param, style) {
			continue
		}
		if err := extend(param, w.folds[i].Fill(pyval.Text(v))); err != nil {
			return err
		}
		param.Delete(pyval.Str(key))
	}
	return nil
}

func (w *Wording) foldResponse(doc *pyval.Dict) error {
	response, ok := doc.GetStr("response")
	if !ok {
		return nil
	}
	text, err := pyval.JSON(response, 0)
	if err != nil {
		return &DocError{Kind: "TypeError", Msg: err.Error()}
	}
	if err := extend(doc, w.response.Fill(text)); err != nil {
		return err
	}
	doc.Delete(pyval.Str("response"))
	return nil
}
