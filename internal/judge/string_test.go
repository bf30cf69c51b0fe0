package judge

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
