package report

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/parallel"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/trace"
	"github.com/gobfcl/bfcl/internal/why"
)

// A detail is a case with its results, as the page's script shows it.
type detail struct {
	Turns [][]trace.Message `json:"turns"`
	// Tools are places in the pool of function documents.
	Tools []int `json:"tools,omitempty"`
	// Later are the tools that later turns add.
	Later []int `json:"later,omitempty"`
	// Answer is what is accepted, if it is neither calls nor turns of calls.
	Answer string `json:"answer,omitempty"`
	// Wanted are the expected calls, with the accepted values of each
	// parameter.
	Wanted []call `json:"want,omitempty"`
	// Expected are the calls of a conversation's turns with their results.
	Expected [][]trace.Call `json:"expect,omitempty"`
	Scene    string         `json:"scene,omitempty"`
	// Runs are the results by run and trial; those of a run are empty if it did
	// not ask the case.
	Runs [][]json.RawMessage `json:"runs"`
}

// A call is a call with its parameters, or a text in Name if it has another form.
type call struct {
	Name string      `json:"n"`
	Args [][2]string `json:"a"`
}

// A pair is an expected call and the call made for it, as places in Wanted and
// Calls; -1 for none. Bad has the faults of parameters, in the words of the
// taxonomy.
type pair struct {
	Wanted int               `json:"w"`
	Made   int               `json:"m"`
	Other  bool              `json:"other,omitempty"`
	Bad    map[string]string `json:"bad,omitempty"`
}

// An answer is one result.
type answer struct {
	Status string `json:"s"`
	Type   string `json:"t,omitempty"`
	// Summary says why it did not pass. Text is the judge's full text, if the
	// answer itself does not show it.
	Summary string `json:"why,omitempty"`
	Text    string `json:"text,omitempty"`
	Raw     string `json:"raw,omitempty"`
	// Calls are the calls that were read, Pairs those compared with the
	// expected ones.
	Calls     []call       `json:"calls,omitempty"`
	Undecoded string       `json:"un,omitempty"`
	Pairs     []pair       `json:"pairs,omitempty"`
	Thought   string       `json:"think,omitempty"`
	Talk      []trace.Turn `json:"talk,omitempty"`
	Notes     []string     `json:"notes,omitempty"`
	Input     string       `json:"in,omitempty"`
	Output    string       `json:"out,omitempty"`
	Latency   string       `json:"lat,omitempty"`
	Cost      string       `json:"cost,omitempty"`
}

// caps on texts, in bytes.
const (
	capText    = 16_000
	capMessage = 6_000
)

// mostCalls bounds the calls of an answer on the page.
const mostCalls = 60

// visible makes a text safe to show: characters that do not print, or that
// would change the direction of the text around them, are written as escapes.
// Line ends and tabs stay.
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
			cells[k] = say.Printable(cell, len(cell))
		}
		lines[i] = strings.Join(cells, "\t")
	}
	return strings.Join(lines, "\n") + end
}

// shownValue returns a value as JSON, if it has that form; a text stays as it is.
func shownValue(v pyval.Value, limit int) string {
	switch v := v.(type) {
	case nil:
		return ""
	case pyval.Str:
		return visible(string(v), limit)
	}
	return visible(pretty(v, ""), limit)
}

