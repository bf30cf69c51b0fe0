package ownsuite

import (
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

var (
	turnKeys  = []string{"question", "messages", "expect", "note"}
	userKeys  = []string{"question", "messages", "expect", "patience"}
	replyKeys = []string{"asked", "called", "says", "leaves"}
	rowKeys   = []string{"call", "result", "error"}
)

// talk reads a conversation on the suite's own tools: its turns, each with what
// is expected, and the results of calls. It returns the questions.
func (l *loader) talk(p *part, file string, n *yaml.Node, fields map[string]*yaml.Node, entry *Entry) *pyval.List {
	questions, answers := &pyval.List{}, &pyval.List{}
	turns, user := fields["turns"], fields["user"]
	if user == nil {
		for _, key := range userKeys {
			if fields[key] != nil {
				l.fault(file, fields[key].Line, "%s belongs to a case with user; in one with turns, each turn has its own", key)
			}
		}
	} else {
		if turns != nil {
			l.fault(file, turns.Line, "turns and user exclude each other")
		}
		entry.User = l.user(file, user, fields["patience"])
		turns = &yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{turnOf(n, fields)}}
	}
	if turns == nil || turns.Kind != yaml.SequenceNode || len(turns.Content) == 0 {
		l.fault(file, n.Line, "a conversation needs turns, a list of question and expect; cases on simulated APIs are written in JSON lines")
		return questions
	}
	for _, turn := range turns.Content {
		in := map[string]*yaml.Node{}
		l.pairs(file, turn, "turn", turnKeys, func(key string, _, v *yaml.Node) { in[key] = v })
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

// turnOf returns what a case with a user begins with and expects, as one turn.
func turnOf(n *yaml.Node, fields map[string]*yaml.Node) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}
	for _, key := range turnKeys {
		if v := fields[key]; v != nil {
			out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key, Line: v.Line}, v)
		}
	}
	return out
}

// user reads the script of a simulated user.
func (l *loader) user(file string, n, patience *yaml.Node) *match.User {
	const usual, most = 3, 20
	out, others := &match.User{Patience: usual}, 0
	if patience != nil && (patience.ShortTag() != "!!int" || patience.Decode(&out.Patience) != nil || out.Patience < 1 || out.Patience > most) {
		l.fault(file, patience.Line, "patience: want a number of turns from 1 to %d", most)
	}
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		l.fault(file, n.Line, "user: want a list of replies with asked or called, and says or leaves")
		return out
	}
	for _, item := range n.Content {
		in := map[string]*yaml.Node{}
		l.pairs(file, item, "user", replyKeys, func(key string, _, v *yaml.Node) { in[key] = v })
		r := l.reply(file, item.Line, in)
		if r.Asked == nil && r.Called == nil {
			if others++; others > 1 {
				l.fault(file, item.Line, "user: only one reply can be without asked and called")
			}
		}
		out.Replies = append(out.Replies, r)
	}
	return out
}

func (l *loader) reply(file string, line int, in map[string]*yaml.Node) (r match.Reply) {
	if at := in["asked"]; at != nil && at.Kind == yaml.MappingNode {
		r.Asked = l.choice(file, at, 0)
	} else if at != nil {
		r.Asked = &match.Choice{Line: at.Line}
		for _, text := range l.strs(file, at, "asked") {
			if text == "" {
				l.fault(file, at.Line, "asked: want words that are not empty")
			}
			r.Asked.Options = append(r.Asked.Options, match.Option{Matcher: &match.Contains{Parts: []string{text}}})
		}
	}
	if at := in["called"]; at != nil {
		r.Called = l.call(file, at)
		r.Called.Any = true
		if _, ok := l.tools[r.Called.Function]; !ok {
			l.unknownTool(file, at.Line, r.Called.Function)
		}
	}
	if at := in["says"]; at != nil {
		r.Says = l.str(file, at, "says")
	}
	at := in["leaves"]
	if at != nil && (at.ShortTag() != "!!bool" || at.Decode(&r.Leaves) != nil) {
		l.fault(file, at.Line, "leaves: want true")
	}
	if (r.Says != "") == r.Leaves {
		l.fault(file, line, "user: a reply needs either says or leaves: true")
	}
	if r.Leaves && r.Asked == nil && r.Called == nil {
		l.fault(file, line, "user: leaves needs asked or called; when nothing more happens, the user leaves by patience")
	}
	return r
}

// script reads the table of calls with their results.
func (l *loader) script(file string, n *yaml.Node) match.Script {
	if n.Kind != yaml.SequenceNode {
		l.fault(file, n.Line, "results: want a list of call and result")
		return nil
	}
	var out match.Script
	for _, item := range n.Content {
		in := map[string]*yaml.Node{}
		l.pairs(file, item, "results", rowKeys, func(key string, _, v *yaml.Node) { in[key] = v })
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
