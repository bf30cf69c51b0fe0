package xmlcall

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// convert turns a value's text into the value that its type attribute asks
// for; unknown types keep the text.
func convert(text, typeName string) (pyval.Value, error) {
	switch typeName {
	case "integer":
		return integer(text)
	case "float":
		return float(text)
	case "boolean":
		return pyval.Bool(pyval.Lower(text) == "true"), nil
	case "null":
		return pyval.None, nil
	case "array", "tuple", "dict", "object":
		v, err := pycall.Literal(text)
		var wrong *pycall.Error
		if errors.As(err, &wrong) {
			return nil, &Error{Class: wrong.Class, Msg: wrong.Msg}
		}
		return v, err
	}
	return pyval.Str(text), nil
}

// integer is Python's int(text).
func integer(text string) (pyval.Value, error) {
	n, err := pyval.IntFromText(text)
	if err != nil {
		return nil, raised(err)
	}
	return n, nil
}

// float is Python's float(text).
func float(text string) (pyval.Value, error) {
	f, err := pyval.FloatFromText(text)
	if err != nil {
		return nil, raised(err)
	}
	return f, nil
}

// raised returns a Python exception as this package's error.
func raised(err error) error {
	if e, ok := errors.AsType[*pyval.Exception](err); ok {
		return &Error{Class: e.Class, Msg: e.Msg}
	}
	return err
}
