package adapters_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// lenient is what a specification demands and upstream does not send: the
// demand is taken out of it, and the requests without are counted. In practice
// OpenAI does without, too.
var lenient = struct{ schema, field, why string }{
	"FunctionTool", "strict", "a tool of the Responses API without strict",
}

// TestGoldenSpecifications holds the bodies of all official cases, in both
// modes, single questions and second steps of conversations, to the providers'
// own specifications. Objects are closed: a field that a specification does not
// name is a violation.
func TestGoldenSpecifications(t *testing.T) {
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("AWS_ACCESS_KEY_ID", "planted")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "planted-secret-0123456789")
	a := newAsker(t)
	for _, s := range []struct {
		adapter, id string
		schema      func(*testing.T) *jsonschema.Schema
	}{
		{"openai", "gpt-4.1", func(t *testing.T) *jsonschema.Schema { return openAI(t, "CreateChatCompletionRequest") }},
		{"responses", "gpt-5", func(t *testing.T) *jsonschema.Schema { return openAI(t, "CreateResponse") }},
		{"bedrock", "us.amazon.nova-pro-v1:0", converse},
		{"anthropic", "claude-opus-4-6", shape(anthropicShape)},
		{"gemini", "gemini-2.5-pro", shape(geminiShape)},
		{"cohere", "command-a-03-2025", shape(cohereShape)},
	} {
		t.Run(s.adapter, func(t *testing.T) {
			if tag := adapters.Tag(s.adapter); tag != "" {
				t.Skipf("needs -tags %s", tag)
			}
			t.Parallel()
			schema := s.schema(t)
			adapter := a.openWith(t, catalog.Entry{Name: s.adapter, Adapter: s.adapter, ID: s.id, Key: "PLANTED_API_KEY"}, &wire{})
			body := adapter.(*provider.Adapter).Body
			every := testkit.Some(5, 1)
			if testing.Short() {
				every = 20
			}
			nth, count, unsendable, kept, bad := 0, 0, 0, map[string]int{}, map[string][]string{}
			for req := range a.requests(t) {
				if nth++; nth%every != 0 {
					continue
				}
				b, err := body(req)
				if err != nil {
					unsendable++
					continue
				}
				count++
				if tools := provider.Items(b, "tools"); s.adapter == "responses" && len(tools) > 0 {
					assert.Equal(t, pyval.None, provider.Get(tools[0], lenient.field))
					kept[lenient.why]++
				}
				for _, violation := range violations(t, schema, b) {
					bad[violation] = append(bad[violation], req.ID)
				}
			}
			for _, v := range slices.Sorted(maps.Keys(bad)) {
				t.Errorf("%s: %d requests, first of %s", v, len(bad[v]), bad[v][0])
			}
			t.Logf("%s: %d bodies, %d requests that cannot be made, violations kept as upstream's: %v", s.adapter, count, unsendable, kept)
		})
	}
}

// violations are the places at which a body violates a schema, without what is
// particular to the case.
func violations(t *testing.T, schema *jsonschema.Schema, body *pyval.Dict) []string {
	t.Helper()
	err := schema.Validate(plain(t, body))
	if err == nil {
		return nil
	}
	var found *jsonschema.ValidationError
	require.ErrorAs(t, err, &found)
	seen := map[string]bool{}
	leaves(found, seen)
	return slices.Sorted(maps.Keys(seen))
}

// plain is a value as the validator takes it. Its text could be parsed again
// instead, which takes as long as the validation.
func plain(t *testing.T, v pyval.Value) any {
	switch v := v.(type) {
	case pyval.NoneType:
		return nil
	case pyval.Bool:
		return bool(v)
	case pyval.Str:
		return string(v)
	case *pyval.List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = plain(t, item)
		}
		return out
	case *pyval.Dict:
		out := make(map[string]any, v.Len())
		for key, item := range v.All() {
			out[string(key.(pyval.Str))] = plain(t, item)
		}
		return out
	}
	text := testkit.Must(pyval.JSON(v, pyval.JSONUnicode))(t) // a number
	return json.Number(text)
}

// leaves are an error's innermost causes.
func leaves(e *jsonschema.ValidationError, seen map[string]bool) {
	if len(e.Causes) == 0 {
		at := slices.Clone(e.InstanceLocation)
		for i, part := range at {
			if strings.Trim(part, "0123456789") == "" {
				at[i] = "*"
			}
		}
		seen[fmt.Sprintf("/%s: %s", strings.Join(at, "/"), strings.Join(e.ErrorKind.KeywordPath(), "/"))] = true
	}
	for _, cause := range e.Causes {
		leaves(cause, seen)
	}
}

