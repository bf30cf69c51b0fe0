package python_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func mustParse(t testing.TB, s string) Value {
	t.Helper()
	v, err := ParseJSON(s)
	require.NoError(t, err, "%q", s)
	return v
}

func mustSet(t testing.TB, items ...Value) *Set {
	t.Helper()
	return testkit.Must(NewSet(items...))(t)
}

func TestValueRepr(t *testing.T) {
	intKeys := NewDict(1)
	require.NoError(t, intKeys.Set(MakeInt(1), Float(2)))
	for _, c := range []struct {
		v    Value
		want string
	}{
		{None, "None"}, {Bool(true), "True"}, {Bool(false), "False"}, {Ellipsis, "Ellipsis"},
		{MakeInt(-7), "-7"}, {mustParse(t, "123456789012345678901234567890"), "123456789012345678901234567890"},
		{Float(5), "5.0"}, {Float(1e16), "1e+16"}, {Float(9999999999999998), "9999999999999998.0"},
		{Float(1e-4), "0.0001"}, {Float(0.00001), "1e-05"}, {Float(math.Copysign(0, -1)), "-0.0"},
		{Float(1.5e300), "1.5e+300"}, {Float(math.Inf(-1)), "-inf"}, {Float(math.NaN()), "nan"},
		{Float(0.30000000000000004), "0.30000000000000004"}, {Float(5e-324), "5e-324"},
		{Str("it's"), `"it's"`}, {Str(`it's "x"`), `'it\'s "x"'`}, {Str("a\n\t\r\\\x00\x7f"), `'a\n\t\r\\\x00\x7f'`},
		{Str("é😀\u2009\u00a0\u00ad\ue000"), `'é😀\u2009\xa0\xad\ue000'`}, {Str("\U000e0001"), `'\U000e0001'`},
		{mustParse(t, `"\ud800x"`), `'\ud800x'`},
		{Bytes("a'\xff\n"), `b"a'\xff\n"`}, {Complex(5i), "5j"}, {Complex(1.5 - 2i), "(1.5-2j)"},
		{Complex(complex(math.Copysign(0, -1), 1)), "(-0+1j)"}, {Complex(1 + 1e20i), "(1+1e+20j)"},
		{NewList(), "[]"}, {NewTuple(), "()"}, {NewTuple(MakeInt(1)), "(1,)"}, {NewTuple(Str("a"), None), "('a', None)"},
		{mustSet(t), "set()"}, {mustSet(t, MakeInt(1), Float(1), MakeInt(2)), "{1, 2}"},
		{&Dict{}, "{}"}, {mustParse(t, `{"b": [1, 2.0], "a": {"c": null}}`), "{'b': [1, 2.0], 'a': {'c': None}}"},
		{intKeys, "{1: 2.0}"},
	} {
		assert.Equal(t, c.want, Repr(c.v))
	}
	assert.Equal(t, "x", Text(Str("x")))
	assert.Equal(t, "['x']", Text(NewList(Str("x"))))
}

