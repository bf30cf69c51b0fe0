package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/completions"
	"github.com/gobfcl/bfcl/adapters/openai"
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/why"
)

// The forms of an answer, by the field that holds it.
const (
	asText    = "text"
	asCalls   = "calls"
	asMessage = "message"
	asResult  = "result"
)

var forms = []string{asText, asCalls, asMessage, asResult}

// formOf returns the form of the answer in a row, which must have one.
func formOf(row *pyval.Dict) (string, error) {
	found := slices.DeleteFunc(slices.Clone(forms), func(name string) bool { return !row.Has(name) })
	if len(found) != 1 {
		return "", fmt.Errorf("want an answer in one of the fields %s; %d of them are there", strings.Join(forms, ", "), len(found))
	}
	return found[0], nil
}

// answered returns the answer in a row as an adapter would: tools are those
// that the model was shown.
func answered(row *pyval.Dict, s eval.Settings, tools []*pyval.Dict) (*eval.Response, error) {
	form, err := formOf(row)
	if err != nil {
		return nil, err
	}
	given, _ := row.GetStr(form)
	switch form {
	case asText:
		text, ok := given.(pyval.Str)
		if !ok {
			return nil, fmt.Errorf("text: want a text, not %s", pyval.TypeName(given))
		}
		return inText(string(text), s, tools), nil
	case asCalls:
		if s.Mode == eval.Prompt || s.Dialect != "" {
			return nil, errors.New("calls: in prompt mode, and by a dialect, calls are read from the text: give text")
		}
		result, err := Calls(given)
		return &eval.Response{Result: result}, err
	case asMessage:
		return inMessage(given, s, tools)
	}
	return &eval.Response{Result: given}, nil
}

// inText returns an answer in text, read by the dialect if there is one.
func inText(text string, s eval.Settings, tools []*pyval.Dict) *eval.Response {
	if s.Dialect != "" {
		return completions.Reading(dialect.Find(s.Dialect), text, tools, nil)
	}
	return &eval.Response{Result: eval.TextResult(text), Message: eval.Message{Role: "assistant", Content: text}}
}

// Calls returns a list of calls as result files hold it. A call is
// {"name": …, "arguments": …} or {name: arguments}; arguments are an object, or
// the JSON text of one as the model wrote it.
func Calls(v pyval.Value) (pyval.Value, error) {
	list, ok := v.(*pyval.List)
	if !ok {
		return nil, fmt.Errorf("calls: want a list, not %s", pyval.TypeName(v))
	}
	calls := make([]eval.ToolCall, len(list.Items))
	for i, item := range list.Items {
		call, _ := item.(*pyval.Dict)
		name, named := provider.Get(item, "name").(pyval.Str)
		switch {
		case call == nil:
			return nil, fmt.Errorf("calls[%d]: want an object, not %s", i, pyval.TypeName(item))
		case named && call.Has("arguments"):
			calls[i] = eval.ToolCall{Name: string(name), Arguments: provider.Arguments(provider.Get(call, "arguments"))}
		case call.Len() == 1:
			key, arguments := call.At(0)
			calls[i] = eval.ToolCall{Name: pyval.Text(key), Arguments: provider.Arguments(arguments)}
		default:
			return nil, fmt.Errorf(`calls[%d]: want {"name": …, "arguments": …} or {name: arguments}`, i)
		}
	}
	return eval.CallsResult(calls), nil
}

// inMessage returns the answer in an assistant's message of Chat Completions,
// Anthropic's Messages, Bedrock's Converse or Gemini, or in the output of a
// response of OpenAI's.
func inMessage(v pyval.Value, s eval.Settings, tools []*pyval.Dict) (*eval.Response, error) {
	m, _ := v.(*pyval.Dict)
	blocks, listed := v.(*pyval.List)
	for _, key := range []string{"content", "parts", "output"} {
		if list, ok := provider.Get(v, key).(*pyval.List); ok && !listed {
			blocks, listed = list, true
		}
	}
	var resp *eval.Response
	switch {
	case m != nil && (m.Has("tool_calls") || m.Has("function_call") || m.Has("content") && !listed):
		said := openai.Message(m)
		resp = &eval.Response{Result: said.Result(s.Mode), Message: said.Message()}
	case listed:
		var said provider.Said
		said.ReadBlocks(blocks.Items)
		resp = &eval.Response{Result: said.Result(s.Mode), Message: eval.Message{Role: "assistant", Content: said.Text, Calls: said.Calls}}
	default:
		return nil, errors.New("message: want an assistant's message, with content, tool_calls or parts, or a response's output")
	}
	if s.Dialect == "" {
		return resp, nil
	}
	if _, isText := resp.Result.(pyval.Str); !isText {
		return nil, errors.New("message: a dialect reads calls from the text, and this message has them in a field: leave out the dialect")
	}
	return inText(pyval.Text(resp.Result), s, tools), nil
}

