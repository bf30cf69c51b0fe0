// Package trace repeats a recorded answer so that people can see what happened:
// what was asked, what the model called, what the tools answered and changed,
// and the verdict. Calls are executed again on the case's own simulators.
//
//	trace     what a trace holds, and that of a question with one answer
//	converse  a conversation, turn by turn and step by step
//	text      a trace for a terminal
package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/multiturn"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Trace is one answer to one case, as JSON has it.
type Trace struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Model    string `json:"model"`
	Mode     string `json:"mode"`
	// Trial counts from 1.
	Trial int `json:"trial"`
	// Classes are the simulated APIs of a conversation.
	Classes []string `json:"classes,omitempty"`
	Tools   []string `json:"tools"`
	Turns   []Turn   `json:"turns"`
	// Verdict is pass, fail or error.
	Verdict   string `json:"verdict"`
	ErrorType string `json:"error_type,omitempty"`
	// Why is the failure's text; see why.Text.
	Why string `json:"why,omitempty"`
	// Notes are remarks on the trace itself.
	Notes []string `json:"notes,omitempty"`

	once bool // a question with one answer
}

// A Turn is a question and the model's steps.
type Turn struct {
	Messages []Message `json:"messages"`
	// NewTools are the functions that the turn adds.
	NewTools []string `json:"new_tools,omitempty"`
	Steps    []Step   `json:"steps"`
	// Expected are the ground truth's calls; in single-turn cases the
	// possible answers.
	Expected []Call `json:"expected"`
	// Outcome is "pass", "fail", or "" if the turn was not judged.
	Outcome string `json:"outcome,omitempty"`
}

// A Message is one of a turn's messages.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A Step is one of the model's answers and its effects.
type Step struct {
	Reasoning string `json:"reasoning,omitempty"`
	// Text is the model's text; "" if it made calls in fields.
	Text  string `json:"text,omitempty"`
	Calls []Call `json:"calls"`
	// Undecoded is why no calls could be read. Raw is the answer as Python
	// writes it, if it is not text.
	Undecoded string   `json:"undecoded,omitempty"`
	Raw       string   `json:"raw,omitempty"`
	Changes   []Change `json:"changes,omitempty"`
	// Tokens and seconds of the step; 0 if they are not recorded.
	InputTokens  int     `json:"input_tokens,omitempty"`
	OutputTokens int     `json:"output_tokens,omitempty"`
	Latency      float64 `json:"latency,omitempty"`
	// TTFT is the seconds to the first token of a streamed answer.
	TTFT float64 `json:"ttft,omitempty"`
}

// A Call is a call with its result, if it was carried out.
type Call struct {
	Call   string  `json:"call"`
	Result *string `json:"result,omitempty"`
	Error  bool    `json:"error,omitempty"`
}

// A Change is a change of an API's state by a step, as Python writes
// the values.
type Change struct {
	Class  string  `json:"class"`
	Path   string  `json:"path"`
	Before *string `json:"before,omitempty"`
	After  *string `json:"after,omitempty"`
}

// Of returns the trace of a model's result, read with these settings. The result
// is of the case as it was asked, with its answer.
func Of(r *eval.Result, model string, s eval.Settings) *Trace {
	c := r.Case
	t := &Trace{
		ID: c.ID, Category: r.Category.Name, Model: model, Mode: string(s.Mode), Trial: r.Trial + 1,
		Tools: c.ToolNames(), Verdict: r.Status.String(), ErrorType: r.ErrorType, Why: r.Text,
	}
	if r.Category.MultiTurn() {
		t.converse(r, model, s)
	} else {
		t.once = true
		t.single(r, s)
	}
	t.outcomes(r)
	return t
}

// outcomes says which turns passed: the judge ends at the first that fails.
func (t *Trace) outcomes(r *eval.Result) {
	f, _ := r.Fault.(*multiturn.Fault)
	for i := range t.Turns {
		switch {
		case r.Status == eval.Error:
		case f == nil && len(t.Turns) == 1:
			t.Turns[i].Outcome = r.Status.String()
		case f == nil && !r.Passed(), f != nil && i > f.Turn, len(t.Turns[i].Expected) == 0:
		case f != nil && i == f.Turn:
			t.Turns[i].Outcome = eval.Fail.String()
		default:
			t.Turns[i].Outcome = eval.Pass.String()
		}
	}
}

// single adds the one turn of a case that is answered at once.
func (t *Trace) single(r *eval.Result, s eval.Settings) {
	turn := Turn{Messages: []Message{}, Steps: []Step{}, Expected: []Call{}}
	for _, messages := range r.Case.Turns {
		turn.Messages = append(turn.Messages, MessagesOf(messages)...)
	}
	if r.Result != nil {
		turn.Steps = append(turn.Steps, answered(r, s))
	}
	switch {
	case r.Case.Expected != nil:
		turn.Expected = append(turn.Expected, calls([]string{r.Case.Expected.String()})...)
	case r.Case.Answer != nil:
		turn.Expected = append(turn.Expected, calls(callTexts(r.Case.Answer))...)
	}
	t.Turns = []Turn{turn}
}

