package ownsuite

import (
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// Load reads a suite. where is put before the names of files in messages. An
// error is of type Faults.
func Load(files fs.FS, where string) (*Suite, error) {
	r := &reader{files: files, where: where}
	l := &loader{reader: r, suite: &Suite{}, tools: map[string]Tool{}, ids: map[string]Fault{}}
	if doc := r.document(File, File, 0, plainfile.MaxBytes); doc != nil {
		l.top(doc)
	}
	l.suite.Files = r.read
	if len(r.faults) > 0 {
		return l.suite, r.faults
	}
	return l.suite, nil
}

// A loader builds a suite.
type loader struct {
	*reader
	suite *Suite
	tools map[string]Tool
	ids   map[string]Fault  // the place of each id
	names map[string]string // what the suite calls tools, by their names in the files
	parts int               // the schemas of all tools unfold to so many
	// weighs reports whether the suite gives any category a weight.
	weighs bool
	// byName are the tools' documents, once all tools are read.
	byName map[string]*pyval.Dict
}

var (
	suiteKeys    = []string{"name", "description", "tools", "names", "send", "categories"}
	toolKeys     = []string{"functions", "openapi", "mcp", "operations"}
	categoryKeys = []string{"name", "kind", "language", "weight", "canary", "description", "tools", "cases", "answers"}
)

// top reads the tools before the categories, whatever their order in the file.
func (l *loader) top(doc *yaml.Node) {
	sections := l.mapping(File, doc, "the suite", suiteKeys)
	if sections == nil {
		return
	}
	if l.suite.Name = l.str(File, sections["name"], "name"); sections["name"] == nil {
		l.fault(File, doc.Line, "name is missing: say what the suite is called")
	}
	_ = l.str(File, sections["description"], "description") // for people
	if n := sections["names"]; n != nil {
		l.rename(n)
	}
	l.each(sections["tools"], "tools", l.toolFile)
	l.send(sections["send"])
	l.each(sections["categories"], "categories", l.category)
	for _, c := range l.suite.Categories { // without a weight of its own each counts as much as it has cases
		if c.Weight > 0 && !l.weighs {
			c.Weight = float64(len(c.Entries))
		}
	}
	if len(l.suite.Categories) == 0 && len(l.faults) == 0 {
		l.fault(File, doc.Line, "categories is missing or empty: list at least one with its name, kind and cases")
	}
}

// send decides how tools are shown: as they are written if all of them are in
// JSON Schema, unless the suite says otherwise.
func (l *loader) send(n *yaml.Node) {
	at := slices.IndexFunc(l.suite.Tools, func(t Tool) bool { return t.Written == nil })
	l.suite.Send = Verbatim
	if at >= 0 {
		l.suite.Send = AsBFCL
	}
	defer l.circles()
	if n == nil {
		return
	}
	given := Send(l.str(File, n, "send"))
	switch {
	case given != Verbatim && given != AsBFCL:
		l.fault(File, n.Line, "send: want %s (tools as they are written) or %s (tools as the benchmark shows them)", Verbatim, AsBFCL)
	case given == Verbatim && at >= 0:
		tool := l.suite.Tools[at]
		l.fault(File, n.Line, "send: the tool %s (%s:%d) is in the benchmark's form, with types such as dict or float: write it in JSON Schema", quote(tool.Name), tool.File, tool.Line)
	default:
		l.suite.Send = given
	}
}

// circles refuses schemas that refer to themselves if models are sent the
// benchmark's documents, which must end.
func (l *loader) circles() {
	for _, tool := range l.suite.Tools {
		if l.suite.Send == AsBFCL && tool.circle != "" {
			l.faults = append(l.faults, Fault{tool.File, tool.Line, fmt.Sprintf(
				"%s: the schema refers to itself: %s; with send: bfcl, a tool's schema must end", quote(tool.Name), tool.circle)})
		}
	}
}

func (l *loader) each(n *yaml.Node, what string, f func(*yaml.Node)) {
	switch {
	case n == nil:
	case n.Kind != yaml.SequenceNode:
		l.fault(File, n.Line, "%s: want a list", what)
	default:
		for _, item := range n.Content {
			f(item)
		}
	}
}

// A source is one item of the tools of suite.yaml.
type source struct {
	format, file string
	operations   []string
	line         int
}

func (l *loader) toolFile(n *yaml.Node) {
	src := source{line: n.Line}
	ok := l.pairs(File, n, "tools", toolKeys, func(key string, k, v *yaml.Node) {
		switch {
		case key == "operations":
			src.operations = l.strs(File, v, key)
		case src.format != "":
			l.fault(File, k.Line, "tools: each item has one file: begin another item with -")
		default:
			src.format, src.file = key, l.str(File, v, key)
		}
	})
	switch {
	case !ok:
	case src.format == "":
		l.fault(File, n.Line, "tools: name a file with functions, openapi or mcp")
	case src.operations != nil && src.format != "openapi":
		l.fault(File, n.Line, "tools: operations belongs to an openapi document")
	default:
		l.addTools(src)
	}
}

// rename reads the file of names: what each tool is called in the suite.
func (l *loader) rename(n *yaml.Node) {
	file := l.str(File, n, "names")
	doc := l.document(file, File, n.Line, maxText)
	if doc == nil {
		return
	}
	if doc.Kind != yaml.MappingNode {
		l.fault(file, doc.Line, "want a mapping of tools' names in their files to names in the suite")
		return
	}
	l.names = map[string]string{}
	for i := 0; i+1 < len(doc.Content); i += 2 {
		l.names[doc.Content[i].Value] = l.str(file, doc.Content[i+1], "name")
	}
}

func (l *loader) addTools(src source) {
	for _, tool := range l.readTools(src) {
		if name := l.names[tool.Name]; name != "" {
			tool = tool.Renamed(name)
		}
		if first, dup := l.tools[tool.Name]; dup {
			l.fault(tool.File, tool.Line, "the tool %s is already in %s:%d: names must be unique", quote(tool.Name), first.File, first.Line)
			continue
		}
		tool.File = l.path(tool.File)
		l.tools[tool.Name] = tool
		l.suite.Tools = append(l.suite.Tools, tool)
	}
}

// A part is a category while it is read.
type part struct {
	*Category
	// name, kind and language are the texts in suite.yaml.
	name, kind, language string

	tools   []string
	cases   []string
	answers []string
	casesAt int
	// weighs reports whether the suite gives the category a weight.
	weighs bool
}

// pythonKey is the language of a category that names none.
var pythonKey = eval.Python.Key()

var categoryName = pattern.Of(`^[a-z][a-z0-9_]{0,59}$`)

const mostWeight = 1e6

func (l *loader) category(n *yaml.Node) {
	p := part{Category: &Category{Weight: 1, Line: n.Line}, language: pythonKey, casesAt: lineOf(n, "cases")}
	before := len(l.faults)
	in := l.mapping(File, n, "category", categoryKeys)
	p.name, p.kind = l.str(File, in["name"], "name"), l.str(File, in["kind"], "kind")
	if v := in["language"]; v != nil {
		p.language = l.str(File, v, "language")
	}
	_ = l.str(File, in["description"], "description") // for people
	if v := in["weight"]; v != nil {
		w, err := strconv.ParseFloat(v.Value, 64)
		if v.Kind != yaml.ScalarNode || err != nil || math.IsNaN(w) || w < 0 || w > mostWeight {
			l.fault(File, v.Line, "weight: want a number of 0 or more")
		}
		p.Weight, p.weighs = w, true
	}
	if v := in["canary"]; v != nil && (v.ShortTag() != "!!bool" || v.Decode(&p.Canary) != nil) {
		l.fault(File, v.Line, "canary: want true")
	}
	p.tools, p.cases, p.answers = l.strs(File, in["tools"], "tools"), l.strs(File, in["cases"], "cases"), l.strs(File, in["answers"], "answers")
	if len(l.faults) > before || !l.known(&p) {
		return
	}
	l.suite.Categories = append(l.suite.Categories, p.Category)
	l.cases(&p)
	l.weighs = l.weighs || p.weighs
}

// known makes the category from its name, kind and language, and reports
// whether it is valid.
func (l *loader) known(p *part) bool {
	fail := func(format string, args ...any) bool {
		l.fault(File, p.Line, format, args...)
		return false
	}
	switch {
	case p.name == "" || p.kind == "" || len(p.cases) == 0:
		return fail("a category needs name, kind and cases")
	case !categoryName().MatchString(p.name):
		return fail("category %s: a name has lower-case letters, digits and _, and begins with a letter", quote(p.name))
	case categories.Taken(p.name):
		return fail("category %s: the benchmark has a category or group of that name: choose another", quote(p.name))
	}
	for _, other := range l.suite.Categories {
		if other.Name == p.name {
			return fail("category %s is already in line %d", quote(p.name), other.Line)
		}
	}
	cat, err := categories.Own(p.name, p.kind, p.language)
	if err != nil {
		return fail("category %s: %v%s", quote(p.name), err, say.Hint(p.kind, categories.Kinds()))
	}
	if p.Canary {
		if !cat.Answers() {
			return fail("category %s: canary needs a kind whose cases have expect", quote(p.name))
		}
		judge := cat.Judge
		cat.Judge = func(c *eval.Case, decoded pyval.Value, decodeErr error, s eval.Settings) eval.Verdict {
			return judge(c, decoded, decodeErr, s).OfCanary()
		}
		p.Weight, cat.Unscored = 0, true
	}
	p.Category.Category = cat
	for _, name := range p.tools {
		if _, ok := l.tools[name]; !ok {
			l.unknownTool(File, p.Line, name)
		}
	}
	return true
}

func (l *loader) unknownTool(file string, line int, name string) {
	if len(l.suite.Tools) == 0 {
		l.fault(file, line, "there is no tool %s: %s names no tools", quote(name), File)
		return
	}
	if i := slices.IndexFunc(l.suite.Left, func(left Left) bool { return left.Operation == name }); i >= 0 {
		l.fault(file, line, "the operation %s cannot be a tool: %s", quote(name), l.suite.Left[i].Reason)
		return
	}
	if len(l.faults) < maxFaults {
		l.fault(file, line, "there is no tool %s%s", quote(name), l.hint(name, l.allNames()))
	}
}
