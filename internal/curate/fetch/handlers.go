package fetch

import (
	"path"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/pattern"
	"github.com/gobfcl/bfcl/internal/pose/completion"
	"github.com/gobfcl/bfcl/internal/python/pyliteral"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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

// handlerShapes returns a function that looks up a text of the handlers by its
// fingerprint.
func (d *deriver) handlerShapes() func(fingerprint string) (string, bool) {
	templates := map[string]string{}
	var modules []*pyliteral.Module
	for _, file := range d.places("") {
		if folder := path.Dir(file) + "/"; folder != handlerFolder && folder != apiFolder {
			continue
		}
		m := d.module(file)
		if m == nil {
			continue
		}
		modules = append(modules, m)
		for _, source := range m.Docs() {
			for _, template := range quotedTemplates(source) {
				templates[pyliteral.Fingerprint(template)] = template
			}
		}
	}
	if modules == nil {
		return nil
	}
	return func(fingerprint string) (string, bool) {
		if text, ok := templates[fingerprint]; ok {
			return text, true
		}
		i := slices.IndexFunc(modules, func(m *pyliteral.Module) bool {
			_, ok := m.Text(fingerprint)
			return ok
		})
		if i < 0 {
			return "", false
		}
		return modules[i].Text(fingerprint)
	}
}

// find puts a text together from its parts.
func (t *handlerText) find(text func(fingerprint string) (string, bool)) (string, bool) {
	var whole strings.Builder
	for _, fingerprint := range t.Parts {
		part, ok := text(fingerprint)
		if !ok {
			return "", false
		}
		whole.WriteString(part)
	}
	out, began, ended := whole.String(), true, true
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