// A Verdict is what is said about an answer. Upstream's text of an error is not
// in it, because that quotes possible answers.
type Verdict struct {
	ID       string    `json:"id"`
	Category string    `json:"category"`
	Mode     eval.Mode `json:"mode"`
	// Verdict is "pass", "fail" or "error". An error is no answer's fault and
	// has no score.
	Verdict string `json:"verdict"`
	// ErrorType is upstream's, or begins with "infrastructure:"; "" for a pass.
	ErrorType string `json:"error_type,omitempty"`
	// Decoded are the calls that were read; Python's text of them if JSON cannot
	// hold them.
	Decoded json.RawMessage `json:"decoded,omitempty"`
	// Level is how far a refused answer got on the ladder, and Rung the same as
	// a number from 0 to 1. Categories without a ladder have only 0 and 1.
	Level string   `json:"level,omitempty"`
	Rung  *float64 `json:"rung,omitempty"`
	// Erratum says that the case itself is known to be wrong.
	Erratum *Erratum `json:"erratum,omitempty"`
	// Suspect says who may be to blame for a refused answer beside the model.
	Suspect *tally.Suspect `json:"suspect,omitempty"`
}

// An Erratum says what is wrong with a case: `bfcl errata` says why.
type Erratum struct {
	Kind errata.Kind `json:"kind"`
}

// verdict returns what is said about a result.
func (s *set) verdict(out *eval.Result, settings eval.Settings) *Verdict {
	cat, c := out.Category, out.Case
	v := &Verdict{
		ID: c.ID, Category: cat.Name, Mode: settings.Mode, Verdict: out.Status.String(), ErrorType: out.ErrorType, Decoded: asJSON(out.Decoded),
	}
	if item := s.errata.Find(c.ID); item != nil && item.Concerns(settings.Mode) {
		v.Erratum = &Erratum{item.Kind}
	}
	if out.Status == eval.Error {
		return v
	}
	why.Examine(out, settings)
	rung := 0.0
	switch {
	case out.Passed():
		rung = 1
	case cat.Compares() || c.Expected != nil && !cat.MultiTurn():
		v.Level, rung = out.Level.String(), float64(out.Level)/float64(cause.Values)
	}
	v.Rung = &rung
	if !out.Passed() {
		v.Suspect = suspect(out, settings, v.Erratum)
	}
	return v
}

// suspect returns who may be to blame for one refused answer: the benchmark, if
// the case is known to be wrong, or a server that left calls in the text.
func suspect(out *eval.Result, s eval.Settings, erratum *Erratum) *tally.Suspect {
	if erratum != nil {
		return &tally.Suspect{Who: []string{say.Benchmark}, Evidence: "the case is listed as " + string(erratum.Kind) + ": see `bfcl errata`"}
	}
	if s.Mode != eval.FC || s.Dialect != "" || out.Category.MultiTurn() {
		return nil
	}
	for _, text := range out.Unread {
		if text != nil && text.Kind() == pyval.KindStr && dialect.Holds(text, out.Case.Tools) {
			return &tally.Suspect{Who: []string{say.Server}, Evidence: "the calls stand in the text"}
		}
	}
	return nil
}

// asJSON returns a value as JSON; nil for nothing.
func asJSON(v pyval.Value) json.RawMessage {
	if v == nil {
		return nil
	}
	if text, err := pyval.AppendJSON(nil, v, pyval.JSONUnicode); err == nil && json.Valid(text) {
		return text
	}
	text, _ := json.Marshal(pyval.Repr(v))
	return text
}
