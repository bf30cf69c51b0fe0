package oracle

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// done ends a turn.
const done = "Done."

// step answers a step of a multi-turn case: the first step of a turn with all
// of the reference's calls, the next one with a text.
func step(c *eval.Case, req *eval.Request) pyval.Value {
	if text, ok := message(c); ok {
		return eval.TextResult(text)
	}
	if calls := turnCalls(c, req.Turn); req.Step == 0 && len(calls) > 0 {
		return decode.Calls(calls, eval.Python, req.Mode, prompt.Default)
	}
	return eval.TextResult(done)
}

// message returns the answer to an agentic case. Its possible answers are
// texts, and an answer must hold one of them: this one holds all.
func message(c *eval.Case) (text string, ok bool) {
	answers := texts(c)
	return "The answer is: " + strings.Join(answers, " or "), len(answers) > 0
}

// turns returns the reference's calls of all turns as a recorded result, each
// turn in one step.
func turns(c *eval.Case, mode eval.Mode) *pyval.List {
	out := pyval.NewList()
	if c.Answer == nil {
		return out
	}
	if text, ok := message(c); ok {
		return pyval.NewList(pyval.NewList(pyval.Str(text)))
	}
	for turn := range c.Answer.Items {
		steps := pyval.NewList()
		if calls := turnCalls(c, turn); len(calls) > 0 {
			steps.Items = append(steps.Items, decode.Calls(calls, eval.Python, mode, prompt.Default))
		}
		out.Items = append(out.Items, steps)
	}
	return out
}

func turnCalls(c *eval.Case, turn int) []decode.Call {
	if c.Answer == nil || turn >= len(c.Answer.Items) {
		return nil
	}
	list, _ := c.Answer.Items[turn].(*pyval.List)
	if list == nil {
		return nil
	}
	var calls []decode.Call
	for _, item := range list.Items {
		if read, ok := readCall(c, pyval.Text(item)); ok {
			calls = append(calls, read)
		}
	}
	return calls
}

// readCall reads a reference's call text. Positional arguments get the names of
// the document's parameters.
func readCall(c *eval.Case, text string) (read decode.Call, ok bool) {
	lookup := func(name string) (pycall.Function, error) {
		return func(args []pycall.Arg) (pyval.Value, error) {
			read, ok = decode.Call{Name: name, Args: &pyval.Dict{}}, true
			params := document(c, name).Child("parameters").Child("properties")
			for i, arg := range args {
				key := arg.Name
				if key == "" && params != nil && i < params.Len() {
					at, _ := params.At(i)
					key = pyval.Text(at)
				}
				read.Args.SetStr(key, arg.Value)
			}
			return pyval.None, nil
		}, nil
	}
	if _, err := pycall.Run(text, lookup); err != nil {
		return decode.Call{}, false // the judge will say so
	}
	return read, ok
}

// document returns a function's document, even if it is held out at first; nil
// if there is none.
func document(c *eval.Case, name string) *pyval.Dict {
	for _, doc := range c.AllTools() {
		if is, _ := doc.Text("name"); is == name {
			return doc
		}
	}
	return nil
}
