// Package dialect knows the ways in which models write calls, apart from
// plain tool calls and plain text: those of the models on the first
// leaderboard. A dialect is found by its name or by a recorded model's.
//
//	dialect   what a dialect is; the list of all
//	fc        calls in fields of their own
//	prompt    calls as text, with what each model put around them
//	tagged    calls as JSON between marks of the model's own
//	model     which recorded model wrote which
package dialect

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// A Grammar reads calls that are written in a programming language.
type Grammar struct {
	// Parse reads a text: upstream's ast_parse of a release and a language.
	Parse func(text string) (pyval.Value, error)
	// Source reports whether arguments are source text, as in Java and
	// JavaScript.
	Source bool
}

// V1 is the grammar of upstream's first release.
func V1(f decode.Format) Grammar {
	return Grammar{
		Parse:  func(text string) (pyval.Value, error) { return decode.V1(text, f) },
		Source: f == decode.Java || f == decode.JavaScript,
	}
}

// V4 is the grammar of upstream's current release.
func V4(f decode.Format) Grammar {
	return Grammar{
		Parse:  func(text string) (pyval.Value, error) { return decode.AST(text, f, false) },
		Source: f == decode.Java || f == decode.JavaScript,
	}
}

// A Dialect is one way of writing calls.
type Dialect struct {
	// Name is what -dialect takes.
	Name string
	// Doc says in a line what it looks like.
	Doc string
	// Decode reads a recorded result: upstream's decode_ast. What it gives
	// need not be a list of calls.
	Decode func(result pyval.Value, g Grammar) (pyval.Value, error)
	// Execute reads a recorded result as Python call texts: upstream's
	// decode_execute. g reads the text of prompt dialects and is Python's.
	Execute func(result pyval.Value, g Grammar) ([]string, error)
}

// all are the dialects. A new one is a line here.
var all = []*Dialect{
	{"fc-json", "tool calls, arguments as JSON text", fcDecode, fcExecute},
	{"fc-object", "tool calls, arguments as an object", objectDecode, fcExecute},
	{"gemini", "tool calls; an answer that is no list counts as one item", geminiDecode, fcExecute},
	text("prompt-plain", "[f(a=1)], nothing around it", plain, plain),
	text("prompt-space", "f(a=1), one blank before it; brackets may be missing", space, space),
	text("prompt-brackets", "f(a=1), brackets may be missing", brackets, brackets),
	text("prompt-lines", "f(a=1) over several lines, brackets may be missing", joined, joined),
	text("prompt-mistral", `[f(a\_b=1)], blanks escaped as in Markdown`, markdown, unescaped),
	text("prompt-wrap", "f(a=1) without brackets", wrapped, wrapped),
	text("prompt-search", "prose around [f(a=1)]", bracketed, bracketed),
	text("prompt-quoted", "['f(a=1)', 'g()'], calls in quotes", quoted, quoted),
	text("prompt-fenced", "[f(a=1)] between triple backquotes", fenced, fenced),
	{"prompt-dbrx", "['f(a=1)'] or [f(a=1)]", dbrxDecode, dbrxExecute},
	{"raven", "f(a=1); g(b=2)", ravenDecode, textOf(raven).execute},
	{"hermes", "<tool_call>, then a line of JSON with name and arguments", hermesDecode, hermesExecute},
	{"glm", "the name on one line, JSON arguments on the next", glmDecode, glmExecute},
	{"granite", "<function_call> before each JSON object with name and arguments", graniteDecode, graniteExecute},
	{"xlam", "JSON: a list of objects with name and arguments, or tool_calls", xlamDecode, xlamExecute},
}

// All are the dialects in the order of a help text.
func All() []*Dialect { return append([]*Dialect(nil), all...) }

// Find is the dialect of a name; nil where there is none.
func Find(name string) *Dialect {
	for _, d := range all {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// Check refuses a name that is neither "" nor a dialect's.
func Check(name string) error {
	if name == "" || Find(name) != nil {
		return nil
	}
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.Name
	}
	return fmt.Errorf("unknown dialect %.100q: use one of %s", name, strings.Join(names, ", "))
}

// str is the text of a result; upstream's text decoders raise on other values.
func str(result pyval.Value) (string, error) {
	s, ok := result.(pyval.Str)
	if !ok {
		return "", fmt.Errorf("a text is expected, the answer is a %s", pyval.TypeName(result))
	}
	return string(s), nil
}

// call is {name: args}.
func call(name, args pyval.Value) (*pyval.Dict, error) {
	d := pyval.NewDict(1)
	if err := d.Set(name, args); err != nil {
		return nil, err
	}
	return d, nil
}
