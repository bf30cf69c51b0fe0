package why

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Layer is a part of the way from a question to its answer.
type Layer string

// The layers. Parser stands for the gateway behind it, too, unless a raw
// completion tells them apart.
const (
	Parser   Layer = "parser"
	Template Layer = "template"
	Gateway  Layer = "gateway"
	Stream   Layer = "stream"
	Limit    Layer = "limit"
	Sampling Layer = "sampling"
	Weights  Layer = "weights"
)

// Words returns the layer for people.
func (l Layer) Words() string {
	switch l {
	case Parser:
		return "tool parser or gateway"
	case Limit:
		return "limit of tokens"
	case Template:
		return "chat template"
	}
	return string(l)
}

// A Call is a call as it came.
type Call struct {
	Name string
	// Args are the arguments; nil if Raw is no JSON object.
	Args *pyval.Dict
	// Raw are the arguments as a text.
	Raw string
}

// An Answer is an answer as it came.
type Answer struct {
	Calls           []Call
	Text, Reasoning string
	// CutOff reports whether the limit of tokens ended the answer, and Tokens how
	// many it has beside its Prompt; 0 if that is not known.
	CutOff         bool
	Tokens, Prompt int
	// Later reports whether its calls were in a choice after the first.
	Later bool
}

// Read returns the answer in a result as result files have it: a list of
// {name: arguments}, or a text.
func Read(result pyval.Value) (a Answer) {
	list, _ := result.(*pyval.List)
	if list == nil {
		text, _ := result.(pyval.Str)
		a.Text = string(text)
		return a
	}
	for _, item := range list.Items {
		if d, ok := item.(*pyval.Dict); ok && d.Len() == 1 {
			name, args := d.At(0)
			a.Calls = append(a.Calls, newCall(pyval.Text(name), args))
		}
	}
	return a
}

// With sets what a response says beside its calls and text.
func (a *Answer) With(r *eval.Response) {
	a.CutOff, a.Tokens, a.Prompt, a.Later = r.CutOff, r.OutputTokens, r.InputTokens, r.Finish == eval.LaterChoice
}

func newCall(name string, args pyval.Value) Call {
	c := Call{Name: name}
	switch args := args.(type) {
	case *pyval.Dict:
		c.Args, c.Raw = args, compact(args)
	case pyval.Str:
		c.Raw = string(args)
		if v, err := pyval.ParseJSON(c.Raw); err == nil {
			c.Args, _ = v.(*pyval.Dict)
		}
	}
	return c
}

// compact returns a value as JSON.
func compact(v pyval.Value) string {
	text, err := pyval.JSON(v, pyval.JSONUnicode)
	if err != nil {
		return pyval.Repr(v)
	}
	return text
}

// String returns the answer on one line.
func (a Answer) String() string {
	parts := make([]string, 0, len(a.Calls)+1)
	for _, c := range a.Calls {
		parts = append(parts, c.Name+" "+c.Raw)
	}
	if a.Text != "" {
		parts = append(parts, a.Text)
	}
	return strings.Join(parts, "; ")
}

