package sim

import "github.com/gobfcl/bfcl/internal/python/pyval"

// First returns the elements of Python's items[:k].
func First[T any](items []T, k pyval.Value) ([]T, error) {
	if k == pyval.None {
		return items, nil
	}
	n, ok := pyval.IntOf(k)
	if !ok {
		return nil, Raise("TypeError", "slice indices must be integers or None or have an __index__ method")
	}
	at, small := n.Int64()
	switch size := int64(len(items)); {
	case n.Sign() < 0 && (!small || -at >= size):
		return nil, nil
	case n.Sign() < 0:
		return items[:size+at], nil
	case small && at < size:
		return items[:at], nil
	}
	return items, nil
}
