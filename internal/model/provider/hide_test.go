package provider

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHidesAlike: of two secrets that overlap in a text the same goes first each
// time.
func TestHidesAlike(t *testing.T) {
	c := &Config{Headers: http.Header{"X-Key": {"abcdefghijklmnop"}, "X-Token": {"ijklmnopqrstuvwx"}}}
	for range 50 {
		require.Equal(t, hidden+"qrstuvwx", newHider(c, &url.URL{}).hide("abcdefghijklmnopqrstuvwx"))
	}
}
