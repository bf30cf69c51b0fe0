package option

import (
	"errors"
	"fmt"
)

// A misuse is an error caused by the user's input: wrong flags, arguments, names
// and configuration files. The command has its own exit code for them, so that a
// script can tell a typing mistake from a run that could not be decided.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// Misuse returns a marked error, formatted as by fmt.Errorf.
func Misuse(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// MarkMisuse returns the error marked; nil stays nil.
func MarkMisuse(err error) error {
	if err == nil {
		return nil
	}
	return misuse{err}
}

// IsMisuse reports whether an error, or one that it wraps, is marked.
func IsMisuse(err error) bool { return errors.As(err, new(misuse)) }