// requests are those of all official cases: single questions in both modes, and
// of conversations the first step and one after a call and its result.
func (a *asker) requests(t *testing.T) func(yield func(*eval.Request) bool) {
	t.Helper()
	set := testkit.Must(fixtures.Open("v4", testkit.Shared(t, "bfcl")))(t)
	return func(yield func(*eval.Request) bool) {
		for _, cat := range categories.All() {
			cases, err := set.Cases(cat)
			if err != nil {
				continue // a category that the dataset lacks
			}
			for _, c := range cases {
				for _, req := range a.posed(t, cat, c) {
					if !yield(req) {
						return
					}
				}
			}
		}
	}
}

func (a *asker) posed(t *testing.T, cat *eval.Category, c *eval.Case) []*eval.Request {
	t.Helper()
	if strings.HasPrefix(cat.Name, "format_sensitivity") {
		return []*eval.Request{a.pose(t, c, catalog.Entry{Mode: eval.Prompt})} // there is no other
	}
	if !cat.MultiTurn() {
		return []*eval.Request{a.pose(t, c, catalog.Entry{Mode: eval.FC}), a.pose(t, c, catalog.Entry{Mode: eval.Prompt})}
	}
	docs := testkit.Must(a.wording.Tools.HintedAll(c.Tools, c.Language))(t)
	question := c.Turns[0]
	prompted := testkit.Must(a.wording.Messages(prompt.Default, docs, question))(t)
	name := strings.ReplaceAll(provider.Text(docs[0], "name"), ".", "_")
	called := []eval.Message{
		{Role: "assistant", Calls: []eval.ToolCall{{ID: "call_0", Name: name, Arguments: `{}`}}},
		{Role: "tool", CallID: "call_0", Name: name, Content: `{"result": "done"}`},
	}
	written := []eval.Message{{Role: "assistant", Content: "[" + name + "()]"}, {Role: "user", Content: "[{'role': 'tool', 'content': 'done'}]"}}
	return []*eval.Request{
		{ID: c.ID, Mode: eval.FC, Conversation: true, Tools: docs, Messages: question},
		{ID: c.ID, Mode: eval.FC, Conversation: true, Tools: docs, Messages: slices.Concat(question, called)},
		{ID: c.ID, Mode: eval.Prompt, Conversation: true, Messages: prompted},
		{ID: c.ID, Mode: eval.Prompt, Conversation: true, Messages: slices.Concat(prompted, written)},
	}
}

// compiled is a schema of a document of schemas.
func compiled(t *testing.T, doc any, pointer string) *jsonschema.Schema {
	t.Helper()
	data := testkit.Must(json.Marshal(doc))(t)
	v := testkit.Must(jsonschema.UnmarshalJSON(bytes.NewReader(data)))(t)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource("spec.json", v))
	return testkit.Must(c.Compile("spec.json#" + pointer))(t)
}

func readSpec(t *testing.T, name string) map[string]any {
	t.Helper()
	data := testkit.Must(os.ReadFile(testkit.Shared(t, "specs", name)))(t)
	var spec map[string]any
	require.NoError(t, json.Unmarshal(data, &spec))
	return spec
}

// openAI is a schema of OpenAI's specification, its objects closed.
func openAI(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	schemas := readSpec(t, "openai.json")["components"].(map[string]any)["schemas"].(map[string]any)
	tool := schemas[lenient.schema].(map[string]any)
	tool["required"] = slices.DeleteFunc(list(tool["required"]), func(field any) bool { return field == lenient.field })
	open := map[string]bool{}
	for _, s := range schemas {
		joined(s, false, open)
	}
	for name, s := range schemas {
		closed(s, open[name])
	}
	return compiled(t, map[string]any{"components": map[string]any{"schemas": schemas}}, "/components/schemas/"+name)
}

// joined finds the schemas that others take fields from: closed, they would
// refuse the others' own.
func joined(v any, within bool, open map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && within {
			open[ref[strings.LastIndexByte(ref, '/')+1:]] = true
		}
		for key, inner := range v {
			joined(inner, key == "allOf" || within && (key == "anyOf" || key == "oneOf"), open)
		}
	case []any:
		for _, inner := range v {
			joined(inner, within, open)
		}
	}
}

