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
	switch v := v.(type) {
	case *pyval.List:
		return pyval.NewList(markedAll(t, v)...)
	case *pyval.Dict:
		if v.Len() == 1 {
			key, inner := v.At(0)
			if out := markedValue(t, pyval.Text(key), inner); out != nil {
				return out
			}
		}
		d := pyval.NewDict(v.Len())
		for key, val := range v.All() {
			_ = d.Set(key, Marked(t, val)) // keys of JSON are hashable
		}
		return d
	}
	return v
}

func markedAll(t testing.TB, v pyval.Value) []pyval.Value {
	t.Helper()
	list, ok := v.(*pyval.List)
	if !ok {
		t.Fatalf("marked value: list expected, got %s", pyval.Repr(v))
	}
	out := make([]pyval.Value, len(list.Items))
	for i, item := range list.Items {
		out[i] = Marked(t, item)
	}
	return out
}

// markedValue returns nil if the key is not one of these.
func markedValue(t testing.TB, key string, inner pyval.Value) pyval.Value {
	t.Helper()
	switch key {
	case "$tuple":
		return pyval.NewTuple(markedAll(t, inner)...)
	case "$dict":
		d := pyval.NewDict(4)
		for _, pair := range markedAll(t, inner) {
			items := pair.(*pyval.List).Items
			if err := d.Set(items[0], items[1]); err != nil {
				t.Fatal(err)
			}
		}
		return d
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
	list, ok := v.(*pyval.List)
	if err != nil || !ok {
		t.Fatalf("marked set: %s: %v", text, err)
	}
	set, err := pyval.NewSet(list.Items...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}
