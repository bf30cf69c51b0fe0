// Package misuse marks the errors that the user's own words made: flags,
// arguments, names and configuration files that are wrong. The command ends
// with an exit code of its own for them, so that a script can tell a typing
// mistake from a run that could not be decided.
package misuse

import (
	"errors"
	"fmt"
)

type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// Errorf makes a marked error as fmt.Errorf does.
func Errorf(format string, args ...any) error { return misuse{fmt.Errorf(format, args...)} }

// Mark marks an error; nil stays nil.
func Mark(err error) error {
	if err == nil {
		return nil
	}
	return misuse{err}
}

// Is reports whether an error, or one that it wraps, is marked.
func Is(err error) bool { return errors.As(err, new(misuse)) }
