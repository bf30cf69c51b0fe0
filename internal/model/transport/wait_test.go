package transport

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWaitOfSeveral: of several servers the one that asks for most is named with
// what it asks for.
func TestWaitOfSeveral(t *testing.T) {
	tr := New(Options{})
	for i, host := range []string{"a", "b", "c", "d", "e"} {
		c := &call{req: &http.Request{URL: &url.URL{Host: host}}}
		defer tr.waits.begin(c, Wait{Until: time.Now().Add(time.Second), Asked: time.Duration(i%4) * time.Minute})()
	}
	for range 100 {
		got := tr.Wait()
		require.Equal(t, []any{"d", 5, 3 * time.Minute}, []any{got.Server, got.Requests, got.Asked})
	}
}

// TestWaitIsKnown: while a request waits as long as the server asked, or as long
// as it gets of that, this can be seen from outside.
func TestWaitIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		tr := New(Options{Base: &clocked{reply: func(n int) *http.Response {
			status, header := http.StatusOK, http.Header{}
			if n == 1 {
				status = http.StatusTooManyRequests
				header.Set("Retry-After", "3600")
			}
			return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("{}"))}
		}}})
		assert.Zero(t, tr.Wait())
		done := make(chan error, 1)
		go func() {
			req, err := http.NewRequest(http.MethodGet, "http://slow.example:8000/v1", nil)
			if err == nil {
				_, err = tr.RoundTrip(req) //nolint:bodyclose // it is text
			}
			done <- err
		}()
		time.Sleep(time.Second)
		got := tr.Wait()
		assert.Equal(t, []any{"slow.example:8000", 1, time.Hour}, []any{got.Server, got.Requests, got.Asked})
		assert.Greater(t, got.Until.Sub(begin), cappedWait)
		assert.Less(t, got.Until.Sub(begin), 2*cappedWait)
		require.NoError(t, <-done)
		assert.Zero(t, tr.Wait())
	})
}
