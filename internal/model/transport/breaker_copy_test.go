package transport

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTripKeepsACopy: the request that tripped the breaker goes on to change its
// own error, which others read at the same time.
func TestTripKeepsACopy(t *testing.T) {
	t.Parallel()
	b := &breaker{opened: make(chan struct{})}
	e := &Error{Message: "the key is refused", Fatal: true}
	b.trip(e)
	e.Message = "changed"
	assert.Equal(t, "the key is refused", b.err().Message)
}
