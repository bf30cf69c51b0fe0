package ownsuite

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// readTools reads a file of tools in one of the formats. A list of tools is plain,
// under "tools", or as an MCP server answers tools/list, with or without the frame
// of JSON-RPC.
func (l *loader) readTools(src source) (tools []Tool) {
	doc := l.document(src.file, File, src.line, maxText)
	if doc == nil {
		return nil
	}
	if src.format == "openapi" {
		return l.openAPI(src, doc)
	}
	for _, key := range []string{"result", "tools"} {
		if inner := child(doc, key); inner != nil {
			doc = inner
		}
	}
	switch {
	case doc.Kind != yaml.SequenceNode:
		l.fault(src.file, doc.Line, `expected a list of tools, or one under "tools"`)
		return nil
	case len(doc.Content) == 0:
		l.fault(src.file, doc.Line, "the list of tools is empty")
	}
	for i, n := range doc.Content {
		v, err := value(n, 0)
		var tool Tool
		if err == nil {
			tool, err = Function(v, &l.parts)
		}
		if err != nil {
			l.fault(src.file, n.Line, "tool %d: %v", i+1, err)
			continue
		}
		tool.File, tool.Line = src.file, n.Line
		tools = append(tools, tool)
	}
	return tools
}

// child returns the value of a mapping's key; nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// parameterKeys are the keys of the schema in the known forms of tools.
var parameterKeys = []string{"parameters", "inputSchema", "input_schema"}

// Function reads a tool: {name, description, parameters}, the same in the frame
// {"type": "function", "function": …}, or with its schema under inputSchema
// (MCP) or input_schema. parts counts the schemas that all tools of a suite
// unfold to, which are limited.
func Function(v pyval.Value, parts *int) (Tool, error) {
	given, ok := v.(*pyval.Dict)
	if !ok {
		return Tool{}, fmt.Errorf("expected an object with name, description and parameters, got %s", pyval.ATypeName(v))
	}
	if inner, ok := given.GetStr("function"); ok {
		if given, ok = inner.(*pyval.Dict); !ok {
			return Tool{}, errors.New(`"function" is not an object`)
		}
	}
	name, ok := given.Text("name")
	if !ok || strings.TrimSpace(name) == "" {
		return Tool{}, errors.New(`"name" is missing or not a string`)
	}
	description, _ := given.Text("description")
	var written pyval.Value
	for _, key := range parameterKeys {
		if v, ok := given.GetStr(key); ok && v != pyval.Value(pyval.None) {
			written = v
		}
	}
	schema := written
	if schema == nil {
		schema = pyval.NewDict(0)
	}
	tool := Tool{Name: name}
	in := newInliner(schema, parts)
	inlined, err := in.inlined(schema, 0)
	if isJSONSchema(schema, 0) {
		tool.Written, tool.circle = writtenTool(given, name, written), in.circle
	} else if in.circle != "" && err == nil {
		err = fmt.Errorf("the schema refers to itself (%s); a tool's schema must end", in.circle)
	}
	if err != nil {
		return tool, fmt.Errorf("%s: %w", quote(name), err)
	}
	tool.Doc, err = newFunction(name, description, inlined)
	return tool, err
}

// writtenTool returns a tool as it is written, with only the fields that reach
// a model.
func writtenTool(given *pyval.Dict, name string, schema pyval.Value) *pyval.Dict {
	out := pyval.Object("name", pyval.Str(name))
	if v, ok := given.GetStr("description"); ok {
		out.SetStr("description", v)
	}
	if schema != nil {
		out.SetStr("parameters", schema)
	}
	if v, ok := given.GetStr("strict"); ok {
		out.SetStr("strict", v)
	}
	return out
}

func newFunction(name, description string, schema pyval.Value) (*pyval.Dict, error) {
	parameters, err := convert(schema)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", quote(name), err)
	}
	if typ, _ := parameters.Text("type"); typ != "dict" && parameters.Has("type") && typ != "any" {
		return nil, fmt.Errorf("%s: parameters must be an object, not of type %s", quote(name), quote(typ))
	}
	framed := pyval.Object("type", pyval.Str("dict"), "properties", pyval.NewDict(0), "required", &pyval.List{}) // as providers require
	for _, key := range []string{"properties", "required"} {
		if v, ok := parameters.GetStr(key); ok {
			framed.SetStr(key, v)
		}
	}
	return pyval.Object("name", pyval.Str(name), "description", pyval.Str(description), "parameters", framed), nil
}
