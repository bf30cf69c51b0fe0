package pyval

import "fmt"

// An Exception is a Python exception: the name of its class and its text, as
// str(exception) gives it.
type Exception struct {
	Class, Msg string
}

// Error returns the class and the text.
func (e *Exception) Error() string { return e.Class + ": " + e.Msg }

// Raise returns an Exception with a formatted text.
func Raise(class, format string, args ...any) *Exception {
	return &Exception{Class: class, Msg: fmt.Sprintf(format, args...)}
}

func typeError(format string, args ...any) *Exception { return Raise("TypeError", format, args...) }

// Code that is to read like Python raises by panicking, with an *Exception or
// by Check, and its caller catches that with Catch or Try. Any other panic is a
// mistake in the program and goes on.

// raised carries an error that is not an *Exception, such as a broken
// connection, out of such code.
type raised struct{ error }

// Check raises an error, if there is one.
func Check(err error) {
	if err != nil {
		panic(raised{err})
	}
}

// Must returns v, or raises the error.
func Must[T any](v T, err error) T {
	Check(err)
	return v
}

// Catch sets err to the exception that was raised; it must be deferred.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Exception:
		*err = r
	case raised:
		*err = r.error
	default:
		panic(r)
	}
}

// Try returns the result of f, or as an error what f raises.
func Try[T any](f func() T) (v T, err error) {
	defer Catch(&err)
	return f(), nil
}
