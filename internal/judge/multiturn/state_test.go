package multiturn

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// TestDiffering: attributes are compared by name, wherever they stand.
func TestDiffering(t *testing.T) {
	for _, c := range []struct {
		model, reference string
		want             []string
	}{
		{`{"a": 1, "b": 2}`, `{"a": 1, "b": 2}`, nil}, {`{"b": 2, "a": 1}`, `{"a": 1, "b": 2}`, nil}, {`{"b": 1, "a": 2}`, `{"a": 1, "b": 2}`, []string{"a", "b"}},
		{`{"a": 1}`, `{"a": 1, "b": 2}`, []string{"b"}}, {`{"b": 2}`, `{"a": 1, "b": 2}`, []string{"a"}}, {`{}`, `{"a": 1}`, []string{"a"}},
		{`{"a": 1, "b": 2}`, `{"a": 1.0}`, nil}, {`{"a": 1, "b": 2}`, `{"b": 3}`, []string{"b"}}, {`{}`, `{}`, nil},
	} {
		of := func(text string) *pyval.Dict {
			v, err := pyval.ParseJSON(text)
			require.NoError(t, err)
			return v.(*pyval.Dict)
		}
		assert.Equal(t, c.want, differing(of(c.model), of(c.reference)), "%s %s", c.model, c.reference)
	}
}
