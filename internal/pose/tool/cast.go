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
func mapped(t pyval.Value) (name string, ok bool) {
	if err := pyval.Hashable(t); err != nil {
		raise("TypeError", "%v", err)
	}
	s, _ := t.(pyval.Str)
	name, ok = openAPI[string(s)]
	return name, ok
}

// cast gives each parameter its JSON Schema type, like upstream's
// _cast_to_openai_type: unknown and missing types become strings, a float is
// marked in format and description, and only the first two levels of list
// elements are looked at.
func (w *Wording) cast(properties pyval.Value) *pyval.Dict {
	return mapProperties(properties, w.castParameter)
}

func (w *Wording) castParameter(param *pyval.Dict) {
	if w.castChoice(param) {
		return
	}
	name := w.castType(param)
	param.SetStr("type", pyval.Str(name))
	switch {
	case name != "array" && name != "object":
	case param.Has("properties"):
		w.castProperties(param)
	default:
		switch items, name := castElement(param); name {
		case "array":
			castElement(items)
		case "object":
			w.castProperties(items)
		}
	}
}

// castChoice casts a type that is not a single one: any of several schemas, a
// reference to a definition, or null. Frameworks write such schemas; upstream's
// documents do not have them.
func (w *Wording) castChoice(param *pyval.Dict) (done bool) {
	if t, _ := param.GetStr("type"); t == pyval.Value(pyval.Str("null")) || param.Has("$ref") {
		return true
	}
	v, ok := param.GetStr("anyOf")
	if !ok {
		return false
	}
	param.SetStr("anyOf", as[*pyval.List]("anyOf", v, "list").Map(func(item pyval.Value) pyval.Value {
		choice := as[*pyval.Dict]("anyOf", item, "dict").Clone()
		described := choice.Has("description")
		if !described {
			choice.SetStr("description", pyval.Str("")) // a hint may be added to it
		}
		w.castParameter(choice)
		if about, _ := choice.GetStr("description"); !described && about == pyval.Value(pyval.Str("")) {
			choice.Delete(pyval.Str("description"))
		}
		return choice
	}))
	return true
}

func (w *Wording) castType(param *pyval.Dict) string {
	t, ok := param.GetStr("type")
	if !ok {
		return "string"
	}
	name, known := mapped(t)
	if !known {
		name = "string"
	}
	if t == pyval.Value(pyval.Str("float")) {
		param.SetStr("format", pyval.Str("float"))
		extend(param, w.float)
	}
	return name
}

func (w *Wording) castProperties(d *pyval.Dict) {
	if props, ok := d.GetStr("properties"); ok {
		d.SetStr("properties", w.cast(props))
	}
}

// castElement maps the type of a parameter's items, if it has any. Unlike a
// parameter's own type, it must be present and known.
func castElement(d *pyval.Dict) (items *pyval.Dict, name string) {
	v, ok := d.GetStr("items")
	if !ok {
		return nil, ""
	}
	if items = as[*pyval.Dict]("items", v, "dict"); items.Has("$ref") {
		return nil, ""
	}
	t := Need(items, "type")
	name, known := mapped(t)
	if !known {
		raise("KeyError", "%s", pyval.Repr(t))
	}
	items = items.Clone()
	items.SetStr("type", pyval.Str(name))
	d.SetStr("items", items)
	return items, name
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
func (w *Wording) fold(schema *pyval.Dict, style Style) {
	schema.Delete(pyval.Str("optional"))
	for _, v := range NeedDict(schema, "properties").All() {
		param := as[*pyval.Dict]("parameter", v, "dict")
		if !param.Has("description") {
			param.SetStr("description", pyval.Str(""))
		}
		for i, key := range foldKeys {
			if v, ok := param.GetStr(key); ok && folded(key, param, style) {
				extend(param, w.folds[i].Fill(pyval.Text(v)))
				param.Delete(pyval.Str(key))
			}
		}
	}
}
