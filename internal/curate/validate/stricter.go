package validate

import (
	"maps"
	"slices"
	"strings"
)

// A stricter turns a tool's schema into the one that answers are checked
// against: in the latest draft of JSON Schema, and without further fields if a
// schema lists its fields and says nothing about others. A model could add
// fields there, but a suite that expects one most likely has a mistake.
type stricter struct{ root map[string]any }

// gorillaTypes maps the benchmark's types to JSON Schema's.
var gorillaTypes = map[string]string{"dict": "object", "float": "number", "tuple": "array"}

// each calls f for the schemas directly inside a schema; place is the keyword.
func each(schema map[string]any, f func(place string, inner map[string]any)) {
	for _, place := range slices.Sorted(maps.Keys(schema)) {
		switch v := schema[place].(type) {
		case map[string]any:
			switch place {
			case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
				for _, name := range slices.Sorted(maps.Keys(v)) {
					if inner, ok := v[name].(map[string]any); ok {
						f(place, inner)
					}
				}
			case "items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else", "unevaluatedProperties":
				f(place, v)
			}
		case []any:
			switch place {
			case "allOf", "anyOf", "oneOf", "prefixItems":
				for _, item := range v {
					if inner, ok := item.(map[string]any); ok {
						f(place, inner)
					}
				}
			}
		}
	}
}

const deepest = 200

// modern replaces keywords of older drafts and of the benchmark by those of the
// latest draft.
func (s stricter) modern(schema map[string]any, depth int) {
	if depth > deepest {
		return
	}
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
	if v, ok := schema["required"].(bool); ok && (v || !v) { // JSON Schema's third draft
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
	each(schema, func(_ string, inner map[string]any) { s.modern(inner, depth+1) })
}

// close closes the schema of a value, and the schemas of the values in it.
func (s stricter) close(schema map[string]any, depth int) {
	if depth > deepest {
		return
	}
	if s.lists(schema, 0) && !s.open(schema, 0) {
		schema["unevaluatedProperties"] = false
	}
	s.inner(schema, depth)
}

// inner closes the schemas of the values in a value. The parts that the schema
// itself is made of stay open, because another part may know the field.
func (s stricter) inner(schema map[string]any, depth int) {
	if depth > deepest {
		return
	}
	each(schema, func(place string, inner map[string]any) {
		switch place {
		case "properties", "patternProperties", "items", "prefixItems", "additionalProperties":
			s.close(inner, depth+1)
		case "not", "if", "contains", "propertyNames":
		default:
			s.inner(inner, depth+1)
		}
	})
}

// lists reports whether a schema, or a part of it, lists properties.
func (s stricter) lists(schema map[string]any, depth int) bool {
	if properties, ok := schema["properties"].(map[string]any); ok && len(properties) > 0 {
		return true
	}
	return s.part(schema, depth, s.lists)
}

// open reports whether a schema, or a part of it, says something about other
// fields, or accepts any object.
func (s stricter) open(schema map[string]any, depth int) bool {
	for _, key := range []string{"additionalProperties", "unevaluatedProperties", "patternProperties"} {
		if _, ok := schema[key]; ok {
			return true
		}
	}
	_, names := schema["properties"]
	if depth > 0 && schema["type"] == "object" && !names {
		return true
	}
	return s.part(schema, depth, s.open)
}

// part reports whether f holds for a part of a schema: the schema that it
// refers to, or one of those it is combined from.
func (s stricter) part(schema map[string]any, depth int, f func(map[string]any, int) bool) bool {
	const most = 16
	if depth > most {
		return false
	}
	if ref, ok := schema["$ref"].(string); ok {
		if target := s.at(ref); target != nil && f(target, depth+1) {
			return true
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := schema[key].([]any)
		for _, item := range list {
			if inner, ok := item.(map[string]any); ok && f(inner, depth+1) {
				return true
			}
		}
	}
	return false
}

// at returns the schema that a reference inside the schema points to; nil for
// other references.
func (s stricter) at(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := s.root
	for word := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if word == "" {
			continue
		}
		at, _ = at[strings.NewReplacer("~1", "/", "~0", "~").Replace(word)].(map[string]any)
	}
	return at
}

// parts returns a schema and those that it is combined from, by reference or as
// alternatives.
func (s stricter) parts(schema map[string]any, depth int) []map[string]any {
	out := []map[string]any{schema}
	s.part(schema, depth, func(inner map[string]any, depth int) bool {
		out = append(out, s.parts(inner, depth)...)
		return len(out) > 100
	})
	return out
}
