package validate

import (
	"maps"
	"slices"
	"strings"
)

// A stricter makes of a tool's schema the one that answers are held against: in
// the words of JSON Schema's latest draft, and with fields closed where a schema
// lists them and says nothing of others. A model could add fields there; a
// suite that expects one has most likely a slip.
type stricter struct{ root map[string]any }

// gorillaTypes are the benchmark's types in JSON Schema's words.
var gorillaTypes = map[string]string{"dict": "object", "float": "number", "tuple": "array"}

// each calls f for the schemas that stand in one; place is the keyword.
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

// modern says in the latest draft's words what older drafts and the benchmark
// have their own for.
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

// close closes a schema that stands where a value does, and those of the values
// in it.
func (s stricter) close(schema map[string]any, depth int) {
	if depth > deepest {
		return
	}
	if s.lists(schema, 0) && !s.open(schema, 0) {
		schema["unevaluatedProperties"] = false
	}
	s.inner(schema, depth)
}

// inner closes the values' schemas below one, and leaves those that are parts of
// it as they are: what one part does not know the other may.
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

// lists reports whether a schema, or a part of it, names properties.
func (s stricter) lists(schema map[string]any, depth int) bool {
	if properties, ok := schema["properties"].(map[string]any); ok && len(properties) > 0 {
		return true
	}
	return s.part(schema, depth, s.lists)
}

// open reports whether a schema, or a part of it, says something of other
// fields, or takes any object.
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

// part reports whether f holds for a part of a schema: what it refers to, or one
// of several that it is put together from.
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

// at is what a reference inside the schema points to; nil for others.
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

// parts are a schema and those that it is put together from, by reference or as
// alternatives.
func (s stricter) parts(schema map[string]any, depth int) []map[string]any {
	out := []map[string]any{schema}
	s.part(schema, depth, func(inner map[string]any, depth int) bool {
		out = append(out, s.parts(inner, depth)...)
		return len(out) > 100
	})
	return out
}
