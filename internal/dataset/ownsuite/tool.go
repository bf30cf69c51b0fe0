package ownsuite

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// readTools reads a file of tools in one of the formats.
func (l *loader) readTools(src source) []Tool {
	doc := l.document(src.file, File, src.line, maxText)
	if doc == nil {
		return nil
	}
	var tools []Tool
	var err error
	switch src.format {
	case "openapi":
		tools = l.openAPI(src, doc)
	default:
		tools, err = l.toolList(src, doc)
	}
	if err != nil {
		l.fault(src.file, doc.Line, "%v", err)
	}
	return tools
}

// toolList reads a list of tools: plain, under "tools", or as an MCP server
// answers tools/list, with or without the frame of JSON-RPC.
func (l *loader) toolList(src source, doc *yaml.Node) ([]Tool, error) {
	for _, key := range []string{"result", "tools"} {
		if inner := child(doc, key); inner != nil {
			doc = inner
		}
	}
	if doc.Kind != yaml.SequenceNode {
		return nil, errors.New(`expected a list of tools, or one under "tools"`)
	}
	if len(doc.Content) == 0 {
		return nil, errors.New("the list of tools is empty")
	}
	var tools []Tool
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
	return tools, nil
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
	name, ok := text(given, "name")
	if !ok || strings.TrimSpace(name) == "" {
		return Tool{}, errors.New(`"name" is missing or not a string`)
	}
	description, _ := text(given, "description")
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
	c := &converter{root: schema, parts: parts}
	if isJSONSchema(schema, 0) {
		tool.Written, c.ends = writtenTool(given, name, written), true
	}
	var err error
	tool.Doc, err = newFunction(name, description, schema, c)
	tool.circle = c.circle
	return tool, err
}

