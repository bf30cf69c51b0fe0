// Package decode turns a model's answer into calls, the way upstream's
// handlers do: a list of {name: {parameter: value}}.
//
// Text goes through AST or, as prompt-mode handlers do it, Prompt; answers of
// function-calling mode go through FC. The grammars are in pycall, javacall,
// jscall and xmlcall; this package holds what upstream does around them.
package decode

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/javacall"
	"github.com/gobfcl/bfcl/internal/source/jscall"
	"github.com/gobfcl/bfcl/internal/source/xmlcall"
)

// Format is the return format in which a text is written.
type Format string

// The return formats: upstream's ReturnFormat.
const (
	Python     Format = "python"
	Java       Format = "java"
	JavaScript Format = "javascript"
	JSON       Format = "json"
	VerboseXML Format = "verbose_xml"
	ConciseXML Format = "concise_xml"
)

// An Error says why an answer has no calls.
type Error struct {
	Class  string // the Python exception that upstream raises
	Msg    string // what was found or expected
	Offset int    // in bytes from the start of the parsed text; 0 if it does not apply
	Err    error  // the grammar's own error, if it is the cause
}

// Error returns class, offset and cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return "decode: " + e.Err.Error()
	}
	return fmt.Sprintf("decode: %s: %s", e.Class, e.Msg)
}

// Unwrap returns the grammar's own error.
func (e *Error) Unwrap() error { return e.Err }

// AST is upstream's ast_parse. With tag, the calls are between <TOOLCALL> and
// </TOOLCALL>. For a text without calls, Java gives {} and JavaScript None.
// Errors are *Error.
func AST(text string, f Format, tag bool) (pyval.Value, error) {
	if tag {
		_, rest, opened := strings.Cut(text, "<TOOLCALL>")
		inner, _, closed := strings.Cut(rest, "</TOOLCALL>")
		if !opened || !closed {
			return nil, &Error{Class: "ValueError", Msg: "No tool call tag found in input string: " + text}
		}
		text = inner
	}
	v, err := parse(text, f)
	if err != nil {
		return nil, wrap(err)
	}
	return v, nil
}

// Prompt is upstream's default_decode_ast_prompting: it removes backticks,
// newlines and blanks around the text and adds missing brackets.
func Prompt(text string, f Format, tag bool) (pyval.Value, error) {
	return AST(Bracketed(text), f, tag)
}

// Bracketed removes backticks, newlines and blanks around a text and adds
// missing brackets.
func Bracketed(text string) string { return Brackets(strings.Trim(text, "`\n ")) }

// Brackets adds missing brackets to a text.
func Brackets(text string) string {
	if !strings.HasPrefix(text, "[") {
		text = "[" + text
	}
	if !strings.HasSuffix(text, "]") {
		text += "]"
	}
	return text
}

// IsCalls is upstream's is_function_calling_format_output: it reports whether a
// value is a list of dicts with one entry each, whose value is a dict.
func IsCalls(v pyval.Value) bool {
	list, ok := v.(*pyval.List)
	if !ok {
		return false
	}
	for _, item := range list.Items {
		call, ok := item.(*pyval.Dict)
		if !ok || call.Len() != 1 {
			return false
		}
		if _, args := call.At(0); args.Kind() != pyval.KindDict {
			return false
		}
	}
	return true
}

// IsEmpty is upstream's is_empty_output: it reports whether there are no calls
// at all, or something that IsCalls refuses.
func IsEmpty(v pyval.Value) bool {
	list, ok := v.(*pyval.List)
	return !ok || len(list.Items) == 0 || !IsCalls(v)
}

// Attempted reports whether an answer without readable calls looks like an
// attempt to call one of the named functions: tool calls with broken arguments,
// a text that begins like a call, or one that names a function as calls do. A
// text that only talks about functions is not an attempt.
func Attempted(names []string, result pyval.Value) bool {
	text, ok := result.(pyval.Str)
	if !ok {
		n, sized := pyval.Len(result)
		return sized && n > 0
	}
	if Opens(string(text)) {
		return true
	}
	for _, name := range names {
		if mentions(string(text), name) || mentions(string(text), strings.ReplaceAll(name, ".", "_")) {
			return true
		}
	}
	return false
}

