package decode

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
	"github.com/gobfcl/bfcl/internal/source/javacall"
	"github.com/gobfcl/bfcl/internal/source/jscall"
	"github.com/gobfcl/bfcl/internal/source/xmlcall"
)

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
	var xml *xmlcall.Error
	var java *grammar.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &py):
		return &Error{Class: py.Class, Msg: py.Msg, Offset: py.Offset, Err: err}
	case errors.As(err, &xml):
		return &Error{Class: xml.Class, Msg: xml.Msg, Offset: xml.Offset, Err: err}
	case errors.As(err, &java):
		return &Error{Class: java.Class, Msg: java.Msg, Err: err}
	}
	return &Error{Class: "Exception", Msg: err.Error(), Err: err}
}
