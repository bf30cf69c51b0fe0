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
