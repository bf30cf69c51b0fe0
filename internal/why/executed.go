package why

import (
	"github.com/gobfcl/bfcl/internal/cause"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

// OnLadder reports whether a category's answers are calls that can be compared
// with expected ones: those judged by possible answers, and those carried out.
func OnLadder(cat *eval.Category) bool { return cat.Executes || cat.Compares() }

// executed returns the level of a failed answer whose calls were carried out.
// Levels up to Types are decided by the expected calls and the function
// documents, as if the calls were compared; the values are right if the results
// are.
func executed(c *eval.Case, decoded pyval.Value, s eval.Settings) cause.Level {
	made, ok := namedCalls(decoded)
	if !ok || len(made.Items) == 0 {
		return cause.Ground
	}
	if s.Executor == nil {
		return cause.Call
	}
	texts, err := s.Executor.Calls(c)
	if err != nil {
		return cause.Call
	}
	want, ok := namedCalls(pyval.Texts(texts))
	if !ok || len(want.Items) != len(made.Items) {
		return cause.Call
	}
	n, ok := judge.Inspect(c.Tools, made, accepting(c.Tools, want), judge.Options{Rule: eval.ParallelMultiple})
	if !ok {
		return cause.Ground
	}
	return min(climb(n), cause.Types)
}

// namedCalls reads a list of call texts as [{function: {parameter: value}}].
func namedCalls(decoded pyval.Value) (*pyval.List, bool) {
	list, ok := decoded.(*pyval.List)
	if !ok {
		return nil, false
	}
	out := &pyval.List{}
	for _, item := range list.Items {
		text, _ := item.(pyval.Str)
		name, arguments, ok := exec.Named(string(text))
		if !ok {
			return nil, false
		}
		out.Items = append(out.Items, pyval.Object(name, arguments))
	}
	return out, true
}

// accepting returns a possible answer made of the expected calls in which every
// parameter is optional and all documented parameters are known: the documents
// decide what is required, and another value may give the same result.
func accepting(docs []*pyval.Dict, want *pyval.List) *pyval.List {
	out, tools := &pyval.List{}, ToolsOf(docs)
	for _, item := range want.Items {
		name, given := item.(*pyval.Dict).At(0)
		accepted := pyval.NewDict(0)
		for param, value := range given.(*pyval.Dict).All() {
			accepted.SetStr(pyval.Text(param), pyval.NewList(value, pyval.Str("")))
		}
		for param := range tools[underscored(pyval.Text(name))].Child("parameters").Child("properties").All() {
			if key := pyval.Text(param); !accepted.Has(key) {
				accepted.SetStr(key, pyval.NewList(pyval.Str("")))
			}
		}
		out.Items = append(out.Items, pyval.Object(pyval.Text(name), accepted))
	}
	return out
}
