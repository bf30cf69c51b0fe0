package sim

import "github.com/gobfcl/bfcl/internal/python/pyval"

// Scaled is Times with Python's own error if a sequence is multiplied by
// something other than an int.
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
