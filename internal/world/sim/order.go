package sim

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Less is Python's a < b.
func Less(a, b pyval.Value) (bool, error) { return pyval.Order("<", a, b) }

// LessEqual is Python's a <= b.
func LessEqual(a, b pyval.Value) (bool, error) { return pyval.Order("<=", a, b) }

// Greater is Python's a > b.
func Greater(a, b pyval.Value) (bool, error) { return pyval.Order(">", a, b) }

// GreaterEqual is Python's a >= b.
func GreaterEqual(a, b pyval.Value) (bool, error) { return pyval.Order(">=", a, b) }

// MustText returns the text of a str; the error is Python's AttributeError for
// a method of str on anything else.
func MustText(v pyval.Value, method string) (string, error) {
	if s, ok := v.(pyval.Str); ok {
		return string(s), nil
	}
	return "", Raise("AttributeError", "'"+pyval.TypeName(v)+"' object has no attribute '"+method+"'")
}
