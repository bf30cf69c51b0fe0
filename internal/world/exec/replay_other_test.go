package exec_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/world/exec"
)

// TestReplayOther: a row with the url "*" answers what no other row does, for
// any case and headers, and may appear once.
func TestReplayOther(t *testing.T) {
	var r exec.Replay
	require.NoError(t, r.Add("a", strings.NewReader(`{"url": "https://h.example/x", "status": 200, "body": "here"}
{"url": "*", "status": 404, "body": "nowhere"}
`)))
	for url, want := range map[string]string{"https://h.example/x": "here", "https://h.example/y": "nowhere"} {
		got, err := r.Do(t.Context(), exec.Request{Method: "GET", URL: url, Case: "some_case"})
		require.NoError(t, err)
		assert.Equal(t, want, got.Body, url)
	}
	err := r.Add("b", strings.NewReader(`{"url": "*", "status": 500, "body": ""}`))
	assert.EqualError(t, err, `b:1: the url "*" is already at a:2`)
}
