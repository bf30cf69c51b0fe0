package python_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestValueWeight: what is shared counts wherever it stands, and counting ends in
// time.
func TestValueWeight(t *testing.T) {
	const plenty = 1 << 40
	text := pyval.Value(pyval.Str("0123456789"))
	assert.Equal(t, 10, pyval.Weight(text, plenty))
	assert.Equal(t, 100, pyval.Weight(power(2, 800), plenty))
	assert.Zero(t, pyval.Weight(pyval.Float(1.5), plenty))
	assert.Equal(t, 2*(16+10), pyval.Weight(pyval.NewTuple(text, text), plenty))
	dict := pyval.NewDict(1)
	dict.SetStr("abc", pyval.NewList(text))
	assert.Equal(t, 32+3+16+10, pyval.Weight(dict, plenty))
	set, err := pyval.NewSet(text)
	assert.NoError(t, err)
	assert.Equal(t, 32+10, pyval.Weight(set, plenty))

	shared := text
	for range 20 {
		shared = pyval.NewList(shared, shared, shared, shared, shared, shared, shared, shared, shared, shared)
	}
	assert.Greater(t, pyval.Weight(shared, 1<<20), 1<<20, "10^20 texts")
}

func TestValueSequences(t *testing.T) {
	n := func(i int64) pyval.Value { return pyval.MakeInt(i) }
	s := func(x string) pyval.Value { return pyval.Str(x) }
	list, tuple := pyval.NewList(n(1), n(2)), pyval.NewTuple(n(1), n(2))
	dict := pyval.NewDict(1)
	dict.SetStr("k", n(5))
	set, err := pyval.NewSet(n(1), s("x"))
	assert.NoError(t, err)
	shown := func(v pyval.Value, err error) string {
		if err != nil {
			return err.Error()
		}
		return pyval.Repr(v)
	}
	for _, test := range []struct {
		v, key pyval.Value
		want   string
	}{
		{dict, s("k"), "5"}, {dict, s("x"), "KeyError: 'x'"}, {dict, list, "TypeError: unhashable type: 'list'"},
		{list, n(-1), "2"}, {list, pyval.Bool(true), "2"}, {list, n(2), "IndexError: list index out of range"},
		{tuple, n(-3), "IndexError: tuple index out of range"}, {tuple, s("0"), "TypeError: tuple indices must be integers or slices, not str"},
		{list, pyval.Float(0), "TypeError: list indices must be integers or slices, not float"},
		{list, power(10, 30), "IndexError: cannot fit 'int' into an index-sized integer"},
		{s("aé😀"), n(2), "'😀'"}, {s("aé😀"), n(-2), "'é'"}, {s(""), n(0), "IndexError: string index out of range"},
		{s("a"), s("a"), "TypeError: string indices must be integers, not 'str'"},
		{pyval.Bytes("ab"), n(-1), "98"}, {pyval.Bytes("ab"), n(2), "IndexError: index out of range"},
		{pyval.Bytes("ab"), pyval.None, "TypeError: byte indices must be integers or slices, not NoneType"},
		{set, n(0), "TypeError: 'set' object is not subscriptable"},
	} {
		assert.Equal(t, test.want, shown(pyval.Subscript(test.v, test.key)), "%s[%s]", pyval.Repr(test.v), pyval.Repr(test.key))
	}
	for _, test := range []struct {
		item pyval.Value
		op   string
		v    pyval.Value
		want string
	}{
		{n(1), "in", list, "True"}, {n(3), "not in", tuple, "True"}, {s("k"), "in", dict, "True"}, {list, "in", dict, "TypeError: unhashable type: 'list'"},
		{pyval.Float(1), "in", set, "True"}, {dict, "not in", set, "TypeError: unhashable type: 'dict'"},
		{s("b"), "in", s("abc"), "True"}, {n(1), "in", s("1"), "TypeError: 'in <string>' requires string as left operand, not int"},
		{pyval.Bytes("b"), "in", pyval.Bytes("abc"), "True"}, {n(98), "in", pyval.Bytes("abc"), "True"}, {n(1), "in", pyval.Bytes("abc"), "False"},
		{n(1), "in", n(1), "TypeError: argument of type 'int' is not iterable"},
		{n(1), "is", pyval.Float(1), "False"}, {pyval.None, "is", pyval.None, "True"}, {n(1), "is not", pyval.Bool(true), "True"},
		{n(1), "<=", n(1), "True"},
	} {
		holds, err := pyval.Compare(test.op, test.item, test.v)
		assert.Equal(t, test.want, shown(pyval.Bool(holds), err), "%s %s %s", pyval.Repr(test.item), test.op, pyval.Repr(test.v))
	}
	for _, test := range []struct {
		v             pyval.Value
		items, length string
	}{
		{s("aé"), "['a', 'é']", "2"}, {pyval.Bytes("ab"), "[97, 98]", "2"}, {dict, "['k']", "1"}, {set, "[1, 'x']", "2"}, {tuple, "[1, 2]", "2"},
		{pyval.Float(1), "TypeError: 'float' object is not iterable", "TypeError: object of type 'float' has no len()"},
	} {
		items, err := pyval.Iterate(test.v)
		assert.Equal(t, test.items, shown(pyval.NewList(items...), err))
		length, err := pyval.Length(test.v)
		assert.Equal(t, test.length, shown(pyval.MakeInt(int64(length)), err))
	}
}

