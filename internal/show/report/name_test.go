package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestShortNames: runs are told apart by what differs, and by nothing else.
func TestShortNames(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ names, want []string }{
		{[]string{"m"}, []string{"m"}},
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{"m (x/v0.10.2)", "m (x/v0.11.0)"}, []string{"v0.10.2", "v0.11.0"}},
		{[]string{"m (/s/v1/result)", "m (/s/v2/result)"}, []string{"v1", "v2"}},
		{[]string{"m (a/b)", "m (b)"}, []string{"a/b", "b"}},
		{[]string{"m (a)", "n (a)"}, []string{"m", "n"}},
		{[]string{"m (a)", "m (b)", "n"}, []string{"m (a)", "m (b)", "n"}},
		{[]string{"m (a)", "m (a)"}, []string{"m (a)", "m (a)"}},
		{[]string{"m ()", "m (b)"}, []string{"m ()", "m (b)"}},
		{nil, []string{}},
	} {
		assert.Equal(t, row.want, shortNames(row.names))
	}
}
