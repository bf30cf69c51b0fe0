package testkit

import (
	"encoding/hex"
	"math"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Tagged converts plain JSON in the tagged encoding of golden/README.md to the
// Python value it stands for. Sets have the order of the encoding.
func Tagged(t testing.TB, v pyval.Value) pyval.Value {
	t.Helper()
	switch v := v.(type) {
	case *pyval.List:
		return pyval.NewList(taggedAll(t, v)...)
	case *pyval.Dict:
		if tag, ok := v.GetStr("$py"); ok {
			return taggedObject(t, pyval.Text(tag), v)
		}
		d := pyval.NewDict(v.Len())
		for key, val := range v.All() {
			_ = d.Set(key, Tagged(t, val))
		}
		return d
	}
	return v
}

func taggedAll(t testing.TB, v pyval.Value) []pyval.Value {
	t.Helper()
	list, ok := v.(*pyval.List)
	if !ok {
		t.Fatalf("tagged value: list expected, got %s", pyval.Repr(v))
	}
	out := make([]pyval.Value, len(list.Items))
	for i, item := range list.Items {
		out[i] = Tagged(t, item)
	}
	return out
}

func taggedObject(t testing.TB, tag string, v *pyval.Dict) pyval.Value {
	t.Helper()
	switch tag {
	case "tuple":
		return pyval.NewTuple(taggedAll(t, Field(v, "items"))...)
	case "set", "frozenset":
		set, err := pyval.NewSet(taggedAll(t, Field(v, "items"))...)
		if err != nil {
			t.Fatal(err)
		}
		return set
	case "dict":
		d := pyval.NewDict(4)
		for _, item := range Field(v, "items").(*pyval.List).Items {
			pair := taggedAll(t, item)
			if err := d.Set(pair[0], pair[1]); err != nil {
				t.Fatal(err)
			}
		}
		return d
	case "str":
		var b []byte
		for _, c := range Field(v, "codepoints").(*pyval.List).Items {
			n, _ := c.(pyval.Int).Int64()
			b = pyval.AppendRune(b, rune(n))
		}
		return pyval.Str(b)
	case "bytes":
		b, err := hex.DecodeString(Text(v, "hex"))
		if err != nil {
			t.Fatal(err)
		}
		return pyval.Bytes(b)
	case "complex":
		return pyval.Complex(complex(taggedFloat(t, Field(v, "real")), taggedFloat(t, Field(v, "imag"))))
	case "float":
		return pyval.Float(taggedFloat(t, v))
	case "Ellipsis":
		return pyval.Ellipsis
	}
	t.Fatalf("tagged value: unknown tag %q", tag)
	return nil
}

func taggedFloat(t testing.TB, v pyval.Value) float64 {
	t.Helper()
	switch v := v.(type) {
	case pyval.Float:
		return float64(v)
	case *pyval.Dict:
		switch Text(v, "repr") {
		case "inf":
			return math.Inf(1)
		case "-inf":
			return math.Inf(-1)
		case "nan":
			return math.NaN()
		}
	}
	t.Fatalf("tagged value: float expected, got %s", pyval.Repr(v))
	return 0
}
