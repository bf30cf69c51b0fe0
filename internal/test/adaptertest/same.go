package adaptertest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Finish holds what is said about the end of an answer, by the provider's reason in
// reply's %q, and the kind of the error where the server gave up.
func Finish[R interface{ Ended() (bool, string) }](t *testing.T, parse func(*pyval.Dict) (R, error), reply string, said, failed map[string]string) {
	t.Helper()
	for reason, want := range said {
		r, err := parse(Doc(t, fmt.Sprintf(reply, reason)))
		require.NoError(t, err, reason)
		_, got := r.Ended()
		assert.Equal(t, want, got, reason)
	}
	for reason, kind := range failed {
		_, err := parse(Doc(t, fmt.Sprintf(reply, reason)))
		assert.Equal(t, kind, eval.InfraKind(err), reason)
	}
}

// Keys holds that a key is taken from the last of the variables, that one and a
// model must be named, and that the adapter's name has no key.
func (p Provider) Keys(t *testing.T, model, named, name string, variables ...string) {
	t.Helper()
	for _, variable := range variables {
		t.Setenv(variable, "")
	}
	_, err := p.Open(provider.Config{Model: model})
	assert.ErrorContains(t, err, named)
	_, err = p.Open(provider.Config{Key: "k"})
	assert.ErrorContains(t, err, "no model")
	t.Setenv(variables[len(variables)-1], Secret)
	a, err := p.Open(provider.Config{Model: model})
	require.NoError(t, err)
	FindSecret(t, Secret, Print(a), nil)
	assert.Equal(t, name, fmt.Sprint(a))
}
