package javacall

import (
	"regexp"
	"strings"

	"github.com/gobfcl/bfcl/internal/pyval"
)

// Python's character classes, which know more than ASCII.
const (
	pyDigit = `\p{Nd}`
	pyWord  = `[\p{L}\p{N}_]`
	pyBlank = `[\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]`
)

// The forms of Java's number literals that upstream takes. Python's "$" also
// matches before a final line end.
var (
	wholeForm  = regexp.MustCompile(`^-?` + pyDigit + `+\n?$`)
	longForm   = regexp.MustCompile(`^-?` + pyDigit + `+[lL]\n?$`)
	floatForm  = regexp.MustCompile(`^-?` + pyDigit + `+(?:\.` + pyDigit + `+)?(?:[eE][+-]?` + pyDigit + `+)?[fF]\n?$`)
	doubleForm = regexp.MustCompile(`^-?` + pyDigit + `+(?:\.` + pyDigit + `+)?(?:[eE][+-]?` + pyDigit + `+)?\n?$`)
)

// Convert turns an argument's text into a value of a declared type, as
// upstream's java_type_converter does; nested is the type of the elements of
// an array or list, "" if it is not declared. Text that is no literal of the
// type stays text. Errors are *Error.
func Convert(value, typ, nested string) (pyval.Value, error) {
	switch typ {
	case "byte", "short", "integer":
		return convertNumber(value, wholeForm.MatchString, pyInt)
	case "long":
		return convertNumber(value, longForm.MatchString, suffixed(pyInt))
	case "float":
		return convertNumber(value, floatForm.MatchString, suffixed(pyFloat))
	case "double":
		return convertNumber(value, doubleForm.MatchString, pyFloat)
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
		return nil, &Error{"NotImplementedError", "Set conversion is not implemented"}
	case "Queue", "Stack":
		return nil, &Error{"NotImplementedError", typ + " conversion is not implemented"}
	}
	return nil, &Error{"ValueError", "Unsupported type: " + typ}
}

func boolean(value string) (b pyval.Bool, ok bool) {
	return value == "true", value == "true" || value == "false"
}

func convertNumber(value string, matches func(string) bool, read func(string) (pyval.Value, error)) (pyval.Value, error) {
	if !matches(value) {
		return pyval.Str(value), nil
	}
	return read(value)
}

// suffixed drops the type suffix before a number is read.
func suffixed(read func(string) (pyval.Value, error)) func(string) (pyval.Value, error) {
	return func(s string) (pyval.Value, error) {
		s = strings.TrimSuffix(s, "\n")
		return read(s[:len(s)-1])
	}
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
	case longForm.MatchString(value):
		return suffixed(pyInt)(value)
	case floatForm.MatchString(value):
		return suffixed(pyFloat)(value)
	}
	if v, err := pyInt(value); err == nil {
		return v, nil
	}
	if v, err := pyFloat(value); err == nil {
		return v, nil
	}
	return pyval.Str(value), nil
}
