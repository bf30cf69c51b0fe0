package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
