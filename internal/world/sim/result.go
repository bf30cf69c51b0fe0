package sim

import (
	"math"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxDigits is how many decimal digits CPython converts between int and str.
const maxDigits = 4300

// maxNesting is about where CPython 3.11 gives up on nested values.
const maxNesting = 960

// Recursion is what Python raises for nesting or recursion without end.
var Recursion = Raise("RecursionError", "maximum recursion depth exceeded")

// Shown is a result that only exists as text, upstream's dicts with a Decimal
// or an mpf in them: a value that stands in for it, and Python's repr.
type Shown struct {
	pyval.Value
	Text string
}

// ResultText returns the text that upstream's execute_multi_turn_func_call
// makes of a method's result: a str as it is, a dict as JSON if possible,
// anything else as str(). It raises what str() raises.
func ResultText(v pyval.Value) string {
	if shown, ok := v.(Shown); ok {
		return shown.Text
	}
	if d, ok := v.(*pyval.Dict); ok {
		printable(v, 0)
		if text, err := pyval.JSON(d, 0); err == nil {
			return text
		}
	}
	return str(v)
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

// printable raises for what Python cannot turn into text.
func printable(v pyval.Value, depth int) {
	if depth > maxNesting {
		panic(Recursion)
	}
	switch v := v.(type) {
	case pyval.Int:
		printableInt(v)
	case *pyval.List:
		printableAll(v.Items, depth+1)
	case *pyval.Tuple:
		printableAll(v.Items, depth+1)
	case *pyval.Dict:
		for key, val := range v.All() {
			printable(key, depth+1)
			printable(val, depth+1)
		}
	case *pyval.Set:
		for item := range v.All() {
			printable(item, depth+1)
		}
	}
}

func printableAll(items []pyval.Value, depth int) {
	for _, item := range items {
		printable(item, depth)
	}
}

// printableInt refuses ints of more than 4300 digits.
func printableInt(n pyval.Int) {
	if _, small := n.Int64(); small {
		return
	}
	size := n.Big()
	digits := int(float64(size.BitLen()) * math.Log10(2))
	if digits < maxDigits-1 || digits <= maxDigits+1 && len(size.Abs(size).String()) <= maxDigits {
		return
	}
	panic(Raise("ValueError", "Exceeds the limit (4300 digits) for integer string conversion; "+
		"use sys.set_int_max_str_digits() to increase the limit"))
}
