package decode

import (
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
	if args.Kind() != pyval.KindDict {
		return "", attributeError(args, "items")
	}
	return flatCall(pyval.Str(name), args)
}

// LoadJSON reads a JSON text as Python's json.loads does. Errors are *Error.
func LoadJSON(text string) (pyval.Value, error) { return loadJSON(pyval.Str(text)) }

// Iterate returns what Python's for loop iterates over; of a str or a dict only
// as much as a decoder sees before it fails.
func Iterate(v pyval.Value) ([]pyval.Value, error) { return iterate(v) }

// NoAttribute is Python's error for a value that is used as if it had an
// attribute.
func NoAttribute(v pyval.Value, name string) error { return attributeError(v, name) }
