// Package dialect knows the ways in which models write calls, other than plain
// tool calls and plain text: those of the models on upstream's first and
// current leaderboards, and of later open weights. A dialect is found by its
// name, by the folder name of a recorded model, or by a model's family.
//
//	dialect   what a dialect is
//	reading   what a completion's text holds beside calls
//	fc        calls in fields of their own
//	prompt    calls as text, with what each model put around them
//	tagged    calls as JSON between marks, or as tagged arguments
//	toolcall  calls as JSON in <tool_call> blocks
//	listed    the list of all, one line each; calls as a JSON list without marks
//	literal   calls as Python literals, or as tags within tags
//	granite3  Granite 3 and Phi-4-mini: a marked list, kept as calls
//	mistral   Mistral: a list, kept as calls with ids
//	minicpm   MiniCPM: Python statements between marks
//	gemma     FunctionGemma's own notation, and Gemma 4's
//	wires     models since 2025, one entry each
//	wire      what these have in common: reasoning, heads of calls, what is said
//	body      calls as JSON or Python behind a head
//	schema    what a tagged text means
//	family    which dialect a model's name leads to
package dialect

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Grammar reads calls that are written in a programming language.
type Grammar struct {
	// Parse reads a text: upstream's ast_parse of a release and a language.
	Parse func(text string) (pyval.Value, error)
	// Source reports whether arguments are source text, as in Java and
	// JavaScript.
	Source bool
	// Tools are the documents of the functions that a text's calls may name; see
	// Dialect.Read.
	Tools []*pyval.Dict
}

// V1 is the grammar of upstream's first release.
func V1(f decode.Format) Grammar {
	return Grammar{
		Parse:  func(text string) (pyval.Value, error) { return decode.V1(text, f) },
		Source: f == decode.Java || f == decode.JavaScript,
	}
}

// V4 is the grammar of upstream's current release.
func V4(f decode.Format) Grammar { return V4Tagged(f, false) }

// V4Tagged is V4 for calls between <TOOLCALL> and </TOOLCALL>.
func V4Tagged(f decode.Format, tag bool) Grammar {
	return Grammar{
		Parse:  func(text string) (pyval.Value, error) { return decode.AST(text, f, tag) },
		Source: f == decode.Java || f == decode.JavaScript,
	}
}

// A Dialect is a way of writing calls.
type Dialect struct {
	// Name is the dialect's name in -dialect.
	Name string
	// Doc describes the calls in a line.
	Doc string
	// decode and execute are Decode and Execute; they raise errors, as Python
	// does.
	decode  func(result pyval.Value, g Grammar) pyval.Value
	execute func(result pyval.Value, g Grammar) []string
	// read takes a completion's text apart; if it is nil, the text is kept as
	// it is.
	read reader
}

// Decode reads a recorded result: upstream's decode_ast. It may return something
// else than a list of calls.
func (d *Dialect) Decode(result pyval.Value, g Grammar) (pyval.Value, error) {
	return pyval.Try(func() pyval.Value { return d.decode(result, g) })
}

// Execute reads a recorded result as texts of Python calls: upstream's
// decode_execute. g reads the text of prompt dialects; it must be Python's
// grammar.
func (d *Dialect) Execute(result pyval.Value, g Grammar) ([]string, error) {
	return pyval.Try(func() []string { return d.execute(result, g) })
}

// A HandedOn is an error of Execute for an answer that upstream passes on
// unchanged in place of call texts.
type HandedOn struct {
	// Value is the answer.
	Value pyval.Value
}

// Error says that the answer has no calls.
func (h *HandedOn) Error() string {
	return "the answer is handed on as it is, a " + pyval.TypeName(h.Value) + " without calls"
}

// All returns the dialects in the order of the help text.
func All() []*Dialect { return append([]*Dialect(nil), all...) }

// Find returns the dialect with a name; nil if there is none.
func Find(name string) *Dialect {
	for _, d := range all {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// OfStep returns the dialect in which an answer of a conversation is read: that
// of the settings or, as in upstream's default handlers, tool calls or a text.
func OfStep(s eval.Settings) (*Dialect, error) {
	name := cmp.Or(s.Dialect, "fc-json")
	if s.Dialect == "" && s.Mode == eval.Prompt {
		name = "prompt"
	}
	return Find(name), Check(name)
}

// Names returns the names of all dialects, in their order.
func Names() []string {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.Name
	}
	return names
}

// Check returns an error if a name is neither "" nor a dialect's.
func Check(name string) error {
	if name == "" || Find(name) != nil {
		return nil
	}
	return fmt.Errorf("unknown dialect %.100q%s: use one of %s", name, say.Propose(say.Nearest(name, Names())), strings.Join(Names(), ", "))
}

// str returns the text of a result; upstream's text decoders raise on other
// values.
func str(result pyval.Value) string {
	s, ok := result.(pyval.Str)
	if !ok {
		pyval.Check(fmt.Errorf("expected text, but the answer is %s", pyval.ATypeName(result)))
	}
	return string(s)
}

// load is Python's json.loads(text).
func load(text string) pyval.Value { return pyval.Must(decode.LoadJSON(text)) }

// iterate is Python's list(v).
func iterate(v pyval.Value) []pyval.Value { return pyval.Must(decode.Iterate(v)) }

// lacks raises that a value has no such attribute.
func lacks(v pyval.Value, name string) { pyval.Check(decode.NoAttribute(v, name)) }

// dictOf is a value that should be a dict, of which the named method is used.
func dictOf(v pyval.Value, method string) *pyval.Dict {
	d, ok := v.(*pyval.Dict)
	if !ok {
		lacks(v, method)
	}
	return d
}

// call returns {name: args}.
func call(name, args pyval.Value) *pyval.Dict {
	d := pyval.NewDict(1)
	pyval.Check(d.Set(name, args))
	return d
}

// each returns what f makes of each of some items, [] of none.
func each[T, V any](items []T, f func(T) V) []V {
	out := make([]V, len(items))
	for i, item := range items {
		out[i] = f(item)
	}
	return out
}
