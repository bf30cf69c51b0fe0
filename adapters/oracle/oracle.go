// Package oracle answers every case with its own possible answer, written as a
// model would write it. It tests the suite, not a model: the judge must accept
// each possible answer.
package oracle

import (
	"context"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A Lookup returns the case with an id, nil if there is none.
type Lookup func(id string) *eval.Case

// An Adapter is the oracle. It is the only adapter that sees ground truth.
type Adapter struct{ lookup Lookup }

// New makes an oracle over the cases that lookup knows.
func New(lookup Lookup) *Adapter { return &Adapter{lookup: lookup} }

// Generate writes the case's possible answer in the request's mode.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := a.lookup(req.ID)
	if c == nil {
		return nil, eval.Infra("oracle", "case %q is not in the dataset", req.ID)
	}
	if c.Scene != nil && req.Conversation {
		return &eval.Response{Result: step(c, req)}, nil
	}
	return &eval.Response{Result: Answer(c, req.Mode)}, nil
}

// Answer returns the case's possible answer as a model's result in a mode; for
// a multi-turn case it has all turns. Cases without possible answers get a
// text, or some call if a call is expected.
func Answer(c *eval.Case, mode eval.Mode) pyval.Value {
	if c.Scene != nil {
		return turns(c, mode)
	}
	config, err := prompt.ConfigOf(c.ID)
	if err != nil {
		config = prompt.Default
	}
	switch texts := texts(c); {
	case texts != nil:
		return writeTexts(texts, mode)
	case c.Answer != nil:
		return decode.Calls(answerCalls(c), c.Language, mode, config)
	case c.Rule == eval.Relevance && len(c.Tools) > 0:
		any := []decode.Call{{Name: c.ToolNames()[0], Args: &pyval.Dict{}}}
		return decode.Calls(any, eval.Python, mode, config)
	}
	return eval.TextResult("None of the given functions can do this.")
}

func answerCalls(c *eval.Case) []decode.Call {
	var calls []decode.Call
	for _, item := range c.Answer.Items {
		expected, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		for name, params := range expected.All() {
			if accepted, ok := params.(*pyval.Dict); ok {
				calls = append(calls, newCall(c, functionOf(c, pyval.Text(name)), accepted))
			}
		}
	}
	return calls
}

// functionOf returns the name of the function that a key of a possible answer
// means. In the first release a suffix distinguishes repeated functions.
func functionOf(c *eval.Case, key string) string {
	names := c.ToolNames()
	if slices.Contains(names, key) {
		return key
	}
	for _, name := range names {
		if len(names) == 1 || strings.Contains(key, name) {
			return name
		}
	}
	return key
}

func newCall(c *eval.Case, name string, accepted *pyval.Dict) decode.Call {
	doc := c.Tool(name).Child("parameters")
	out := decode.Call{Name: name, Args: &pyval.Dict{}, Types: map[string]*pyval.Dict{}}
	for key, doc := range doc.Child("properties").All() {
		if d, ok := doc.(*pyval.Dict); ok {
			out.Types[pyval.Text(key)] = d
		}
	}
	for key, values := range accepted.All() {
		param := pyval.Text(key)
		v, ok := first(values)
		switch {
		case !ok && (slices.Contains(doc.List("required"), key) || c.Expected != nil):
			out.Args.SetStr(param, pyval.Str("")) // required, or an example, and only "" is accepted
		case ok && (out.Types[param] != nil || !slices.Contains(accepted.List(param), pyval.Value(pyval.Str("")))): // it may not be left out
			out.Args.SetStr(param, settle(v))
		}
	}
	return out
}

// first returns the first accepted value, and false if the argument may only be
// left out.
func first(values pyval.Value) (pyval.Value, bool) {
	accepted, ok := values.(*pyval.List)
	if !ok {
		return values, true
	}
	for _, v := range accepted.Items {
		if v != pyval.Str("") {
			return v, true
		}
	}
	return nil, false
}

// settle turns an accepted value into a plain one: the keys of a dict, and of
// dicts in a list, have lists of accepted values themselves; deeper values are
// plain.
func settle(v pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.Dict:
		out := pyval.NewDict(v.Len())
		for key, values := range v.All() {
			if accepted, ok := first(values); ok {
				out.SetStr(pyval.Text(key), accepted)
			}
		}
		return out
	case *pyval.List:
		out := &pyval.List{}
		for _, item := range v.Items {
			if _, ok := item.(*pyval.Dict); ok {
				item = settle(item)
			}
			out.Items = append(out.Items, item)
		}
		return out
	}
	return v
}

// texts returns the texts of a possible answer that is a list of texts, such as
// the calls of the executable categories; nil for any other.
func texts(c *eval.Case) []string {
	if c.Answer == nil {
		return nil
	}
	var out []string
	for _, item := range c.Answer.Items {
		text, ok := item.(pyval.Str)
		if !ok {
			return nil
		}
		out = append(out, string(text))
	}
	return out
}

// writeTexts writes calls as a model would. A call that cannot be a tool call,
// such as one with positional arguments, stays text.
func writeTexts(texts []string, mode eval.Mode) pyval.Value {
	text := eval.TextResult("[" + strings.Join(texts, ", ") + "]")
	if mode == eval.Prompt {
		return text
	}
	decoded, err := decode.AST("["+strings.Join(texts, ", ")+"]", decode.Python, false)
	calls, ok := decoded.(*pyval.List)
	if err != nil || !ok {
		return text
	}
	var out []eval.ToolCall
	for _, item := range calls.Items {
		one, ok := item.(*pyval.Dict)
		if !ok {
			return text
		}
		for name, args := range one.All() {
			arguments, err := pyval.JSON(args, pyval.JSONUnicode)
			if err != nil {
				return text
			}
			out = append(out, eval.ToolCall{Name: strings.ReplaceAll(pyval.Text(name), ".", "_"), Arguments: arguments})
		}
	}
	return eval.CallsResult(out)
}
