package python_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestValueLower(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"", ""}, {"plain text 1", "plain text 1"}, {"MiXed", "mixed"}, {"ÄÖ ẞ", "äö ß"},
		{"İx", "i̇x"}, {"ΟΔΟΣ", "οδος"}, {"ΟΔΟΣ ΑΣ", "οδος ας"}, {"Σ", "σ"}, {"ΣΑΣ'Α", "σασ'α"},
		{"ΑΣ'", "ας'"}, {"Α'Σ", "α'ς"}, {"'Σ", "'σ"}, {"1Σ", "1σ"}, {"Ა", "ა"}, {"\xed\xa0\x80A", "\xed\xa0\x80a"},
		{"A\xff", "a\xff"},
	} {
		assert.Equal(t, c.want, pyval.Lower(c.s), "%q", c.s)
	}
}

// TestValuePlainASCII: JSON texts are written and read eight plain characters at a
// time; the result is the same as for one at a time.
func TestValuePlainASCII(t *testing.T) {
	quoted := func(s string) string {
		text := string(pyval.AppendJSONString(nil, s, 0))
		return text[1 : len(text)-1]
	}
	for _, filler := range []string{"a", " ", "~", "!", "[", "]", "#"} {
		for c := range rune(0x180) {
			for at := range 20 {
				before, after := strings.Repeat(filler, at), strings.Repeat(filler, 9)
				want := strings.Repeat(quoted(filler), at) + quoted(string(c)) + strings.Repeat(quoted(filler), 9)
				require.Equal(t, want, quoted(before+string(c)+after), "%q", c)
				require.Equal(t, pyval.Str(before+string(c)+after), testkit.Must(pyval.ParseJSON(`"`+want+`"`))(t))
			}
		}
	}
}

func TestValueTemplate(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""}, {"plain", "plain"}, {"{a}", "1{b}"}, {"{b}{a}{b}", "21{b}2"},
		{"{{{a}}}", "{1{b}}"}, {"x{{}}y", "x{}y"}, {"<{a}> é", "<1{b}> é"},
	} {
		tmpl, err := pyval.ParseTemplate(c.src, "a", "b")
		require.NoError(t, err, c.src)
		assert.Equal(t, c.want, tmpl.Fill("1{b}", "2"), c.src)
	}
	for _, c := range []struct{ src, want string }{
		{"{", "single '{'"}, {"}", "single '}'"}, {"{a", "single '{'"}, {"a}b", "single '}'"},
		{"{c}", "unknown field {c}"}, {"{}", "unknown field {}"}, {"{a!r}", "unknown field {a!r}"}, {"{a:>9}", "unknown field"},
	} {
		testkit.Fails(pyval.ParseTemplate(c.src, "a", "b"))(t, c.want, c.src)
	}
}

func TestValueTemplateMissingValue(t *testing.T) {
	tmpl := testkit.Must(pyval.ParseTemplate("{a}-{b}", "a", "b"))(t)
	assert.Equal(t, "1-", tmpl.Fill("1"))
}

func FuzzValueTemplate(f *testing.F) {
	for _, seed := range []string{"", "{a}", "{{x}} {a}", "}{", "{a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tmpl, err := pyval.ParseTemplate(src, "a")
		if err != nil {
			return
		}
		got := tmpl.Fill("{a}")
		if !strings.ContainsAny(src, "{}") {
			assert.Equal(t, src, got)
		}
		again := testkit.Must(pyval.ParseTemplate(strings.NewReplacer("{", "{{", "}", "}}").Replace(src)))(t)
		assert.Equal(t, src, again.Fill())
	})
}

func TestValueJSONIndent(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"5.0", "5.0"}, {"[]", "[]"}, {"{}", "{}"}, {`"é"`, `"\u00e9"`},
		{`[1,[],{}]`, "[\n  1,\n  [],\n  {}\n]"},
		{`{"a":{"b":[null]},"c":true}`, "{\n  \"a\": {\n    \"b\": [\n      null\n    ]\n  },\n  \"c\": true\n}"},
	} {
		assert.Equal(t, c.want, testkit.Must(pyval.JSONIndent(mustParse(t, c.src), 2))(t))
	}
	odd := pyval.NewDict(3)
	require.NoError(t, odd.Set(pyval.None, pyval.NewTuple(pyval.MakeInt(1))))
	require.NoError(t, odd.Set(pyval.Bool(true), pyval.Float(2)))
	assert.Equal(t, "{\n \"null\": [\n  1\n ],\n \"true\": 2.0\n}", testkit.Must(pyval.JSONIndent(odd, 1))(t))
	require.NoError(t, odd.Set(pyval.Bytes("x"), pyval.None))
	assert.EqualError(t, testkit.Err(pyval.JSONIndent(odd, 1)), "keys must be str, int, float, bool or None, not bytes")
	assert.EqualError(t, testkit.Err(pyval.JSONIndent(pyval.NewList(mustSet(t, pyval.None)), 1)), "Object of type set is not JSON serializable")
}
