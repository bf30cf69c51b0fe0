package python_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	. "github.com/gobfcl/bfcl/internal/python/pyval"
)

func TestValueLower(t *testing.T) {
	for _, c := range []struct{ s, want string }{
		{"", ""}, {"plain text 1", "plain text 1"}, {"MiXed", "mixed"}, {"ÄÖ ẞ", "äö ß"},
		{"İx", "i̇x"}, {"ΟΔΟΣ", "οδος"}, {"ΟΔΟΣ ΑΣ", "οδος ας"}, {"Σ", "σ"}, {"ΣΑΣ'Α", "σασ'α"},
		{"ΑΣ'", "ας'"}, {"Α'Σ", "α'ς"}, {"'Σ", "'σ"}, {"1Σ", "1σ"}, {"Ა", "ა"}, {"\xed\xa0\x80A", "\xed\xa0\x80a"},
		{"A\xff", "a\xff"},
	} {
		assert.Equal(t, c.want, Lower(c.s), "%q", c.s)
	}
}

func BenchmarkValueLower(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Lower("San Francisco, CA")
	}
}
