package validate

import (
	"fmt"
	"slices"

	"github.com/gobfcl/bfcl/adapters/oracle"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

const optional = pyval.Str("")

// answer checks that a possible answer can be given: calls of the case's tools,
// with accepted values for what they require. The rest says the judge.
func (c *checker) answer(cat *eval.Category, of *eval.Case) {
	if !cat.Compares() {
		return
	}
	if len(of.Answer.Items) == 0 {
		c.say(Error, Answer, of, "the answer has no call: name the expected one, or use a category of kind irrelevance")
	}
	for i, item := range of.Answer.Items {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() != 1 {
			c.say(Error, Answer, of, "call %d of the answer is not a function's name with its arguments", i+1)
			continue
		}
		function, v := call.At(0)
		name := pyval.Text(function)
		parameters := of.Tool(name).Child("parameters")
		arguments, ok := v.(*pyval.Dict)
		switch {
		case !slices.Contains(of.ToolNames(), name):
			c.say(Error, Answer, of, "the answer calls %s, which is not among the case's tools (%s)", quote(name), someNames(of))
			continue
		case !ok || parameters == nil:
			c.say(Error, Answer, of, "the arguments of %s are not names with lists of accepted values", quote(name))
			continue
		}
		for key, accepted := range arguments.All() {
			param := pyval.Text(key)
			if values, ok := accepted.(*pyval.List); !ok || len(values.Items) == 0 {
				c.sayAt(c.line(of, i, param), Error, Answer, of, "%s.%s: want a list of accepted values", name, quote(param))
			}
			if properties := parameters.Child("properties"); properties == nil || !properties.Has(param) {
				c.sayAt(c.line(of, i, param), Error, Answer, of, "%s has no parameter %s: every call would be refused; remove it from the answer or add it to the tool%s", quote(name), quote(param), hint(param, properties))
			}
		}
		for _, param := range parameters.List("required") {
			if _, there := arguments.Get(param); pyval.Hashable(param) == nil && !there {
				c.sayAt(c.line(of, i, ""), Error, Answer, of, "%s requires %s, but the answer accepts no value for it, so no call can be right: add its accepted values", quote(name), quote(pyval.Text(param)))
			}
		}
	}
}

// someNames lists a case's tools.
func someNames(of *eval.Case) string {
	const most = 8
	var quoted []string
	for _, name := range of.ToolNames() {
		quoted = append(quoted, quote(name))
	}
	return say.First(quoted, most)
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
	if entry := c.entries[of.ID]; entry != nil {
		return entry.Expect
	}
	return nil
}

// reach gives the answer as a model would and reports whether the judge refuses
// it.
func (c *checker) reach(cat *eval.Category, of *eval.Case) {
	if cat.Executes || cat.Agentic() {
		return
	}
	modes := []eval.Mode{eval.FC, eval.Prompt}
	if cat.PromptOnly {
		modes = modes[1:]
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
	w := c.whole(of)
	switch {
	case len(refused) == 0 && cat.Compares():
		c.arguments(cat, of)
	case len(refused) == 0:
	case len(refused) < len(modes):
		c.say(Warning, Unreachable, of, "the answer itself, given as a model gives it, is refused %s; in another mode it passes", refused[0])
	case w != nil && w.Guessed() != nil:
		a := w.Guessed()
		c.sayAt(a.Line, Warning, Unreachable, of, "%s: no value is known that %s accepts: write one as example, so that it can be tried", quote(a.Name), a.Choice)
	case w != nil && w.Mode == match.AtMost:
		c.say(Warning, Unreachable, of, "the calls, given as a model gives them, are refused %s; only an answer without a call passes", refused[0])
	default:
		c.say(Error, Unreachable, of, "the answer itself, given as a model gives it, is refused %s; no model can pass: correct the answer or the tool", refused[0])
	}
}

func detail(v eval.Verdict) string {
	const longest = 300
	out := v.ErrorType
	if v.Detail != nil {
		out += ": " + pyval.Repr(v.Detail)
	}
	if cut := say.Cut(out, longest); cut != out {
		return cut + "…"
	}
	return out
}

// A trial changes one argument of an answer that the judge accepts: what is
// said about the argument is what the judge then says.
type trial struct {
	*checker
	cat      *eval.Category
	of       *eval.Case
	at       int // the call's place in the answer
	function string
	param    pyval.Value
}

// maxTrials is how many changes of a case are tried.
const maxTrials = 500

// arguments tries the accepted values of each argument of a case, and calls
// without it.
func (c *checker) arguments(cat *eval.Category, of *eval.Case) {
	tried := 0
	for i, item := range of.Answer.Items {
		call, _ := item.(*pyval.Dict)
		function, v := call.At(0)
		arguments, _ := v.(*pyval.Dict)
		for param, accepted := range arguments.All() {
			t := trial{c, cat, of, i, pyval.Text(function), param}
			values, _ := accepted.(*pyval.List)
			if cat.Language == eval.Python {
				t.omission(values.Items)
			}
			t.values(values.Items, &tried)
		}
	}
}

func (t trial) say(s Severity, kind, format string, args ...any) {
	name := pyval.Text(t.param)
	t.sayAt(t.line(t.of, t.at, name), s, kind, t.of, "%s.%s"+format, append([]any{t.function, quote(name)}, args...)...)
}

// with gives the answer with another value of the argument, or without the
// argument if v is nil.
func (t trial) with(v pyval.Value) eval.Verdict {
	call, _ := t.of.Answer.Items[t.at].(*pyval.Dict)
	function, given := call.At(0)
	arguments, _ := given.(*pyval.Dict)
	arguments = arguments.Clone()
	if v == nil {
		arguments.Delete(t.param)
	} else {
		_ = arguments.Set(t.param, pyval.NewList(v)) // a key of a dict is hashable
	}
	one := pyval.NewDict(1)
	_ = one.Set(function, arguments)
	changed := *t.of
	changed.Answer = &pyval.List{Items: slices.Clone(t.of.Answer.Items)}
	changed.Answer.Items[t.at] = one
	_, verdict := t.cat.Verdict(t.of, oracle.Answer(&changed, eval.FC), eval.SettingsFor(eval.FC))
	return verdict
}

// field returns what the suite says of the argument; nil if it says only which
// values are accepted.
func (t trial) field() *match.Field {
	if w := t.whole(t.of); w != nil && t.at < len(w.Calls) {
		for i, f := range w.Calls[t.at].Args {
			if f.Name == pyval.Text(t.param) {
				return &w.Calls[t.at].Args[i]
			}
		}
	}
	return nil
}

// omission tries a call without the argument.
func (t trial) omission(values []pyval.Value) {
	parameters := t.of.Tool(t.function).Child("parameters")
	schema := parameters.Child("properties").Child(pyval.Text(t.param))
	if schema == nil {
		return
	}
	required := slices.Contains(parameters.List("required"), t.param)
	f := t.field()
	may := slices.Contains(values, pyval.Value(optional)) && (required || get(schema, "type") != pyval.Value(pyval.Str("string")))
	if f != nil {
		may = f.Optional
	}
	given, _ := schema.GetStr("default")
	plain := given != nil && given.Kind() != pyval.KindDict && given.Kind() != pyval.KindList
	switch {
	case may && required && !t.with(nil).Passed():
		t.say(t.severity(), Ambiguous, " is required, but the answer lets a call leave it out, which is refused: make it optional in the tool or required in the answer")
	case !required && plain && given != pyval.Value(optional) && t.with(given).Passed() && !t.with(nil).Passed():
		t.say(Warning, Ambiguous, " may be left out, and its default %s is accepted, but a call that leaves it out is refused: make it optional in the answer", quote(pyval.Repr(given)))
	}
	literal := func(o match.Option) bool { _, ok := o.Matcher.(*match.Literal); return ok } // the schema decides
	if enum := schema.List("enum"); f != nil && len(enum) > 0 && len(enum) < maxTrials && !slices.ContainsFunc(f.Options, literal) &&
		(!f.Optional || !t.with(nil).Passed()) && !slices.ContainsFunc(enum, func(v pyval.Value) bool { return t.with(v).Passed() }) {
		t.say(Error, Unreachable, ": no value of the enum is accepted, only others: %s", f.Choice)
	}
}

// values tries each accepted value but the first, which is in the answer itself,
// and objects and lists of a suite.
func (t trial) values(values []pyval.Value, tried *int) {
	if f := t.field(); f != nil && t.of.Expected != nil {
		values = nil
		for _, o := range f.Options {
			v, ok := o.Example()
			if !ok || v.Kind() == pyval.KindDict || v.Kind() == pyval.KindList {
				v = optional // nothing to try
			}
			values = append(values, v)
		}
	}
	for _, v := range values[min(1, len(values)):] {
		if *tried++; *tried > maxTrials {
			return
		}
		if v == pyval.Value(optional) {
			continue
		}
		if verdict := t.with(v); !verdict.Passed() {
			t.say(t.severity(), Unreachable, ": the accepted value %s is refused when a model gives it: %s", quote(pyval.Repr(v)), detail(verdict))
		}
	}
}

// severity returns the severity of an accepted value that the judge refuses:
// the owner of a suite can correct it, in upstream's data it is a known fault.
func (c *checker) severity() Severity {
	if c.own {
		return Error
	}
	return Warning
}
