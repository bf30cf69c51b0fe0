package sim_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/stretchr/testify/require"
)

// decode converts an encoded recorded state to the values that Instance.State
// returns. Directories and files become dicts as in package filesystem.
func decode(t testing.TB, v pyval.Value) pyval.Value {
	t.Helper()
	switch v := v.(type) {
	case *pyval.List:
		return pyval.NewList(decodeAll(t, v)...)
	case *pyval.Dict:
		if v.Len() == 1 {
			key, val := v.At(0)
			if tag, ok := key.(pyval.Str); ok && strings.HasPrefix(string(tag), "$") {
				return decodeTagged(t, string(tag), val)
			}
		}
		d := pyval.NewDict(v.Len())
		for key, val := range v.All() {
			_ = d.Set(key, decode(t, val))
		}
		return d
	}
	return v
}

func decodeAll(t testing.TB, v pyval.Value) []pyval.Value {
	t.Helper()
	list := v.(*pyval.List)
	out := make([]pyval.Value, len(list.Items))
	for i, item := range list.Items {
		out[i] = decode(t, item)
	}
	return out
}

func decodeTagged(t testing.TB, tag string, v pyval.Value) pyval.Value {
	t.Helper()
	switch tag {
	case "$float":
		return pyval.Float(testkit.Must(strconv.ParseFloat(pyval.Text(v), 64))(t))
	case "$int":
		n, _ := pyval.ParseInt(pyval.Text(v), 10)
		return n
	case "$tuple":
		return pyval.NewTuple(decodeAll(t, v)...)
	case "$set":
		return testkit.Must(pyval.NewSet(decodeAll(t, v)...))(t)
	case "$dict":
		return decodePairs(t, v)
	case "$file":
		return labelled("file", "name", part(v, "name"), "content", decode(t, part(v, "content")))
	case "$dir":
		return labelled("directory", "name", part(v, "name"), "contents", decodePairs(t, part(v, "contents")))
	case "$cycle":
		return labelled("cycle", "levels", v, "equals", pyval.Float(math.NaN()))
	case "$repr":
		return v
	}
	t.Fatalf("state: unknown tag %q", tag)
	return nil
}

func part(v pyval.Value, name string) pyval.Value {
	out, _ := v.(*pyval.Dict).GetStr(name)
	return out
}

func decodePairs(t testing.TB, v pyval.Value) pyval.Value {
	t.Helper()
	d := pyval.NewDict(4)
	for _, item := range v.(*pyval.List).Items {
		pair := decodeAll(t, item)
		require.NoError(t, d.Set(pair[0], pair[1]))
	}
	return d
}

func labelled(kind string, pairs ...any) *pyval.Dict {
	d := pyval.NewDict(3)
	d.SetStr("type", pyval.Str(kind))
	for i := 0; i < len(pairs); i += 2 {
		d.SetStr(pairs[i].(string), pairs[i+1].(pyval.Value))
	}
	return d
}

// canon returns a text that is the same for equal states: Python's repr, with
// sets sorted. Unlike the state check, it distinguishes types and the order of
// dicts.
func canon(v pyval.Value) string {
	switch v := v.(type) {
	case *pyval.List:
		return "[" + canonAll(v.Items) + "]"
	case *pyval.Tuple:
		return "(" + canonAll(v.Items) + ")"
	case *pyval.Set:
		var items []string
		for item := range v.All() {
			items = append(items, canon(item))
		}
		slices.Sort(items)
		return "{" + strings.Join(items, ", ") + "}"
	case *pyval.Dict:
		items := make([]string, 0, v.Len())
		for key, val := range v.All() {
			items = append(items, canon(key)+": "+canon(val))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return pyval.Repr(v)
}

func canonAll(items []pyval.Value) string {
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = canon(item)
	}
	return strings.Join(out, ", ")
}
