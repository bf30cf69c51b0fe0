package testkit

import (
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Marked converts plain JSON in the encoding of golden/handlers to the Python
// value it stands for. In it, an object with the single key $tuple, $dict,
// $float or $set is such a value.
func Marked(t testing.TB, v pyval.Value) pyval.Value {
	t.Helper()
	return converted(v, func(d *pyval.Dict) pyval.Value {
		if d.Len() != 1 {
			return nil
		}
		key, inner := d.At(0)
		return markedValue(t, pyval.Text(key), inner)
	})
}

// markedValue returns nil if the key is not one of these.
func markedValue(t testing.TB, key string, inner pyval.Value) pyval.Value {
	t.Helper()
	switch key {
	case "$tuple":
		return pyval.NewTuple(items(t, Marked(t, inner))...)
	case "$dict":
		return dictOf(t, items(t, Marked(t, inner)))
	case "$float":
		return Must(pyval.FloatFromText(pyval.Text(inner)))(t)
	case "$set":
		return setOf(t, items(t, Must(pyval.ParseJSON(strings.NewReplacer("{", "[", "}", "]").Replace(pyval.Text(inner))))(t))) // Python's text of a set of numbers
	}
	return nil
}
