package javacall

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// pyInt is Python's int(s).
func pyInt(s string) (pyval.Value, error) {
	n, err := pyval.IntFromText(s)
	if err != nil {
		return nil, raised(err)
	}
	return n, nil
}

// pyFloat is Python's float(s).
func pyFloat(s string) (pyval.Value, error) {
	f, err := pyval.FloatFromText(s)
	if err != nil {
		return nil, raised(err)
	}
	return f, nil
}

// raised returns a Python exception as this package's error.
func raised(err error) error {
	if e, ok := errors.AsType[*pyval.Exception](err); ok {
		return &Error{e.Class, e.Msg}
	}
	return err
}
