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
	return converted(v, func(d *pyval.Dict) pyval.Value {
		if tag, ok := d.GetStr("$py"); ok {
			return taggedObject(t, pyval.Text(tag), d)
		}
		return nil
	})
}

// converted converts plain JSON, in which object returns what an object stands
// for; nil for a dict.
func converted(v pyval.Value, object func(*pyval.Dict) pyval.Value) pyval.Value {
	switch v := v.(type) {
	case *pyval.List:
		out := make([]pyval.Value, len(v.Items))
		for i, item := range v.Items {
			out[i] = converted(item, object)
		}
		return pyval.NewList(out...)
	case *pyval.Dict:
		if out := object(v); out != nil {
			return out
		}
		d := pyval.NewDict(v.Len())
		for key, val := range v.All() {
			_ = d.Set(key, converted(val, object)) // keys of JSON are hashable
		}
		return d
	}
	return v
}

func items(t testing.TB, v pyval.Value) []pyval.Value {
	t.Helper()
	list, ok := v.(*pyval.List)
	if !ok {
		t.Fatalf("encoded value: list expected, got %s", pyval.Repr(v))
	}
	return list.Items
}

func dictOf(t testing.TB, pairs []pyval.Value) pyval.Value {
	t.Helper()
	d := pyval.NewDict(len(pairs))
	for _, item := range pairs {
		pair := items(t, item)
		if err := d.Set(pair[0], pair[1]); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func setOf(t testing.TB, elements []pyval.Value) pyval.Value {
	t.Helper()
	set, err := pyval.NewSet(elements...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func taggedObject(t testing.TB, tag string, v *pyval.Dict) pyval.Value {
	t.Helper()
	switch tag {
	case "tuple":
		return pyval.NewTuple(items(t, Tagged(t, Field(v, "items")))...)
	case "set", "frozenset":
		return setOf(t, items(t, Tagged(t, Field(v, "items"))))
	case "dict":
		return dictOf(t, items(t, Tagged(t, Field(v, "items"))))
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
