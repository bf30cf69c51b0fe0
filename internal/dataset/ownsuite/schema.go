package ownsuite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// typeNames maps JSON Schema's types to the benchmark's. Others, such as
// Java's, are kept.
var typeNames = map[string]string{"object": "dict", "number": "float"}

// convert turns JSON Schema without references into the form of function
// documents: with their type names, and only the keys that those documents
// have. It works on ordered values, because the order of properties reaches the
// prompt.
func convert(v pyval.Value) (*pyval.Dict, error) {
	if _, any := v.(pyval.Bool); any || v == nil {
		v = pyval.NewDict(0)
	}
	schema, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("a schema must be an object, not %s", pyval.ATypeName(v))
	}
	if parts := schema.List("allOf"); parts != nil {
		return allOf(schema, parts)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if parts := schema.List(key); parts != nil {
			return oneOf(schema, parts)
		}
	}
	return plain(schema)
}

// overlay takes over the description and the default of a schema beside a
// reference.
func overlay(out, schema *pyval.Dict) {
	for _, key := range []string{"description", "default"} {
		if v, ok := schema.GetStr(key); ok {
			out.SetStr(key, v)
		}
	}
}

// allOf merges schemas: properties and required are joined, of other keys the
// last one counts.
func allOf(schema *pyval.Dict, parts []pyval.Value) (*pyval.Dict, error) {
	rest := schema.Clone()
	rest.Delete(pyval.Str("allOf"))
	out := pyval.NewDict(4)
	fields, required := pyval.NewDict(4), &pyval.List{}
	for _, part := range append(slices.Clone(parts), rest) {
		if d, ok := part.(*pyval.Dict); ok && d == rest && !d.Has("type") && !d.Has("properties") && !d.Has("required") && !d.Has("enum") {
			overlay(out, rest)
			continue
		}
		one, err := convert(part)
		if err != nil {
			return nil, err
		}
		for key, v := range one.All() {
			switch more := v.(type) {
			case *pyval.Dict:
				if key == pyval.Value(pyval.Str("properties")) {
					for name, p := range more.All() {
						_ = fields.Set(name, p)
					}
					continue
				}
			case *pyval.List:
				if key == pyval.Value(pyval.Str("required")) {
					required.Items = append(required.Items, more.Items...)
					continue
				}
			}
			_ = out.Set(key, v)
		}
	}
	if fields.Len() > 0 {
		out.SetStr("type", pyval.Str("dict"))
		out.SetStr("properties", fields)
	}
	if len(required.Items) > 0 {
		out.SetStr("required", required)
	}
	return out, nil
}

// oneOf returns the only alternative that is not null, or any value if there
// are several.
func oneOf(schema *pyval.Dict, parts []pyval.Value) (*pyval.Dict, error) {
	var types []*pyval.Dict
	for _, part := range parts {
		one, err := convert(part)
		if err != nil {
			return nil, err
		}
		if typ, _ := one.Text("type"); typ != "null" {
			types = append(types, one)
		}
	}
	out := pyval.Object("type", sameType(types), "description", pyval.Str(""))
	if len(types) == 1 {
		out = types[0]
	}
	overlay(out, schema)
	return out, nil
}

// sameType returns the type that all schemas have, if the type says enough
// about a value; otherwise any.
func sameType(all []*pyval.Dict) pyval.Value {
	typ := ""
	for _, one := range all {
		t, _ := one.Text("type")
		if typ != "" && t != typ || t == "array" || t == "dict" {
			return pyval.Str("any")
		}
		typ = t
	}
	if typ == "" {
		typ = "any"
	}
	return pyval.Str(typ)
}

// limitKeys are written into the description, because function documents have
// no keys for them.
var limitKeys = []string{"format", "pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"}

func plain(schema *pyval.Dict) (*pyval.Dict, error) {
	out := pyval.NewDict(4)
	typ, err := typeOf(schema)
	if err != nil {
		return nil, err
	}
	out.SetStr("type", pyval.Str(typ))
	description, _ := schema.Text("description")
	out.SetStr("description", pyval.Str(withLimits(description, schema)))
	if v, ok := schema.GetStr("const"); ok {
		out.SetStr("enum", pyval.NewList(v))
	}
	for _, key := range []string{"enum", "default", "required"} {
		if v, ok := schema.GetStr(key); ok {
			out.SetStr(key, v)
		}
	}
	if typ == "array" || typ == "tuple" || schema.Has("items") {
		items, _ := schema.GetStr("items")
		one, err := convert(items)
		if err != nil {
			return nil, err
		}
		if nullable(items) { // the judge takes null for a parameter, but not in a list
			one.SetStr("type", pyval.Str("any"))
		}
		out.SetStr("items", one)
	}
	return out, properties(schema, out)
}

// nullable reports whether null is among the types of a schema.
func nullable(v pyval.Value) bool {
	schema, _ := v.(*pyval.Dict)
	if schema == nil {
		return false
	}
	null := func(v pyval.Value) bool { return v == pyval.Value(pyval.Str("null")) }
	return slices.ContainsFunc(schema.List("type"), null) || slices.ContainsFunc(slices.Concat(schema.List("anyOf"), schema.List("oneOf")), func(v pyval.Value) bool {
		part, _ := v.(*pyval.Dict)
		typ, _ := part.Text("type")
		return null(pyval.Str(typ)) || nullable(v)
	})
}