func TestValueEqual(t *testing.T) {
	big, other := mustParse(t, "9007199254740993"), mustParse(t, "9007199254740992.0")
	huge := mustParse(t, "100000000000000000000")
	for _, c := range []struct {
		a, b Value
		want bool
	}{
		{MakeInt(1), Bool(true), true}, {MakeInt(1), Float(1), true}, {Bool(false), Float(0), true},
		{Complex(1), MakeInt(1), true}, {Complex(1i), MakeInt(1), false}, {Float(math.NaN()), Float(math.NaN()), false},
		{big, other, false}, {huge, Float(1e20), true}, {huge, Float(math.Inf(1)), false}, {huge, MakeInt(1), false},
		{Str("1"), MakeInt(1), false}, {Str("a"), Bytes("a"), false}, {None, Bool(false), false}, {None, None, true},
		{NewList(MakeInt(1)), NewList(Float(1)), true}, {NewList(MakeInt(1)), NewTuple(MakeInt(1)), false},
		{NewList(MakeInt(1)), NewList(), false},
		{mustParse(t, `{"a": 1, "b": 2}`), mustParse(t, `{"b": 2.0, "a": true}`), true},
		{mustParse(t, `{"a": 1}`), mustParse(t, `{"b": 1}`), false},
		{mustSet(t, MakeInt(1), Str("a")), mustSet(t, Str("a"), Float(1)), true},
		{mustSet(t, MakeInt(1)), mustSet(t, MakeInt(2)), false}, {Ellipsis, Ellipsis, true}, {Ellipsis, None, false},
	} {
		assert.Equal(t, c.want, Equal(c.a, c.b), "%s == %s", Repr(c.a), Repr(c.b))
		assert.Equal(t, c.want, Equal(c.b, c.a), "%s == %s", Repr(c.b), Repr(c.a))
	}
	assert.False(t, SameType(MakeInt(1), Bool(true)))
	assert.True(t, SameType(NewList(), NewList(None)))
}

func TestValueDict(t *testing.T) {
	var d Dict
	for i := range 40 {
		require.NoError(t, d.Set(MakeInt(int64(i)), Float(i)))
	}
	require.NoError(t, d.Set(Bool(true), Str("one")))
	require.NoError(t, d.Set(Float(1e300), Str("large")))
	require.NoError(t, d.Set(NewTuple(Str("a,b"), Str("c")), Str("t")))
	assert.Equal(t, 42, d.Len())
	v, ok := d.Get(Float(1))
	require.True(t, ok)
	assert.Equal(t, Str("one"), v)
	_, ok = d.Get(NewTuple(Str("a"), Str("b,c")))
	assert.False(t, ok)
	assert.True(t, d.Delete(MakeInt(0)))
	assert.False(t, d.Delete(MakeInt(0)))
	v, ok = d.Get(MakeInt(39))
	require.True(t, ok)
	assert.Equal(t, Float(39), v)
	assert.EqualError(t, d.Set(NewList(), None), "unhashable type: 'list'")
	assert.EqualError(t, Hashable(NewTuple(NewTuple(&Dict{}))), "unhashable type: 'dict'")
}

func TestValueDeepCopy(t *testing.T) {
	a := mustParse(t, `{"x": [1, {"y": []}]}`)
	b := DeepCopy(a)
	require.True(t, Equal(a, b))
	x, _ := b.(*Dict).GetStr("x")
	x.(*List).Items[0] = None
	assert.False(t, Equal(a, b))
}

func TestValueTruth(t *testing.T) {
	for _, v := range []Value{None, Bool(false), MakeInt(0), Float(0), Str(""), Bytes(""), Complex(0), NewList(), NewTuple(), &Dict{}, &Set{}} {
		assert.False(t, Truth(v), Repr(v))
	}
	for _, v := range []Value{Ellipsis, Bool(true), MakeInt(-1), Float(math.NaN()), Str("0"), NewList(None), NewTuple(None)} {
		assert.True(t, Truth(v), Repr(v))
	}
}

func TestValueParseJSON(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{" [1, -0, 1.0, 1e2, 1E-2, -0.0] ", "[1, 0, 1.0, 100.0, 0.01, -0.0]"},
		{`[NaN, Infinity, -Infinity, 1e999]`, "[nan, inf, -inf, inf]"},
		{`{"a": 1, "b": 2, "a": 3}`, "{'a': 3, 'b': 2}"},
		{`"\u00e9\ud83d\ude00\ud800\ud800\ude00\/\b\f\n\r\t\"\\"`, `'é😀\ud800\U00010200/\x08\x0c\n\r\t"\\'`},
		{`"\udc00\ud800A"`, `'\udc00\ud800A'`},
		{"\"\u2028\x7f\"", `'\u2028\x7f'`},
		{"123456789012345678901234567890", "123456789012345678901234567890"},
		{"[[], {}, [[]], null, true, false]", "[[], {}, [[]], None, True, False]"},
	} {
		assert.Equal(t, c.want, Repr(mustParse(t, c.src)), c.src)
	}
}

