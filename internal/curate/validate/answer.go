package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// answer checks a possible answer against the case's tools.
func (c *checker) answer(cat *eval.Category, of *eval.Case) {
	if !cat.Compares() {
		return
	}
	if len(of.Answer.Items) == 0 {
		c.say(Error, Answer, of, "the answer has no call: name the expected one, or use a category of kind irrelevance")
	}
	docs := map[string]*pyval.Dict{}
	for i, name := range of.ToolNames() {
		docs[name] = of.Tools[i]
	}
	for i, item := range of.Answer.Items {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() != 1 {
			c.say(Error, Answer, of, "call %d of the answer is not a function's name with its arguments", i+1)
			continue
		}
		name, arguments := call.At(0)
		c.call(cat, of, docs, i, pyval.Text(name), arguments)
	}
}

func (c *checker) call(cat *eval.Category, of *eval.Case, docs map[string]*pyval.Dict, i int, name string, v pyval.Value) {
	doc := docs[name]
	if doc == nil {
		c.say(Error, Answer, of, "the answer calls %s, which is not among the case's tools (%s)", quote(name), someNames(of))
		return
	}
	arguments, ok := v.(*pyval.Dict)
	parameters, isObject := get(doc, "parameters").(*pyval.Dict)
	if !ok || !isObject {
		c.say(Error, Answer, of, "the arguments of %s are not names with lists of accepted values", quote(name))
		return
	}
	properties, _ := get(parameters, "properties").(*pyval.Dict)
	required, _ := get(parameters, "required").(*pyval.List)
	a := arguing{c, of, name, cat.Language, i}
	for param, accepted := range arguments.All() {
		var schema pyval.Value
		if properties != nil {
			schema, _ = properties.Get(param)
		}
		if schema == nil {
			a.say(Error, Answer, pyval.Text(param), "%s has no parameter %s: every call would be refused; remove it from the answer or add it to the tool%s", quote(name), quote(pyval.Text(param)), hint(pyval.Text(param), properties))
			continue
		}
		a.parameter(pyval.Text(param), schema, accepted)
	}
	if required == nil {
		return
	}
	for _, param := range required.Items {
		if _, there := arguments.Get(param); pyval.Hashable(param) == nil && !there {
			a.say(Error, Answer, "", "%s requires %s, but the answer accepts no value for it, so no call can be right: add its accepted values", quote(name), quote(pyval.Text(param)))
		}
	}
}

func someNames(of *eval.Case) string {
	const most = 8
	names := of.ToolNames()
	quoted := make([]string, 0, most)
	for _, name := range names[:min(most, len(names))] {
		quoted = append(quoted, quote(name))
	}
	if len(names) > most {
		quoted = append(quoted, "…")
	}
	return strings.Join(quoted, ", ")
}

// An arguing checks the arguments of one call.
type arguing struct {
	*checker
	of       *eval.Case
	function string
	language eval.Language
	at       int // the call's place in the answer
}

// say adds a problem of an argument, or of the call if there is none, at its
// line.
func (a arguing) say(s Severity, kind, argument, format string, args ...any) {
	a.sayAt(a.line(a.of, a.at, argument), s, kind, a.of, format, args...)
}

// line returns the line of an argument of a call, or else of the call or the
// case.
func (c *checker) line(of *eval.Case, call int, argument string) int {
	w := c.whole(of)
	if w == nil || call >= len(w.Calls) {
		return of.Line
	}
	for _, a := range w.Calls[call].Args {
		if a.Name == argument && a.Line > 0 {
			return a.Line
		}
	}
	return w.Calls[call].Line
}

// whole returns what a case of a user's suite expects in one turn; nil for
// other cases.
func (c *checker) whole(of *eval.Case) *match.Whole {
	if c.deep == nil || c.deep.entries[of.ID] == nil {
		return nil
	}
	return c.deep.entries[of.ID].Expect
}

const optional = pyval.Str("")

