package ownsuite

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// methods are the keys of operations in an OpenAPI path.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// An operation is an operation of an OpenAPI document.
type operation struct {
	id, method, path string
	tags             []string
	item, def        *pyval.Dict
}

// openAPI reads the operations of an OpenAPI 3 or Swagger 2 document as tools:
// parameters and the fields of a body become the function's parameters. An
// operation that no tool can express is left out, unless it is asked for by
// its id.
func (l *loader) openAPI(src source, doc *yaml.Node) []Tool {
	root, err := value(doc, -maxDepth) // a document may be deeper than a schema
	whole, ok := root.(*pyval.Dict)
	three, two := child(doc, "openapi"), child(doc, "swagger")
	switch {
	case err != nil:
		l.fault(src.file, doc.Line, "%v", err)
		return nil
	case !ok || (three == nil || !strings.HasPrefix(three.Value, "3.")) && (two == nil || !strings.HasPrefix(two.Value, "2")):
		l.fault(src.file, doc.Line, `this is not an OpenAPI document: neither "openapi: 3.…" nor "swagger: 2.0" is there`)
		return nil
	}
	all := whole.Child("paths")
	if all == nil {
		l.fault(src.file, doc.Line, "the document has no paths")
		return nil
	}
	var tools []Tool
	in := newInliner(whole, &l.parts)
	for _, op := range l.selected(src, operations(all)) {
		line := lineOf(doc, "paths", op.path, op.method)
		tool, err := (&operationTool{inliner: in, operation: op}).tool()
		switch {
		case err == nil:
			tool.File, tool.Line = src.file, line
			tools = append(tools, tool)
		case slices.Contains(src.operations, op.id):
			l.fault(src.file, line, "%s %s: %v", op.method, op.path, err)
		default:
			l.suite.Left = append(l.suite.Left, Left{op.id, l.path(src.file), line, strings.TrimPrefix(err.Error(), quote(op.id)+": ")})
		}
	}
	return tools
}

func operations(paths *pyval.Dict) (out []operation) {
	for path, v := range paths.All() {
		item, ok := v.(*pyval.Dict)
		if !ok {
			continue
		}
		for _, method := range methods {
			def := item.Child(method)
			if def == nil {
				continue
			}
			op := operation{"", method, pyval.Text(path), nil, item, def}
			if op.id, _ = def.Text("operationId"); op.id == "" {
				op.id = method + "_" + strings.Trim(notName.ReplaceAllString(op.path, "_"), "_")
			}
			for _, tag := range def.List("tags") {
				op.tags = append(op.tags, pyval.Text(tag))
			}
			out = append(out, op)
		}
	}
	return out
}

// selected returns the operations that a suite asks for, and reports what
// selects none. Without a choice, or with only exceptions, all are asked for.
func (l *loader) selected(src source, all []operation) (out []operation) {
	if len(all) == 0 {
		l.fault(src.file, 1, "the document has no operations")
	}
	used := make([]bool, len(src.operations))
	positive := slices.ContainsFunc(src.operations, func(s string) bool { return !strings.HasPrefix(s, "!") })
	for _, op := range all {
		chosen := !positive
		for i, entry := range src.operations {
			rest, except := strings.CutPrefix(entry, "!")
			if op.matches(rest) {
				used[i], chosen = true, !except
			}
		}
		if chosen {
			out = append(out, op)
		}
	}
	for i, entry := range src.operations {
		if !used[i] && len(all) > 0 {
			names := make([]string, len(all))
			for i, op := range all {
				names[i] = op.id
			}
			l.fault(File, src.line, "%s has no operation %s%s", src.file, quote(entry), l.hint(entry, names))
		}
	}
	return out
}

// matches reports whether an operation is what an entry under operations says:
// an id, "tag:…", a method, a path, or a method and a path; * is any text.
func (op operation) matches(entry string) bool {
	if tag, ok := strings.CutPrefix(entry, "tag:"); ok {
		return slices.ContainsFunc(op.tags, func(t string) bool { return like(tag, t) })
	}
	if method, path, ok := strings.Cut(entry, " "); ok {
		return strings.EqualFold(method, op.method) && like(strings.TrimSpace(path), op.path)
	}
	return like(entry, op.id) || strings.HasPrefix(entry, "/") && like(entry, op.path) || entry == strings.ToUpper(op.method)
}

