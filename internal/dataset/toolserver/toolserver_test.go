package toolserver_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/gobfcl/bfcl/internal/dataset/toolserver"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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
	l := testkit.Must(toolserver.Command(t.Context(), []string{built(t, "hello")}, toolserver.Limits{}))(t)
	assert.Equal(t, "greeter", l.Server)
	assert.Equal(t, `[{'description': 'say hi', 'inputSchema': {'type': 'object', 'properties': {'name': {'type': 'string', 'description': 'the person to greet'}}, 'required': ['name'], 'additionalProperties': False}, 'name': 'greet'}]`, pyval.Repr(l.Tools))

	program := built(t, "sequentialthinking")
	plain := testkit.Must(toolserver.Command(t.Context(), []string{program}, toolserver.Limits{}))(t)
	assert.Equal(t, []string{"continue_thinking", "review_thinking", "start_thinking"}, names(plain))
	overHTTP := served(t, program)
	assert.Equal(t, pyval.Repr(plain.Tools), pyval.Repr(overHTTP.Tools))
}

// served asks the program over HTTP. Another process may take the port that was
// free, so it is tried with others.
func served(t *testing.T, program string) *toolserver.Listing {
	t.Helper()
	for range 5 {
		free := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
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
	l := testkit.Must(toolserver.URL(t.Context(), ts.URL, http.Header{"Authorization": {"Bearer x"}}, toolserver.Limits{}))(t)
	assert.Equal(t, []string{"t0", "t1", "t2", "t3", "t4"}, names(l))
	assert.Equal(t, "Bearer x", <-seen)
	testkit.Fails(toolserver.URL(t.Context(), ts.URL, nil, toolserver.Limits{Tools: 3}))(t, "more than 3 tools")

	old := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer old.Close()
	testkit.Fails(toolserver.URL(t.Context(), old.URL, nil, toolserver.Limits{}))(t, "no MCP server at this address that speaks streamable HTTP")
}

// An endable context ends when the test says so, in time or not: what is slow on
// a loaded machine does not matter.
type endable struct {
	context.Context
	done chan struct{}
	err  error
}

func ending(t *testing.T) *endable {
	return &endable{Context: t.Context(), done: make(chan struct{})}
}

func (e *endable) end(err error) {
	e.err = err
	close(e.done)
}

func (e *endable) Done() <-chan struct{} { return e.done }

func (e *endable) Err() error {
	select {
	case <-e.done:
		return e.err
	default:
		return nil
	}
}

// TestHostileAddresses: the same over HTTP.
func TestHostileAddresses(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 1<<16)
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"not found": {http.NotFound, "no MCP server at this address"},
		"megabytes": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for range 64 {
				if _, err := w.Write([]byte(zeros)); err != nil {
					return
				}
			}
		}, "more than 1 MB"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}, "redirects to another host"},
		"redirect loop": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
		}, "redirects more than 5 times"},
	} {
		t.Run(name, func(t *testing.T) {
			ts := httptest.NewServer(c.answer)
			defer ts.Close()
			assert.ErrorContains(t, testkit.Err(toolserver.URL(t.Context(), ts.URL, nil, toolserver.Limits{Timeout: time.Hour, Bytes: 1 << 20})), c.want)
		})
	}
	testkit.Fails(toolserver.URL(t.Context(), "ftp://x", nil, toolserver.Limits{}))(t, "must begin with http")
}

// TestHangingAddress: a server that does not answer, or not to the end, is left
// when its time is over or the user interrupts.
func TestHangingAddress(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{false, true} {
		for ends, want := range map[error]string{context.DeadlineExceeded: "did not answer in time", context.Canceled: context.Canceled.Error()} {
			t.Run(fmt.Sprint(begun, ends), func(t *testing.T) {
				ctx := ending(t)
				released := make(chan struct{})
				reached := sync.OnceFunc(func() { ctx.end(ends) })
				ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					if begun {
						w.Header().Set("Content-Type", "text/event-stream")
						_, _ = w.Write([]byte("data: {"))
						_ = http.NewResponseController(w).Flush()
					}
					reached()
					<-released
				}))
				defer ts.Close()
				defer close(released)
				testkit.Fails(toolserver.URL(ctx, ts.URL, nil, toolserver.Limits{Timeout: time.Hour}))(t, want)
			})
		}
	}
}
