// Package misuse marks errors caused by the user's input: wrong flags,
// arguments, names and configuration files. The command has its own exit code
// for them, so that a script can tell a typing mistake from a run that could
// not be decided.
package misuse

import (
	"errors"
	"fmt"
)

type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// Errorf returns a marked error, formatted as by fmt.Errorf.
func Errorf(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// Mark returns the error marked; nil stays nil.
func Mark(err error) error {
	if err == nil {
		return nil
	}
	return misuse{err}
}

// Is reports whether an error, or one that it wraps, is marked.
func Is(err error) bool { return errors.As(err, new(misuse)) }
