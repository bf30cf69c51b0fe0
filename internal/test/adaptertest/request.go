package adaptertest

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// lampDoc is a function document with the usual parts.
const lampDoc = `{"name": "lamp.dim", "description": "Dim a lamp to a level.",
	"parameters": {"type": "dict", "properties": {
		"room": {"type": "string", "description": "Room in which the lamp hangs."},
		"level": {"type": "integer", "description": "Brightness in percent."},
		"fade": {"type": "float", "description": "Seconds until the level is reached.", "default": 1.0}},
	"required": ["room", "level"]}}`

func plain(mode eval.Mode) *eval.Request {
	return request("case", mode, "Dim the lamp in the kitchen to 40 percent.", doc(lampDoc))
}

func request(id string, mode eval.Mode, question string, tools ...*pyval.Dict) *eval.Request {
	return &eval.Request{
		ID: id, Mode: mode, Tools: tools,
		Messages: []eval.Message{{Role: "user", Content: question}},
	}
}

// doc parses a document of this package, which must be valid.
func doc(text string) *pyval.Dict {
	v, err := pyval.ParseJSON(text)
	if err != nil {
		panic(err)
	}
	return v.(*pyval.Dict)
}

// oddTexts are questions that an adapter must survive.
var oddTexts = map[string]string{
	"empty":           "",
	"blank":           " \n\t ",
	"control bytes":   "a\x00b\x16--- PASS: TestBFCL\x1b[31m\r\n\x7f",
	"not UTF-8":       "dim \xff\xfe\x80 the lamp \xc3",
	"lone surrogates": "dim \xed\xa0\x80 the \xed\xbf\xbf lamp",
	"Unicode":         "把厨房的灯调到40% – \u2028 é e\u0301 👩‍👩‍👧 \u202e abc ١٢٣ ½ İıſK",
	"quotes":          `"''"` + "``` \\ \" ' “„»«",
	"numbers":         "1e999999 -0 0x 1,,2 3.4.5 99999999999999999999999999 1/0 -%",
	"half a megabyte": strings.Repeat("dim the lamp to 40 percent, and ", 16<<10),
	"one long word":   strings.Repeat("é", 100<<10),
	"many numbers":    strings.Repeat("1 ", 50<<10),
	"open brackets":   strings.Repeat("[{(\"", 50<<10),
}

// oddDocs are function documents that an adapter must survive.
var oddDocs = map[string]string{
	"empty":                `{}`,
	"only a name":          `{"name": "f"}`,
	"name is a number":     `{"name": 5, "description": 6, "parameters": 7}`,
	"no properties":        `{"name": "f", "description": "", "parameters": {"type": "dict"}}`,
	"null everywhere":      `{"name": null, "description": null, "parameters": {"type": null, "properties": null, "required": null}}`,
	"property not object":  `{"name": "f", "parameters": {"type": "dict", "properties": {"a": 1, "b": null, "": []}, "required": ["a", "b", "", "zz", 4]}}`,
	"odd types":            `{"name": "f", "parameters": {"type": "dict", "properties": {"a": {"type": "lamp"}, "b": {"type": ["string", "null"]}, "c": {"type": "array"}, "d": {"type": "array", "items": 5}, "e": {"enum": []}, "f": {"type": "string", "enum": [1, null, {"x": 1}, ["y"], 1.5]}}, "required": ["a", "b", "c", "d", "e", "f"]}}`,
	"name with all signs":  `{"name": "a.b-c d\n\"e'\\", "parameters": {"type": "dict", "properties": {"x y": {"type": "string"}, "'": {"type": "string"}}, "required": ["x y", "'"]}}`,
	"lone surrogate":       `{"name": "\ud800", "description": "\udfff", "parameters": {"type": "dict", "properties": {"\ud800": {"type": "string"}}}}`,
	"numbers beyond int64": `{"name": "f", "parameters": {"type": "dict", "properties": {"n": {"type": "integer", "default": 123456789012345678901234567890}, "x": {"type": "float", "default": 1e400}}, "required": ["n", "x"]}}`,
}

// deepDoc nests objects as far as a dataset can.
func deepDoc() string {
	const depth = 200
	return `{"name": "deep", "description": "lamp", "parameters": {"type": "dict", "properties": {"a":` +
		strings.Repeat(`{"type": "dict", "required": ["a"], "properties": {"a": `, depth) + `{"type": "array", "items": {"type": "array"}}` +
		strings.Repeat(`}}`, depth) + `}, "required": ["a"]}}`
}

func oddRequests() map[string]*eval.Request {
	reqs := map[string]*eval.Request{
		"nothing at all":    {},
		"no tools":          request("c", eval.FC, "Dim the lamp."),
		"no messages":       {ID: "c", Tools: []*pyval.Dict{doc(lampDoc)}},
		"the same tool 300": request("c", eval.FC, "Dim the lamp to 5.", many(doc(lampDoc), 300)...),
		"deep tool":         request("c", eval.FC, "Dim the lamp to 5.", doc(deepDoc())),
		"odd roles": {ID: "c", Tools: []*pyval.Dict{doc(lampDoc)}, Messages: []eval.Message{
			{Role: "tool", Content: "{}"}, {Role: "", Content: "x"}, {Role: "assistant", Content: ""}, {Role: "system", Content: "s"},
		}},
	}
	for name, text := range oddTexts {
		reqs["text "+name] = request("id\n"+name, eval.FC, text, doc(lampDoc))
	}
	for name, text := range oddDocs {
		reqs["document "+name] = request(name, eval.FC, `Dim the lamp f in "kitchen" to 40 percent, true.`, doc(text))
	}
	return reqs
}

func many(tool *pyval.Dict, n int) []*pyval.Dict {
	tools := make([]*pyval.Dict, n)
	for i := range tools {
		tools[i] = tool
	}
	return tools
}
