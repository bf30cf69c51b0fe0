package python_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	. "github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestValueParseFloat holds the short way of reading floats against strconv's.
func TestValueParseFloat(t *testing.T) {
	texts := []string{
		"0.0", "-0.0", ".5", "1.", "-1.", "0.1", "0.3", "2.675", "1e5", "1.5E-3", "1e400", "-1e400", "4.9e-324",
		"999999999999999.", ".999999999999999", "9007199254740993.0", "0.1234567890123456789", "123456.789012345",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		digits := fmt.Sprint(r.Int64N(int64(math.Pow10(1 + r.IntN(18)))))
		at := r.IntN(len(digits) + 1)
		texts = append(texts, digits[:at]+"."+digits[at:], "-"+digits[:at]+"."+digits[at:])
	}
	for _, text := range texts {
		want, _ := strconv.ParseFloat(text, 64)
		got := float64(ParseFloat(text))
		if math.Float64bits(want) != math.Float64bits(got) {
			assert.Fail(t, "another float", "%s: %v, not %v", text, got, want)
		}
	}
}

func TestValuePosition(t *testing.T) {
	d := mustParse(t, `{"a": 1, "b": 2, "c": 3}`).(*Dict)
	for at := range 5 {
		v, ok := d.GetNear(Str("b"), at)
		assert.True(t, ok)
		assert.Equal(t, MakeInt(2), v)
		v, ok = d.GetStrNear("c", at)
		assert.True(t, ok)
		assert.Equal(t, MakeInt(3), v)
		_, ok = d.GetNear(NewList(), at)
		assert.False(t, ok)
		_, ok = d.GetStrNear("d", at)
		assert.False(t, ok)
	}
	assert.Equal(t, "{'x': [1]}", Repr(Pair(Str("x"), NewList(MakeInt(1)))))
	assert.Equal(t, "{'a': 4, 'b': 2}", Repr(mustParse(t, `{"a": 1, "b": 2, "a": 3, "a": 4}`)))
}
