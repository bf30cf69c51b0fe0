package javacall

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/source/grammar"
)

// Python's character classes, which go beyond ASCII.
const (
	pyDigit = `\p{Nd}`
	pyWord  = `[\p{L}\p{N}_]`
	pyBlank = `[\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]`
)

// The forms of Java's number literals that upstream accepts. Python's "$" also
// matches before a final line end.
var (
	wholeForm  = form{"", false, pattern.Of(`^-?` + pyDigit + `+\n?$`)}
	longForm   = form{"lL", false, pattern.Of(`^-?` + pyDigit + `+[lL]\n?$`)}
	floatForm  = form{"fF", true, pattern.Of(`^-?` + pyDigit + `+(?:\.` + pyDigit + `+)?(?:[eE][+-]?` + pyDigit + `+)?[fF]\n?$`)}
	doubleForm = form{"", true, pattern.Of(`^-?` + pyDigit + `+(?:\.` + pyDigit + `+)?(?:[eE][+-]?` + pyDigit + `+)?\n?$`)}
)

// A form is how a type's numbers are written.
type form struct {
	suffixes string // if there are any, one of them is required
	point    bool   // a fraction and an exponent may follow
	pattern  func() *regexp.Regexp
}

// matches reports whether a text has the form. The pattern is for texts beyond
// ASCII, because digits of other scripts count.
func (f *form) matches(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return f.pattern().MatchString(s)
		}
	}
	s = strings.TrimPrefix(s, "-")
	n := digitsAt(s)
	if n == 0 {
		return false
	}
	if s = s[n:]; f.point {
		s = s[fractionAt(s):]
		s = s[exponentAt(s):]
	}
	if f.suffixes != "" {
		if s == "" || strings.IndexByte(f.suffixes, s[0]) < 0 {
			return false
		}
		s = s[1:]
	}
	return s == "" || s == "\n"
}

// digitsAt, fractionAt and exponentAt are the lengths of the digits, the
// fraction or the exponent that s begins with, 0 if there is none.
func digitsAt(s string) int {
	n := 0
	for n < len(s) && grammar.Digit(s[n]) {
		n++
	}
	return n
}

func fractionAt(s string) int {
	if s == "" || s[0] != '.' {
		return 0
	}
	if n := digitsAt(s[1:]); n > 0 {
		return 1 + n
	}
	return 0
}

func exponentAt(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	sign := suffix(s[1:], "+-")
	if n := digitsAt(s[1+sign:]); n > 0 {
		return 1 + sign + n
	}
	return 0
}

// Convert turns an argument's text into a value of a declared type, as
// upstream's java_type_converter does; nested is the type of the elements of
// an array or list, "" if it is not declared. Text that is not a literal of the
// type stays text. Errors are *grammar.Error.
func Convert(value, typ, nested string) (pyval.Value, error) {
	switch typ {
	case "byte", "short", "integer":
		if !wholeForm.matches(value) {
			return pyval.Str(value), nil
		}
		return pyInt(value)
	case "long":
		if !longForm.matches(value) {
			return pyval.Str(value), nil
		}
		return pyInt(unsuffixed(value))
	case "float":
		if !floatForm.matches(value) {
			return pyval.Str(value), nil
		}
		return pyFloat(unsuffixed(value))
	case "double":
		if !doubleForm.matches(value) {
			return pyval.Str(value), nil
		}
		return pyFloat(value)
	case "boolean":
		if b, ok := boolean(value); ok {
			return b, nil
		}
		return pyval.Str(value), nil
	case "char", "String", "any":
		return pyval.Str(value), nil
	case "Array":
		return convertArray(value, nested)
	case "ArrayList":
		return convertList(value, nested)
	case "HashMap":
		return convertMap(value)
	case "Set", "Hashtable":
		return nil, &grammar.Error{Class: "NotImplementedError", Msg: "Set conversion is not implemented"}
	case "Queue", "Stack":
		return nil, &grammar.Error{Class: "NotImplementedError", Msg: typ + " conversion is not implemented"}
	}
	return nil, &grammar.Error{Class: "ValueError", Msg: "Unsupported type: " + typ}
}

func boolean(value string) (b pyval.Bool, ok bool) {
	return value == "true", value == "true" || value == "false"
}

// unsuffixed drops the type suffix of a number.
func unsuffixed(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return s[:len(s)-1]
}

// element is the value of a text whose type is not declared, as upstream's
// parse_java_value guesses it.
func element(value string) (pyval.Value, error) {
	value = pyval.Strip(value)
	if b, ok := boolean(value); ok {
		return b, nil
	}
	switch {
	case strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`):
		return pyval.Str(value[1:max(1, len(value)-1)]), nil
	case longForm.matches(value):
		return pyInt(unsuffixed(value))
	case floatForm.matches(value):
		return pyFloat(unsuffixed(value))
	}
	if v, err := pyInt(value); err == nil {
		return v, nil
	}
	if v, err := pyFloat(value); err == nil {
		return v, nil
	}
	return pyval.Str(value), nil
}