func answered(r *eval.Result, s eval.Settings) Step {
	step := Step{Calls: []Call{}}
	step.took(r.Entry)
	if text, ok := r.Result.(pyval.Str); ok {
		step.Text = string(text)
	}
	decoded, err := r.Category.Decode(r.Case, r.Result, s)
	switch {
	case err != nil:
		step.undecodable(r.Result, err)
	case decoded != nil:
		step.Calls = calls(callTexts(decoded))
	}
	return step
}

// callTexts writes decoded calls, or possible answers, as Python. A value of
// another shape is written as its repr.
func callTexts(v pyval.Value) []string {
	list, ok := v.(*pyval.List)
	if !ok {
		return []string{pyval.Repr(v)}
	}
	out := make([]string, len(list.Items))
	for i, item := range list.Items {
		out[i] = callText(item)
	}
	return out
}

func callText(v pyval.Value) string {
	if text, ok := v.(pyval.Str); ok {
		return string(text)
	}
	call, ok := v.(*pyval.Dict)
	if !ok || call.Len() != 1 {
		return pyval.Repr(v)
	}
	name, args := call.At(0)
	params, ok := args.(*pyval.Dict)
	if !ok {
		return pyval.Repr(v)
	}
	var parts []string
	for key, val := range params.All() {
		parts = append(parts, pyval.Text(key)+"="+pyval.Repr(val))
	}
	return pyval.Text(name) + "(" + strings.Join(parts, ", ") + ")"
}

// MessagesOf returns the messages of a turn; of an earlier answer with its calls.
func MessagesOf(turn []eval.Message) []Message {
	out := make([]Message, len(turn))
	for i, m := range turn {
		for _, call := range m.Calls {
			m.Content = strings.TrimPrefix(m.Content+"\n"+call.Name+" "+call.Arguments, "\n")
		}
		out[i] = Message{m.Role, m.Content}
	}
	return out
}

// undecodable notes why no calls could be read from an answer.
func (s *Step) undecodable(answer pyval.Value, err error) {
	s.Undecoded = strings.TrimPrefix(err.Error(), "decode: ")
	if s.Text == "" && answer != nil {
		s.Raw = pyval.Repr(answer)
	}
}

// reprOf returns the repr of a value; nil if v is nil.
func reprOf(v pyval.Value) *string {
	if v == nil {
		return nil
	}
	text := pyval.Repr(v)
	return &text
}

// at returns an item of nested lists; nil if they lack it.
func at(v pyval.Value, places ...int) pyval.Value {
	for _, i := range places {
		list, ok := v.(*pyval.List)
		if !ok || i >= len(list.Items) {
			return nil
		}
		v = list.Items[i]
	}
	return v
}

// took sets a step's tokens and seconds, which a record has by turn and step.
func (s *Step) took(entry *pyval.Dict, places ...int) {
	field := func(name string) pyval.Value {
		if entry == nil { // there is no answer, or its line was not kept
			return nil
		}
		v, _ := entry.GetStr(name)
		return at(v, places...)
	}
	s.InputTokens = int(number(field("input_token_count")))
	s.OutputTokens = int(number(field("output_token_count")))
	s.Latency, s.TTFT = number(field("latency")), number(field("ttft"))
	if text, ok := field("reasoning_content").(pyval.Str); ok {
		s.Reasoning = string(text)
	}
}

func number(v pyval.Value) float64 {
	const most = 1e9
	var f float64
	switch v := v.(type) {
	case pyval.Int:
		f, _ = v.Float64()
	case pyval.Float:
		f = float64(v)
	}
	if f >= 0 && f < most {
		return f
	}
	return 0
}

func calls(texts []string) []Call {
	out := make([]Call, len(texts))
	for i, text := range texts {
		out[i].Call = text
	}
	return slices.Clip(out)
}

// loggedResults returns the results of a step's calls in an inference log,
// which has a row for each turn and others for the states between them.
func loggedResults(log *pyval.List, turn, step int) []string {
	for i := range lengthOf(log) {
		row, ok := log.Items[i].(*pyval.Dict)
		if !ok || !row.Has("begin_of_turn_query") {
			continue
		}
		if turn--; turn >= 0 {
			continue
		}
		rows, _ := row.GetStr(fmt.Sprintf("step_%d", step))
		list, _ := rows.(*pyval.List)
		var out []string
		for i := range lengthOf(list) {
			said, ok := list.Items[i].(*pyval.Dict)
			if !ok {
				continue
			}
			role, _ := said.Text("role")
			if content, ok := said.GetStr("content"); ok && role == "tool" {
				out = append(out, pyval.Text(content))
			}
		}
		return out
	}
	return nil
}
