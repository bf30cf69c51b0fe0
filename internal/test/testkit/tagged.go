package testkit

import (
	"encoding/hex"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/stretchr/testify/require"
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
		return v.Map(func(item pyval.Value) pyval.Value { return converted(item, object) })
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
		require.NoError(t, d.Set(pair[0], pair[1]))
	}
	return d
}

func setOf(t testing.TB, elements []pyval.Value) pyval.Value {
	t.Helper()
	return Must(pyval.NewSet(elements...))(t)
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
		return pyval.Bytes(Must(hex.DecodeString(Text(v, "hex")))(t))
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
		return float64(Must(pyval.FloatFromText(Text(v, "repr")))(t)) // inf, -inf or nan
	}
	t.Fatalf("tagged value: float expected, got %s", pyval.Repr(v))
	return 0
}
