package adaptertest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Cuts cuts a stream at every byte, closes it with its last event and without,
// and checks that what can be read is the whole answer: all but its usage.
func Cuts(t *testing.T, s *provider.Stream, last, body string) {
	t.Helper()
	answer := func(body string) (string, error) {
		reply, err := s.Read(body)
		if err != nil {
			return "", err
		}
		reply.Delete(pyval.Str("usage"))
		return pyval.Repr(reply), nil
	}
	want, err := answer(body)
	require.NoError(t, err)
	whole := 0
	for at := range body {
		for _, rest := range []string{"", "\n\n" + last, last} {
			if got, err := answer(body[:at] + rest); err == nil {
				assert.Equal(t, want, got, "cut at %d", at)
				whole++
			}
		}
	}
	t.Logf("%d cuts: %d are whole, the others errors", 3*len(body), whole)
}