// closed lets objects have no fields but those they name, and reads OpenAPI's
// older word for null.
func closed(v any, part bool) {
	switch v := v.(type) {
	case map[string]any:
		_, properties := v["properties"].(map[string]any)
		_, all := v["allOf"]
		_, stated := v["additionalProperties"]
		if (properties || all && !part) && !part && !stated {
			v["unevaluatedProperties"] = false
		}
		if ref, ok := v["$recursiveRef"]; ok { // an older draft's word
			v["$ref"] = ref
		}
		delete(v, "$recursiveRef")
		delete(v, "$recursiveAnchor")
		if kind, ok := v["type"].(string); ok && v["nullable"] == true {
			v["type"] = []any{kind, "null"}
		}
		for key, inner := range v {
			switch key {
			case "properties", "$defs":
				for _, field := range inner.(map[string]any) {
					closed(field, false)
				}
			case "enum", "const", "default", "example", "examples", "required":
			default:
				closed(inner, part || key == "allOf")
			}
		}
	case []any:
		for _, inner := range v {
			closed(inner, part)
		}
	}
}

// converse is the request of Converse in the specification of Bedrock, whose
// shapes are Amazon's own form of schemas.
func converse(t *testing.T) *jsonschema.Schema {
	t.Helper()
	shapes := readSpec(t, "bedrock-runtime.json")["shapes"].(map[string]any)
	defs := map[string]any{}
	for name, shape := range shapes {
		defs[name] = shaped(shape.(map[string]any))
	}
	return compiled(t, map[string]any{"$defs": defs}, "/$defs/ConverseRequest")
}

func shaped(shape map[string]any) map[string]any {
	out := map[string]any{}
	ref := func(v any) map[string]any {
		return map[string]any{"$ref": "#/$defs/" + v.(map[string]any)["shape"].(string)}
	}
	bound := func(to, from string) {
		if n, ok := shape[from]; ok {
			out[to] = n
		}
	}
	switch shape["type"] {
	case "structure":
		if shape["document"] == true {
			break // any JSON
		}
		fields, required := map[string]any{}, []any{}
		for name, member := range shape["members"].(map[string]any) {
			if member.(map[string]any)["location"] == nil {
				fields[name] = ref(member)
			}
		}
		for _, name := range list(shape["required"]) {
			if fields[name.(string)] != nil {
				required = append(required, name)
			}
		}
		out["type"], out["properties"], out["required"], out["additionalProperties"] = "object", fields, required, false
		if shape["union"] == true {
			out["minProperties"], out["maxProperties"] = 1, 1
		}
	case "list":
		out["type"], out["items"] = "array", ref(shape["member"])
		bound("minItems", "min")
		bound("maxItems", "max")
	case "map":
		out["type"], out["additionalProperties"] = "object", ref(shape["value"])
	case "string":
		out["type"] = "string"
		bound("enum", "enum")
		bound("minLength", "min")
		bound("maxLength", "max")
		if p, ok := shape["pattern"].(string); ok {
			out["pattern"] = "^(?:" + p + ")$"
		}
	case "integer", "long":
		out["type"] = "integer"
		bound("minimum", "min")
		bound("maximum", "max")
	case "float", "double":
		out["type"] = "number"
		bound("minimum", "min")
		bound("maximum", "max")
	case "boolean":
		out["type"] = "boolean"
	}
	return out
}

func list(v any) []any {
	items, _ := v.([]any)
	return items
}

// TestGoldenClosed: a field that a specification does not name is found, so that a
// body without violations is one.
func TestGoldenClosed(t *testing.T) {
	schema := openAI(t, "CreateChatCompletionRequest")
	for text, want := range map[string]bool{
		`{"model": "m", "messages": [{"role": "user", "content": "x"}]}`:                                                                                             true,
		`{"model": "m", "messages": [{"role": "user", "content": "x"}], "surprise": 1}`:                                                                              false,
		`{"model": "m", "messages": [{"role": "user", "content": "x", "surprise": 1}]}`:                                                                              false,
		`{"model": "m", "messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function", "function": {"name": "f", "response": {"type": "object"}}}]}`: false,
		`{"model": "m", "messages": [{"role": "user"}]}`:                                                                                                             false,
	} {
		assert.Equal(t, want, len(violations(t, schema, parsed(t, text))) == 0, text)
	}
}

func parsed(t *testing.T, text string) *pyval.Dict {
	t.Helper()
	v := testkit.Must(pyval.ParseJSON(text))(t)
	return v.(*pyval.Dict)
}