// The marks that models put before a call formatted as code, and what begins a
// call: name(, a JSON list or object, or a tag.
var (
	fence = pattern.Of("^```(?:python|json|java|javascript|xml)?")
	opens = pattern.Of(`^(?:[{<]|[\w.]+\()`)
)

// Opens reports whether a text begins with name(, a JSON list or object, or a
// tag.
func Opens(text string) bool { return opens().MatchString(opening(text)) }

// opening returns a text without the fence and brackets before a call.
func opening(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimLeft(strings.TrimSpace(text[len(fence().FindString(text)):]), "`[ \n")
}

// Begins reports whether a text that no reader takes for calls begins as a call
// of one of the named functions: with an object that is no JSON and names it, or
// with name( and, so that it is no sentence, a bracket before it or at the end.
func Begins(names []string, text string) bool {
	rest := strings.TrimLeft(opening(text), `"'`)
	object := strings.HasPrefix(rest, "{")
	listed := strings.HasPrefix(strings.TrimSpace(text), "[") || strings.HasSuffix(strings.TrimSpace(text), ")")
	if _, err := LoadJSON(rest); object && err == nil {
		return false
	}
	for _, name := range names {
		for _, name := range []string{name, strings.ReplaceAll(name, ".", "_")} {
			if object && mentions(rest, name) || listed && strings.HasPrefix(rest, name+"(") {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a text contains name( or the name in quotes.
func mentions(text, name string) bool {
	return name != "" && (strings.Contains(text, name+"(") || strings.Contains(text, `"`+name+`"`) || strings.Contains(text, "'"+name+"'"))
}

// parse reads the calls of a text in a return format.
func parse(text string, f Format) (pyval.Value, error) {
	switch f {
	case Python:
		return pycall.Parse(text)
	case Java:
		return javacall.Parse(unwrapped(text))
	case JavaScript:
		return jscall.Parse(unwrapped(text))
	case JSON:
		return parseJSON(text)
	case VerboseXML:
		return xmlcall.Verbose(text)
	case ConciseXML:
		return xmlcall.Concise(text)
	}
	return nil, &Error{Class: "NotImplementedError", Msg: "unsupported return format " + string(f)}
}

// unwrapped removes the first and the last character, which upstream takes for
// brackets whatever they are.
func unwrapped(s string) string {
	_, first := pyval.DecodeRune(s)
	if s = s[min(first, len(s)):]; s == "" {
		return ""
	}
	_, last := utf8.DecodeLastRuneInString(s)
	if last == 1 && len(s) >= 3 && strings.HasPrefix(s[len(s)-3:], "\xed") {
		last = 3 // a lone surrogate
	}
	return s[:len(s)-last]
}

func wrap(err error) error {
	var own *Error
	var py *pycall.Error
	var other *grammar.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &py):
		return &Error{Class: py.Class, Msg: py.Msg, Offset: py.Offset, Err: err}
	case errors.As(err, &other):
		return &Error{Class: other.Class, Msg: other.Msg, Offset: other.Offset, Err: err}
	}
	return &Error{Class: "Exception", Msg: err.Error(), Err: err}
}

// V1 is the ast_parse of upstream's first release, which supports Python, Java
// and JavaScript. It accepts less Python than AST; see pycall.ParseV1. Errors
// are *Error.
func V1(text string, f Format) (pyval.Value, error) {
	if f != Python {
		return AST(text, f, false)
	}
	v, err := pycall.ParseV1(text)
	if err != nil {
		return nil, wrap(err)
	}
	return v, nil
}

// CallText returns a call as V1's decode_execute writes it:
// name(key=value,key=value).
func CallText(name string, args pyval.Value) (string, error) {
	if args.Kind() == pyval.KindStr {
		return "", NoAttribute(args, "items")
	}
	return pyval.Try(func() string { return flatCall(pyval.Str(name), args) })
}
