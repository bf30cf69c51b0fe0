package fetch

import (
	"bytes"
	"cmp"
	_ "embed" // for the recipe
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// sourceNote is the first line of prompts.json; %s is the commit.
const sourceNote = `bfcl_eval/constants/default_prompts.py at upstream commit %s; each key under "default_prompts" is the upstream constant's name`

//go:embed recipe.yaml
var recipeFile []byte

// recipe says how files are made from upstream's sources; see recipe.yaml.
var recipe = sync.OnceValue(func() *recipes {
	r := &recipes{}
	if err := yaml.Unmarshal(recipeFile, r); err != nil {
		panic("fetch: recipe.yaml: " + err.Error())
	}
	return r
})

type recipes struct {
	Prompts  []section
	Handlers []handlerText
	Long     struct {
		File  string
		Names []string
	} `yaml:"long_context"`
}

// A section is a part of prompts.json.
type section struct {
	Key, Note, File string
	Names           []string
	Elsewhere       map[string]string // files of some of the names
	Whole           string
	Texts           []text
	Formats         bool // the section is the list of format configurations
}

// A text is in a function of upstream's.
type text struct {
	Key, Shape string
	Fields     []string
	File       string // if it is not the section's
}

// A handlerText is a text of one of the handlers of models.
type handlerText struct {
	Dialect, Key, After, Before string
	Parts                       []string
}

// A deriver makes prompts.json, long_context.json and the file of handlers'
// texts from upstream's Python sources.
type deriver struct {
	sources map[string][]byte // by path below the leaderboard's folder
	modules map[string]*module
	// missing says in words what is missing or cannot be read.
	missing []string
}

// derive makes these files. What is missing in the sources, or cannot be read,
// is left out and named.
func derive(sources map[string][]byte, commit string) (files map[string][]byte, missing []string, err error) {
	d := &deriver{sources: sources, modules: map[string]*module{}}
	text, err := pyval.AppendJSON(nil, d.prompts(commit), pyval.JSONUnicode|pyval.JSONCompact)
	var laid bytes.Buffer
	if err == nil {
		err = json.Indent(&laid, text, "", "  ")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("prompts.json: %w", err)
	}
	files = map[string][]byte{"prompts.json": append(laid.Bytes(), '\n')}
	if files["long_context.json"], err = d.long(); err != nil {
		return nil, nil, fmt.Errorf("long_context.json: %w", err)
	}
	files[completion.TextsFile], err = d.handlers()
	return files, d.missing, err
}

func (d *deriver) miss(format string, args ...any) {
	d.missing = append(d.missing, fmt.Sprintf(format, args...))
}

func (d *deriver) prompts(commit string) *pyval.Dict {
	out := pyval.Object("_source", pyval.Str(fmt.Sprintf(sourceNote, commit)))
	for _, s := range recipe().Prompts {
		if v := d.section(s); v != nil {
			out.SetStr(s.Key, v)
		}
	}
	return out
}

func (d *deriver) section(s section) pyval.Value {
	switch {
	case s.Formats:
		list := &pyval.List{}
		for _, c := range prompt.Configs() {
			list.Items = append(list.Items, pyval.Str(c.String()))
		}
		return list
	case s.Whole != "":
		return d.constant(s.File, s.Whole)
	}
	out := pyval.NewDict(len(s.Names) + len(s.Texts) + 1)
	if s.Note != "" {
		out.SetStr("_source", pyval.Str(s.Note))
	}
	for _, name := range s.Names {
		if v := d.constant(cmp.Or(s.Elsewhere[name], s.File), name); v != nil {
			out.SetStr(name, v)
		}
	}
	for _, t := range s.Texts {
		file := cmp.Or(t.File, s.File)
		if filled, ok := fill(d.module(file).shape[t.Shape], t.Fields); ok && filled != "" {
			out.SetStr(t.Key, pyval.Str(filled))
		} else {
			d.miss("%s lacks the text known as %s.%s", file, s.Key, t.Key)
		}
	}
	return out
}

// constant returns a constant of a file; nil if it cannot be read.
func (d *deriver) constant(file, name string) pyval.Value {
	v, err := d.module(file).constant(name)
	if err != nil {
		d.miss("%s: %v", file, err)
		return nil
	}
	return v
}

// module returns a source; one that is not there has no texts.
func (d *deriver) module(path string) *module {
	if d.modules[path] == nil {
		d.modules[path] = newModule(strings.TrimPrefix(string(d.sources[path]), "\ufeff"))
	}
	return d.modules[path]
}

// long returns long_context.json, with one constant a line.
func (d *deriver) long() ([]byte, error) {
	out := []byte("{\n")
	for _, name := range recipe().Long.Names {
		v := d.constant(recipe().Long.File, name)
		if v == nil {
			continue
		}
		if len(out) > 2 {
			out = append(out, ",\n"...)
		}
		out = pyval.AppendJSONString(out, name, 0)
		out = append(out, ": "...)
		var err error
		if out, err = pyval.AppendJSON(out, tagged(v), pyval.JSONUnicode|pyval.JSONCompact); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return append(out, "\n}\n"...), nil
}

// tagged writes Python's Ellipsis, which JSON does not have, as
// {"$py":"Ellipsis"}.
func tagged(v pyval.Value) pyval.Value {
	list, ok := v.(*pyval.List)
	if !ok {
		return v
	}
	return list.Map(func(item pyval.Value) pyval.Value {
		if item.Kind() == pyval.KindEllipsis {
			return pyval.Object("$py", pyval.Str("Ellipsis"))
		}
		return item
	})
}

// The folders that hold upstream's handlers of local models, and of API models.
const (
	handlerFolder = "bfcl_eval/model_handler/local_inference/"
	apiFolder     = "bfcl_eval/model_handler/api_inference/"
)

// handlers returns the file of the handlers' texts; an empty object if the
// sources have no such handlers.
func (d *deriver) handlers() ([]byte, error) {
	found := d.handlerShapes()
	out := pyval.NewDict(len(recipe().Handlers))
	for _, t := range recipe().Handlers {
		if found == nil {
			break
		}
		text, ok := t.find(found)
		if !ok {
			d.miss("%s: no handler has the text known as %s.%s", completion.TextsFile, t.Dialect, t.Key)
			continue
		}
		texts, _ := out.GetStr(t.Dialect)
		if texts == nil {
			texts = pyval.NewDict(4)
			out.SetStr(t.Dialect, texts)
		}
		texts.(*pyval.Dict).SetStr(t.Key, pyval.Str(text))
	}
	return pyval.AppendJSON(nil, out, pyval.JSONUnicode)
}

// handlerShapes returns the texts of the handlers by their fingerprints, templates
// in docstrings among them; nil if there are no handlers.
func (d *deriver) handlerShapes() map[string]string {
	var out map[string]string
	for _, file := range slices.Sorted(maps.Keys(d.sources)) {
		if folder := path.Dir(file) + "/"; folder != handlerFolder && folder != apiFolder {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		m := d.module(file)
		maps.Copy(out, m.shape)
		for _, source := range m.docs() {
			for _, template := range quotedTemplates(source) {
				out[fingerprint(template)] = template
			}
		}
	}
	return out
}

// find puts a text together from its parts.
func (t *handlerText) find(texts map[string]string) (string, bool) {
	out, began, ended := "", true, true
	for _, fingerprint := range t.Parts {
		part, ok := texts[fingerprint]
		if !ok {
			return "", false
		}
		out += part
	}
	if t.After != "" {
		_, out, began = strings.Cut(out, t.After)
	}
	if t.Before != "" {
		out, _, ended = strings.Cut(out, t.Before)
	}
	return out, began && ended && out != ""
}

var (
	templateLine   = pattern.Of(`(?m)^[ \t]*"chat_template":[ \t]*\n`)
	templateString = pattern.Of(`(?s)"chat_template":\s*("(?:[^"\\]|\\.)*")`)
)

// quotedTemplates returns the chat templates that a docstring may hold: as a
// JSON string in which line breaks are not escaped, below a line that names it,
// or as the whole docstring. Common indentation and surrounding empty lines are
// removed.
func quotedTemplates(source string) []string {
	var out []string
	for _, m := range templateString().FindAllStringSubmatch(source, -1) {
		if v, err := pyval.ParseJSON(strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(m[1])); err == nil {
			out = append(out, trimmed(pyval.Text(v)))
		}
	}
	if at := templateLine().FindStringIndex(source); at != nil {
		source = source[at[1]:]
	}
	return append(out, trimmed(dedented(source)))
}

func trimmed(s string) string {
	return strings.TrimRightFunc(strings.TrimLeft(s, "\n"), pyval.IsSpace)
}

// dedented returns a text without the blanks that all its lines begin with.
// Blank lines become empty.
func dedented(s string) string {
	lines := strings.Split(s, "\n")
	indent := -1
	for i, line := range lines {
		if strings.TrimLeft(line, " \t") == "" {
			lines[i] = ""
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, " ")); indent < 0 || n < indent {
			indent = n
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(indent, 0), len(line)):]
	}
	return strings.Join(lines, "\n")
}
