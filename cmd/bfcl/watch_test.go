package main

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A said is what a command has said so far.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestRunWatch: the page of `bfcl run -watch` is there from the beginning, and
// an open page is told of the report before the command ends.
func TestRunWatch(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, err said
	code := make(chan int, 1)
	go func() {
		code <- Main([]string{"run", "-watch", "-model=heuristic", "-categories=multiple,parallel", "-run-dir=r"}, strings.NewReader(""), &out, &err)
	}()
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+/[A-Z0-9]+/`)
	require.Eventually(t, func() bool { return address.MatchString(err.String()) }, 30*time.Second, time.Millisecond)
	url := address.FindString(err.String())

	events, failed := http.Get(url + "events")
	require.NoError(t, failed)
	told, failed := io.ReadAll(events.Body)
	require.NoError(t, failed)
	require.NoError(t, events.Body.Close())
	assert.True(t, strings.HasSuffix(string(told), "event: ended\ndata: {}\n\n"), "%s", told)
	assert.Equal(t, exitOK, <-code, err.String())
	assert.Contains(t, out.String(), "Overall of what ran")
}

func TestWatchMisuse(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"report --watch nowhere", "there is no run folder at nowhere"},
		{"report --watch . .", "follows one run, got 2"},
		{"report --watch --markdown .", "were all set"},
	} {
		var out, err said
		assert.Equal(t, exitMisuse, Main(strings.Fields(c.args), strings.NewReader(""), &out, &err), c.args)
		assert.Contains(t, err.String(), c.want)
	}
}
