package pyval

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPlainASCII: eight bytes at once are judged as each of them alone.
func TestPlainASCII(t *testing.T) {
	odd := func(c byte) bool { return c < ' ' || c >= 0x7f || c == '"' || c == '\\' }
	for _, filler := range []string{"a", " ", "~", "!", "[", "]", "#"} {
		for c := range 256 {
			for at := range 20 {
				s := strings.Repeat(filler, at) + string([]byte{byte(c)}) + strings.Repeat(filler, 9)
				want := len(s)
				if odd(byte(c)) {
					want = at
				}
				require.Equal(t, want, plainASCII(s), "%q", s)
			}
		}
	}
}
