package sim

import (
	"math"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxDigits is how many decimal digits CPython converts between int and str.
const maxDigits = 4300

var tooManyDigits = Raise("ValueError",
	"Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit")

// maxNesting is about where CPython 3.11 gives up on nested values.
const maxNesting = 960

// ErrRecursion is what Python raises for nesting or recursion without end.
var ErrRecursion = Raise("RecursionError", "maximum recursion depth exceeded")

// Shown is a result that only exists as text, upstream's dicts with a Decimal
// or an mpf in them: a value that stands in for it, and Python's repr.
type Shown struct {
	pyval.Value
	Text string
}

// ResultText returns the text that upstream's execute_multi_turn_func_call
// makes of a method's result: a str as it is, a dict as JSON if possible,
// anything else as str(). The error is what str() raises.
func ResultText(v pyval.Value) (string, error) {
	if shown, ok := v.(Shown); ok {
		return shown.Text, nil
	}
	if s, ok := v.(pyval.Str); ok {
		return string(s), nil
	}
	if err := printable(v, 0); err != nil {
		return "", err
	}
	if d, ok := v.(*pyval.Dict); ok {
		if text, err := pyval.JSON(d, 0); err == nil {
			return text, nil
		}
	}
	return pyval.Text(v), nil
}

// IsError reports whether a result's text says that the call failed: something
// was raised, or the answer is a dict with the key "error".
func IsError(text string) bool {
	if strings.HasPrefix(text, raisedPrefix) || strings.HasPrefix(text, `{"error":`) {
		return true
	}
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"error":`) {
		return false
	}
	v, err := pyval.ParseJSON(text)
	d, ok := v.(*pyval.Dict)
	return err == nil && ok && d.Has("error")
}

// printable finds what Python cannot turn into text.
func printable(v pyval.Value, depth int) error {
	if depth > maxNesting {
		return ErrRecursion
	}
	switch v := v.(type) {
	case pyval.Int:
		return printableInt(v)
	case *pyval.List:
		return printableAll(v.Items, depth+1)
	case *pyval.Tuple:
		return printableAll(v.Items, depth+1)
	case *pyval.Dict:
		for key, val := range v.All() {
			if err := printable(key, depth+1); err != nil {
				return err
			}
			if err := printable(val, depth+1); err != nil {
				return err
			}
		}
	case *pyval.Set:
		for item := range v.All() {
			if err := printable(item, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func printableAll(items []pyval.Value, depth int) error {
	for _, item := range items {
		if err := printable(item, depth); err != nil {
			return err
		}
	}
	return nil
}

// printableInt refuses ints of more than 4300 digits.
func printableInt(n pyval.Int) error {
	if _, small := n.Int64(); small {
		return nil
	}
	bits := n.Big().BitLen()
	switch digits := float64(bits) * math.Log10(2); {
	case digits < maxDigits-1:
		return nil
	case digits > maxDigits+1:
		return tooManyDigits
	}
	text := n.Big()
	if len(text.Abs(text).String()) > maxDigits {
		return tooManyDigits
	}
	return nil
}
