package dialect

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Reading is what a dialect makes of a completion's text: upstream's
// _parse_query_response_prompting.
type Reading struct {
	// Kept is written to the result file, and is what Decode and Execute read:
	// a text, or calls.
	Kept pyval.Value
	// Reasoning is the model's reasoning. Reasons reports whether the dialect
	// separates it from the answer.
	Reasoning string
	Reasons   bool
	// Message is added to the history: an assistant's message, with tool_calls
	// as the model wrote them.
	Message *pyval.Dict
	// CallIDs are the ids of the calls, one each, for dialects whose histories
	// need them.
	CallIDs []string
}

// A reader takes a completion's text apart. The tools are the documents of the
// functions that the model may call; id makes an id for a call.
type reader func(text string, tools []*pyval.Dict, id func() string) (Reading, error)

// Read takes a completion's text apart. An error is the model's: upstream's
// handler raises for this text. The reading is then that of plain text, so that
// nothing is lost. The tools are the documents of the functions that the model
// may call: where a dialect's marks do not say whether 5 is a number or a text,
// they do; without them it is a number. id makes an id for a call. Only
// mistral-fc uses it, whose ids have nine letters or digits; it may be nil for
// ids by position.
func (d *Dialect) Read(text string, tools []*pyval.Dict, id func() string) (Reading, error) {
	plain := Reading{Kept: pyval.Str(text), Message: message(pyval.Str(text))}
	if d.read == nil {
		return plain, nil
	}
	if id == nil {
		id = positions()
	}
	r, err := d.read(text, tools, id)
	if err != nil {
		return plain, err
	}
	return r, nil
}

// Separates reports whether the dialect takes a completion's text apart.
func (d *Dialect) Separates() bool { return d.read != nil }

// InFields reports whether the calls come in fields of their own, where a server
// has found them.
func (d *Dialect) InFields() bool { return strings.HasPrefix(d.Doc, "tool calls") }

// positions returns a function that makes ids by counting.
func positions() func() string {
	n := 0
	return func() string {
		n++
		digits := "00000000" + pyval.MakeInt(int64(n)).String()
		return "c" + digits[len(digits)-8:]
	}
}

// message returns an assistant's message.
func message(content pyval.Value) *pyval.Dict {
	d := pyval.NewDict(4)
	d.SetStr("role", pyval.Str("assistant"))
	d.SetStr("content", content)
	return d
}

const thinkEnd = "</think>"

// thought separates the reasoning from the text after it. Without an end of the
// reasoning there is only text.
func thought(text string) (reasoning, said string) {
	if !strings.Contains(text, thinkEnd) {
		return "", text
	}
	parts := strings.Split(text, thinkEnd)
	reasoning = strings.TrimRight(parts[0], "\n")
	return strings.TrimLeft(behind(reasoning, "<think>"), "\n"), strings.TrimLeft(parts[len(parts)-1], "\n")
}

// readThought keeps the text after the reasoning.
func readThought(text string, _ []*pyval.Dict, _ func() string) (Reading, error) {
	reasoning, said := thought(text)
	m := message(pyval.Str(said))
	m.SetStr("reasoning_content", pyval.Str(reasoning))
	return Reading{Kept: pyval.Str(said), Reasoning: reasoning, Reasons: true, Message: m}, nil
}

// readBehindThought keeps all that follows the reasoning, with its line breaks,
// and puts the whole text into the history. Upstream passes on the answer
// itself as the reasoning.
func readBehindThought(text string, _ []*pyval.Dict, _ func() string) (Reading, error) {
	i := strings.LastIndex(text, thinkEnd)
	if i < 0 {
		return Reading{Kept: pyval.Str(text), Reasons: true, Message: message(pyval.Str(text))}, nil
	}
	said := text[i+len(thinkEnd):]
	return Reading{Kept: pyval.Str(said), Reasoning: said, Reasons: true, Message: message(pyval.Str(text))}, nil
}

// between returns the texts between an opening and a closing mark.
func between(text, open, end string) []string {
	var out []string
	for {
		_, rest, opened := strings.Cut(text, open)
		inner, after, closed := strings.Cut(rest, end)
		if !opened || !closed {
			return out
		}
		out, text = append(out, inner), after
	}
}
