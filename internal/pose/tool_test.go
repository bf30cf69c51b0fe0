package pose_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// ownWording has short texts, so that tests show what is put where.
func ownWording(t testing.TB) *tool.Wording {
	t.Helper()
	w, err := tool.Load([]byte(`{
		"language_specific_hint": {"python": " py", "java": " java", "javascript": " js"},
		"parameter_hint": {
			"java_any": " any", "java_other": " {type}", "java_ArrayList_or_Array": " of {items_type}",
			"javascript_any": " any", "javascript_other": " {type}", "javascript_array": " of {items_type}",
			"javascript_dict_with_properties": " with {properties_json}"},
		"tool_schema_text": {
			"float_suffix": " float", "default": " default={value}", "optional": " optional={value}",
			"required": " required={value}", "maximum": " maximum={value}", "minItems": " minItems={value}",
			"maxItems": " maxItems={value}", "additionalProperties": " more={value}", "enum": " enum={value}",
			"format": " format={value}", "response": " response={json_dumps_response}"}}`))
	require.NoError(t, err)
	return w
}

// doc is a document with one parameter p, described as d.
func doc(param string) string {
	return `{"name":"shop.find","description":"D","parameters":{"type":"dict","properties":{"p":` + param + `}}}`
}

func TestToolHinted(t *testing.T) {
	w := ownWording(t)
	for _, c := range []struct {
		lang        eval.Language
		param, want string
		suffix      string
	}{
		{eval.Python, `{"type":"float","description":"d"}`, `{"type":"float","description":"d"}`, "py"},
		{eval.Python, `5`, `5`, "py"},
		{eval.Java, `{"type":"any","description":"d"}`, `{"type":"string","description":"d any"}`, "java"},
		{eval.Java, `{"type":"long","description":"d"}`, `{"type":"string","description":"d long"}`, "java"},
		{eval.Java, `{"type":"ArrayList","description":"d","items":{"type":"String"}}`, `{"type":"string","description":"d ArrayList of String"}`, "java"},
		{eval.Java, `{"type":"array","description":"d","items":{"type":"x"}}`, `{"type":"string","description":"d array","items":{"type":"x"}}`, "java"},
		{eval.Java, `{"type":"dict","description":"d","properties":{}}`, `{"type":"string","description":"d dict","properties":{}}`, "java"},
		{eval.JavaScript, `{"type":"array","description":"d","items":{"type":"x"}}`, `{"type":"string","description":"d array of x"}`, "js"},
		{eval.JavaScript, `{"type":"dict","description":"d","properties":{"ä":1.0}}`, `{"type":"string","description":"d dict with {\"\\u00e4\": 1.0}"}`, "js"},
		{eval.JavaScript, `{"type":"dict","description":"d"}`, `{"type":"string","description":"d dict"}`, "js"},
	} {
		in := parse(t, doc(c.param))
		got, err := w.Hinted(in, c.lang)
		require.NoError(t, err, c.param)
		want := strings.Replace(doc(c.want), `"D"`, `"D `+c.suffix+`"`, 1)
		assert.Equal(t, want, compact(t, got))
		assert.Equal(t, doc(c.param), compact(t, in), "the document was changed")
	}
}