// writtenTool returns a tool as it is written, with only the fields that reach
// a model.
func writtenTool(given *pyval.Dict, name string, schema pyval.Value) *pyval.Dict {
	out := pyval.NewDict(4)
	out.SetStr("name", pyval.Str(name))
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

func newFunction(name, description string, schema pyval.Value, c *converter) (*pyval.Dict, error) {
	parameters, err := c.convert(schema, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", quote(name), err)
	}
	if typ, _ := text(parameters, "type"); typ != "dict" && parameters.Has("type") && typ != "any" {
		return nil, fmt.Errorf("%s: parameters must be an object, not of type %s", quote(name), quote(typ))
	}
	parameters = framed(parameters)
	doc := pyval.NewDict(3)
	doc.SetStr("name", pyval.Str(name))
	doc.SetStr("description", pyval.Str(description))
	doc.SetStr("parameters", parameters)
	return doc, nil
}

// framed returns a schema of parameters with all the keys that providers
// require.
func framed(schema *pyval.Dict) *pyval.Dict {
	out := pyval.NewDict(3)
	out.SetStr("type", pyval.Str("dict"))
	out.SetStr("properties", pyval.NewDict(0))
	out.SetStr("required", &pyval.List{})
	for _, key := range []string{"properties", "required"} {
		if v, ok := schema.GetStr(key); ok {
			out.SetStr(key, v)
		}
	}
	return out
}

func text(d *pyval.Dict, key string) (string, bool) {
	v, _ := d.GetStr(key)
	s, ok := v.(pyval.Str)
	return string(s), ok
}

// methods are the keys of operations in an OpenAPI path.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// openAPI reads the operations of an OpenAPI document as tools: parameters and
// the fields of a JSON body become the function's parameters.
func (l *loader) openAPI(src source, doc *yaml.Node) []Tool {
	root, err := value(doc, -maxDepth) // a document may be deeper than a schema
	whole, ok := root.(*pyval.Dict)
	switch version := child(doc, "openapi"); {
	case err != nil:
		l.fault(src.file, doc.Line, "%v", err)
		return nil
	case !ok || version == nil || !strings.HasPrefix(version.Value, "3."):
		l.fault(src.file, doc.Line, `this is not an OpenAPI 3 document: "openapi: 3.…" is missing (convert Swagger 2 first)`)
		return nil
	}
	paths, _ := whole.GetStr("paths")
	all, _ := paths.(*pyval.Dict)
	if all == nil {
		l.fault(src.file, doc.Line, "the document has no paths")
		return nil
	}
	var tools []Tool
	var names []string
	asked := map[string]bool{}
	for _, name := range src.operations {
		asked[name] = true
	}
	for path, item := range all.All() {
		operations, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		for _, method := range methods {
			op, _ := operations.GetStr(method)
			operation, ok := op.(*pyval.Dict)
			if !ok {
				continue
			}
			name := operationName(operation, method, pyval.Text(path))
			names = append(names, name)
			if src.operations != nil && !asked[name] {
				continue
			}
			line := lineOf(doc, "paths", pyval.Text(path), method)
			tool, err := operationTool(&converter{root: whole, parts: &l.parts}, operations, operation, name)
			if err != nil {
				l.fault(src.file, line, "%s %s: %v", method, pyval.Text(path), err)
				continue
			}
			tool.File, tool.Line = src.file, line
			tool.Lost = lostOf(operations, operation)
			tools = append(tools, tool)
		}
	}
	l.wanted(src, names)
	return tools
}

// wanted reports names of operations that the document does not have.
func (l *loader) wanted(src source, names []string) {
	if len(names) == 0 {
		l.fault(src.file, 1, "the document has no operations")
		return
	}
	has := map[string]bool{}
	for _, name := range names {
		has[name] = true
	}
	for _, name := range src.operations {
		if !has[name] {
			l.fault(File, src.line, "%s has no operation %s%s", src.file, quote(name), l.hint(name, names))
		}
	}
}

// lineOf returns the line of a key in nested mappings.
func lineOf(n *yaml.Node, keys ...string) int {
	line := n.Line
	for _, key := range keys {
		at := n
		n = nil
		for i := 0; i+1 < len(at.Content); i += 2 {
			if at.Content[i].Value == key {
				n, line = at.Content[i+1], at.Content[i].Line
				break
			}
		}
		if n == nil {
			return line
		}
	}
	return line
}

var notName = regexp.MustCompile(`[^A-Za-z0-9]+`)

// operationName returns the operationId, or a name made of method and path.
func operationName(operation *pyval.Dict, method, path string) string {
	if id, ok := text(operation, "operationId"); ok && id != "" {
		return id
	}
	return method + "_" + strings.Trim(notName.ReplaceAllString(path, "_"), "_")
}

// transportHeaders are parameters that HTTP clients set, not callers.
var transportHeaders = []string{"accept", "content-type", "authorization"}

func isTransport(name string) bool { return slices.Contains(transportHeaders, strings.ToLower(name)) }

func operationTool(c *converter, item, operation *pyval.Dict, name string) (Tool, error) {
	properties, written, required := pyval.NewDict(4), pyval.NewDict(4), &pyval.List{}
	add := func(name string, schema, raw pyval.Value, needed bool) error {
		if properties.Has(name) {
			return fmt.Errorf("two parameters are called %s: leave the operation out, or describe it in a functions file", quote(name))
		}
		properties.SetStr(name, schema)
		if raw != nil {
			written.SetStr(name, raw)
		}
		if needed {
			required.Items = append(required.Items, pyval.Str(name))
		}
		return nil
	}
	for _, owner := range []*pyval.Dict{item, operation} {
		if err := addParameters(c, owner, add); err != nil {
			return Tool{}, err
		}
	}
	if err := addBody(c, operation, add); err != nil {
		return Tool{}, err
	}
	schema := pyval.NewDict(3)
	schema.SetStr("type", pyval.Str("object"))
	schema.SetStr("properties", properties)
	schema.SetStr("required", required)
	summary, _ := text(operation, "summary")
	description, _ := text(operation, "description")
	about := strings.TrimSpace(summary + "\n" + description)
	tool := Tool{Name: name}
	var err error
	if tool.Doc, err = newFunction(name, about, schema, c); err != nil {
		return tool, err
	}
	if written.Len() < properties.Len() {
		return tool, nil // a field cannot be written out, so there is no written tool
	}
	schema.SetStr("properties", written)
	plain, err := c.inlined(schema, 0)
	if err != nil {
		return tool, err
	}
	tool.Written = pyval.NewDict(3)
	tool.Written.SetStr("name", pyval.Str(name))
	tool.Written.SetStr("description", pyval.Str(about))
	tool.Written.SetStr("parameters", plain)
	return tool, nil
}

// An addParameter adds a parameter with its schema, and with the schema as it
// is written, which is nil if it is not known.
type addParameter func(name string, schema, raw pyval.Value, required bool) error

func addParameters(c *converter, owner *pyval.Dict, add addParameter) error {
	v, _ := owner.GetStr("parameters")
	list, ok := v.(*pyval.List)
	if !ok {
		return nil
	}
	for _, item := range list.Items {
		parameter, err := c.resolve(item)
		if err != nil {
			return err
		}
		name, _ := text(parameter, "name")
		in, _ := text(parameter, "in")
		if name == "" || in == "cookie" || in == "header" && isTransport(name) {
			continue
		}
		schema, _ := parameter.GetStr("schema")
		if about, ok := parameter.GetStr("description"); ok {
			schema = described(schema, about)
		}
		needed, _ := parameter.GetStr("required")
		if schema == nil {
			schema = pyval.NewDict(0)
		}
		if err := add(name, schema, schema, needed == pyval.Value(pyval.Bool(true))); err != nil {
			return err
		}
	}
	return nil
}

// described returns a schema with the description that is given beside it.
func described(schema, description pyval.Value) pyval.Value {
	out := pyval.NewDict(2)
	if schema != nil {
		out.SetStr("allOf", pyval.NewList(schema))
	}
	out.SetStr("description", description)
	return out
}

// addBody adds the fields of a JSON body, or one parameter "body" if it is not
// an object.
func addBody(c *converter, operation *pyval.Dict, add addParameter) error {
	given, ok := operation.GetStr("requestBody")
	if !ok {
		return nil
	}
	body, err := c.resolve(given)
	if err != nil {
		return err
	}
	content, _ := body.GetStr("content")
	types, _ := content.(*pyval.Dict)
	if types == nil {
		return nil
	}
	media, _ := types.GetStr("application/json")
	form, ok := media.(*pyval.Dict)
	if !ok {
		return errors.New("the body is not application/json: describe the tool in a functions file")
	}
	v, _ := form.GetStr("schema")
	schema, err := c.convert(v, 0)
	if err != nil {
		return err
	}
	fields, _ := schema.GetStr("properties")
	properties, ok := fields.(*pyval.Dict)
	if !ok {
		needed, _ := body.GetStr("required")
		return add("body", v, v, needed == pyval.Value(pyval.Bool(true)))
	}
	needed, _ := schema.GetStr("required")
	names, _ := needed.(*pyval.List)
	raw := map[string]pyval.Value{}
	c.fields(v, raw, 0)
	for key, field := range properties.All() {
		if err := add(pyval.Text(key), field, raw[pyval.Text(key)], names != nil && slices.Contains(names.Items, key)); err != nil {
			return err
		}
	}
	return nil
}
