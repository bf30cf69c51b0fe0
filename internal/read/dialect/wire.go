package dialect

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A wire is a dialect whose calls stand between marks in a completion's text.
// The result file keeps the calls as it keeps a provider's: {name: arguments as
// JSON text}. A text whose marks hold something else than calls is an error of
// the model's and kept whole.
type wire struct {
	name, doc string
	// example is a completion that calls f with a = 1.
	example string
	// head begins a call. Its group, if it has one, is the function's name.
	head func() *regexp.Regexp
	// body reads what follows a head.
	body body
	// end ends a call or all calls; nil if nothing does. open begins a call or
	// all calls; where no head follows, the call is malformed. Between a call and
	// the end there is nothing but white space.
	end, open func() *regexp.Regexp
	// tail says that calls that do not end reach up to the end of the text.
	tail bool
	// loose says that a head may also begin ordinary text.
	loose bool
	// think begins the reasoning and thought ends it; "" are <think> and
	// </think>. If the prompt cannot begin the reasoning, closed is set: what
	// ends it may end other things, too.
	think, thought string
	closed         bool
	// drop are marks within what is said, besides those at its edges.
	drop func() *regexp.Regexp
	// held is what the reading was compared with; "" is a family's chat template.
	held string
	// nothing is a function's name by which the model says that it calls none.
	nothing string
}

// A body reads the text behind the head of a call of a function, whose name is
// "" if the head has none. It returns the calls and how much of the text they
// take.
type body func(text, name string, tools schemas) (found []jsonCall, used int, err error)

// Example returns a completion in which a function f is called with a = 1; ""
// for the dialects of upstream's handlers.
func (d *Dialect) Example() string {
	for _, w := range wires {
		if w.name == d.Name {
			return w.example
		}
	}
	return ""
}

// Held returns what the dialect's reading was compared with.
func (d *Dialect) Held() string {
	for _, w := range wires {
		if w.name == d.Name {
			return cmp.Or(w.held, "chat template")
		}
	}
	return "upstream's handler"
}

// opens are the marks before calls of upstream's handlers that read fewer calls
// than are marked.
var opens = map[string]string{
	"falcon3": "<tool_call>", "functiongemma": "<start_function_call>", "granite": "<function_call>", "granite-4": "<tool_call>",
	"hermes": "<tool_call>", "nanbeige": "<tool_call>", "nemotron": "<TOOLCALL>", "pelican": "<tool_call>", "qwen-fc": "<tool_call>", "minicpm-fc": minicpmStart,
}

// Unread returns how many marks of calls recorded texts have beyond the calls
// that the dialect reads. Only upstream's handlers leave some: their readings
// stay as they are.
func (d *Dialect) Unread(result pyval.Value) (n int) {
	mark := opens[d.Name]
	switch v := result.(type) {
	case *pyval.List: // the turns and steps of a conversation
		for _, item := range v.Items {
			n += d.Unread(item)
		}
	case pyval.Str:
		calls, err := d.Decode(v, V4(decode.Python))
		list, ok := calls.(*pyval.List)
		if mark != "" && err == nil && ok { // otherwise nothing is read: the verdict says so
			n = max(0, strings.Count(string(v), mark)-len(list.Items))
		}
	}
	return n
}

// Marked reports whether the marks of calls may be special tokens, which servers
// leave out of a text unless they are asked for them.
func (d *Dialect) Marked() bool { return d.Example() != "" }

// dialects returns the dialects of wires.
func dialects(wires []wire) []*Dialect {
	out := make([]*Dialect, len(wires))
	for i, w := range wires {
		out[i] = &Dialect{Name: w.name, Doc: w.doc, decode: w.decode, execute: w.execute, read: w.read}
	}
	return out
}

// read keeps the calls, or what is said if there are none.
func (w wire) read(text string, tools []*pyval.Dict, _ func() string) Reading {
	reasoning, rest := w.split(text)
	found, first, err := w.calls(text, len(text)-len(rest), schemasOf(tools))
	pyval.Check(err)
	said := w.said(text[len(text)-len(rest) : first])
	r := Reading{Kept: pyval.Str(said), Reasoning: reasoning, Reasons: true, Message: message(pyval.Str(said))}
	if len(found) > 0 {
		r.Kept = asFields(found)
		r.Message.SetStr("tool_calls", history(found))
	}
	r.Message.SetStr("reasoning_content", pyval.Str(reasoning))
	return r
}

// asFields returns calls as a provider's reply has them.
func asFields(calls []jsonCall) *pyval.List {
	return pyval.NewList(each(calls, func(c jsonCall) pyval.Value {
		return call(c.name, pyval.Str(pyval.Must(pyval.JSON(c.args, pyval.JSONUnicode))))
	})...)
}

func history(calls []jsonCall) *pyval.List {
	return pyval.NewList(each(calls, func(c jsonCall) pyval.Value {
		return pyval.Object("name", c.name, "arguments", c.args)
	})...)
}

// decode reads calls that were kept, or a text that was not taken apart.
func (w wire) decode(result pyval.Value, g Grammar) pyval.Value {
	return fcDecode(w.fields(result, g), g)
}

func (w wire) execute(result pyval.Value, g Grammar) []string {
	return fcExecute(w.fields(result, g), g)
}