// Same reports whether two values are equal in type and value; 5 is not 5.0.
func Same(a, b pyval.Value) bool {
	switch a := a.(type) {
	case *pyval.Dict:
		b, ok := b.(*pyval.Dict)
		if !ok || a.Len() != b.Len() {
			return false
		}
		for k, v := range a.All() {
			if w, ok := b.Get(k); !ok || !Same(v, w) {
				return false
			}
		}
		return true
	case *pyval.List:
		b, ok := b.(*pyval.List)
		if !ok || len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Same(a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	}
	return pyval.TypeName(a) == pyval.TypeName(b) && pyval.Equal(a, b)
}

// Equal reports whether the same calls came in the same order or, without calls,
// the same text.
func (a Answer) Equal(b Answer) bool {
	if len(a.Calls)+len(b.Calls) == 0 {
		return a.Text == b.Text
	}
	return slices.EqualFunc(a.Calls, b.Calls, Call.same)
}

func (c Call) same(o Call) bool {
	return c.Name == o.Name && (c.Args != nil && o.Args != nil && Same(c.Args, o.Args) || c.Raw == o.Raw)
}

// Observe looks at an answer to a case: for facts that it shows by itself, and at
// how it differs from the right one. A conversation's answer is looked at step by
// step. calls are the calls that were read from a text; nil if they arrived as
// such. fields says that the server was to find the calls.
func Observe(r *eval.Result, calls pyval.Value, reasoning string, fields bool) *eval.Trace {
	c := r.Case
	o := &observer{tools: ToolsOf(c.AllTools()), fields: fields, trace: &eval.Trace{}}
	for _, turn := range c.Turns {
		for _, m := range turn {
			o.asked += m.Content + "\n"
		}
	}
	if turns, ok := r.Result.(*pyval.List); ok && len(c.Turns) > 1 {
		for _, turn := range turns.Items {
			for _, step := range items(turn) {
				o.answer(Read(step))
			}
		}
		return o.trace
	}
	came := Read(r.Result)
	if len(came.Calls) == 0 {
		came.Calls = Read(calls).Calls
	}
	came.Reasoning = reasoning
	came.With(&r.Response)
	o.reply(r, came)
	o.answer(came)
	if want, tools, ok := Expected(r.Category, c, came); ok && !r.Malformed { // what the server did not tell was not compared
		for i := range came.Calls {
			if name := underscored(came.Calls[i].Name); tools[name] != nil {
				came.Calls[i].Name = name
			}
		}
		a := &Arrival{ID: c.ID, Want: want, Tools: tools, Found: Differ(want, came, tools), Calls: len(came.Calls) > 0}
		if !o.fields { // no server has touched what stands within calls
			a.Found, a.Calls = slices.DeleteFunc(a.Found, func(d Difference) bool { return d.of != theAnswer }), false
		}
		o.trace.Pair = a
	}
	return o.trace
}

type observer struct {
	tools  Tools
	asked  string
	fields bool
	trace  *eval.Trace
}

func (o *observer) fact(kind string) {
	if !slices.Contains(o.trace.Facts, kind) {
		o.trace.Facts = append(o.trace.Facts, kind)
	}
}

// reply records what the reader of the reply met.
func (o *observer) reply(r *eval.Result, came Answer) {
	offered := func(text string) bool {
		for name := range o.tools {
			if strings.Contains(underscored(text), name) {
				return true
			}
		}
		return false
	}
	switch {
	case r.Malformed && offered(came.Text): // without its text, or with another function, nobody knows
		o.fact(UnreadCalls)
	case came.Later:
		o.fact(LaterChoice)
	case strings.HasPrefix(r.Finish, eval.ShortPrompt):
		o.fact("the prompt is shorter than it must be")
	}
}

// LaterChoice is the fact that calls stand where clients do not look.
const LaterChoice = "calls arrive in a choice after the first"

// answer looks at one answer.
func (o *observer) answer(a Answer) {
	if len(a.Calls) == 0 {
		o.unread(a)
		return
	}
	o.trace.Called = true
	for _, c := range a.Calls {
		if mark := Mark(c.Name); mark != "" {
			before, _, _ := strings.Cut(c.Name, mark)
			o.fact("control tokens at names: " + say.Plain(c.Name[len(before):], 40))
		}
		switch {
		case c.Args != nil:
			if o.fields && c.Args.Len() == 0 && len(required(o.tools[underscored(c.Name)].Child("parameters"))) > 0 {
				o.fact(EmptyArguments)
			}
			if mark := Mark(compact(c.Args)); mark != "" && !strings.Contains(o.asked, mark) {
				o.fact("control tokens in values: " + mark)
			}
		case joined(c):
			o.fact(JoinedArguments)
		case Mark(c.Raw) != "":
			o.fact("control tokens in arguments: " + Mark(c.Raw))
		}
	}
}

// JoinedArguments is the fact that one call has the arguments of several, or an
// empty object before its own.
const JoinedArguments = "arguments of several calls run together"

// UnreadCalls is the fact that the server's tool parser fails on what the model
// wrote.
const UnreadCalls = "the server could not read the calls"

// EmptyArguments is the fact that nothing is given where something must be. A
// model may write that, too: it takes many such answers to suspect a reader.
const EmptyArguments = "arguments are {} where parameters are required: a parser may give that for what it cannot read, and a model may write it"

var heads = pattern.Of(`<tool_calls?>|<TOOLCALL>|<function=|<invoke name=|<\|tool_call|\[TOOL_CALLS\]|<｜tool|to=functions\.|"(?:arguments|parameters)"\s*:\s*\{|<\|python_tag\|>|<arg_key>|<\|START_ACTION\|>`)

// unread looks for calls where they do not belong.
func (o *observer) unread(a Answer) {
	if !o.fields {
		return
	}
	thought, said := heads().MatchString(a.Reasoning) && strings.TrimSpace(a.Text) == "", heads().MatchString(a.Text)
	for name := range o.tools {
		switch {
		case thought && strings.Contains(underscored(a.Reasoning), name):
			o.fact("calls arrive in the reasoning")
		case said && strings.Contains(underscored(a.Text), name):
			o.fact("calls stay in the text")
		}
	}
}

// FactOf returns a fact as a difference to an answer without it.
func FactOf(kind string, layer Layer, result pyval.Value) Difference {
	const before, after = 60, 100
	text, mark := "", kind[strings.LastIndex(kind, " ")+1:]
	if result != nil {
		text = compact(result)
	}
	at := max(strings.Index(text, mark), 0)
	got := say.Plain(strings.ToValidUTF8(text[max(0, at-before):min(len(text), at+after)], ""), before+after)
	return Difference{Kind: kind, Layer: layer, Known: true, Got: got, changes: func(*site) bool { return false }}
}

func required(schema *pyval.Dict) (out []string) {
	for _, v := range schema.List("required") {
		out = append(out, pyval.Text(v))
	}
	return out
}

// Dotted counts the tool calls of an answer that name a function with dots as
// its document does, and those that have underscores for them.
func Dotted(c *eval.Case, result pyval.Value) (dots, underscores int) {
	for _, item := range items(result) {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() == 0 {
			continue
		}
		key, _ := call.At(0)
		for _, tool := range c.Tools {
			switch own, _ := tool.Text("name"); {
			case !strings.Contains(own, "."):
			case pyval.Text(key) == own:
				dots++
			case pyval.Text(key) == underscored(own):
				underscores++
			}
		}
	}
	return dots, underscores
}
