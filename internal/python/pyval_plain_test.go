package python_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
				back, err := pyval.ParseJSON(`"` + want + `"`)
				require.NoError(t, err)
				require.Equal(t, pyval.Str(before+string(c)+after), back)
			}
		}
	}
}