func (w wire) fields(result pyval.Value, g Grammar) pyval.Value {
	text, ok := result.(pyval.Str)
	if !ok {
		return result
	}
	_, rest := w.split(string(text))
	found, _, err := w.calls(string(text), len(text)-len(rest), schemasOf(g.Tools))
	pyval.Check(err)
	return asFields(found)
}

// split separates the reasoning from the text behind it. The prompt may have
// begun the reasoning, and a model may reason more than once. Reasoning that
// does not end is text.
func (w wire) split(text string) (reasoning, rest string) {
	think, thought := "<think>", thinkEnd
	if w.thought != "" {
		think, thought = w.think, w.thought
	}
	var thoughts []string
	for {
		inner, opened := strings.CutPrefix(strings.TrimLeft(text, " \r\n"), think)
		if !opened && (w.closed || len(thoughts) > 0) {
			break
		}
		before, after, ended := strings.Cut(inner, thought)
		if !ended || !opened && strings.Contains(before, think) {
			break
		}
		thoughts, text = append(thoughts, strings.TrimSpace(before)), after
	}
	return strings.TrimSpace(strings.Join(thoughts, "\n")), text
}

// tries bounds how often the head of a loose wire may begin ordinary text.
const tries = 100

// calls returns the calls in a text from a place on, and where the first of them
// begins. An error says where text between the marks is not read.
func (w wire) calls(text string, from int, tools schemas) (found []jsonCall, first int, err error) {
	at, first := from, len(text)
	unread, read := from, false // where the last call ended, and whether there was one
	for n := 0; n < tries || !w.loose; n++ {
		m := w.head().FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		name := ""
		if len(m) > 2 && m[2] >= 0 {
			name = text[at+m[2] : at+m[3]]
		}
		begin := at + m[1]
		calls, used, err := w.body(text[begin:], name, tools)
		switch {
		case err != nil && (!w.loose || len(calls) > 0):
			return nil, 0, place(err, text, begin)
		case err == nil:
			if err := w.between(text, unread, at+m[0], read); err != nil {
				return nil, 0, err
			}
			first, read = min(first, at+m[0]), true
			found = append(found, calls...)
			unread = begin + used
		}
		at += max(m[1]+used, 1)
		if at >= len(text) {
			break
		}
	}
	if err := w.between(text, unread, len(text), read); err != nil {
		return nil, 0, err
	}
	return w.meant(found), first, nil
}

// between returns an error if the text between two calls, or beside them, holds
// what belongs to a call. behind says that it stands behind a call.
func (w wire) between(text string, from, to int, behind bool) error {
	part := text[from:max(from, to)]
	if behind && w.end != nil {
		ends := w.end().FindAllStringIndex(part, -1)
		if w.tail && len(ends) == 0 {
			ends = [][]int{{len(part), len(part)}}
		}
		at := 0
		for _, m := range ends {
			if left := strings.Trim(part[at:m[0]], " \t\r\n`"); left != "" {
				return place(malformed("the end of the calls", at+strings.Index(part[at:], left)), text, from)
			}
			at = m[1]
		}
	}
	if w.open == nil {
		return nil
	}
	if m := w.open().FindStringIndex(part); m != nil {
		return place(malformed("a call", m[0]), text, from)
	}
	return nil
}

// place returns the error of a text from a place on, with the place.
func place(err error, text string, from int) error {
	fault, ok := errors.AsType[*gap](err)
	if !ok {
		return err
	}
	const shown = 40
	at := min(from+fault.at, len(text))
	said := "the end of the text"
	if at < len(text) {
		said = fmt.Sprintf("%.*q", shown, text[at:min(len(text), at+4*shown)])
	}
	return &decode.Error{Class: "ValueError", Offset: at, Msg: fmt.Sprintf("malformed call: %s at character %d, not %s", fault, utf8.RuneCountInString(text[:at]), said)}
}

// meant leaves out the call that says that there is none.
func (w wire) meant(calls []jsonCall) []jsonCall {
	if w.nothing == "" {
		return calls
	}
	var out []jsonCall
	for _, c := range calls {
		if c.name != pyval.Value(pyval.Str(w.nothing)) {
			out = append(out, c)
		}
	}
	return out
}

// mark is what stands around an answer or around its calls: a special token or
// the tag of a section. before and after find them at the edges of a text.
const mark = `(?:<\|[^<>|\n]{1,40}\|>|</?｜[^<>\n]{1,40}>|\]<\]minimax\[>\[|\[e~\[|<SPECIAL_\d+>|<sep>|</s>|<[a-z]+:eos>` +
	`|\[(?:BEGIN|END) FINAL RESPONSE\]|\[TOOL_CALLS\]|</?(?:[a-z]+:)?(?:tool_calls?|function_calls?|TOOLCALL|answer|assistant)(?::\w+)?>)`

var (
	before = pattern.Of(`^(?:\s*` + mark + `)*\s*`)
	after  = pattern.Of(mark + `$`)
)

// said returns a text without marks.
func (w wire) said(text string) string {
	if w.drop != nil {
		text = w.drop().ReplaceAllLiteralString(text, "")
	}
	text = strings.TrimRight(text[len(before().FindString(text)):], " \t\r\n")
	for {
		const longest = 100 // bytes of a mark
		edge := max(0, len(text)-longest)
		m := after().FindStringIndex(text[edge:])
		if m == nil {
			return text
		}
		text = strings.TrimRight(text[:edge+m[0]], " \t\r\n")
	}
}
