package dialect

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
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

// plainReading is that of a text without calls.
func plainReading(text string) Reading {
	return Reading{Kept: pyval.Str(text), Message: message(pyval.Str(text))}
}

// A reader takes a completion's text apart, and may raise. The tools are the documents of the
// functions that the model may call; id makes an id for a call.
type reader func(text string, tools []*pyval.Dict, id func() string) Reading

// Read takes a completion's text apart. An error is the model's: upstream's
// handler raises for this text. The reading is then that of plain text, so that
// nothing is lost. The tools are the documents of the functions that the model
// may call: where a dialect's marks do not say whether 5 is a number or a text,
// they do; without them it is a number. id makes an id for a call. Only
// mistral-fc uses it, whose ids have nine letters or digits; it may be nil for
// ids by position.
func (d *Dialect) Read(text string, tools []*pyval.Dict, id func() string) (Reading, error) {
	if d.read == nil {
		return plainReading(text), nil
	}
	if id == nil {
		n := 0
		id = func() string {
			n++
			digits := "00000000" + pyval.MakeInt(int64(n)).String()
			return "c" + digits[len(digits)-8:]
		}
	}
	r, err := pyval.Try(func() Reading { return d.read(text, tools, id) })
	if err != nil {
		return plainReading(text), err
	}
	return r, nil
}

// Separates reports whether the dialect takes a completion's text apart.
func (d *Dialect) Separates() bool { return d.read != nil }

// InFields reports whether the calls come in fields of their own, where a server
// has found them.
func (d *Dialect) InFields() bool { return strings.HasPrefix(d.Doc, "tool calls") }

