package sim

import "github.com/gobfcl/bfcl/internal/python/pyval"

// Scaled is Times in Python's own words where a sequence meets a factor that is
// not an int.
func Scaled(v, factor pyval.Value) (pyval.Value, error) {
	out, err := Times(v, factor)
	if !IsClass(err, "TypeError") {
		return out, err
	}
	switch v.Kind() {
	case pyval.KindStr, pyval.KindBytes, pyval.KindList, pyval.KindTuple:
		return nil, Raise("TypeError", "can't multiply sequence by non-int of type '"+pyval.TypeName(factor)+"'")
	}
	return nil, err
}