func TestValueUnaryAndContainers(t *testing.T) {
	set := func(items ...int64) pyval.Value {
		s := &pyval.Set{}
		for _, i := range items {
			assert.NoError(t, s.Add(pyval.MakeInt(i)))
		}
		return s
	}
	dict := func(key string, v int64) pyval.Value {
		d := pyval.NewDict(1)
		d.SetStr(key, pyval.MakeInt(v))
		return d
	}
	for _, test := range []struct {
		a    pyval.Value
		op   string
		b    pyval.Value
		want string
	}{
		{set(1, 2), "|", set(2, 3), "{1, 2, 3}"}, {set(1, 2), "&", set(2, 3), "{2}"}, {set(1, 2), "-", set(2, 3), "{1}"}, {set(1, 2), "^", set(2, 3), "{1, 3}"},
		{set(1), "+", set(2), "TypeError: unsupported operand type(s) for +: 'set' and 'set'"},
		{set(1), "|", dict("a", 1), "TypeError: unsupported operand type(s) for |: 'set' and 'dict'"},
		{dict("a", 1), "|", dict("a", 2), "{'a': 2}"}, {dict("a", 1), "|", dict("b", 2), "{'a': 1, 'b': 2}"},
		{dict("a", 1), "&", dict("b", 2), "TypeError: unsupported operand type(s) for &: 'dict' and 'dict'"},
		{nil, "-", pyval.MakeInt(-1 << 63), "9223372036854775808"}, {nil, "-", power(2, 63), "-9223372036854775808"},
		{nil, "-", pyval.Bool(true), "-1"}, {nil, "+", pyval.Bool(true), "1"}, {nil, "~", pyval.Bool(false), "-1"}, {nil, "~", power(2, 64), "-18446744073709551617"},
		{nil, "-", pyval.Float(0), "-0.0"}, {nil, "+", pyval.Float(2.5), "2.5"}, {nil, "~", pyval.Float(1), "TypeError: bad operand type for unary ~: 'float'"},
		{nil, "-", pyval.Complex(1 + 2i), "(-1-2j)"}, {nil, "+", pyval.Complex(2i), "2j"}, {nil, "~", pyval.Complex(2i), "TypeError: bad operand type for unary ~: 'complex'"},
		{nil, "-", pyval.Str("a"), "TypeError: bad operand type for unary -: 'str'"},
	} {
		var v pyval.Value
		var err error
		if test.a == nil {
			v, err = pyval.Unary(test.op, test.b)
		} else {
			v, err = pyval.Operate(test.op, test.a, test.b)
		}
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = pyval.Repr(v)
		}
		assert.Equal(t, test.want, got, "%s %s", test.op, pyval.Repr(test.b))
	}
}
