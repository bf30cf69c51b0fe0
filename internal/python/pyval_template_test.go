package python_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	. "github.com/gobfcl/bfcl/internal/python/pyval"
)

func TestValueTemplate(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", ""}, {"plain", "plain"}, {"{a}", "1{b}"}, {"{b}{a}{b}", "21{b}2"},
		{"{{{a}}}", "{1{b}}"}, {"x{{}}y", "x{}y"}, {"<{a}> é", "<1{b}> é"},
	} {
		tmpl, err := ParseTemplate(c.src, "a", "b")
		require.NoError(t, err, c.src)
		assert.Equal(t, c.want, tmpl.Fill("1{b}", "2"), c.src)
	}
	for _, c := range []struct{ src, want string }{
		{"{", "single '{'"}, {"}", "single '}'"}, {"{a", "single '{'"}, {"a}b", "single '}'"},
		{"{c}", "unknown field {c}"}, {"{}", "unknown field {}"}, {"{a!r}", "unknown field {a!r}"}, {"{a:>9}", "unknown field"},
	} {
		_, err := ParseTemplate(c.src, "a", "b")
		assert.ErrorContains(t, err, c.want, c.src)
	}
}

func TestValueTemplateMissingValue(t *testing.T) {
	tmpl, err := ParseTemplate("{a}-{b}", "a", "b")
	require.NoError(t, err)
	assert.Equal(t, "1-", tmpl.Fill("1"))
}

func FuzzValueTemplate(f *testing.F) {
	for _, seed := range []string{"", "{a}", "{{x}} {a}", "}{", "{a"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		tmpl, err := ParseTemplate(src, "a")
		if err != nil {
			return
		}
		got := tmpl.Fill("{a}")
		if !strings.ContainsAny(src, "{}") {
			assert.Equal(t, src, got)
		}
		again, err := ParseTemplate(strings.NewReplacer("{", "{{", "}", "}}").Replace(src))
		require.NoError(t, err)
		assert.Equal(t, src, again.Fill())
	})
}

func TestValueJSONIndent(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"5.0", "5.0"}, {"[]", "[]"}, {"{}", "{}"}, {`"é"`, `"\u00e9"`},
		{`[1,[],{}]`, "[\n  1,\n  [],\n  {}\n]"},
		{`{"a":{"b":[null]},"c":true}`, "{\n  \"a\": {\n    \"b\": [\n      null\n    ]\n  },\n  \"c\": true\n}"},
	} {
		got, err := JSONIndent(mustParse(t, c.src), 2)
		require.NoError(t, err)
		assert.Equal(t, c.want, got)
	}
	odd := NewDict(3)
	require.NoError(t, odd.Set(None, NewTuple(MakeInt(1))))
	require.NoError(t, odd.Set(Bool(true), Float(2)))
	got, err := JSONIndent(odd, 1)
	require.NoError(t, err)
	assert.Equal(t, "{\n \"null\": [\n  1\n ],\n \"true\": 2.0\n}", got)
	require.NoError(t, odd.Set(Bytes("x"), None))
	_, err = JSONIndent(odd, 1)
	assert.EqualError(t, err, "keys must be str, int, float, bool or None, not bytes")
	_, err = JSONIndent(NewList(mustSet(t, None)), 1)
	assert.EqualError(t, err, "Object of type set is not JSON serializable")
}
