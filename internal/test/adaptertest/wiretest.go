package adaptertest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Seen is a request as the server saw it.
type Seen struct {
	// URL is the address, with the host that the adapter asked for.
	URL    string
	Header http.Header
	Body   string
}

// Serve starts a server and returns a transport that reaches it for any host.
// reply writes the answer to each request. close closes both; so does the end
// of the test.
func Serve(t testing.TB, o transport.Options, reply func(w http.ResponseWriter, seen Seen)) (carrier *transport.Transport, close func()) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client has gone
		}
		reply(w, Seen{URL: "http://" + r.Host + r.URL.String(), Header: r.Header, Body: string(body)})
	}))
	base := &http.Transport{
		MaxIdleConnsPerHost: 64,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		},
	}
	o.Base = base
	if o.MaxTries == 0 {
		o.MaxTries = 1
	}
	o.RetryWait = time.Millisecond
	close = func() {
		base.CloseIdleConnections()
		server.Close()
	}
	t.Cleanup(close)
	return transport.New(o), close
}

// Write answers with a status and a JSON body.
func Write(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body) // the client may have gone
}

// Wording returns the texts of the starter dataset's tool schemas.
func Wording(t testing.TB) *tool.Wording {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for !exists(filepath.Join(dir, "go.mod")) {
		require.NotEqual(t, dir, filepath.Dir(dir), "the tests run outside the module")
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, "fixtures", "starter", "prompts.json"))
	require.NoError(t, err)
	w, err := tool.Load(data)
	require.NoError(t, err)
	return w
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// Doc parses a function document.
func Doc(t testing.TB, text string) *pyval.Dict {
	t.Helper()
	v, err := pyval.ParseJSON(text)
	require.NoError(t, err)
	require.IsType(t, (*pyval.Dict)(nil), v)
	return v.(*pyval.Dict)
}

// FindSecret fails the test if a secret occurs in a text or, with any verb of
// fmt, in an error's chain.
func FindSecret(t testing.TB, secret string, texts []string, err error) {
	t.Helper()
	for ; err != nil; err = errors.Unwrap(err) {
		texts = append(texts, Print(err)...)
	}
	for _, text := range texts {
		if strings.Contains(text, secret) {
			t.Errorf("the secret is in %.300q", text)
		}
	}
}
