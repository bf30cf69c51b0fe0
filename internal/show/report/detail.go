package report

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/failure"
)

// A detail is a case with its results, as the page's script shows it.
type detail struct {
	Turns []turn `json:"turns"`
	// Tools are places in the pool of function documents.
	Tools []int `json:"tools,omitempty"`
	// Later are the tools that a later turn brings.
	Later  []int  `json:"later,omitempty"`
	Answer string `json:"answer,omitempty"`
	Scene  string `json:"scene,omitempty"`
	// Runs hold the results by run and trial; empty where a run was not
	// asked.
	Runs [][]answer `json:"runs"`
}

type turn []message

type message struct {
	Role string `json:"role"`
	Text string `json:"text"`
}

// An answer is one result.
type answer struct {
	Status string `json:"s"`
	Type   string `json:"t,omitempty"`
	// Summary says why it did not pass; Text is all that there is to say
	// where the answer itself does not tell.
	Summary string `json:"why,omitempty"`
	Text    string `json:"text,omitempty"`
	Raw     string `json:"raw,omitempty"`
	Decoded string `json:"dec,omitempty"`
	Diff    string `json:"diff,omitempty"`
	Thought string `json:"think,omitempty"`
	Talk    []said `json:"talk,omitempty"`
	Input   string `json:"in,omitempty"`
	Output  string `json:"out,omitempty"`
	Latency string `json:"lat,omitempty"`
}

// caps on texts, in bytes.
const (
	capText    = 16_000
	capMessage = 6_000
)

// visible makes a text safe to look at: what does not print, and what would
// turn the direction of the text around it, is written as an escape. Lines
// and tabs stay.
func visible(s string, limit int) string {
	end := ""
	if len(s) > limit {
		end = "\n… (" + strconv.Itoa(len(s)) + " bytes)"
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		s = s[:limit]
	}
	lines := strings.Split(strings.ToValidUTF8(s, "\ufffd"), "\n")
	for i, line := range lines {
		cells := strings.Split(line, "\t")
		for k, cell := range cells {
			cells[k] = safe.Printable(cell, len(cell))
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n") + end
}

// shownValue is a value as JSON where it has that form, a text as it is.
func shownValue(v pyval.Value, limit int) string {
	switch v := v.(type) {
	case nil:
		return ""
	case pyval.Str:
		return visible(string(v), limit)
	}
	return visible(pretty(v, ""), limit)
}

// pretty is a value as JSON in which what is short stays on one line. What
// JSON cannot hold is written as Python does.
func pretty(v pyval.Value, indent string) string {
	const short, long, deep = 88, 4 * capText, 40
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil {
		return pyval.Repr(v)
	}
	if len(indent)+len(text) <= short || len(text) > long || len(indent) > deep {
		return text // what is long is cut, and what is deep has lines of blanks
	}
	deeper := indent + "  "
	var lines []string
	open, end := "[", "]"
	switch v := v.(type) {
	case *pyval.List:
		for _, item := range v.Items {
			lines = append(lines, deeper+pretty(item, deeper))
		}
	case *pyval.Dict:
		open, end = "{", "}"
		for key, item := range v.All() {
			name := string(pyval.AppendJSONString(nil, pyval.Text(key), pyval.JSONUnicode))
			lines = append(lines, deeper+name+": "+pretty(item, deeper))
		}
	default:
		return text
	}
	return open + "\n" + strings.Join(lines, ",\n") + "\n" + indent + end
}

func newDetail(c *eval.Case, pool *pool) detail {
	d := detail{}
	for _, t := range c.Turns {
		out := turn{}
		for _, m := range t {
			out = append(out, message{visible(m.Role, 40), visible(m.Content, capText)})
		}
		d.Turns = append(d.Turns, out)
	}
	for _, tool := range c.Tools {
		d.Tools = append(d.Tools, pool.add(tool))
	}
	switch {
	case c.Expected != nil:
		d.Answer = shownValue(pyval.Str(c.Expected.String()), capText)
	case c.Answer != nil:
		d.Answer = shownValue(c.Answer, capText)
	}
	if c.Scene == nil {
		return d
	}
	for i := range c.Turns {
		for _, tool := range c.Scene.HeldOut[i] {
			d.Later = append(d.Later, pool.add(tool))
		}
	}
	if c.Scene.Config != nil {
		d.Scene = shownValue(c.Scene.Config, capText)
	}
	return d
}

// newAnswer shows a result. Answers to executable and multi-turn categories
// are explained by the judge's text, since no difference of calls can.
func newAnswer(cat *eval.Category, r *tally.Result, s eval.Settings) answer {
	a := answer{Status: r.Status.String(), Type: r.ErrorType, Input: r.InputTokens, Output: r.OutputTokens, Latency: latencyText(r.Latency)}
	if !r.Passed() {
		summary, _, _ := strings.Cut(r.Text, "\n")
		a.Summary = safe.Printable(strings.TrimPrefix(summary, r.ErrorType+": "), capMessage)
	}
	if r.Answer == nil || cat.MultiTurn() || cat.Executes {
		a.Text = visible(r.Text, capText)
	}
	if r.Answer == nil {
		return a
	}
	a.Thought = shownValue(field(r.Answer.Entry, "reasoning_content"), capMessage)
	if cat.MultiTurn() {
		a.Talk = conversation(r.Case, r.Answer)
		return a
	}
	a.Raw = shownValue(r.Answer.Result, capText)
	if decoded, err := cat.Decode(r.Case, r.Answer.Result, s); err == nil {
		a.Decoded = shownValue(decoded, capText)
		if !r.Passed() && !cat.Executes && r.Case.Expected == nil {
			a.Diff = plainDiff(failure.Diff(r.Case.Answer, decoded))
		}
	}
	return a
}

// plainDiff leaves out the frame around the parameters.
func plainDiff(d string) string {
	var lines []string
	for line := range strings.SplitSeq(d, "\n") {
		line = strings.TrimRight(line, " ")
		switch strings.TrimSpace(line) {
		case "map[string]string{", "}", "":
			continue
		}
		mark, rest := " ", strings.TrimSpace(line)
		if rest[0] == '-' || rest[0] == '+' {
			mark, rest = rest[:1], strings.TrimSpace(rest[1:])
		}
		lines = append(lines, mark+" "+strings.TrimSuffix(rest, ","))
	}
	return strings.Join(lines, "\n")
}

func field(d *pyval.Dict, name string) pyval.Value {
	if d == nil {
		return nil
	}
	v, _ := d.GetStr(name)
	return v
}

func latencyText(s string) string {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || x <= 0 {
		return ""
	}
	return seconds(x)
}
