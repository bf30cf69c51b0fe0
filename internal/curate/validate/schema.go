package validate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A schema is the compiled schema of a tool's parameters. It has no fields but
// those it lists, if it says nothing about others: a model could add some, but a
// suite that expects one most likely has a mistake.
type schema struct {
	compiled *jsonschema.Schema
	names    []string // of all fields
}

// compiled compiles a schema. Nothing is ever fetched.
func compiled(of *pyval.Dict) (s *schema, err error) {
	defer func() {
		if p := recover(); p != nil {
			s, err = nil, fmt.Errorf("%v", p)
		}
	}()
	root, _ := plain(of).(map[string]any)
	s = &schema{}
	s.prepare(root, true, 0)
	slices.Sort(s.names)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	compiler.UseLoader(nothing{})
	const at = "tool:schema"
	if err := compiler.AddResource(at, root); err != nil {
		return nil, err
	}
	if s.compiled, err = compiler.Compile(at); err != nil {
		text := err.Error()
		var refused *jsonschema.SchemaValidationError
		var wrong *jsonschema.ValidationError
		if errors.As(err, &refused) && errors.As(refused.Err, &wrong) {
			var texts []string
			for _, f := range s.gather(wrong, root) {
				texts = append(texts, "/"+strings.Join(f.path, "/")+": "+f.text)
			}
			text = strings.Join(texts, "; ")
		}
		return nil, errors.New(strings.Join(strings.Fields(strings.ReplaceAll(text, at, "")), " "))
	}
	return s, nil
}

// Fits reports whether arguments fit a tool's schema.
func Fits(tool *ownsuite.Tool, args *pyval.Dict) bool {
	s, err := compiled(tool.Parameters())
	given, _ := plain(args).(map[string]any)
	return err == nil && len(s.check(given)) == 0
}

// nothing is a loader that loads no schema.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("a reference leaves the file, and %s is never fetched: copy what it points to into the file", quote(strings.TrimPrefix(url, "tool:")))
}

// gorillaTypes maps the benchmark's types to JSON Schema's.
var gorillaTypes = map[string]string{"dict": "object", "float": "number", "tuple": "array"}

// prepare replaces keywords of older drafts and of the benchmark, and closes the
// schema of a value. A part of one stays open, since another part may know a
// field.
func (s *schema) prepare(schema map[string]any, value bool, depth int) {
	const deepest = 200
	if depth > deepest {
		return
	}
	modern(schema)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { _, ok := schema[word]; return ok })
	}
	combined := has("$ref", "allOf", "anyOf", "oneOf")
	switch {
	case has("additionalProperties", "unevaluatedProperties", "patternProperties"):
	case value && (combined || has("properties")):
		schema["unevaluatedProperties"] = false
	case schema["type"] == "object" && !combined && !has("properties"):
		schema["additionalProperties"] = true
	}
	for place, inner := range schema {
		switch inner := inner.(type) {
		case map[string]any:
			switch place {
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
				for name, v := range inner {
					if place == "properties" {
						s.names = append(s.names, name)
					}
					if v, ok := v.(map[string]any); ok {
						s.prepare(v, strings.HasSuffix(strings.ToLower(place), "properties"), depth+1)
					}
				}
			case "items", "additionalProperties":
				s.prepare(inner, true, depth+1)
			case "not", "if", "then", "else", "contains":
				s.prepare(inner, false, depth+1)
			}
		case []any:
			if slices.Contains([]string{"allOf", "anyOf", "oneOf", "prefixItems"}, place) {
				for _, v := range inner {
					if v, ok := v.(map[string]any); ok {
						s.prepare(v, place == "prefixItems", depth+1)
					}
				}
			}
		}
	}
}

func modern(schema map[string]any) {
	delete(schema, "$schema")
	delete(schema, "$id")
	if typ, ok := schema["type"].(string); ok {
		switch name, known := gorillaTypes[typ]; {
		case known:
			schema["type"] = name
		case typ == "any":
			delete(schema, "type")
		}
	}
	if list, ok := schema["items"].([]any); ok {
		schema["prefixItems"] = list
		delete(schema, "items")
		if rest, ok := schema["additionalItems"]; ok {
			schema["items"] = rest
		}
	}
	if _, ok := schema["required"].(bool); ok { // JSON Schema's third draft
		delete(schema, "required")
	}
	for exclusive, limit := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		if v, ok := schema[exclusive].(bool); ok {
			delete(schema, exclusive)
			if most, ok := schema[limit]; ok && v {
				schema[exclusive] = most
			}
		}
	}
}

// A finding is a value that does not fit its schema.
type finding struct {
	path             []string
	text             string
	severity         Severity
	missing, unknown bool // whether a field is missing, or unknown
}

// check compares arguments, or another value, with a schema.
func (s *schema) check(args any) (found []finding) {
	defer func() {
		if p := recover(); p != nil {
			found = []finding{{text: fmt.Sprintf("the schema cannot be applied: %v", p), severity: Error}}
		}
	}()
	err := s.compiled.Validate(args)
	var wrong *jsonschema.ValidationError
	switch {
	case errors.As(err, &wrong):
		return s.gather(wrong, args)
	case err != nil:
		return []finding{{text: "the schema cannot be applied: " + err.Error(), severity: Error}}
	}
	return nil
}