func like(pattern, text string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == text
	}
	ok, err := regexp.MatchString("(?s)^"+strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")+"$", text)
	return ok && err == nil
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

// transportHeaders are parameters that HTTP clients set, not callers.
var transportHeaders = []string{"accept", "content-type", "authorization"}

// An operationTool makes a tool of an operation.
type operationTool struct {
	*inliner
	operation
	places   []place     // of the parameters, in their order
	fields   *pyval.Dict // their schemas, by name
	required *pyval.List
}

// A place is where a parameter is sent; the fields of a body are in "body".
type place struct{ in, name string }

// The reasons to leave out an operation. Each is the same for all operations
// that it is about, so that they can be counted.
var (
	errBinary = errors.New("it needs a file or other binary content, which a call cannot have")
	errMedia  = errors.New("its body is in a form that is neither JSON, a web form nor text")
)

func (o *operationTool) tool() (Tool, error) {
	o.nodes = 0
	o.fields, o.required = pyval.NewDict(4), &pyval.List{}
	for _, owner := range []*pyval.Dict{o.def, o.item} { // the operation's own come before its path's
		for _, p := range owner.List("parameters") {
			if err := o.parameter(p); err != nil {
				return Tool{}, err
			}
		}
	}
	if given, ok := o.def.GetStr("requestBody"); ok {
		if err := o.requestBody(given); err != nil {
			return Tool{}, err
		}
	}
	summary, _ := o.def.Text("summary")
	description, _ := o.def.Text("description")
	return Function(pyval.Object(
		"name", pyval.Str(o.id), "description", pyval.Str(strings.TrimSpace(summary+"\n"+description)),
		"parameters", pyval.Object("type", pyval.Str("object"), "properties", o.fields, "required", o.required),
	), o.parts)
}

func isTrue(d *pyval.Dict, key string) bool {
	v, _ := d.GetStr(key)
	return v == pyval.Value(pyval.Bool(true))
}

func (o *operationTool) parameter(v pyval.Value) error {
	p, err := o.resolve(v)
	if err != nil {
		return err
	}
	name, _ := p.Text("name")
	in, _ := p.Text("in")
	schema, written := p.GetStr("schema")
	switch {
	case in == "body": // of Swagger 2
		return o.body(schema, isTrue(p, "required"))
	case name == "" || slices.Contains(o.places, place{in, name}), in == "cookie",
		in == "header" && slices.Contains(transportHeaders, strings.ToLower(name)):
		return nil
	}
	for _, media := range p.Child("content").All() {
		if m, ok := media.(*pyval.Dict); ok {
			schema, written = m.GetStr("schema")
		}
	}
	if !written { // in Swagger 2 the parameter is the schema
		own := p.Clone()
		for _, key := range []string{"name", "in", "required", "collectionFormat", "allowEmptyValue"} {
			own.Delete(pyval.Str(key))
		}
		schema = own
	}
	inlined, err := o.inlined(schema, 0)
	if about, ok := p.GetStr("description"); ok && err == nil {
		inlined = inlined.Clone()
		inlined.SetStr("description", about)
	}
	if err == nil {
		err = o.add(place{in, name}, inlined, isTrue(p, "required"))
	}
	return err
}

// add adds a parameter. Of two with the same name, the later has its place
// before its name. Files are left out.
func (o *operationTool) add(at place, schema *pyval.Dict, required bool) error {
	format, _ := schema.Text("format")
	if typ, _ := schema.Text("type"); format == "binary" || typ == "file" {
		if required {
			return errBinary
		}
		return nil
	}
	name := at.name
	for o.fields.Has(name) {
		name = at.in + "_" + name
	}
	o.places = append(o.places, at)
	o.fields.SetStr(name, schema)
	if required {
		o.required.Items = append(o.required.Items, pyval.Str(name))
	}
	return nil
}

// forms are the media types whose fields can be arguments, the best first.
var forms = []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"}

func (o *operationTool) requestBody(given pyval.Value) error {
	body, err := o.resolve(given)
	if err != nil {
		return err
	}
	content := body.Child("content")
	if content == nil || content.Len() == 0 {
		return nil
	}
	best, rank := "", len(forms)+2
	for key := range content.All() {
		name := pyval.Text(key)
		if r := formRank(name); r < rank {
			best, rank = name, r
		}
	}
	switch {
	case best == "" && content.Has("application/octet-stream"):
		return errBinary
	case best == "":
		return errMedia
	}
	var schema pyval.Value
	if media := content.Child(best); media != nil {
		schema, _ = media.GetStr("schema")
	}
	return o.body(schema, isTrue(body, "required"))
}

// formRank ranks media types: forms, then other JSON, then text.
func formRank(name string) int {
	name, _, _ = strings.Cut(name, ";")
	if i := slices.Index(forms, name); i >= 0 {
		return i
	}
	switch {
	case strings.HasSuffix(name, "json") || name == "*/*":
		return len(forms)
	case strings.HasPrefix(name, "text/"):
		return len(forms) + 1
	}
	return len(forms) + 2
}

// body adds the fields of a body, or one argument "body" if it is not an object
// with fields.
func (o *operationTool) body(v pyval.Value, required bool) error {
	schema, err := o.inlined(v, 0)
	if err != nil {
		return err
	}
	fields, needed := pyval.NewDict(4), &pyval.List{}
	switch {
	case gather(schema, fields, needed):
	case schema.Has("properties"):
		return nil // an empty form
	default:
		return o.add(place{"body", "body"}, schema, required)
	}
	for key, v := range fields.All() {
		field, ok := v.(*pyval.Dict)
		if !ok || isTrue(field, "readOnly") { // only answers have it
			continue
		}
		if err := o.add(place{"body", pyval.Text(key)}, field, slices.Contains(needed.Items, key)); err != nil {
			return err
		}
	}
	return nil
}

// gather collects the fields of a schema and of the schemas under allOf, and
// reports whether there are any.
func gather(schema, fields *pyval.Dict, required *pyval.List) bool {
	for _, part := range schema.List("allOf") {
		if d, ok := part.(*pyval.Dict); ok {
			gather(d, fields, required)
		}
	}
	if d := schema.Child("properties"); d != nil {
		for key, field := range d.All() {
			_ = fields.Set(key, field) // a key of a dict is hashable
		}
	}
	required.Items = append(required.Items, schema.List("required")...)
	return fields.Len() > 0
}
