package tool

import "github.com/gobfcl/bfcl/internal/python/pyval"

// Written puts tools with JSON Schemas into a style's frame and changes nothing
// else. Gemini has a field of its own for such schemas, and only OpenAI's
// protocols get `strict`. For styles without tool schemas the list is empty.
func Written(docs []*pyval.Dict, style Style) (*pyval.List, error) {
	f, err := formOf(style)
	if err != nil {
		return nil, err
	}
	out := &pyval.List{}
	for _, doc := range docs {
		if f.frame != nil {
			out.Items = append(out.Items, f.frame(f.written(doc)))
		}
	}
	return out, nil
}

func (f *form) written(doc *pyval.Dict) *pyval.Dict {
	out := doc.Clone()
	if f.style != OpenAICompletions && f.style != OpenAIResponses {
		out.Delete(pyval.Str("strict"))
	}
	params, ok := out.GetStr("parameters")
	switch {
	case ok && f.style == Google:
		out.SetStr("parametersJsonSchema", params)
		out.Delete(pyval.Str("parameters"))
	case f.schema != "":
		schema, isDict := params.(*pyval.Dict)
		if !isDict { // these APIs require one
			schema = pyval.NewDict(2)
			schema.SetStr("type", pyval.Str("object"))
			schema.SetStr("properties", pyval.NewDict(0))
		}
		f.place(out, schema)
	}
	return out
}
