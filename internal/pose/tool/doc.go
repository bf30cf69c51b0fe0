// Package tool turns BFCL's function documents into the tool schemas that
// providers take, as upstream does it: first language hints are added to the
// descriptions (Hinted), then types are mapped, keys a provider refuses are
// folded into descriptions, and the document gets the provider's frame
// (Convert). The words that are added come from the dataset's prompts.json.
package tool

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A DocError says that a function document cannot be used. Upstream raises an
// exception for it.
type DocError struct {
	// Function is the function's name, "" if the document has none.
	Function string
	// Kind is the Python exception's class, such as "KeyError".
	Kind string
	// Msg is the exception's text; for a KeyError it is Python's repr of the
	// missing or unknown key.
	Msg string
}

// Error names the function and what is wrong.
func (e *DocError) Error() string {
	return fmt.Sprintf("function document %.80q: %s: %.200s", e.Function, e.Kind, e.Msg)
}

func raise(kind, format string, args ...any) {
	pyval.Check(&DocError{Kind: kind, Msg: fmt.Sprintf(format, args...)})
}

// InFunction adds a document's name to a DocError that lacks it.
func InFunction(doc *pyval.Dict, err error) error {
	var e *DocError
	if !errors.As(err, &e) || e.Function != "" {
		return err
	}
	if name, ok := doc.GetStr("name"); ok {
		e.Function = pyval.Text(name)
	}
	return e
}

// Try returns the result of f, or as an error what f raises about a document.
func Try[T any](doc *pyval.Dict, f func() T) (T, error) {
	v, err := pyval.Try(f)
	return v, InFunction(doc, err)
}

// Need returns the value of a key that a document must have. Like the functions
// below, it raises a DocError.
func Need(d *pyval.Dict, key string) pyval.Value {
	v, ok := d.GetStr(key)
	if !ok {
		raise("KeyError", "%s", pyval.Repr(pyval.Str(key)))
	}
	return v
}

// NeedDict is like Need for a value that must be a dict.
func NeedDict(d *pyval.Dict, key string) *pyval.Dict {
	return as[*pyval.Dict](key, Need(d, key), "dict")
}

// as returns a value that must be of a type.
func as[T pyval.Value](what string, v pyval.Value, want string) T {
	t, ok := v.(T)
	if !ok {
		raise("TypeError", "%s must be %s, not %s", what, want, pyval.TypeName(v))
	}
	return t
}

// extend appends a text to the description, which must exist.
func extend(d *pyval.Dict, text string) {
	d.SetStr("description", as[pyval.Str]("description", Need(d, "description"), "str")+pyval.Str(text))
}

// jsonText is the JSON of a part of a document.
func jsonText(v pyval.Value) string {
	text, err := pyval.JSON(v, 0)
	if err != nil {
		raise("TypeError", "%v", err)
	}
	return text
}

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
			schema = pyval.Object("type", pyval.Str("object"), "properties", pyval.NewDict(0))
		}
		f.place(out, schema)
	}
	return out
}

// A Source returns the texts of a dataset's prompts.json and keeps the error
// for the first one that is missing or broken, so that a loader can get all
// that it needs and check Err once.
type Source struct {
	root *pyval.Dict
	err  error
}

// NewSource reads prompts.json.
func NewSource(data []byte) (*Source, error) {
	v, err := pyval.ParseJSON(string(data))
	if err != nil {
		return nil, fmt.Errorf("prompts.json: %w", err)
	}
	root, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("prompts.json: must be an object, not %s", pyval.TypeName(v))
	}
	return &Source{root: root}, nil
}

// Err returns the first error.
func (s *Source) Err() error { return s.err }

func (s *Source) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("prompts.json: "+format, args...)
	}
}

// Value returns the value at a path of keys, None if it is missing.
func (s *Source) Value(path ...string) pyval.Value {
	var v pyval.Value = s.root
	for i, key := range path {
		d, ok := v.(*pyval.Dict)
		if !ok {
			s.fail("%s must be an object", strings.Join(path[:i], "."))
			return pyval.None
		}
		if v, ok = d.GetStr(key); !ok {
			s.fail("%s is missing", strings.Join(path[:i+1], "."))
			return pyval.None
		}
	}
	return v
}

// Text returns the text at a path of keys.
func (s *Source) Text(path ...string) string {
	text, ok := s.Value(path...).(pyval.Str)
	if !ok {
		s.fail("%s must be a text", strings.Join(path, "."))
	}
	return string(text)
}

// Template returns the text at a path of keys as a template with the given
// fields.
func (s *Source) Template(fields []string, path ...string) *pyval.Template {
	t, err := pyval.ParseTemplate(s.Text(path...), fields...)
	if err != nil {
		s.fail("%s: %w", strings.Join(path, "."), err)
	}
	return t
}

// Wording holds the texts that are added to function documents.
type Wording struct {
	hints    map[eval.Language]string
	java     parameterHints
	js       parameterHints
	float    string
	folds    []*pyval.Template // in the order of foldKeys
	response *pyval.Template
	enum     *pyval.Template
}

// Load reads the texts from a dataset's prompts.json.
func Load(data []byte) (*Wording, error) {
	src, err := NewSource(data)
	if err != nil {
		return nil, err
	}
	w := ReadWording(src)
	if err := src.Err(); err != nil {
		return nil, err
	}
	return w, nil
}

// ReadWording reads the texts from a Source. If src.Err then returns an error,
// the Wording must not be used.
func ReadWording(src *Source) *Wording {
	const texts = "tool_schema_text"
	w := &Wording{
		hints:    map[eval.Language]string{},
		java:     readHints(src, "java", "ArrayList_or_Array", "ArrayList", "Array"),
		js:       readHints(src, "javascript", "array", "array"),
		float:    src.Text(texts, "float_suffix"),
		response: src.Template([]string{"json_dumps_response"}, texts, "response"),
		enum:     src.Template(valueField, texts, "enum"),
	}
	w.js.dict = src.Template([]string{"properties_json"}, "parameter_hint", "javascript_dict_with_properties")
	for _, lang := range eval.Languages() {
		w.hints[lang] = src.Text("language_specific_hint", lang.Key())
	}
	for _, key := range foldKeys {
		w.folds = append(w.folds, src.Template(valueField, texts, key))
	}
	return w
}

var valueField = []string{"value"}

// EnumNote returns the text about the accepted values in a description.
func (w *Wording) EnumNote(enum pyval.Value) string { return w.enum.Fill(pyval.Text(enum)) }
