package transport

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A counted connection counts what is written to it.
type counted struct {
	net.Conn
	writes *atomic.Int64
}

func (c counted) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// TestOneWrite sends bodies of each kind: header and body leave in one write,
// where they fit.
func TestOneWrite(t *testing.T) {
	var writes atomic.Int64
	o := quick()
	o.Base = &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return counted{conn, &writes}, err
	}}
	var got string
	tr, url := start(t, o, func(w http.ResponseWriter, r *http.Request, _ int) {
		body, _ := io.ReadAll(r.Body)
		got = string(body)
		_, _ = io.WriteString(w, okReply)
	})
	want := `{"a":"` + strings.Repeat("x", 1000) + `"}`
	for _, body := range []io.Reader{strings.NewReader(want), NewPayload([]byte(want)), io.MultiReader(strings.NewReader(want))} {
		for range 2 { // the second time with a body of unknown kind
			if seeker, ok := body.(io.Seeker); ok {
				_, _ = seeker.Seek(0, io.SeekStart)
			} else {
				body = bytes.NewBufferString(want)
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
			require.NoError(t, err)
			writes.Store(0)
			resp, err := tr.RoundTrip(req)
			require.NoError(t, err)
			text, err := ReadAll(resp.Body)
			require.NoError(t, err)
			assert.Equal(t, okReply, string(text))
			assert.Equal(t, want, got)
			assert.EqualValues(t, 1, writes.Load(), "%T", body)
		}
	}
}

func TestReadAll(t *testing.T) {
	p := NewPayload([]byte("abcd"))
	start := make([]byte, 1)
	_, err := p.Read(start)
	require.NoError(t, err)
	for _, want := range []string{"bcd", ""} {
		rest, err := ReadAll(p)
		require.NoError(t, err)
		assert.Equal(t, want, string(rest))
	}
	other, err := ReadAll(strings.NewReader("xyz"))
	require.NoError(t, err)
	assert.Equal(t, "xyz", string(other))
}
