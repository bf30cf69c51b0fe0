package ownsuite

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"testing/fstest"

	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Scaffold is a suite made only from tools: it runs, and its cases are to be
// replaced by questions of users.
type Scaffold struct {
	// Names are the files in their order, Files their contents.
	Names []string
	Files map[string][]byte
	// Tools are the tools that were read.
	Tools []Tool
	// Format is the format of the file: functions, openapi or mcp.
	Format string
}

// mostCases is how many tools get a first case.
const mostCases = 50

// Begin makes a suite from a file of tools: a list of functions, an OpenAPI
// document, or the answer of an MCP server. If the format is "", it is
// detected. The error is Faults if the tools cannot be used.
func Begin(name, file, format string, data []byte) (*Scaffold, error) {
	file = "tools/" + path.Base(file)
	if format == "" {
		format = formatOf(file, data)
	}
	l := &loader{
		reader: &reader{files: fstest.MapFS{file: {Data: data}}}, suite: &Suite{}, tools: map[string]Tool{}, ids: map[string]Fault{},
	}
	l.addTools(source{format: format, file: file})
	switch {
	case len(l.faults) > 0:
		return nil, l.faults
	case len(l.suite.Tools) == 0:
		return nil, errors.New("the file has no tools")
	}
	s := &Scaffold{Files: map[string][]byte{}, Tools: l.suite.Tools, Format: format}
	add := func(name string, text []byte) { s.Names, s.Files[name] = append(s.Names, name), text }
	add(File, fmt.Appendf(nil, `# Made from tools only. Write cases as your users ask, then remove "review: true".
name: %s
tools:
  - %s: %s
categories:
  - name: requests
    kind: multiple
    description: One call is right, out of all tools.
    cases: cases/requests.yaml
  - name: no_tool_fits
    kind: irrelevance
    description: No tool can do it, so no call is right.
    cases: cases/no_tool_fits.yaml
`, jsonLine(name), format, file))
	add(file, data)
	add("cases/requests.yaml", l.firstCases())
	add("cases/no_tool_fits.yaml", []byte("- id: no_tool_fits_0\n  review: true\n  question: Who won the chess championship of the year 1972?\n"))
	return s, nil
}

// formatOf returns a file's format by its contents.
func formatOf(file string, data []byte) string {
	l := &reader{}
	doc := l.parse(file, string(data))
	switch {
	case child(doc, "openapi") != nil || child(doc, "swagger") != nil:
		return "openapi"
	case child(child(doc, "result"), "tools") != nil || child(doc, "tools") != nil:
		return "mcp"
	}
	return "functions"
}

// firstCases returns a case for each of the first tools, with values made up by
// the schemas.
func (l *loader) firstCases() []byte {
	out := []byte("# One case per tool, with made-up values: replace each question by one of your\n# users, and put the right call under expect.\n")
	docs := l.docs()
	for i, tool := range l.suite.Tools[:min(mostCases, len(l.suite.Tools))] {
		call := &match.Call{Function: tool.Name}
		parameters, _ := tool.Doc.GetStr("parameters")
		d, _ := parameters.(*pyval.Dict)
		for _, name := range members(d, "required") {
			call.Args = append(call.Args, match.Field{Name: pyval.Text(name), Choice: &match.Choice{Options: []match.Option{{Matcher: match.Present{}}}}})
		}
		sample := (&match.Whole{Mode: match.AnyOrder, Calls: []*match.Call{call}}).Sample(docs).Items[0].(*pyval.Dict)
		_, args := sample.At(0)
		said, expect := "", ""
		schemas := properties(tool)
		for key, accepted := range args.(*pyval.Dict).All() {
			schema, _ := schemas.Get(key)
			v := fitting(match.Plain(accepted.(*pyval.List).Items[0]), schema, 0)
			said += fmt.Sprintf(", %s %s", pyval.Text(key), jsonLine(v))
			expect += fmt.Sprintf("      %s: {value: %s}\n", jsonLine(pyval.Text(key)), jsonLine(v))
		}
		question := "Please use " + tool.Name + strings.Replace(said, ",", " with", 1) + "."
		if expect == "" {
			expect = "      {}\n"
		}
		out = fmt.Appendf(out, "- id: requests_%d\n  review: true\n  question: %s\n  expect:\n    %s:\n%s", i, jsonLine(question), jsonLine(tool.Name), expect)
	}
	return out
}

// properties returns the schemas of a tool's parameters as they are written.
func properties(tool Tool) *pyval.Dict {
	doc := tool.Written
	if doc == nil {
		doc = tool.Doc
	}
	parameters, _ := doc.GetStr("parameters")
	if d, ok := parameters.(*pyval.Dict); ok {
		if v, _ := d.GetStr("properties"); v != nil {
			if found, ok := v.(*pyval.Dict); ok {
				return found
			}
		}
	}
	return pyval.NewDict(0)
}

// jsonLine returns a text or a value as JSON, which YAML reads.
func jsonLine(v any) string {
	value, ok := v.(pyval.Value)
	if !ok {
		value = pyval.Str(v.(string))
	}
	text, err := pyval.JSON(value, 0) // escapes what does not print
	if err != nil {
		return `""`
	}
	return text
}
