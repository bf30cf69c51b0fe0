package judge

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestSameText compares the comparison without allocations with the one that
// standardizes both strings.
func TestSameText(t *testing.T) {
	parts := []string{
		"a", "A", "é", "É", "ß", "ẞ", "Σ", "σ", "ς", "İ", "i\u0307", "I", "\u212a", "k", "'", `"`, " ", ".", "-", "\x00", "日", "😀",
		"\xed\xa0\x80", "\xff", "\ufffd", "Ω", "\u2126", "\u0301", "ǅ", "ǆ",
	}
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		return b.String()
	}
	same := 0
	for range 200_000 {
		a, b := text(), text()
		want := standardize(a) == standardize(b)
		if want && a != b {
			same++
		}
		if sameText(a, b) != want {
			assert.Fail(t, "another verdict", "%q and %q: %t wanted", a, b, want)
		}
	}
	assert.Greater(t, same, 1000)
}

// TestSameTextOfNoText: bytes that are no characters are not those of the same
// number.
func TestSameTextOfNoText(t *testing.T) {
	for _, c := range []struct{ a, b string }{{"\x80", "ÿ"}, {"\x00", "þ"}, {"\x00", "ÿ"}, {"\x80", "\x00"}, {"\x00", "\u212a"}, {"\x01", ""}} {
		assert.False(t, sameText(c.a, c.b), "%q %q", c.a, c.b)
		assert.False(t, sameText(c.b, c.a), "%q %q", c.a, c.b)
		assert.True(t, sameText(c.a+"-A", c.a+"a"), "%q", c.a)
	}
	assert.False(t, sameText("aΣ'b", `aΣ"b`), "only before the second mark does a word end")
	assert.True(t, sameText("aΣ'b", "AΣ'-B"))
}

// TestNearest: rows are expected calls, columns those made; x is another function.
func TestNearest(t *testing.T) {
	for _, c := range []struct {
		rows []string
		want []int
	}{
		{nil, []int{}},
		{[]string{"0"}, []int{0}},
		{[]string{"x"}, []int{-1}},
		{[]string{"10", "01"}, []int{1, 0}},
		{[]string{"12", "02"}, []int{1, 0}},
		{[]string{"1", "0"}, []int{-1, 0}},
		{[]string{"11", "11"}, []int{0, 1}},
		{[]string{"x2", "x1"}, []int{-1, 1}},
	} {
		made := 0
		if len(c.rows) > 0 {
			made = len(c.rows[0])
		}
		got := Nearest(len(c.rows), made, func(want, made int) (int, bool) {
			at := c.rows[want][made]
			return int(at - '0'), at != 'x'
		})
		assert.Equal(t, c.want, got, "%q", c.rows)
	}
}

// TestItem compares v[key] with Python's, for the values that documents and
// possible answers contain.
func TestItem(t *testing.T) {
	for _, c := range []struct{ v, key, want string }{
		{"['a', 'b', 'c']", "0", "'a'"}, {"['a', 'b', 'c']", "-1", "'c'"}, {"['a', 'b', 'c']", "True", "'b'"},
		{"['a', 'b', 'c']", "False", "'a'"}, {"['a']", "1", ""}, {"['a']", "-2", ""}, {"['a']", "'a'", ""},
		{"['a']", "99999999999999999999", ""}, {"(1, 2)", "1", "2"}, {"'hé'", "1", "'é'"}, {"''", "0", ""},
		{"{'a': 1, 2: 3}", "'a'", "1"}, {"{'a': 1, 2: 3}", "2.0", "3"}, {"{'a': 1}", "'b'", ""}, {"5", "0", ""}, {"None", "0", ""},
	} {
		v, err := pycall.Literal(c.v)
		require.NoError(t, err)
		key, err := pycall.Literal(c.key)
		require.NoError(t, err)
		got, err := item(v, key)
		if c.want == "" {
			assert.Error(t, err, "%s[%s]", c.v, c.key)
			continue
		}
		require.NoError(t, err, "%s[%s]", c.v, c.key)
		assert.Equal(t, c.want, pyval.Repr(got), "%s[%s]", c.v, c.key)
	}
}

// TestContains compares x in v, len(v) and the loop over v with Python's.
func TestContains(t *testing.T) {
	value := func(text string) pyval.Value {
		v, err := pycall.Literal(text)
		require.NoError(t, err)
		return v
	}
	for _, c := range []struct{ x, v, want string }{
		{"'a'", "{'a': 1}", "True"}, {"'b'", "{'a': 1}", "False"}, {"[1]", "{'a': 1}", "raises"},
		{"'b'", "'abc'", "True"}, {"'d'", "'abc'", "False"}, {"''", "'abc'", "True"}, {"1", "'abc'", "raises"},
		{"1", "[2, 1]", "True"}, {"1.0", "[2, 1]", "True"}, {"3", "[2, 1]", "False"}, {"[1]", "[[1]]", "True"},
		{"1", "(2, 1)", "True"}, {"3", "(2, 1)", "False"}, {"1", "5", "raises"}, {"1", "None", "raises"},
	} {
		got, err := contains(value(c.v), value(c.x))
		if c.want == "raises" {
			assert.Error(t, err, "%s in %s", c.x, c.v)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, c.want == "True", got, "%s in %s", c.x, c.v)
	}
	for _, c := range []struct{ v, items, walked string }{
		{"[1, 2]", "[1, 2]", "[1, 2]"}, {"(1, 2)", "[1, 2]", "[1, 2]"}, {"'hé'", "['h', 'é']", "['h', 'é']"}, {"''", "[]", "[]"},
		{"{}", "[]", "[]"}, {"{'a': 1}", "", "['a']"}, {"5", "", ""}, {"None", "", ""},
	} {
		items, err := sequence(value(c.v))
		assert.Equal(t, c.items == "", err != nil, c.v)
		if err == nil {
			assert.Equal(t, c.items, pyval.Repr(pyval.NewList(items...)))
			n, err := length(value(c.v))
			require.NoError(t, err)
			assert.Len(t, items, n)
		}
		walked, err := iterate(value(c.v))
		assert.Equal(t, c.walked == "", err != nil, c.v)
		if err == nil {
			assert.Equal(t, c.walked, pyval.Repr(pyval.NewList(walked...)))
		}
	}
	n, err := length(value("{'a': 1}"))
	require.NoError(t, err)
	assert.Equal(t, 1, n)
}