func TestToolConvertParameter(t *testing.T) {
	w := ownWording(t)
	for _, c := range []struct {
		style       tool.Style
		param, want string
	}{
		{tool.OSSModel, `{}`, `{"type":"string"}`},
		{tool.OSSModel, `{"type":"duck","description":"d"}`, `{"type":"string","description":"d"}`},
		{tool.OSSModel, `{"type":"HashMap"}`, `{"type":"object"}`},
		{tool.OSSModel, `{"type":"float","description":"d","format":"x"}`, `{"type":"number","description":"d float","format":"float"}`},
		{tool.OSSModel, `{"type":"tuple","items":{"type":"long"}}`, `{"type":"array","items":{"type":"integer"}}`},
		{tool.OSSModel, `{"type":"list","items":{"type":"list","items":{"type":"dict","properties":{"x":{}}}}}`,
			`{"type":"array","items":{"type":"array","items":{"type":"object","properties":{"x":{}}}}}`},
		{tool.OSSModel, `{"type":"list","items":{"type":"dict","properties":{"x":{}}}}`,
			`{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}}}`},
		{tool.OSSModel, `{"type":"dict","properties":{"x":{"type":"bool"}},"items":5}`,
			`{"type":"object","properties":{"x":{"type":"boolean"}},"items":5}`},
		{tool.OSSModel, `{"type":"string","items":5,"properties":5}`, `{"type":"string","items":5,"properties":5}`},
		{tool.Google, `{"type":"integer","default":5.0,"enum":[1,"a"],"maximum":9}`,
			`{"type":"integer","description":" default=5.0 maximum=9 enum=[1, 'a']"}`},
		{tool.Google, `{"type":"string","enum":["a"],"format":"f"}`, `{"type":"string","enum":["a"],"description":" format=f"}`},
		{tool.Writer, `{"type":"string","enum":["a"],"required":true}`, `{"type":"string","description":" required=True enum=['a']"}`},
		{tool.Writer, `{"type":"string","format":1,"enum":2,"additionalProperties":3,"maxItems":4,"minItems":5,"maximum":6,"required":7,"optional":8,"default":9}`,
			`{"type":"string","description":" default=9 optional=8 required=7 maximum=6 minItems=5 maxItems=4 more=3 enum=2 format=1"}`},
		{tool.Google, `{"type":"dict","properties":{"x":{"default":1}},"additionalProperties":null,"minItems":1,"maxItems":2,"optional":[]}`,
			`{"type":"object","properties":{"x":{"default":1,"type":"string"}},"description":" optional=[] minItems=1 maxItems=2 more=None"}`},
	} {
		in := parse(t, doc(c.param))
		got, err := w.Convert([]*pyval.Dict{in}, c.style)
		require.NoError(t, err, c.param)
		params := `"parameters":{"type":"object","properties":{"p":` + c.want + `}}`
		assert.Contains(t, compact(t, got), params)
		assert.Equal(t, doc(c.param), compact(t, in), "the document was changed")
	}
}

func TestToolConvertFrames(t *testing.T) {
	const src = `{"name":"a.b","parameters":{"properties":{},"optional":[]},"description":"D","response":{"type":"ä"}}`
	const folded = `"description":"D response={\"type\": \"\\u00e4\"}"`
	const schema = `{"properties":{},"optional":[],"type":"object"}`
	w := ownWording(t)
	for style, want := range map[tool.Style]string{
		tool.Gorilla:           `[]`,
		tool.Nexus:             `[]`,
		tool.OSSModel:          `[{"name":"a_b","parameters":` + schema + `,"description":"D","response":{"type":"ä"}}]`,
		tool.OpenAICompletions: `[{"type":"function","function":{"name":"a_b","parameters":` + schema + `,"description":"D","response":{"type":"ä"}}}]`,
		tool.OpenAIResponses:   `[{"name":"a_b","parameters":` + schema + `,"description":"D","response":{"type":"ä"},"type":"function"}]`,
		tool.Anthropic:         `[{"name":"a_b",` + folded + `,"input_schema":` + schema + `}]`,
		tool.Amazon:            `[{"toolSpec":{"name":"a_b",` + folded + `,"inputSchema":{"json":` + schema + `}}}]`,
		tool.Google:            `[{"name":"a_b","parameters":{"properties":{},"type":"object"},` + folded + `}]`,
		tool.FireworksAI:       `[{"type":"function","function":{"name":"a.b","parameters":` + schema + `,` + folded + `}}]`,
	} {
		got, err := w.Convert([]*pyval.Dict{parse(t, src)}, style)
		require.NoError(t, err, style)
		assert.Equal(t, want, compact(t, got), style)
	}
	testkit.Fails(w.Convert(nil, "CUNEIFORM"))(t, `unknown tool style "CUNEIFORM"`)
}

func TestToolDocErrors(t *testing.T) {
	w := ownWording(t)
	for _, c := range []struct{ src, kind, msg string }{
		{`{}`, "KeyError", "'name'"},
		{`{"name":5}`, "TypeError", "name must be str, not int"},
		{`{"name":"f"}`, "KeyError", "'parameters'"},
		{`{"name":"f","parameters":[]}`, "TypeError", "parameters must be dict, not list"},
		{`{"name":"f","parameters":{}}`, "KeyError", "'properties'"},
		{`{"name":"f","parameters":{"properties":[]}}`, "AttributeError", "properties must be dict, not list"},
		{doc(`"x"`), "TypeError", "parameter 'p' must be dict, not str"},
		{doc(`{"type":[]}`), "TypeError", "unhashable type: 'list'"},
		{doc(`{"type":"float"}`), "KeyError", "'description'"},
		{doc(`{"type":"float","description":5}`), "TypeError", "description must be str, not int"},
		{doc(`{"type":"list","items":{}}`), "KeyError", "'type'"},
		{doc(`{"type":"list","items":[]}`), "TypeError", "items must be dict, not list"},
		{doc(`{"type":"list","items":{"type":"duck"}}`), "KeyError", "'duck'"},
		{doc(`{"type":"list","items":{"type":"list","items":{"type":5}}}`), "KeyError", "5"},
		{`{"name":"f","parameters":{"properties":{}},"response":1}`, "KeyError", "'description'"},
	} {
		_, err := w.Convert([]*pyval.Dict{parse(t, c.src)}, tool.Anthropic)
		var got *tool.DocError
		require.ErrorAs(t, err, &got, c.src)
		assert.Equal(t, [2]string{c.kind, c.msg}, [2]string{got.Kind, got.Msg}, c.src)
	}
	assert.EqualError(t, testkit.Err(w.Hinted(parse(t, doc(`{"type":"ArrayList","description":"d"}`)), eval.Java)), `function document "shop.find": KeyError: 'items'`)
}