// message returns an assistant's message.
func message(content pyval.Value) *pyval.Dict {
	return pyval.Object("role", pyval.Str("assistant"), "content", content)
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
func readThought(text string, _ []*pyval.Dict, _ func() string) Reading {
	reasoning, said := thought(text)
	m := message(pyval.Str(said))
	m.SetStr("reasoning_content", pyval.Str(reasoning))
	return Reading{Kept: pyval.Str(said), Reasoning: reasoning, Reasons: true, Message: m}
}

// readBehindThought keeps all that follows the reasoning, with its line breaks,
// and puts the whole text into the history. Upstream passes on the answer
// itself as the reasoning.
func readBehindThought(text string, _ []*pyval.Dict, _ func() string) Reading {
	i := strings.LastIndex(text, thinkEnd)
	if i < 0 {
		return Reading{Kept: pyval.Str(text), Reasons: true, Message: message(pyval.Str(text))}
	}
	said := text[i+len(thinkEnd):]
	return Reading{Kept: pyval.Str(said), Reasoning: said, Reasons: true, Message: message(pyval.Str(text))}
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

// The functions by whose call a model says that it calls none.
const (
	directlyAnswer = "directly_answer" // Command's
	outOfDomain    = "out_of_domain"   // Raven's
)

var declined = []string{"[]", graniteNone, graniteText, directlyAnswer, outOfDomain}

// Holds reports whether an answer from which no call was read holds one all the
// same: a list of tool calls that could not be read, the marks of any dialect,
// whatever stands between them, or a text that begins or ends with what a
// dialect reads as a call. An example within an explanation is none.
func Holds(answer pyval.Value, tools []*pyval.Dict) bool {
	switch answer := answer.(type) {
	case pyval.Str:
		return holds(string(answer), tools)
	case *pyval.List:
		return slices.ContainsFunc(answer.Items, func(item pyval.Value) bool {
			part, isText := item.(pyval.Str)
			return !isText || holds(string(part), tools)
		})
	}
	return false
}

var fence = pattern.Of("(?s)```[a-z]*\\n(.*?)```")

func holds(text string, tools []*pyval.Dict) bool {
	if found, empty := marks(text, tools); found || empty {
		return found
	}
	opens, end := decode.Opens(text), strings.TrimRight(text, "` \r\n")
	if !opens && strings.TrimRight(end, "}])") == end {
		return false
	}
	if reads(text, tools, opens) {
		return true
	}
	blocks := fence().FindAllStringSubmatch(text, -1)
	return len(blocks) > 0 && (reads(blocks[0][1], tools, false) || reads(blocks[len(blocks)-1][1], tools, false))
}

// marked are characters that each mark has, and few words.
const marked = "<[="

// marks reports whether a text has the marks of a dialect around calls, or
// around something that should be one, or has them around an empty list.
func marks(text string, tools []*pyval.Dict) (found, empty bool) {
	if !strings.ContainsAny(text, marked) {
		return false, false
	}
	broken := false
	for _, w := range wires {
		_, rest := w.split(text)
		mark := w.head().FindString(rest)
		if mark == "" && w.open != nil {
			mark = w.open().FindString(rest)
		}
		if w.loose || !strings.ContainsAny(mark, marked) { // words may stand in any text
			continue
		}
		calls, _, err := w.calls(text, len(text)-len(rest), schemasOf(tools))
		found = found || slices.ContainsFunc(calls, func(c jsonCall) bool { return !slices.Contains(declined, pyval.Text(c.name)) })
		broken, empty = broken || err != nil, empty || err == nil
	}
	return found || broken && !empty, empty
}

// reads reports whether a dialect reads a call in a text, or the text begins one
// that is broken. opens says that the text begins as a call.
func reads(text string, tools []*pyval.Dict, opens bool) bool {
	g, found := V4(decode.Python), false
	g.Tools = tools
	for _, d := range all {
		for _, c := range d.calls(pyval.Str(text), g) {
			name, args := c.(*pyval.Dict).At(0) // IsEmpty has checked it
			if isDocument(args.(*pyval.Dict), tools) {
				return false
			}
			found = found || isCall(pyval.Text(name), args.(*pyval.Dict), text, tools, opens)
		}
	}
	return found || decode.Begins(namesOf(tools), text)
}

// isCall reports whether a name and arguments in a text are a call: of one of
// the tools or, if the text begins as a call, of anything.
func isCall(name string, args *pyval.Dict, text string, tools []*pyval.Dict, opens bool) bool {
	known := slices.ContainsFunc(namesOf(tools), func(tool string) bool { return undotted(tool) == undotted(name) })
	switch some := args.Len() > 0; {
	case known:
		return opens || some
	case name == "" || slices.Contains(declined, name):
		return false
	default:
		return opens && (some || strings.Contains(text, name+"("))
	}
}

// isDocument reports whether arguments are a function's document, repeated.
func isDocument(args *pyval.Dict, tools []*pyval.Dict) bool {
	return args.Has("properties") && !slices.ContainsFunc(tools, func(tool *pyval.Dict) bool {
		return tool.Child("parameters").Child("properties").Child("properties") != nil
	})
}

func namesOf(tools []*pyval.Dict) []string {
	out := make([]string, len(tools))
	for i, tool := range tools {
		out[i], _ = tool.Text("name")
	}
	return out
}

// A Candidate is a dialect that finds calls in answers.
type Candidate struct {
	// Dialect is the dialect.
	Dialect *Dialect
	// Reads is the number of answers in which it finds calls.
	Reads int
}

// Candidates returns the dialects that find calls in recorded answers, those
// that read most first. It is for answers that could not be decoded, so that a
// wrong reader does not look like a bad model. The calls must be Meant for the
// tools of their answer.
func Candidates(answers []pyval.Value, tools [][]*pyval.Dict, g Grammar) []Candidate {
	var out []Candidate
	var named []int // the answers that are worth reading
	for i, answer := range answers {
		if mentions(answer, tools[i]) {
			named = append(named, i)
		}
	}
	for _, d := range all {
		c := Candidate{Dialect: d}
		for _, i := range named {
			if calls := d.calls(answers[i], g); len(calls) > 0 && Meant(tools[i], calls) {
				c.Reads++
			}
		}
		if c.Reads > 0 {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return b.Reads - a.Reads })
	return out
}

// Best returns the one of several candidates to recommend: of those that read
// most answers the one named own, which may be "", or else the one of later
// models, which forgives more than upstream's handlers.
func Best(candidates []Candidate, own string) (best Candidate, ok bool) {
	rank := func(c Candidate) int {
		switch {
		case c.Dialect.Name == own:
			return 2
		case c.Dialect.Example() != "":
			return 1
		}
		return 0
	}
	for _, c := range candidates {
		if !ok || c.Reads > best.Reads || c.Reads == best.Reads && rank(c) > rank(best) {
			best, ok = c, true
		}
	}
	return best, ok
}

// calls returns the calls in an answer; none if it is not a list of calls.
func (d *Dialect) calls(answer pyval.Value, g Grammar) []pyval.Value {
	v, err := d.Decode(answer, g)
	if err != nil || decode.IsEmpty(v) {
		return nil
	}
	return v.(*pyval.List).Items // IsEmpty has checked that it is a list
}

// mentions reports whether an answer has the name of a tool, as any dialect may
// read it.
func mentions(answer pyval.Value, tools []*pyval.Dict) bool {
	text := pyval.Text(answer)
	if strings.Contains(text, `\u`) { // it may spell out a letter
		return true
	}
	text = undotted(strings.ReplaceAll(strings.ReplaceAll(text, `\`, ""), "\n", ""))
	return slices.ContainsFunc(namesOf(tools), func(name string) bool { return strings.Contains(text, undotted(name)) })
}

// Meant reports whether calls may be meant for the tools of a case: each names
// one of them, with dots or underscores, and gives at least one of its required
// parameters.
func Meant(tools []*pyval.Dict, calls []pyval.Value) bool {
	for _, c := range calls {
		d, ok := c.(*pyval.Dict)
		if !ok || d.Len() == 0 {
			return false
		}
		name, args := d.At(0)
		if !slices.ContainsFunc(tools, func(tool *pyval.Dict) bool { return takes(tool, pyval.Text(name), args) }) {
			return false
		}
	}
	return true
}

// takes reports whether a call may be a call of a tool.
func takes(tool *pyval.Dict, name string, args pyval.Value) bool {
	own, _ := tool.GetStr("name")
	if own == nil || undotted(pyval.Text(own)) != undotted(name) {
		return false
	}
	required := tool.Child("parameters").List("required")
	if len(required) == 0 {
		return true
	}
	given, _ := args.(*pyval.Dict)
	return given != nil && slices.ContainsFunc(required, func(key pyval.Value) bool {
		_, ok := given.GetStr(pyval.Text(key))
		return ok
	})
}

func undotted(name string) string { return strings.ReplaceAll(name, ".", "_") }