func TestValueParseJSONErrors(t *testing.T) {
	deep := strings.Repeat("[", 2_000_000)
	for _, c := range []struct{ src, want string }{
		{"", "line 1 column 1: value expected, but the text ends"},
		{"{\n \"é\": tru}", "line 2 column 7: value expected"},
		{"01", "line 1 column 2: extra data"}, {"1.", "line 1 column 2: extra data"}, {"1e+", "line 1 column 2: extra data"},
		{"-", "line 1 column 1: value expected"}, {"+1", "line 1 column 1: value expected"},
		{"[1,]", "line 1 column 4: value expected"}, {"[1 2]", "line 1 column 4: ',' or ']' expected"},
		{`{"a" 1}`, "line 1 column 6: ':' expected"}, {`{a: 1}`, "line 1 column 2: property name in double quotes expected"},
		{`{"a": 1 "b": 2}`, "line 1 column 9: ',' or '}' expected"},
		{"\"a\nb\"", "line 1 column 3: raw control character in string"}, {"\"\\n\nb\"", "line 1 column 4: raw control character in string"},
		{`"abc`, "line 1 column 1: unterminated string"}, {`"a\`, "line 1 column 3: unterminated string"}, {`"\x"`, "line 1 column 2: unknown escape in string"},
		{`"\u12g4"`, `line 1 column 2: \u needs four hexadecimal digits`}, {`"\u1`, `line 1 column 2: \u needs four hexadecimal digits`},
		{"\"\xff\"", "line 1 column 2: invalid UTF-8 in string"}, {"\"\\n\xff\"", "line 1 column 2: invalid UTF-8 in string"},
		{strings.Repeat("9", 5000), "line 1 column 1: integer of more than 4300 digits"},
		{deep, "line 1 column 991: nested too deeply"}, {strings.Repeat(`{"a":`, 2000), "line 1 column 4951: nested too deeply"},
	} {
		assert.EqualError(t, testkit.Err(ParseJSON(c.src)), c.want, "%.40q", c.src)
	}
}

func TestValueJSON(t *testing.T) {
	keys := &Dict{}
	for _, k := range []Value{None, Bool(true), MakeInt(2), Float(2.5), Str("s")} {
		require.NoError(t, keys.Set(k, MakeInt(0)))
	}
	for _, c := range []struct {
		v    Value
		f    JSONFormat
		want string
	}{
		{keys, 0, `{"null": 0, "true": 0, "2": 0, "2.5": 0, "s": 0}`},
		{NewTuple(MakeInt(1), Float(1), Float(math.Inf(1))), JSONCompact, `[1,1.0,Infinity]`},
		{Str("é😀\x7f\x01\"\\/"), 0, `"\u00e9\ud83d\ude00\u007f\u0001\"\\/"`},
		{Str("é😀\x7f\x01"), JSONUnicode, "\"é😀\x7f\\u0001\""},
		{mustParse(t, `"\ud800"`), JSONUnicode, `"\ud800"`},
		{mustParse(t, `{"a": [1, {}], "b": null}`), 0, `{"a": [1, {}], "b": null}`},
	} {
		assert.Equal(t, c.want, testkit.Must(JSON(c.v, c.f))(t))
	}
	assert.EqualError(t, testkit.Err(JSON(NewList(mustSet(t)), 0)), "Object of type set is not JSON serializable")
	bad := &Dict{}
	require.NoError(t, bad.Set(NewTuple(), None))
	_, err := JSON(bad, 0)
	assert.EqualError(t, err, "keys must be str, int, float, bool or None, not tuple")
}

// TestValueParseJSONBut: the member is checked like all else, and of several the
// last one is given, as it is written.
func TestValueParseJSONBut(t *testing.T) {
	for _, c := range []struct{ src, want, member, err string }{
		{src: `{"id": 1, "log": [{"a": "\n\ud800"}, -2.5e3, {}], "b": {"log": 2}}`, want: "{'id': 1, 'b': {'log': 2}}", member: `[{"a": "\n\ud800"}, -2500.0, {}]`},
		{src: `{"log": 1, "a": 2, "l\u006fg": "x"}`, want: "{'a': 2}", member: `"x"`},
		{src: `{"log": {"a":1, "é": "\u00e9\/", "\n": [ ], "a": -0, "b": 1.50}}`, want: "{}", member: `{"a": 0, "é": "é/", "\n": [], "b": 1.5}`},
		{src: `{"log": [0.1, 0.05, 0.00001, 1.0, 10.50, 0.0, -0.0, -1.25, 123456789012345.6, 0.12345678901234566, 1.0e5, 1E-7]}`, want: "{}", member: `[0.1, 0.05, 1e-05, 1.0, 10.5, 0.0, -0.0, -1.25, 123456789012345.6, 0.12345678901234566, 100000.0, 1e-07]`},
		{src: `[{"log": 1}]`, want: "[{'log': 1}]"},
		{src: `{"log": [1, 2}`, err: "line 1 column 14: ',' or ']' expected"},
		{src: `{"log": {"a": "\x"}}`, err: "line 1 column 16: unknown escape in string"},
		{src: "{\"log\": \"\\n\xff\"}", err: "line 1 column 10: invalid UTF-8 in string"},
		{src: `{"log": ` + strings.Repeat("9", 5000) + `}`, err: "line 1 column 9: integer of more than 4300 digits"},
	} {
		v, member, err := ParseJSONBut(c.src, "log")
		if c.err != "" {
			assert.EqualError(t, err, c.err, "%.40q", c.src)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want, Repr(v))
		assert.Equal(t, c.member, member)
	}
}

// TestValueLines: an object of the late member is what it is elsewhere, whatever
// is asked of it first; one that comes again is one value.
func TestValueLines(t *testing.T) {
	l := Lines{Late: "f"}
	read := func(s string) *Dict {
		return testkit.Must(l.ParseJSON(s))(t).(*Dict)
	}
	doc := `{"name": "a", "d": "` + strings.Repeat("long ", 20) + `", "x": {"y": [1, 2.5]}}`
	first := read(`{"id": 1, "f": [` + doc + `], "g": 1}`).List("f")[0]
	assert.Same(t, first, read(`{"id": 2, "f": [{"name": "b"}, ` + doc + `]}`).List("f")[1])
	assert.NotSame(t, first, read(`{"id": 3, "f": [` + strings.Replace(doc, "1", "2", 1) + `]}`).List("f")[0])
	for _, text := range []string{
		`{}`, `{"name": "é", "x": {"y": [1, 2.5]}}`, `{"x": {"name": "b"}, "name": "a"}`, `{"name": 1, "a": {}}`, `{"name": "a", "name": "b"}`,
		`{"name":"a"}`, `{"name": "\u0061"}`, `{"name": "\n"}`, `{"name": "a", "x": 1.50}`, `{"n\u0061me": "a"}`, `{ "name": "a"}`,
	} {
		for what, ask := range map[string]func(*Dict) any{
			"repr":   func(d *Dict) any { return Repr(d) },
			"json":   func(d *Dict) any { s, err := JSON(d, JSONUnicode); return fmt.Sprint(s, err) },
			"ascii":  func(d *Dict) any { s, err := JSON(d, 0); return fmt.Sprint(s, err) },
			"name":   func(d *Dict) any { v, ok := d.GetStr("name"); return fmt.Sprint(v, ok) },
			"has":    func(d *Dict) any { return fmt.Sprint(d.Has("name"), d.Has("x"), d.Len(), d.Keys()) },
			"get":    func(d *Dict) any { v, ok := d.Get(Str("name")); return fmt.Sprint(v, ok) },
			"near":   func(d *Dict) any { v, ok := d.GetStrNear("name", 0); return fmt.Sprint(v, ok) },
			"equal":  func(d *Dict) any { return Equal(d, mustParse(t, text)) && Equal(mustParse(t, text), d) },
			"weight": func(d *Dict) any { return Weight(d, 1000) },
			"clone":  func(d *Dict) any { c := d.Clone(); c.SetStr("name", None); return Repr(c) + Repr(d) },
			"changed": func(d *Dict) any {
				c := DeepCopy(d).(*Dict)
				c.Delete(Str("name"))
				c.Add(Str("z"), None)
				s, _ := JSON(c, JSONUnicode)
				return s
			},
			"set": func(d *Dict) any { d.SetStr("name", None); s, _ := JSON(d, JSONUnicode); return s },
		} {
			l := Lines{Late: "f"}
			v := testkit.Must(l.ParseJSON(`{"f": [` + text + `], "f": [` + text + `]}`))(t)
			late := v.(*Dict).List("f")[0].(*Dict)
			var each sync.WaitGroup
			if what != "set" {
				each.Go(func() { ask(late) })
			}
			assert.Equal(t, ask(mustParse(t, text).(*Dict)), ask(late), "%s of %s", what, text)
			each.Wait()
		}
	}
	list, _ := read(`{"f": [` + doc + `, 2], "id": 1}`).GetStr("f")
	again, _ := read(`{"id": 2, "f": [` + doc + `, 2]}`).GetStr("f")
	assert.Same(t, list, again)
	longer, _ := read(`{"f": [` + doc + `, 23], "id": 1}`).GetStr("f")
	assert.Equal(t, Repr(mustParse(t, "["+doc+", 23]")), Repr(longer))
	for _, broken := range []string{`{"f": [{"a": 1}`, `{"f": [{"a" 1}]}`, `{"f": [{"a": 1}, {"a": 01}]}`} {
		for range 2 {
			_, err := l.ParseJSON(broken)
			_, want := ParseJSON(broken)
			assert.Equal(t, want, err)
		}
	}
}

func FuzzValueParseJSON(f *testing.F) {
	for _, s := range []string{`{"a": [1, 2.5, "x\u00e9", null, true]}`, `{"a": [{"a": "b", "c": [1.5]}, {"a": 1}, {"a":2}]}`, `"\ud800"`, "[NaN]", "1e999", "[[[[", "{\"a\":1,\"a\":2}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseJSON(s)
		late, lateErr := (&Lines{Late: "a"}).ParseJSON(s)
		require.Equal(t, err, lateErr)
		but, member, butErr := ParseJSONBut(s, "a")
		require.Equal(t, err, butErr)
		if err != nil {
			return
		}
		if d, ok := v.(*Dict); ok {
			rest := d.Clone()
			rest.Delete(Str("a"))
			require.Equal(t, Repr(rest), Repr(but))
			if a, ok := d.GetStr("a"); ok {
				want := testkit.Must(JSON(a, JSONUnicode))(t)
				require.Equal(t, want, member)
			}
		}
		for _, format := range []JSONFormat{JSONUnicode, 0, JSONCompact} {
			text := testkit.Must(JSON(v, format))(t)
			require.Equal(t, text, testkit.Must(JSON(late, format))(t))
			again := mustParse(t, text)
			if diff := cmp.Diff(Repr(v), Repr(again)); diff != "" {
				t.Fatalf("a round trip through JSON changed the value:\n%s", diff)
			}
		}
	})
}

func TestValueATypeName(t *testing.T) {
	for want, v := range map[string]Value{
		"an int": MakeInt(1), "a float": Float(1), "a str": Str("x"), "an ellipsis": Ellipsis, "a NoneType": None,
	} {
		assert.Equal(t, want, ATypeName(v))
	}
}