func (a arguing) parameter(name string, v, accepted pyval.Value) {
	values, ok := accepted.(*pyval.List)
	if !ok {
		a.say(Error, Answer, name, "%s.%s: the accepted values must be a list, not %s", a.function, quote(name), pyval.ATypeName(accepted))
		return
	}
	if len(values.Items) == 0 {
		a.say(Error, Answer, name, "%s.%s: no value is accepted, so every call would be refused: list the right ones", a.function, quote(name))
		return
	}
	schema, ok := v.(*pyval.Dict)
	if !ok || a.language != eval.Python {
		return
	}
	if !a.own { // a suite's values are checked against the whole schema
		a.types(name, schema, values.Items)
	}
}

// types compares accepted values with the parameter's type and enum.
func (a arguing) types(name string, schema *pyval.Dict, values []pyval.Value) {
	typ, _ := schema.Text("type")
	kind, known := judge.TypeKind(a.language, typ)
	enum, _ := get(schema, "enum").(*pyval.List)
	for _, v := range values {
		switch {
		case v == pyval.Value(optional) || !known || typ == "any":
		case v.Kind() != kind && (kind != pyval.KindFloat || v.Kind() != pyval.KindInt):
			a.say(Warning, Answer, name, "%s.%s is of type %s, but the accepted value %s is %s", a.function, quote(name), typ, quote(pyval.Repr(v)), pyval.ATypeName(v))
		case enum != nil && v.Kind() != pyval.KindList && v.Kind() != pyval.KindDict && !slices.ContainsFunc(enum.Items, func(item pyval.Value) bool { return pyval.Equal(item, v) }):
			a.say(Warning, Answer, name, "%s.%s: the accepted value %s is not in the tool's enum", a.function, quote(name), quote(pyval.Repr(v)))
		}
	}
}

// reach gives the answer as a model would and reports whether the judge refuses
// it.
func (c *checker) reach(cat *eval.Category, of *eval.Case) {
	if cat.Executes || cat.Agentic() {
		return
	}
	modes := []eval.Mode{eval.FC, eval.Prompt}
	switch {
	case cat.PromptOnly:
		modes = modes[1:]
	case c.anyUnspoken(of):
		modes = modes[:1] // the warning about the tool covers prompt mode
	}
	var refused []string
	for _, mode := range modes {
		_, v := cat.Verdict(of, oracle.Answer(of, mode), eval.SettingsFor(mode))
		switch {
		case v.Status == eval.Error:
			c.say(Warning, Unreachable, of, "the answer cannot be checked here: %s", detail(v))
			return
		case !v.Passed():
			refused = append(refused, fmt.Sprintf("in %s mode: %s", mode, detail(v)))
		}
	}
	switch len(refused) {
	case 0:
	case len(modes):
		switch w := c.whole(of); {
		case w != nil && w.Guessed() != nil:
			a := w.Guessed()
			c.sayAt(a.Line, Warning, Unreachable, of, "%s: no value is known that %s accepts: write one as example, so that it can be tried", quote(a.Name), a.Choice)
			return
		case w != nil && w.Mode == match.AtMost:
			c.say(Warning, Unreachable, of, "the calls, given as a model gives them, are refused %s; only an answer without a call passes", refused[0])
			return
		}
		c.say(Error, Unreachable, of, "the answer itself, given as a model gives it, is refused %s; no model can pass: correct the answer or the tool", refused[0])
		return
	default:
		c.say(Warning, Unreachable, of, "the answer itself, given as a model gives it, is refused %s; in another mode it passes", refused[0])
		return
	}
	if cat.Compares() {
		c.arguments(cat, of)
	}
}

// anyUnspoken reports whether Python cannot write the calls of a case's answer.
func (c *checker) anyUnspoken(of *eval.Case) bool {
	return slices.ContainsFunc(of.ToolNames(), func(name string) bool { return c.unspoken[name] })
}

func detail(v eval.Verdict) string {
	const longest = 300
	out := v.ErrorType
	if v.Detail != nil {
		out += ": " + pyval.Repr(v.Detail)
	}
	if len(out) > longest {
		out = strings.ToValidUTF8(out[:longest], "") + "…"
	}
	return out
}
