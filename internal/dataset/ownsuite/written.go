package ownsuite

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// schemaTypes are the types of JSON Schema.
var schemaTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// The keywords of JSON Schema that contain schemas: one, a list, or one for
// each name.
var (
	oneSchema  = []string{"items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else", "unevaluatedProperties", "unevaluatedItems", "additionalItems"}
	listSchema = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	mapSchema  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)

// eachSchema calls f for the schemas directly inside a schema.
func eachSchema(schema *pyval.Dict, f func(key string, inner pyval.Value)) {
	for _, key := range oneSchema {
		if v, ok := schema.GetStr(key); ok && v.Kind() != pyval.KindList {
			f(key, v)
		}
	}
	for _, key := range listSchema {
		for _, v := range members(schema, key) {
			f(key, v)
		}
	}
	for _, key := range mapSchema {
		v, _ := schema.GetStr(key)
		if d, ok := v.(*pyval.Dict); ok {
			for _, inner := range d.All() {
				f(key, inner)
			}
		}
	}
}

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
	fine := true
	eachSchema(schema, func(_ string, inner pyval.Value) { fine = fine && isJSONSchema(inner, depth+1) })
	return fine
}

// inlined returns an OpenAPI schema as JSON Schema: references are written out,
// and keywords of OpenAPI 3.0 are replaced by those of JSON Schema.
func (c *converter) inlined(v pyval.Value, depth int) (pyval.Value, error) {
	if *c.parts++; *c.parts > maxParts {
		return nil, fmt.Errorf("the schemas of all tools unfold to more than %d parts: name fewer operations", maxParts)
	}
	switch v := v.(type) {
	case *pyval.List:
		out := &pyval.List{}
		for _, item := range v.Items {
			one, err := c.inlined(item, depth+1)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, one)
		}
		return out, nil
	case *pyval.Dict:
		return c.inlinedDict(v, depth)
	}
	return v, nil
}

func (c *converter) inlinedDict(schema *pyval.Dict, depth int) (pyval.Value, error) {
	if depth > 4*maxDepth { // lists and maps of schemas count, too
		return nil, errDepth
	}
	if ref, ok := schema.GetStr("$ref"); ok && ref.Kind() == pyval.KindStr {
		target, err := c.lookup(pyval.Text(ref)) // convert has already found circles
		if err != nil {
			return nil, err
		}
		out, err := c.inlined(target, depth+1)
		if d, ok := out.(*pyval.Dict); ok && err == nil {
			overlay(d, schema)
		}
		return out, err
	}
	out := pyval.NewDict(schema.Len())
	for key, inner := range schema.All() {
		one, err := c.inlined(inner, depth+1)
		if err != nil {
			return nil, err
		}
		_ = out.Set(key, one) // a key of a dict is hashable
	}
	modern(out)
	return out, nil
}

// fields collects the properties of a schema as they are written, with those of
// the schemas under allOf.
func (c *converter) fields(v pyval.Value, into map[string]pyval.Value, depth int) {
	schema, err := c.resolve(v)
	if err != nil || depth > maxDepth {
		return
	}
	for _, part := range members(schema, "allOf") {
		c.fields(part, into, depth+1)
	}
	properties, _ := schema.GetStr("properties")
	if d, ok := properties.(*pyval.Dict); ok {
		for key, field := range d.All() {
			into[pyval.Text(key)] = field
		}
	}
}

// modern replaces OpenAPI 3.0's own keywords by those of JSON Schema.
func modern(schema *pyval.Dict) {
	typ, isText := text(schema, "type")
	if v, ok := schema.GetStr("nullable"); ok && v.Kind() == pyval.KindBool {
		schema.Delete(pyval.Str("nullable"))
		if v == pyval.Value(pyval.Bool(true)) && isText {
			schema.SetStr("type", pyval.NewList(pyval.Str(typ), pyval.Str("null")))
			if list := members(schema, "enum"); list != nil && !slices.Contains(list, pyval.Value(pyval.None)) {
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

// lostOf lists the parts of an operation that a tool cannot express: what
// callers do not set, and what models are not shown.
func lostOf(item, operation *pyval.Dict) (lost []string) {
	for _, owner := range []*pyval.Dict{item, operation} {
		for _, v := range members(owner, "parameters") {
			p, _ := v.(*pyval.Dict)
			if p == nil {
				continue
			}
			name, _ := text(p, "name")
			if in, _ := text(p, "in"); in == "cookie" || in == "header" && isTransport(name) {
				lost = append(lost, fmt.Sprintf("the %s %s is left out", in, quote(name)))
			}
		}
	}
	if v, ok := operation.GetStr("requestBody"); ok {
		body, _ := v.(*pyval.Dict)
		for key := range contentOf(body).All() {
			if name := pyval.Text(key); name != "application/json" {
				lost = append(lost, "the body as "+quote(name)+" is left out")
			}
		}
	}
	for key, what := range map[string]string{
		"security": "who may call it (security)", "callbacks": "callbacks", "servers": "its own servers",
	} {
		if operation.Has(key) {
			lost = append(lost, what)
		}
	}
	if v, _ := operation.GetStr("deprecated"); v == pyval.Value(pyval.Bool(true)) {
		lost = append(lost, "that the operation is deprecated")
	}
	if operation.Has("responses") {
		lost = append(lost, "what the operation returns (responses)")
	}
	slices.Sort(lost)
	return lost
}

func contentOf(body *pyval.Dict) *pyval.Dict {
	if body != nil {
		v, _ := body.GetStr("content")
		if d, ok := v.(*pyval.Dict); ok {
			return d
		}
	}
	return pyval.NewDict(0)
}