func TestToolLoad(t *testing.T) {
	testkit.Must(tool.Load(starterPrompts(t)))(t)
	for _, c := range []struct{ src, want string }{
		{``, "prompts.json: line 1 column 1"},
		{`[]`, "must be an object, not list"},
		{`{}`, "parameter_hint is missing"},
		{`{"parameter_hint":5}`, "parameter_hint must be an object"},
		{strings.Replace(string(starterPrompts(t)), `"java_any"`, `"jav_any"`, 1), "parameter_hint.java_any is missing"},
		{strings.Replace(string(starterPrompts(t)), `{type}`, `{typ}`, 1), "parameter_hint.java_other: unknown field {typ}"},
		{strings.Replace(string(starterPrompts(t)), `"java_any": "`, `"java_any": 1, "x": "`, 1), "parameter_hint.java_any must be a text"},
	} {
		testkit.Fails(tool.Load([]byte(c.src)))(t, c.want)
	}
}

func FuzzToolConvert(f *testing.F) {
	for _, seed := range []string{
		doc(`{"type":"float","description":"d","default":1.0}`), doc(`{"type":"list","items":{"type":"dict"}}`),
		doc(`{"type":"Array","description":"d","items":{"type":"any"}}`), `{"name":5}`, `{"parameters":{"properties":[]}}`,
	} {
		f.Add(seed)
	}
	w := ownWording(f)
	f.Fuzz(func(t *testing.T, src string) {
		v, err := pyval.ParseJSON(src)
		in, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return
		}
		before := compact(t, in)
		for _, lang := range []eval.Language{eval.Python, eval.Java, eval.JavaScript} {
			hinted, err := w.Hinted(in, lang)
			if err != nil {
				hinted = in
			}
			for _, style := range tool.Styles() {
				_, _ = w.Convert([]*pyval.Dict{hinted}, style)
			}
		}
		assert.Equal(t, before, compact(t, in), "the document was changed")
	})
}

// TestToolWritten: every style puts the schema as it is written into its frame.
func TestToolWritten(t *testing.T) {
	const schema = `{"type": "object", "properties": {"x": {"type": "number", "oneOf": [{"minimum": 1}, {"const": 0.5}]}}, "additionalProperties": false}`
	doc := parse(t, `{"name": "f", "description": "d", "parameters": `+schema+`, "strict": true}`)
	bare := `{"name": "f", "description": "d", "parameters": ` + schema + `}`
	for style, want := range map[tool.Style]string{
		tool.OpenAICompletions: `[{"type": "function", "function": {"name": "f", "description": "d", "parameters": ` + schema + `, "strict": true}}]`,
		tool.OpenAIResponses:   `[{"name": "f", "description": "d", "parameters": ` + schema + `, "strict": true, "type": "function"}]`,
		tool.Anthropic:         `[{"name": "f", "description": "d", "input_schema": ` + schema + `}]`,
		tool.Google:            `[{"name": "f", "description": "d", "parametersJsonSchema": ` + schema + `}]`,
		tool.Amazon:            `[{"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": ` + schema + `}}}]`,
		tool.Cohere:            `[{"type": "function", "function": ` + bare + `}]`,
		tool.Gorilla:           `[]`,
	} {
		list := testkit.Must(tool.Written([]*pyval.Dict{doc}, style))(t)
		assert.Equal(t, want, testkit.Must(pyval.JSON(list, 0))(t), style)
	}
	list := testkit.Must(tool.Written([]*pyval.Dict{parse(t, `{"name": "g"}`)}, tool.Anthropic))(t)
	assert.Equal(t, "[{'name': 'g', 'input_schema': {'type': 'object', 'properties': {}}}]", pyval.Repr(list), "Anthropic insists on a schema")
	testkit.Fails(tool.Written(nil, "none"))(t, "unknown tool style")
}
