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