// gather returns the errors at the leaves in the order of their places, which the
// library finds in Go's random order. If none of several alternatives fits, the
// finding is at their place.
func (s *schema) gather(e *jsonschema.ValidationError, args any) (found []finding) {
	switch e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return []finding{{path: e.InstanceLocation, text: s.alternatives(e, args), severity: Error}}
	}
	if len(e.Causes) == 0 {
		return []finding{s.one(e, valueAt(args, e.InstanceLocation))}
	}
	for _, cause := range e.Causes {
		found = append(found, s.gather(cause, args)...)
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		return cmp.Or(comparePlaces(a.path, b.path), cmp.Compare(a.text, b.text))
	})
	// The fields of a part that is wrong count as unknown.
	return slices.DeleteFunc(found, func(f finding) bool {
		return f.unknown && slices.ContainsFunc(found, func(g finding) bool {
			deeper := len(g.path) - len(f.path)
			return (deeper > 0 || deeper == 0 && !g.unknown) && slices.Equal(g.path[:len(f.path)], f.path)
		})
	})
}

// comparePlaces compares two paths into a value, and list indexes as numbers.
func comparePlaces(a, b []string) int {
	return slices.CompareFunc(a, b, func(a, b string) int {
		i, err := strconv.Atoi(a)
		j, err2 := strconv.Atoi(b)
		if err != nil || err2 != nil {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(i, j)
	})
}

// alternatives says why no alternative fits, with the reason of each.
func (s *schema) alternatives(e *jsonschema.ValidationError, args any) string {
	value := shown(valueAt(args, e.InstanceLocation))
	if one, ok := e.ErrorKind.(*kind.OneOf); ok && len(one.Subschemas) > 0 {
		return fmt.Sprintf("%s fits %d alternatives of the schema (oneOf), but must fit exactly one", value, len(one.Subschemas))
	}
	var reasons []string
	for _, cause := range e.Causes {
		for _, f := range s.gather(cause, args) {
			text := f.text
			if rest := f.path[min(len(e.InstanceLocation), len(f.path)):]; len(rest) > 0 {
				text = strings.Join(rest, ".") + ": " + text
			}
			if !slices.Contains(reasons, text) {
				reasons = append(reasons, text)
			}
		}
	}
	return value + " fits no alternative of the schema: " + strings.Join(reasons, "; or ")
}

// one says what is wrong with one value, and what is accepted.
func (s *schema) one(e *jsonschema.ValidationError, v any) finding {
	f := finding{path: e.InstanceLocation, severity: Error}
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		f.text = fmt.Sprintf("%s is of type %s, not %s", shown(v), k.Got, strings.Join(k.Want, " or "))
	case *kind.Enum:
		f.text = fmt.Sprintf("%s is not in the enum; accepted: %s", shown(v), list(k.Want))
		if same := alike(v, k.Want); same != nil {
			f.severity = Warning
			f.text = fmt.Sprintf("%s is spelled differently in the enum: %s; the judge treats them as the same", shown(v), shown(same))
		}
	case *kind.Format:
		f.text = fmt.Sprintf("%s is not a valid %s", shown(v), k.Want)
	case *kind.Required:
		f.missing = true
		f.text = "required but missing: " + list(k.Missing) + "; add what is accepted"
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		f.unknown, f.text = true, "unknown field "+list(k.Properties)+say.Hint(k.Properties[0], s.names)
	case *kind.FalseSchema:
		f.text = shown(v) + " is never accepted: the schema is false"
		if n := len(f.path); n > 0 { // from unevaluatedProperties
			f.unknown, f.text = true, "unknown field "+list(f.path[n-1:])+say.Hint(f.path[n-1], s.names)
			f.path = f.path[:n-1]
		}
	default:
		f.text = shown(v) + ": " + e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	}
	return f
}

// alike returns the value of an enum that the judge treats as the same; nil if there
// is none.
func alike(v any, enum []any) any {
	text, ok := v.(string)
	for _, one := range enum {
		if other, is := one.(string); ok && is && judge.Alike(pyval.Str(text), pyval.Str(other)) {
			return one
		}
	}
	return nil
}

func valueAt(v any, path []string) any {
	for _, word := range path {
		switch at := v.(type) {
		case map[string]any:
			v = at[word]
		case []any:
			i, err := strconv.Atoi(word)
			if err != nil || i < 0 || i >= len(at) {
				return nil
			}
			v = at[i]
		}
	}
	return v
}

// shown returns a value as JSON, cut if it is long.
func shown(v any) string {
	const most = 120
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	if cut := say.Cut(string(text), most); cut != string(text) {
		return cut + "…"
	}
	return string(text)
}

func list[T any](values []T) string {
	const most = 12
	var texts []string
	for _, v := range values {
		texts = append(texts, shown(v))
	}
	return say.First(texts, most)
}
