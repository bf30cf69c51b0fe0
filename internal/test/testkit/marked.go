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
		f, err := pyval.FloatFromText(pyval.Text(inner))
		if err != nil {
			t.Fatal(err)
		}
		return f
	case "$set":
		return markedSet(t, pyval.Text(inner))
	}
	return nil
}

// markedSet parses Python's text of a set of numbers.
func markedSet(t testing.TB, text string) pyval.Value {
	t.Helper()
	v, err := pyval.ParseJSON(strings.NewReplacer("{", "[", "}", "]").Replace(text))
	if err != nil {
		t.Fatalf("marked set: %s: %v", text, err)
	}
	return setOf(t, items(t, v))
}
