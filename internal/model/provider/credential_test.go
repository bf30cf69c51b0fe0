//go:build !windows

package provider

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// counted is a command that prints prefix-1, prefix-2 and so on.
func counted(t *testing.T, prefix string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "n")
	return fmt.Sprintf(`echo x >>%s; echo %s-$(wc -l <%s | tr -d " ")`, file, prefix, file)
}

func token(exp time.Time) string {
	claims := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"exp": %d}`, exp.Unix()))
	return "eyJhbGciOiJub25lIn0." + claims + ".c2ln"
}

func TestBadCommands(t *testing.T) {
	for _, c := range []struct{ command, want string }{
		{"echo secret-output; echo login first >&2; exit 3", `it failed with exit status 3: "login first"`},
		{"exit 1", "it failed with exit status 1"},
		{"no-such-program-at-all", "exit status 127"},
		{"printf 'secret-output\nsecond\n'", "it printed 2 lines"},
		{"true", "it printed nothing"},
		{"echo", "it printed nothing"},
		{"echo 'secret-output with blanks'", "blanks or control characters"},
		{`printf 'secret-output\001'`, "blanks or control characters"},
		{"yes secret-output | head -c 100000", "more than 65536 bytes"},
		{"sleep 60", "no key within 200ms"},
		{"sleep 60 & sleep 60", "no key within 200ms"},
	} {
		s := NewKeys(c.command)
		s.patience = 200 * time.Millisecond
		if !strings.Contains(c.want, "200ms") {
			s.patience = 20 * time.Second
		}
		_, err := s.Key(t.Context())
		require.ErrorContains(t, err, c.want, c.command)
		assert.NotContains(t, strings.ReplaceAll(err.Error(), c.command, ""), "printed: secret-output")
		assert.Empty(t, s.Seen())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, testkit.Err(NewKeys("sleep 60").Key(ctx)), context.Canceled)
}

// TestExpiry: a token is got anew a minute before it expires; a key that says
// nothing is kept.
func TestExpiry(t *testing.T) {
	now := time.Now()
	s := NewKeys("echo " + token(now.Add(time.Hour)))
	s.now = func() time.Time { return now }
	first := testkit.Must(s.Key(t.Context()))(t)
	s.command = "echo " + token(now.Add(2*time.Hour))
	again := testkit.Must(s.Key(t.Context()))(t)
	assert.Equal(t, first, again)
	now = now.Add(time.Hour - 30*time.Second)
	later := testkit.Must(s.Key(t.Context()))(t)
	assert.NotEqual(t, first, later)
	assert.Equal(t, []string{first, later}, s.Seen())

	for _, key := range []string{"plain", "eyJ.x.y", "eyJ.!!.y", "eyJ." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp": 1e300}`)) + ".y", "eyJ." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp": "x"}`)) + ".y"} {
		assert.True(t, expiry(key).IsZero(), key)
	}
	kept := NewKeys(counted(t, "key"))
	for range 3 {
		key := testkit.Must(kept.Key(t.Context()))(t)
		assert.Equal(t, "key-1", key)
	}
}

// TestPrinted: printing a source shows the command and no key.
func TestPrinted(t *testing.T) {
	s := NewKeys(`printf planted-%s secret`)
	testkit.Must(s.Key(t.Context()))(t)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s", s, s, s, s), "planted-secret")
}

// TestCarry: a refused key is replaced once for all requests that it was
// refused to, wherever it stands in their headers.
func TestCarry(t *testing.T) {
	var refused, bodies atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if string(body) == "question" {
			bodies.Add(1)
		}
		if r.Header.Get("Authorization") != "Bearer key-2" || r.Header.Get("X-Api-Key") != "key-2" {
			refused.Add(1)
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer server.Close()
	s := NewKeys(counted(t, "key"))
	first := testkit.Must(s.Key(t.Context()))(t)
	client := &http.Client{Transport: s.Carry(first, http.DefaultTransport)}
	ask := func() int {
		req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("question")))(t)
		req.Header.Set("Authorization", "Bearer "+first)
		req.Header.Set("X-Api-Key", first)
		resp, err := client.Do(req)
		if !assert.NoError(t, err) {
			return 0
		}
		assert.NoError(t, resp.Body.Close())
		assert.Equal(t, "Bearer "+first, req.Header.Get("Authorization"), "the request itself must not change")
		return resp.StatusCode
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { assert.Equal(t, http.StatusOK, ask()) })
	}
	all.Wait()
	assert.Equal(t, []string{"key-1", "key-2"}, s.Seen(), "one renewal for all")
	before := refused.Load()
	assert.Equal(t, http.StatusOK, ask())
	assert.Equal(t, before, refused.Load())
	assert.Equal(t, refused.Load()+9, bodies.Load(), "the body went with each attempt")
}

// TestCarryRefused: a key that stays refused is refused; a command that fails
// meanwhile says so in the place of the server.
func TestCarryRefused(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, "no")
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "stop")
	for _, c := range []struct{ command, want string }{
		{"echo key", "no"},
		{counted(t, "key"), "no"},
		{"test -e " + file + " && { echo gone >&2; exit 4; }; touch " + file + "; echo key", `it failed with exit status 4: \"gone\"`},
	} {
		s := NewKeys(c.command)
		first := testkit.Must(s.Key(t.Context()))(t)
		req := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil))(t)
		resp := testkit.Must(s.Carry(first, http.DefaultTransport).RoundTrip(req))(t) //nolint:bodyclose // it is closed below
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, errors.Join(err, resp.Body.Close()))
		assert.Equal(t, http.StatusUnauthorized, resp.StatusCode)
		assert.Contains(t, strings.ReplaceAll(string(body), `\\`, `\`), c.want)
	}
	testkit.Must(os.Stat(file))(t)
}
