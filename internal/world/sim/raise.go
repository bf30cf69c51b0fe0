package sim

import (
	"errors"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An Exception is what upstream raises in Python. A method raises one by
// panicking with it, and other errors by pyval.Check; On and New turn both into
// errors.
type Exception = pyval.Exception

// Raise returns an Exception, to panic with or to return.
func Raise(class, msg string) *Exception { return &Exception{Class: class, Msg: msg} }

// AsException turns any error into the exception it stands for.
func AsException(err error) *Exception {
	if e, ok := errors.AsType[*Exception](err); ok {
		return e
	}
	if e, ok := errors.AsType[*pycall.Error](err); ok {
		return Raise(e.Class, e.Msg)
	}
	return Raise("Exception", err.Error())
}

// IsClass reports whether an error is an exception of the class.
func IsClass(err error, class string) bool { return err != nil && AsException(err).Class == class }

// An Outage is an error that kept something outside, such as a server of
// embeddings, from answering a call. The model does not see it: the case ends
// with an infrastructure error.
type Outage struct {
	// Kind is a short word for tables, as an eval.InfraError has it.
	Kind string
	Err  error
}

// OutageOf makes an Outage from an error: an eval.InfraError has its own kind,
// others get the one given.
func OutageOf(kind string, err error) *Outage {
	if o, ok := errors.AsType[*Outage](err); ok {
		return o
	}
	if infra, ok := errors.AsType[*eval.InfraError](err); ok {
		return &Outage{Kind: infra.Kind, Err: infra.Err}
	}
	return &Outage{Kind: kind, Err: err}
}

// Error returns the cause's text.
func (o *Outage) Error() string { return o.Err.Error() }

// Unwrap returns the cause.
func (o *Outage) Unwrap() error { return o.Err }
