package validate

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
)

// results checks the table of a conversation's results: each expected call has
// a row, each row can be reached, and its values fit the tool.
func (c *checker) results(of *eval.Case) {
	entry := c.deep.entries[of.ID]
	if entry == nil || len(entry.Script) == 0 {
		return
	}
	for i, turn := range entry.Turns {
		for _, call := range turn.Calls {
			if turn.Mode != match.AtMost && !slices.ContainsFunc(c.answers(of, entry.Script, call), func(row int) bool { return row >= 0 }) {
				c.sayAt(call.Line, Warning, Answer, of, "turn %d: no row of results fits %s, so the call gets an error: add one", i+1, call)
			}
		}
	}
	if !slices.ContainsFunc(entry.Turns, func(w *match.Whole) bool { return len(w.Calls)+len(w.NoneOf) > 0 }) {
		c.say(Warning, Answer, of, "no turn expects a call, but there are results of calls")
	}
	for i, row := range entry.Script {
		c.callValues(of, row.Call, Error)
		c.shown(of, row.Call.Line, "the row of results", row.Call.Function)
		rows := c.answers(of, entry.Script, row.Call)
		if first := slices.Max(append(rows, -1)); first < i && first >= 0 && (settled(row.Call) || len(entry.Script[first].Call.Args) == 0) {
			c.sayAt(row.Call.Line, Warning, Answer, of, "this row of results is never reached: the row in line %d fits its calls, too, and comes first", entry.Script[first].Call.Line)
		}
	}
}

// answers returns the rows of a table that answer a call, one for each way of
// making it.
func (c *checker) answers(of *eval.Case, table match.Script, call *match.Call) (rows []int) {
	for _, v := range variants(call) {
		text, err := json.Marshal(v.value)
		if err != nil {
			continue
		}
		rows = append(rows, table.Find(of, eval.ToolCall{Name: call.Function, Arguments: string(text)}))
	}
	return rows
}

// settled reports whether a call is made only in the ways that are tried.
func settled(call *match.Call) bool {
	w, all := match.Whole{Calls: []*match.Call{call}}, true
	w.Choices(func(c *match.Choice) {
		for _, o := range c.Options {
			switch o.Matcher.(type) {
			case *match.Literal, *match.Object, *match.List:
			default:
				all = false
			}
		}
	})
	return all
}

// contradiction compares a case with one that asks the same with the same
// tools: each may refuse the other's answer.
func (c *checker) contradiction(cat *eval.Category, of *eval.Case) {
	if cat.MultiTurn() || len(of.Turns) != 1 || cat.Executes || cat.Language != eval.Python {
		return
	}
	key := strings.Join(of.ToolNames(), ",")
	for _, m := range of.Turns[0] {
		key += "\x00" + m.Role + "\x00" + m.Content
	}
	first, again := c.asked[key]
	if !again {
		c.asked[key] = asked{cat, of}
		return
	}
	refuses := func(cat *eval.Category, of, other *eval.Case) bool {
		_, v := cat.Verdict(of, oracle.Answer(other, eval.FC), eval.SettingsFor(eval.FC))
		return !v.Passed()
	}
	if refuses(cat, of, first.of) && refuses(first.cat, first.of, of) {
		c.say(Warning, Answer, of, "case %s (line %d) asks the same with the same tools, but each refuses the other's answer", quote(first.of.ID), first.of.Line)
	}
}

// An asked is a case whose question was asked before.
type asked struct {
	cat *eval.Category
	of  *eval.Case
}
