package tool

import "github.com/gobfcl/bfcl/internal/python/pyval"

// openAPI maps the types of function documents to those of JSON Schema, like
// upstream's GORILLA_TO_OPENAPI.
var openAPI = map[string]string{
	"integer": "integer", "byte": "integer", "short": "integer", "long": "integer", "Bigint": "integer",
	"number": "number", "float": "number", "double": "number",
	"string": "string", "String": "string", "char": "string", "any": "string", "Any": "string",
	"boolean": "boolean", "bool": "boolean",
	"array": "array", "list": "array", "tuple": "array", "ArrayList": "array", "Array": "array",
	"Queue": "array", "Stack": "array",
	"dict": "object", "object": "object", "HashMap": "object", "Hashtable": "object",
}

// mapped returns the JSON Schema type for a document's type; ok is false for a
// type that is not known.
func mapped(t pyval.Value) (name string, ok bool, err error) {
	if err := pyval.Hashable(t); err != nil {
		return "", false, &DocError{Kind: "TypeError", Msg: err.Error()}
	}
	s, _ := t.(pyval.Str)
	name, ok = openAPI[string(s)]
	return name, ok, nil
}

// cast gives each parameter its JSON Schema type, like upstream's
// _cast_to_openai_type: unknown and missing types become strings, a float is
// marked in format and description, and only the first two levels of list
// elements are looked at.
func (w *Wording) cast(properties pyval.Value) (*pyval.Dict, error) {
	return mapProperties(properties, w.castParameter)
}

func (w *Wording) castParameter(param *pyval.Dict) error {
	if done, err := w.castChoice(param); done {
		return err
	}
	name, err := w.castType(param)
	if err != nil {
		return err
	}
	param.SetStr("type", pyval.Str(name))
	if name != "array" && name != "object" {
		return nil
	}
	if param.Has("properties") {
		return w.castProperties(param)
	}
	return w.castItems(param)
}

// castChoice casts a type that is not a single one: any of several schemas, a
// reference to a definition, or null. Frameworks write such schemas; upstream's
// documents do not have them.
func (w *Wording) castChoice(param *pyval.Dict) (done bool, err error) {
	if t, _ := param.GetStr("type"); t == pyval.Value(pyval.Str("null")) || param.Has("$ref") {
		return true, nil
	}
	v, ok := param.GetStr("anyOf")
	if !ok {
		return false, nil
	}
	choices, ok := v.(*pyval.List)
	if !ok {
		return true, typeError("anyOf", v, "list")
	}
	out := &pyval.List{Items: make([]pyval.Value, len(choices.Items))}
	for i, item := range choices.Items {
		choice, err := asDict("anyOf", item)
		if err != nil {
			return true, err
		}
		choice = choice.Clone()
		described := choice.Has("description")
		if !described {
			choice.SetStr("description", pyval.Str("")) // a hint may be added to it
		}
		if err := w.castParameter(choice); err != nil {
			return true, err
		}
		if about, _ := choice.GetStr("description"); !described && about == pyval.Value(pyval.Str("")) {
			choice.Delete(pyval.Str("description"))
		}
		out.Items[i] = choice
	}
	param.SetStr("anyOf", out)
	return true, nil
}

func (w *Wording) castType(param *pyval.Dict) (string, error) {
	t, ok := param.GetStr("type")
	if !ok {
		return "string", nil
	}
	name, known, err := mapped(t)
	if !known {
		name = "string"
	}
	if t == pyval.Value(pyval.Str("float")) {
		param.SetStr("format", pyval.Str("float"))
		err = extend(param, w.float)
	}
	return name, err
}

func (w *Wording) castProperties(d *pyval.Dict) error {
	props, ok := d.GetStr("properties")
	if !ok {
		return nil
	}
	cast, err := w.cast(props)
	if err == nil {
		d.SetStr("properties", cast)
	}
	return err
}

func (w *Wording) castItems(param *pyval.Dict) error {
	items, name, err := castElement(param)
	if err != nil || items == nil {
		return err
	}
	switch name {
	case "array":
		_, _, err = castElement(items)
	case "object":
		err = w.castProperties(items)
	}
	return err
}

// castElement maps the type of a parameter's items, if it has any. Unlike a
// parameter's own type, it must be present and known.
func castElement(d *pyval.Dict) (items *pyval.Dict, name string, err error) {
	v, ok := d.GetStr("items")
	if !ok {
		return nil, "", nil
	}
	if items, err = asDict("items", v); err != nil || items.Has("$ref") {
		return nil, "", err
	}
	t, err := Need(items, "type")
	if err != nil {
		return nil, "", err
	}
	name, known, err := mapped(t)
	if err == nil && !known {
		err = keyError(t)
	}
	if err != nil {
		return nil, "", err
	}
	items = items.Clone()
	items.SetStr("type", pyval.Str(name))
	d.SetStr("items", items)
	return items, name, nil
}

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
