// Package decode turns a model's answer into calls, the way upstream's
// handlers do: a list of {name: {parameter: value}}.
//
// Text goes through AST or, as prompt-mode handlers do it, Prompt; answers of
// function-calling mode go through FC. The grammars are in pycall, javacall,
// jscall and xmlcall; this package holds what upstream does around them.
package decode

import (
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
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
func Bracketed(text string) string {
	text = strings.Trim(text, "`\n ")
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