// pretty writes a value as JSON, short values on one line, or as Python writes it.
func pretty(v pyval.Value, indent string) string {
	const short, long, deep = 88, 4 * capText, 40
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil {
		return pyval.Repr(v)
	}
	if len(indent)+len(text) <= short || len(text) > long || len(indent) > deep {
		return text // a long text is cut anyway, and a deep one would be mostly blanks
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

// detail returns a case with its results in every run.
func (b *book) detail(p *posed) detail {
	d := newDetail(p.category, p.c)
	d.Runs = make([][]json.RawMessage, len(b.runs))
	for k, e := range b.runs {
		for _, result := range p.results[k] {
			one, packed := b.answers[result]
			if !packed {
				one = e.packed(p.category, result)
			}
			d.Runs[k] = append(d.Runs[k], one.text)
			if d.Expected == nil {
				d.Expected = one.expected
			}
		}
	}
	return d
}

// newDetail shows a case as it was asked.
func newDetail(cat *eval.Category, c *eval.Case) detail {
	var d detail
	for _, t := range c.Turns {
		messages := trace.MessagesOf(t)
		for i, m := range messages {
			messages[i] = trace.Message{Role: visible(m.Role, 40), Content: visible(m.Content, capText)}
		}
		d.Turns = append(d.Turns, messages)
	}
	if c.Expected != nil {
		d.Answer = visible(c.Expected.String(), capText)
	} else if c.Answer != nil && !cat.MultiTurn() {
		if d.Wanted = callsOf(c.Answer); d.Wanted == nil {
			d.Answer = shownValue(c.Answer, capText)
		}
	}
	if c.Scene != nil && c.Scene.Config != nil {
		d.Scene = shownValue(c.Scene.Config, capText)
	}
	return d
}

// callsOf returns calls as decoded, or as in a possible answer; nil if v is no list.
func callsOf(v pyval.Value) []call {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil
	}
	out := make([]call, 0, min(len(list.Items), mostCalls))
	for _, item := range list.Items[:min(len(list.Items), mostCalls)] {
		out = append(out, callOf(item))
	}
	return out
}

func callOf(v pyval.Value) call {
	d, ok := v.(*pyval.Dict)
	if !ok || d.Len() != 1 {
		return call{Name: shownValue(v, capMessage)}
	}
	name, value := d.At(0)
	args, ok := value.(*pyval.Dict)
	if !ok {
		return call{Name: shownValue(v, capMessage)}
	}
	out := call{Name: visible(pyval.Text(name), 300), Args: [][2]string{}}
	for key, arg := range args.All() {
		text, err := pyval.JSON(arg, pyval.JSONUnicode) // which distinguishes "5" and 5
		if err != nil {
			text = pyval.Repr(arg)
		}
		out.Args = append(out.Args, [2]string{visible(pyval.Text(key), 300), visible(text, capMessage)})
	}
	return out
}

// answer shows a result. Answers that are executed are explained by the judge's
// text, because comparing calls cannot explain them.
func (e *Entry) answer(cat *eval.Category, r *eval.Result, d *detail) answer {
	a := answer{Status: r.Status.String(), Type: r.ErrorType, Input: known(r.InputTokens), Output: known(r.OutputTokens)}
	if e.run.Trials > 1 && r.Latency > 0 { // otherwise the index has it
		a.Latency = seconds(r.Latency.Seconds())
	}
	if m := e.run.CostOf(r); m.Dollars > 0 {
		a.Cost = dollars(m.Dollars)
		if m.Unknown > 0 {
			a.Cost = "at least " + a.Cost
		}
	}
	if full := r.Reason(capMessage); !r.Passed() && (e.run.Trials > 1 || full != r.Reason(capReason)) {
		a.Summary = full // otherwise the index has it
	}
	if !r.Passed() && (r.Result == nil || cat.Executes) { // a conversation shows it turn by turn
		a.Text = visible(r.Text, capText)
	}
	if r.Result == nil {
		return a
	}
	s := e.run.Settings()
	if cat.MultiTurn() {
		e.play(&a, r, d)
		return a
	}
	if r.Entry != nil {
		thought, _ := r.Entry.GetStr("reasoning_content")
		a.Thought = shownValue(thought, capMessage)
	}
	decoded, err := cat.Decode(r.Case, r.Result, s)
	if err != nil {
		a.Undecoded = visible(strings.TrimPrefix(err.Error(), "decode: "), capReason)
		a.Raw = shownValue(r.Result, capText)
		return a
	}
	if _, fields := r.Result.(*pyval.List); !fields || cat.Executes { // otherwise it would only repeat the calls
		a.Raw = shownValue(r.Result, capText)
	}
	a.Calls = callsOf(decoded)
	for _, p := range why.Pairs(r, decoded, s) {
		if p.Made >= mostCalls || p.Wanted >= mostCalls {
			continue
		}
		one := pair{Wanted: p.Wanted, Made: p.Made, Other: p.WrongFunction}
		for name, kind := range p.Parameters {
			if one.Bad == nil {
				one.Bad = map[string]string{}
			}
			one.Bad[name] = kind.Title()
		}
		a.Pairs = append(a.Pairs, one)
	}
	return a
}

// known writes a number of tokens; "" if it is not known.
func known(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Answers are the answers as the page shows them, made run by run as they are
// read: the records of several runs are too large to be in memory at once.
type Answers struct {
	by map[*eval.Result]packedAnswer
}

// A packedAnswer is an answer as JSON, with the expected calls of a conversation.
type packedAnswer struct {
	text     json.RawMessage
	expected [][]trace.Call
}

// Take packs the answers of a run, and takes them out of it.
func (a *Answers) Take(run *tally.Run) {
	e := &Entry{run: run}
	if a.by == nil {
		a.by = map[*eval.Result]packedAnswer{}
	}
	for _, part := range run.Parts {
		out := make([]packedAnswer, len(part.Results))
		parallel.Each(len(out), func(i int) { out[i] = e.packed(part.Category, &part.Results[i]) })
		for i := range out {
			a.by[&part.Results[i]] = out[i]
			part.Results[i].Forget()
		}
	}
}

// packed returns an answer as the page shows it.
func (e *Entry) packed(cat *eval.Category, r *eval.Result) packedAnswer {
	var d detail
	text := encoded(e.answer(cat, r, &d))
	return packedAnswer{text, d.Expected}
}
