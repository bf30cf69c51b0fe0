package tool

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
		java:     javaHints(src),
		js:       javaScriptHints(src),
		float:    src.Text(texts, "float_suffix"),
		response: src.Template([]string{"json_dumps_response"}, texts, "response"),
		enum:     src.Template(valueField, texts, "enum"),
	}
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
