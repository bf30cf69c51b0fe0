package ownsuite

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// cases reads a category's files of cases.
func (l *loader) cases(p *part) {
	if p.answers != nil && len(p.answers) != len(p.cases) {
		l.fault(File, p.casesAt, "there are %d files of cases, but %d of answers: name one file of answers for each", len(p.cases), len(p.answers))
		return
	}
	before := len(l.faults)
	for i, file := range p.cases {
		switch {
		case isYAML(file) && p.answers != nil:
			l.fault(File, p.casesAt, "%s: answers belong to JSON lines; a YAML case has its answer under expect", file)
		case isYAML(file):
			l.yamlCases(p, file)
		case p.answers != nil:
			l.lineCases(p, file, p.answers[i])
		default: // where the benchmark keeps the answers to a file of questions
			l.lineCases(p, file, path.Join(path.Dir(file), "possible_answer", path.Base(file)))
		}
	}
	if len(p.Entries) == 0 && len(l.faults) == before {
		l.fault(File, p.Line, "category %s has no cases", quote(p.name))
	}
}

func isYAML(file string) bool {
	return strings.HasSuffix(file, ".yaml") || strings.HasSuffix(file, ".yml")
}

// BadID returns why an id cannot be a case's; "" if it can. An id is part of
// the names of subtests and files, and of comma separated lists.
func BadID(id string) string {
	const longest = 200
	switch {
	case id == "":
		return "the id is missing"
	case len(id) > longest:
		return fmt.Sprintf("the id is longer than %d bytes", longest)
	}
	for _, r := range id {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.+=", r) || r == unicode.ReplacementChar {
			return fmt.Sprintf("the id %s holds %s: use letters, digits and any of _ - . + =", quote(id), quote(string(r)))
		}
	}
	return ""
}

// newID reports whether an id is valid and not used yet, and records it.
func (l *loader) newID(file string, line int, id string) bool {
	if why := BadID(id); why != "" {
		l.fault(file, line, "%s", why)
		return false
	}
	if first, dup := l.ids[id]; dup {
		l.fault(file, line, "the id %s is already in %s:%d: ids must be unique in a suite", quote(id), first.File, first.Line)
		return false
	}
	l.ids[id] = Fault{File: file, Line: line}
	return true
}

var (
	caseKeys = []string{"id", "question", "messages", "tools", "expect", "tags", "note", "review"}
	talkKeys = []string{"id", "turns", "results", "tools", "tags", "note", "review"}
)

// yamlCases reads a file of cases in YAML: a list, or one under "cases".
func (l *loader) yamlCases(p *part, file string) {
	doc := l.document(file, File, p.casesAt, maxText)
	if doc == nil {
		return
	}
	if doc.Kind == yaml.MappingNode {
		if doc = l.mapping(file, doc, "the file", []string{"cases"})["cases"]; doc == nil {
			return
		}
	}
	if doc.Kind != yaml.SequenceNode {
		l.fault(file, doc.Line, "want a list of cases")
		return
	}
	for _, n := range doc.Content {
		l.yamlCase(p, file, n)
	}
}

func (l *loader) yamlCase(p *part, file string, n *yaml.Node) {
	known := caseKeys
	if p.MultiTurn() {
		known = talkKeys
	}
	before := len(l.faults)
	fields := l.mapping(file, n, "case", known)
	if len(l.faults) > before {
		return
	}
	id := l.str(file, fields["id"], "id")
	if !l.newID(file, n.Line, id) {
		return
	}
	entry := Entry{File: l.path(file), Line: n.Line}
	turns := &pyval.List{}
	if p.MultiTurn() {
		turns = l.talk(file, n, fields, &entry)
	} else {
		turns.Items = append(turns.Items, l.question(file, n, fields))
		l.answer(p, file, n, fields["expect"], &entry)
	}
	tools := l.shown(p, file, n.Line, l.strs(file, fields["tools"], "tools"), &entry)
	tags := &pyval.List{}
	for _, tag := range l.strs(file, fields["tags"], "tags") {
		tags.Items = append(tags.Items, pyval.Str(tag))
	}
	if len(l.faults) > before {
		return
	}
	entry.Row = pyval.Object("id", pyval.Str(id), "question", turns, "function", tools)
	if len(tags.Items) > 0 {
		entry.Row.SetStr("tags", tags)
	}
	p.Entries = append(p.Entries, entry)
}

// question reads a case's question: a text, or a list of messages.
func (l *loader) question(file string, n *yaml.Node, fields map[string]*yaml.Node) *pyval.List {
	question, messages := fields["question"], fields["messages"]
	switch {
	case (question == nil) == (messages == nil):
		l.fault(file, n.Line, "a case needs either question (a text) or messages (a list of role and content)")
		return nil
	case question != nil:
		return pyval.NewList(message("user", l.str(file, question, "question")))
	}
	return l.messages(file, messages)
}

// messages reads a list of texts, the last of which asks for an answer.
func (l *loader) messages(file string, n *yaml.Node) *pyval.List {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		l.fault(file, n.Line, "messages: want a list of role and content")
		return nil
	}
	out, role := &pyval.List{}, ""
	for _, item := range n.Content {
		fields := l.mapping(file, item, "message", []string{"role", "content"})
		switch role = l.str(file, fields["role"], "role"); role {
		case "system", "user", "assistant":
		case "tool":
			l.fault(file, item.Line, "message: the role tool is gone: %s", asTurns)
		default:
			l.fault(file, item.Line, "message: the role must be system, user or assistant, not %s", quote(role))
		}
		out.Items = append(out.Items, message(role, l.str(file, fields["content"], "content")))
	}
	if role == "assistant" {
		l.fault(file, n.Content[len(n.Content)-1].Line, "messages: the last one is the assistant's, so nothing is left to answer")
	}
	return out
}

func message(role, content string) *pyval.Dict {
	return pyval.Object("role", pyval.Str(role), "content", pyval.Str(content))
}

// shown returns the tools of a case: those that it names, or those of its
// category, or for kind simple the expected one, or all of the suite's.
func (l *loader) shown(p *part, file string, line int, names []string, entry *Entry) *pyval.List {
	answer := entry.Answer
	switch {
	case len(names) > 0:
	case p.tools != nil:
		names = p.tools
	case p.Rule == eval.Simple && answer != nil && len(answer.Items) == 1:
		names = called(answer)
	default:
		names = l.allNames()
	}
	if p.Rule == eval.Simple && len(names) != 1 {
		l.fault(file, line, "a case of kind simple shows one tool, but this one shows %d: name one under tools, or use kind multiple", len(names))
		return nil
	}
	if len(names) == 0 {
		l.fault(file, line, "the case has no tools: name tool files in %s", File)
	}
	out := &pyval.List{}
	for _, name := range names {
		tool, ok := l.tools[name]
		if !ok {
			l.unknownTool(file, line, name)
			continue
		}
		out.Items = append(out.Items, tool.Doc)
		if l.suite.Send == Verbatim && p.language == pythonKey {
			entry.Sent = append(entry.Sent, tool.Written)
		}
	}
	return out
}

func (l *loader) allNames() []string {
	names := make([]string, len(l.suite.Tools))
	for i, tool := range l.suite.Tools {
		names[i] = tool.Name
	}
	return names
}

// called returns the names of the functions in a possible answer.
func called(answer *pyval.List) (names []string) {
	for _, item := range answer.Items {
		if call, ok := item.(*pyval.Dict); ok {
			for name := range call.All() {
				names = append(names, pyval.Text(name))
			}
		}
	}
	return names
}
