package ownsuite

import (
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var (
	turnKeys = []string{"question", "messages", "expect", "note"}
	rowKeys  = []string{"call", "result", "error"}
)

// talk reads a conversation on the suite's own tools: its turns, each with what
// is expected, and the results of calls. It returns the questions.
func (l *loader) talk(file string, n *yaml.Node, fields map[string]*yaml.Node, entry *Entry) *pyval.List {
	questions, answers := &pyval.List{}, &pyval.List{}
	turns := fields["turns"]
	if turns == nil || turns.Kind != yaml.SequenceNode || len(turns.Content) == 0 {
		l.fault(file, n.Line, "a conversation needs turns, a list of question and expect; cases on simulated APIs are written in JSON lines")
		return questions
	}
	for _, turn := range turns.Content {
		in := l.mapping(file, turn, "turn", turnKeys)
		questions.Items = append(questions.Items, l.question(file, turn, in))
		w := &match.Whole{Mode: match.InOrder, Line: turn.Line}
		if at := in["expect"]; at != nil {
			w = l.whole(file, at, match.InOrder)
		}
		entry.Turns = append(entry.Turns, w)
		answers.Items = append(answers.Items, w.Texts(l.docs()))
	}
	entry.Answer, entry.Matched = answers, true
	if at := fields["results"]; at != nil {
		entry.Script = l.script(file, at)
	}
	return questions
}

// script reads the table of calls with their results.
func (l *loader) script(file string, n *yaml.Node) match.Script {
	if n.Kind != yaml.SequenceNode {
		l.fault(file, n.Line, "results: want a list of call and result")
		return nil
	}
	var out match.Script
	for _, item := range n.Content {
		in := l.mapping(file, item, "results", rowKeys)
		call, result, failed := in["call"], in["result"], in["error"]
		if call == nil || (result == nil) == (failed == nil) {
			l.fault(file, item.Line, "results: a row needs call, and either result or error")
			continue
		}
		row := match.Row{Call: l.call(file, call)}
		row.Call.Any = true
		if _, ok := l.tools[row.Call.Function]; !ok {
			l.unknownTool(file, call.Line, row.Call.Function)
		}
		switch {
		case failed != nil:
			said := pyval.Object("error", pyval.Str(l.str(file, failed, "error")))
			row.Result, _ = pyval.JSON(said, pyval.JSONUnicode) // texts can always be written
		case result.Kind == yaml.ScalarNode && result.ShortTag() == "!!str":
			row.Result = result.Value
		default:
			row.Result = l.jsonText(file, result)
		}
		out = append(out, row)
	}
	return out
}

// jsonText returns a value as JSON.
func (l *loader) jsonText(file string, n *yaml.Node) string {
	v, err := value(n, 0)
	if err == nil {
		var text string
		if text, err = pyval.JSON(v, pyval.JSONUnicode); err == nil {
			return text
		}
	}
	l.fault(file, n.Line, "%v", err)
	return ""
}