func properties(schema, out *pyval.Dict) error {
	v, ok := schema.GetStr("properties")
	if !ok {
		return nil
	}
	fields, ok := v.(*pyval.Dict)
	if !ok {
		return errors.New(`"properties" is not an object`)
	}
	converted := pyval.NewDict(fields.Len())
	for name, field := range fields.All() {
		one, err := convert(field)
		if err != nil {
			return fmt.Errorf("%s: %w", quote(pyval.Text(name)), err)
		}
		_ = converted.Set(name, one) // a key of a dict is hashable
	}
	out.SetStr("properties", converted)
	return nil
}

// typeOf returns a schema's type in the benchmark's terms; null beside another
// type is ignored.
func typeOf(schema *pyval.Dict) (string, error) {
	v, _ := schema.GetStr("type")
	var names []string
	switch v := v.(type) {
	case nil:
		return guess(schema), nil
	case pyval.Str:
		names = []string{string(v)}
	case *pyval.List:
		for _, item := range v.Items {
			if name, ok := item.(pyval.Str); ok && name != "null" {
				names = append(names, string(name))
			}
		}
	default:
		return "", fmt.Errorf(`"type" must be a text, not %s`, pyval.ATypeName(v))
	}
	if len(names) != 1 {
		return "any", nil
	}
	if known, ok := typeNames[names[0]]; ok {
		return known, nil
	}
	return names[0], nil
}

// guess returns the likely type of a schema that states none.
func guess(schema *pyval.Dict) string {
	values := schema.List("enum")
	switch {
	case schema.Has("properties"):
		return "dict"
	case schema.Has("items"):
		return "array"
	case len(values) > 0 && !slices.ContainsFunc(values, func(v pyval.Value) bool { return v.Kind() != pyval.KindStr }):
		return "string"
	}
	return "any"
}

func withLimits(description string, schema *pyval.Dict) string {
	var said []string
	for _, key := range limitKeys {
		if v, ok := schema.GetStr(key); ok {
			said = append(said, key+": "+pyval.Text(v))
		}
	}
	if len(said) == 0 {
		return description
	}
	return strings.TrimSpace(description + " (" + strings.Join(said, ", ") + ")")
}

// schemaTypes are the types of JSON Schema.
var schemaTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// The keywords of JSON Schema that contain schemas: one, a list, or one for
// each name.
var (
	oneSchema  = []string{"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else", "unevaluatedProperties", "unevaluatedItems", "additionalItems"}
	listSchema = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	mapSchema  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)

// isJSONSchema reports whether a schema uses only JSON Schema's types. The
// benchmark's types, such as dict and float, are only for its own documents.
func isJSONSchema(v pyval.Value, depth int) bool {
	schema, ok := v.(*pyval.Dict)
	if !ok || depth > maxDepth {
		return true
	}
	typ, _ := schema.GetStr("type")
	names := []pyval.Value{typ}
	if list, ok := typ.(*pyval.List); ok {
		names = list.Items
	}
	for _, name := range names {
		if text, ok := name.(pyval.Str); ok && !slices.Contains(schemaTypes, string(text)) {
			return false
		}
	}
	for key, v := range schema.All() {
		var inner []pyval.Value
		switch v := v.(type) {
		case *pyval.List:
			if slices.Contains(listSchema, pyval.Text(key)) {
				inner = v.Items
			}
		case *pyval.Dict:
			if slices.Contains(oneSchema, pyval.Text(key)) {
				inner = append(inner, v)
			} else if slices.Contains(mapSchema, pyval.Text(key)) {
				for _, one := range v.All() {
					inner = append(inner, one)
				}
			}
		}
		if slices.ContainsFunc(inner, func(v pyval.Value) bool { return !isJSONSchema(v, depth+1) }) {
			return false
		}
	}
	return true
}

// modern replaces OpenAPI 3.0's own keywords by those of JSON Schema.
func modern(schema *pyval.Dict) {
	typ, isText := schema.Text("type")
	if v, ok := schema.GetStr("nullable"); ok && v.Kind() == pyval.KindBool {
		schema.Delete(pyval.Str("nullable"))
		if v == pyval.Value(pyval.Bool(true)) && isText {
			schema.SetStr("type", pyval.NewList(pyval.Str(typ), pyval.Str("null")))
			if list := schema.List("enum"); list != nil && !slices.Contains(list, pyval.Value(pyval.None)) {
				schema.SetStr("enum", &pyval.List{Items: append(slices.Clone(list), pyval.None)})
			}
		}
	}
	for _, words := range [][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		exclusive, limit := words[0], words[1]
		v, ok := schema.GetStr(exclusive)
		if !ok || v.Kind() != pyval.KindBool {
			continue
		}
		schema.Delete(pyval.Str(exclusive))
		if most, ok := schema.GetStr(limit); ok && v == pyval.Value(pyval.Bool(true)) {
			schema.Delete(pyval.Str(limit))
			schema.SetStr(exclusive, most)
		}
	}
}
