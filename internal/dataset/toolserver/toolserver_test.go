package toolserver_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/dataset/toolserver"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	_ "github.com/gobfcl/bfcl/internal/test/testkit" // the suite's flags
)

const examples = "github.com/modelcontextprotocol/go-sdk/examples/server/"

// built is one of the SDK's example servers.
func built(t *testing.T, name string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", file, examples+name).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return file
}

func names(l *toolserver.Listing) (out []string) {
	for _, item := range l.Tools.Items {
		name, _ := item.(*pyval.Dict).GetStr("name")
		out = append(out, pyval.Text(name))
	}
	return out
}

// TestExamples imports two of the SDK's own servers, one over its standard input
// and output, one over HTTP too: both ways give the same tools.
func TestExamples(t *testing.T) {
	t.Parallel()
	l, err := toolserver.Command(t.Context(), []string{built(t, "hello")}, toolserver.Limits{})
	require.NoError(t, err)
	assert.Equal(t, "greeter", l.Server)
	assert.Equal(t, `[{'description': 'say hi', 'inputSchema': {'type': 'object', 'properties': {'name': {'type': 'string', 'description': 'the person to greet'}}, 'required': ['name'], 'additionalProperties': False}, 'name': 'greet'}]`, pyval.Repr(l.Tools))

	program := built(t, "sequentialthinking")
	plain, err := toolserver.Command(t.Context(), []string{program}, toolserver.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []string{"continue_thinking", "review_thinking", "start_thinking"}, names(plain))
	overHTTP := served(t, program)
	assert.Equal(t, pyval.Repr(plain.Tools), pyval.Repr(overHTTP.Tools))
}

// served asks the program over HTTP. Another process may take the port that was
// free, so it is tried with others.
func served(t *testing.T, program string) *toolserver.Listing {
	t.Helper()
	for range 5 {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		address := free.Addr().String()
		require.NoError(t, free.Close())
		cmd := exec.Command(program, "-http", address)
		require.NoError(t, cmd.Start())
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		listing := func() *toolserver.Listing {
			for {
				if l, err := toolserver.URL(t.Context(), "http://"+address, nil, toolserver.Limits{}); err == nil {
					return l
				}
				select {
				case <-ended:
					return nil
				case <-time.After(50 * time.Millisecond):
				}
			}
		}()
		_ = cmd.Process.Kill()
		<-ended
		if listing != nil {
			return listing
		}
	}
	t.Fatal("no port could be had")
	return nil
}

// TestOrder: keys keep the server's order, pages follow each other, and headers
// reach the server.
func TestOrder(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
	for i := range 5 {
		server.AddTool(&mcp.Tool{Name: fmt.Sprint("t", i), InputSchema: map[string]any{"type": "object"}}, nil)
	}
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	seen := make(chan string, 100)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("Authorization")
		inner.ServeHTTP(w, r)
	}))
	defer ts.Close()
	l, err := toolserver.URL(t.Context(), ts.URL, http.Header{"Authorization": {"Bearer x"}}, toolserver.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []string{"t0", "t1", "t2", "t3", "t4"}, names(l))
	assert.Equal(t, "Bearer x", <-seen)
	_, err = toolserver.URL(t.Context(), ts.URL, nil, toolserver.Limits{Tools: 3})
	require.ErrorContains(t, err, "more than 3 tools")

	old := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer old.Close()
	l, err = toolserver.URL(t.Context(), old.URL, nil, toolserver.Limits{})
	require.NoError(t, err, "a server of the older kind")
	assert.Len(t, l.Tools.Items, 5)
}

// TestHostile: servers that hang, die, babble or send megabytes end in an error
// with its cause, and leave no process.
func TestHostile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	child := filepath.Join(t.TempDir(), "child")
	for _, c := range []struct{ name, script, want string }{
		{"hang", "sleep 1000 & echo $! > " + child + "; sleep 1000", "did not answer in time"},
		{"die", "echo no license >&2; exit 3", `exit code 3, and said last: "no license"`},
		{"babble", "echo hello; sleep 1000", ""},
		{"megabytes", `printf '{"jsonrpc": "'; while :; do printf '%01000d' 0; done`, "said more than 1 MB"},
		{"other protocol", `read line; echo '{"jsonrpc": "2.0", "id": 1, "result": {"tools": 7}}'; sleep 1000`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := toolserver.Command(t.Context(), []string{"sh", "-c", c.script}, toolserver.Limits{Timeout: 2 * time.Second, Bytes: 1 << 20})
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
		})
	}
	text, err := os.ReadFile(child)
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return gone(pid) }, time.Minute, 10*time.Millisecond, "what the program started is ended with it")

	_, err = toolserver.Command(t.Context(), []string{filepath.Join(t.TempDir(), "none")}, toolserver.Limits{})
	require.ErrorContains(t, err, "cannot be started")
	_, err = toolserver.Command(t.Context(), nil, toolserver.Limits{})
	require.ErrorContains(t, err, "no program")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = toolserver.Command(ctx, []string{"sleep", "1000"}, toolserver.Limits{})
	require.ErrorIs(t, err, context.Canceled)
}

// gone reports whether a process is no more, or but waits to be reaped.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// TestHostileAddresses: the same over HTTP.
func TestHostileAddresses(t *testing.T) {
	t.Parallel()
	released := make(chan struct{})
	zeros := strings.Repeat("0", 1<<16)
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"not found": {http.NotFound, "no MCP server answers there"},
		"megabytes": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for range 64 {
				if _, err := w.Write([]byte(zeros)); err != nil {
					return
				}
			}
		}, "more than 1 MB"},
		"hang": {func(http.ResponseWriter, *http.Request) { <-released }, "in time"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, "redirects elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			ts := httptest.NewServer(c.answer)
			_, err := toolserver.URL(t.Context(), ts.URL, nil, toolserver.Limits{Timeout: 2 * time.Second, Bytes: 1 << 20})
			assert.ErrorContains(t, err, c.want)
			if name == "hang" {
				close(released)
			}
			ts.Close()
		})
	}
	_, err := toolserver.URL(t.Context(), "ftp://x", nil, toolserver.Limits{})
	require.ErrorContains(t, err, "must begin with http")
}
