package ownsuite

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing/fstest"

	"github.com/gobfcl/bfcl/internal/pattern"
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
	// Left are the operations that no tool can express.
	Left []Left
}

// mostCases is how many tools get a first case.
const mostCases = 50

// A Source is a file of tools to begin a suite with.
type Source struct {
	// Name is the file's name, Data its contents.
	Name string
	Data []byte
	// Operations choose operations of an OpenAPI document; without any, all are
	// taken.
	Operations []string
	// Fits reports whether arguments fit a tool.
	Fits func(*Tool, *pyval.Dict) bool
}

// Begin makes a suite from a file of tools: a list of functions, an OpenAPI
// document, or the answer of an MCP server. The error is Faults if the tools
// cannot be used.
func Begin(name string, from Source) (*Scaffold, error) {
	file := "tools/" + path.Base(from.Name)
	format := formatOf(file, from.Data)
	l := &loader{
		reader: &reader{files: fstest.MapFS{file: {Data: from.Data}}}, suite: &Suite{}, tools: map[string]Tool{}, ids: map[string]Fault{},
	}
	if len(from.Operations) > 0 && format != "openapi" {
		return nil, errors.New("only the operations of an OpenAPI document can be chosen")
	}
	l.addTools(source{format: format, file: file, operations: from.Operations})
	switch {
	case len(l.faults) > 0:
		return nil, l.faults
	case len(l.suite.Tools) == 0:
		return nil, errors.New("the file has no tools that can be used")
	}
	s := &Scaffold{Files: map[string][]byte{}, Tools: l.suite.Tools, Left: l.suite.Left}
	add := func(name string, text []byte) { s.Names, s.Files[name] = append(s.Names, name), text }
	renamed, chosen := l.callable(), ""
	if len(from.Operations) > 0 {
		var quoted []string
		for _, operation := range from.Operations {
			quoted = append(quoted, jsonLine(operation))
		}
		chosen = "\n    operations: [" + strings.Join(quoted, ", ") + "]"
	}
	if len(renamed) > 0 {
		chosen += "\nnames: " + namesFile
	}
	add(File, fmt.Appendf(nil, `# Made from tools only. Write cases as your users ask, then remove "review: true".
name: %s
tools:
  - %s: %s%s
categories:
  - name: requests
    kind: multiple
    description: One call is right, out of all tools.
    cases: cases/requests.yaml
  - name: no_tool_fits
    kind: irrelevance
    description: No tool can do it, so no call is right.
    cases: cases/no_tool_fits.yaml
`, jsonLine(name), format, jsonLine(file), chosen))
	add(file, from.Data)
	if len(renamed) > 0 {
		add(namesFile, renamed)
	}
	add("cases/requests.yaml", l.firstCases(from.Fits))
	add("cases/no_tool_fits.yaml", []byte("- id: no_tool_fits_0\n  review: true\n  question: Who won the chess championship of the year 1972?\n"))
	return s, nil
}

const namesFile = "tools/names.yaml"

// Callable matches the names of functions that providers accept, once dots are
// replaced by underscores.
var Callable = pattern.Of(`^[A-Za-z0-9_.-]{1,64}$`)

// callable gives tools whose names providers refuse names that they accept, and
// returns the file with both.
func (l *loader) callable() (file []byte) {
	const longest = 64
	for i := range l.suite.Tools {
		tool := &l.suite.Tools[i]
		if Callable().MatchString(tool.Name) {
			continue
		}
		name := strings.Trim(notName.ReplaceAllString(tool.Name, "_"), "_")
		name = name[:min(len(name), longest)]
		for n, base := 2, name; name == "" || l.tools[name].Name != ""; n++ {
			end := "_" + strconv.Itoa(n)
			name = base[:min(len(base), longest-len(end))] + end
		}
		file = fmt.Appendf(file, "%s: %s\n", jsonLine(tool.Name), name)
		*tool = tool.Renamed(name)
		l.tools[name] = *tool
	}
	return file
}

// formatOf returns a file's format by its contents.
func formatOf(file string, data []byte) string {
	l := &reader{}
	doc := l.parse(file, string(data))
	switch {
	case child(doc, "openapi") != nil || child(doc, "swagger") != nil || child(doc, "paths") != nil:
		return "openapi"
	case child(child(doc, "result"), "tools") != nil || child(doc, "tools") != nil:
		return "mcp"
	}
	return "functions"
}

// firstCases returns a case for each of the first tools, with values made up by
// the schemas; a tool for which none can be made up gets no case.
func (l *loader) firstCases(fits func(*Tool, *pyval.Dict) bool) []byte {
	out := []byte("# One case per tool, with made-up values: replace each question by one of your\n# users, and put the right call under expect.\n")
	n := 0
	for i := range l.suite.Tools {
		tool := &l.suite.Tools[i]
		args, ok := made(tool.Parameters(), 0).(*pyval.Dict)
		if n == mostCases {
			break
		}
		if !ok || fits != nil && !fits(tool, args) {
			continue
		}
		said, expect := "", ""
		for key, v := range args.All() {
			said += fmt.Sprintf(", %s %s", pyval.Text(key), jsonLine(v))
			expect += fmt.Sprintf("      %s: {value: %s}\n", jsonLine(pyval.Text(key)), jsonLine(v))
		}
		question := "Please use " + tool.Name + strings.Replace(said, ",", " with", 1) + "."
		if expect == "" {
			expect = "      {}\n"
		}
		out = fmt.Appendf(out, "- id: requests_%d\n  review: true\n  question: %s\n  expect:\n    %s:\n%s", n, jsonLine(question), jsonLine(tool.Name), expect)
		n++
	}
	return out
}

// Parameters returns the schema of a tool's parameters as it is written; nil if
// it has none.
func (t *Tool) Parameters() *pyval.Dict {
	if t.Written != nil {
		return t.Written.Child("parameters")
	}
	return t.Doc.Child("parameters")
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

//go:embed all:example
var embedded embed.FS

// Example returns a suite that runs without changes.
func Example() fs.FS {
	files, err := fs.Sub(embedded, "example")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return files
}

// WriteExample writes the example into a folder and returns the files' names.
// It writes nothing if one of them exists already.
func WriteExample(dir string) ([]string, error) {
	files := map[string][]byte{}
	var names []string
	err := fs.WalkDir(Example(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		names = append(names, path)
		files[path], err = fs.ReadFile(Example(), path)
		return err
	})
	if err != nil {
		return nil, err
	}
	return names, WriteNew(dir, names, files)
}

// WriteNew writes files into a folder. It writes none if one of them exists
// already.
func WriteNew(dir string, names []string, files map[string][]byte) error {
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return err
			}
			return fmt.Errorf("%s is there already: nothing was written; name another folder", path)
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		// never over a file, not even one that was created in the meantime
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = file.Write(files[name])
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}
