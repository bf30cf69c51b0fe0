package sim

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Exception is what upstream raises in Python.
type Exception = pyval.Exception

// Raise makes an Exception.
func Raise(class, msg string) *Exception { return &Exception{Class: class, Msg: msg} }

// KeyError is Python's KeyError for a key, whose text is the key's repr.
func KeyError(key pyval.Value) *Exception { return Raise("KeyError", pyval.Repr(key)) }

// AsException turns any error into the exception it stands for.
func AsException(err error) *Exception {
	if e, ok := errors.AsType[*Exception](err); ok {
		return e
	}
	if e, ok := errors.AsType[*pycall.Error](err); ok {
		return &Exception{Class: e.Class, Msg: e.Msg}
	}
	return &Exception{Class: "Exception", Msg: err.Error()}
}

// IsClass reports whether an error is an exception of the class.
func IsClass(err error, class string) bool { return err != nil && AsException(err).Class == class }
