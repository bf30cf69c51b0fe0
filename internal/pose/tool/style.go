package tool

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Style is the form of tool schemas that a family of APIs takes, like
// upstream's ModelStyle.
type Style string

// The styles, under upstream's names.
const (
	Gorilla           Style = "GORILLA"
	OpenAICompletions Style = "OPENAI_COMPLETIONS"
	OpenAIResponses   Style = "OPENAI_RESPONSES"
	Anthropic         Style = "ANTHROPIC"
	Mistral           Style = "MISTRAL"
	Google            Style = "GOOGLE"
	Amazon            Style = "AMAZON"
	FireworksAI       Style = "FIREWORK_AI"
	Nexus             Style = "NEXUS"
	OSSModel          Style = "OSSMODEL"
	Cohere            Style = "COHERE"
	Writer            Style = "WRITER"
	NovitaAI          Style = "NOVITA_AI"
)

// A form describes a style.
type form struct {
	style Style
	// underscores says that dots in function names become underscores.
	underscores bool
	// schema is the key that the parameters move to, "" if they stay.
	schema string
	// folds says that keys that the API refuses are folded into descriptions.
	folds bool
	// response says that the response's schema is folded into the description.
	response bool
	// frame puts the finished document into the API's frame; nil for a style
	// without tool schemas.
	frame func(doc *pyval.Dict) *pyval.Dict
}

var forms = []form{
	{style: Gorilla},
	{style: OpenAICompletions, underscores: true, frame: functionFrame},
	{style: OpenAIResponses, underscores: true, frame: typeFrame},
	{style: Anthropic, underscores: true, schema: "input_schema", response: true, frame: bareFrame},
	{style: Mistral, underscores: true, frame: functionFrame},
	{style: Google, underscores: true, folds: true, response: true, frame: bareFrame},
	{style: Amazon, underscores: true, schema: "inputSchema", response: true, frame: specFrame},
	{style: FireworksAI, response: true, frame: functionFrame},
	{style: Nexus},
	{style: OSSModel, underscores: true, frame: bareFrame},
	{style: Cohere, underscores: true, frame: functionFrame},
	{style: Writer, folds: true, response: true, frame: functionFrame},
	{style: NovitaAI, underscores: true, response: true, frame: functionFrame},
}

// Styles returns all styles in upstream's order.
func Styles() []Style {
	out := make([]Style, len(forms))
	for i, f := range forms {
		out[i] = f.style
	}
	return out
}

func bareFrame(doc *pyval.Dict) *pyval.Dict { return doc }

func typeFrame(doc *pyval.Dict) *pyval.Dict {
	doc.SetStr("type", pyval.Str("function"))
	return doc
}

func functionFrame(doc *pyval.Dict) *pyval.Dict {
	return pyval.Object("type", pyval.Str("function"), "function", doc)
}

func specFrame(doc *pyval.Dict) *pyval.Dict {
	return pyval.Object("toolSpec", doc)
}

// Convert turns function documents into a style's tool schemas, like upstream's
// convert_to_tool. The documents themselves are not changed; the result shares
// what is the same. Gorilla and Nexus have no schemas, so their list is empty.
func (w *Wording) Convert(docs []*pyval.Dict, style Style) (*pyval.List, error) {
	f, err := formOf(style)
	if err != nil {
		return nil, err
	}
	out := &pyval.List{}
	for _, doc := range docs {
		converted, err := Try(doc, func() *pyval.Dict { return w.convert(doc, f) })
		if err != nil {
			return nil, err
		}
		if f.frame != nil {
			out.Items = append(out.Items, f.frame(converted))
		}
	}
	return out, nil
}

func formOf(style Style) (*form, error) {
	i := slices.IndexFunc(forms, func(f form) bool { return f.style == style })
	if i < 0 {
		return nil, fmt.Errorf("unknown tool style %.40q: use one of %s", style, Styles())
	}
	return &forms[i], nil
}

func (w *Wording) convert(doc *pyval.Dict, f *form) *pyval.Dict {
	out := doc.Clone()
	name := as[pyval.Str]("name", Need(out, "name"), "str")
	if f.underscores && strings.Contains(string(name), ".") {
		out.SetStr("name", pyval.Str(strings.ReplaceAll(string(name), ".", "_")))
	}
	params := w.schema(out)
	f.place(out, params)
	if f.folds {
		w.fold(params, f.style)
	}
	if f.response {
		if response, ok := out.GetStr("response"); ok {
			extend(out, w.response.Fill(jsonText(response)))
			out.Delete(pyval.Str("response"))
		}
	}
	return out
}

// schema returns the JSON Schema of the parameters, in a new dict.
func (w *Wording) schema(doc *pyval.Dict) *pyval.Dict {
	params := NeedDict(doc, "parameters").Clone()
	params.SetStr("type", pyval.Str("object"))
	params.SetStr("properties", w.cast(Need(params, "properties")))
	if defs, ok := params.GetStr("$defs"); ok {
		params.SetStr("$defs", w.cast(defs))
	}
	return params
}

// place stores the schema under the style's key; a key other than
// "parameters" comes last in the document.
func (f *form) place(doc, params *pyval.Dict) {
	switch f.schema {
	case "":
		doc.SetStr("parameters", params)
		return
	case "inputSchema":
		wrapped := pyval.Object("json", params)
		params = wrapped
	}
	doc.SetStr(f.schema, params)
	doc.Delete(pyval.Str("parameters"))
}
