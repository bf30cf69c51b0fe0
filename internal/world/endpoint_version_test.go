package world_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
	"github.com/gobfcl/bfcl/internal/world/endpoint/mcptools"
)

// sessionless is the first version of the protocol without a handshake.
const sessionless = "2026-07-28"

// TestEndpointVersions: a client of any version lists tools, calls them and hears of
// new ones, over HTTP and over a bridge.
func TestEndpointVersions(t *testing.T) {
	for _, version := range mcp.SupportedProtocolVersions() {
		for _, bridged := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, bridged %v", version, bridged), func(t *testing.T) {
				e := open(t, listen(t), calculator(t), endpoint.Limits{})
				require.NoError(t, e.Show([]endpoint.Tool{newTool("subtract", `{}`), newTool("add", `{}`)}))
				changed := make(chan struct{}, 8)
				client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
					ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
				})
				var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: e.URL(), HTTPClient: &http.Client{Transport: authorized{e}}}
				if bridged {
					transport = bridge(t, e)
				}
				s := testkit.Must(client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version}))(t)
				defer func() { _ = s.Close() }()
				assert.Equal(t, version, s.InitializeResult().ProtocolVersion)
				list := testkit.Must(s.ListTools(t.Context(), nil))(t)
				assert.Equal(t, "private", list.CacheScope, "the protocol wants a scope, and nobody else has these tools")
				assert.Zero(t, list.TTLMs, "the next turn may have more tools")
				require.Len(t, list.Tools, 2)
				assert.Equal(t, "subtract", list.Tools[0].Name)
				e.Begin()
				text, failed := call(t, s, "add", `{"b": 2.0, "a": 1}`)
				assert.Equal(t, `{"result": 3.0}`, text)
				assert.False(t, failed)
				text, failed = call(t, s, "launch", `{}`)
				assert.Contains(t, text, "'launch' is not defined")
				assert.True(t, failed)
				calls := e.End()
				require.Len(t, calls, 2)
				assert.JSONEq(t, `{"b": 2.0, "a": 1}`, calls[0].Arguments)
				assert.True(t, calls[1].Unknown)
				assert.Equal(t, 1, e.Clients())
				require.NoError(t, e.Show([]endpoint.Tool{newTool("cosine", `{}`)}))
				select {
				case <-changed:
				case <-time.After(30 * time.Second):
					t.Fatal("nobody was told of the new tool")
				}
				list = testkit.Must(s.ListTools(t.Context(), nil))(t)
				assert.Len(t, list.Tools, 3)
			})
		}
	}
	_, other := mcp.NewInMemoryTransports()
	e := open(t, listen(t), calculator(t), endpoint.Limits{})
	assert.ErrorContains(t, mcptools.Bridge(t.Context(), e.URL(), "wrong", other), "cannot be reached")
}

// bridge runs a bridge to an endpoint until the test is over, and is the
// client's end of it.
func bridge(t *testing.T, e *endpoint.Endpoint) mcp.Transport {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- mcptools.Bridge(ctx, e.URL(), tokenOf(e), there) }()
	t.Cleanup(func() {
		stop()
		assert.NoError(t, <-ended)
	})
	return here
}

// post sends a message as a client of a version does, and gives the first that
// comes back.
func post(t *testing.T, e *endpoint.Endpoint, version, body string) (status int, answer map[string]any) {
	t.Helper()
	r := testkit.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, e.URL(), strings.NewReader(body)))(t)
	r.Header.Set(e.Header())
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
		var named struct{ Method string }
		require.NoError(t, json.Unmarshal([]byte(body), &named))
		r.Header.Set("Mcp-Method", named.Method)
	}
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	lines := bufio.NewScanner(io.LimitReader(resp.Body, 1<<20))
	for lines.Scan() {
		text := strings.TrimPrefix(lines.Text(), "data: ")
		if json.Unmarshal([]byte(text), &answer) == nil {
			break
		}
	}
	return resp.StatusCode, answer
}

// TestEndpointUnknownVersions: a handshake that asks for a version that nobody knows is
// answered with one that the server has; a request of such a version is refused
// with those that it may ask for.
func TestEndpointUnknownVersions(t *testing.T) {
	e := open(t, listen(t), calculator(t), endpoint.Limits{})
	const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for asked, want := range map[string]string{"1999-01-01": "2025-11-25", "2024-11-05": "2024-11-05", "2099-01-01": "2025-11-25", "newest": "2025-11-25", "": "2025-11-25"} {
		status, answer := post(t, e, "", fmt.Sprintf(handshake, asked))
		assert.Equal(t, http.StatusOK, status, asked)
		result, _ := answer["result"].(map[string]any)
		assert.Equal(t, want, result["protocolVersion"], asked)
	}
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	status, answer := post(t, e, "2099-01-01", fmt.Sprintf(list, "2099-01-01"))
	assert.Equal(t, http.StatusBadRequest, status)
	text := testkit.Must(json.Marshal(answer["error"]))(t)
	assert.Contains(t, string(text), `"supported":["2026-07-28","2025-11-25"`)
	status, answer = post(t, e, sessionless, fmt.Sprintf(list, sessionless))
	assert.Equal(t, http.StatusOK, status, answer)
	result, _ := answer["result"].(map[string]any)
	assert.Equal(t, "complete", result["resultType"], answer)
	assert.Equal(t, "private", result["cacheScope"], answer)
	status, _ = post(t, e, "1999-01-01", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	assert.Equal(t, http.StatusBadRequest, status)
}

// streams counts the answers that a client still reads.
type streams struct {
	authorized
	open *atomic.Int64
}

func (s streams) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := s.authorized.RoundTrip(r)
	if err == nil {
		s.open.Add(1)
		resp.Body = &counted{ReadCloser: resp.Body, end: sync.OnceFunc(func() { s.open.Add(-1) })}
	}
	return resp, err
}

type counted struct {
	io.ReadCloser
	end func()
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if err != nil {
		c.end()
	}
	return n, err
}

func (c *counted) Close() error {
	c.end()
	return c.ReadCloser.Close()
}

// TestEndpointCloseEndsStreams: an endpoint that is closed leaves no client listening,
// whatever version it speaks.
func TestEndpointCloseEndsStreams(t *testing.T) {
	for _, version := range []string{sessionless, "2025-11-25"} {
		e := open(t, listen(t), calculator(t), endpoint.Limits{})
		var reading atomic.Int64
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {},
		})
		transport := &mcp.StreamableClientTransport{Endpoint: e.URL(), HTTPClient: &http.Client{Transport: streams{authorized{e}, &reading}}, MaxRetries: -1}
		s := testkit.Must(client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version}))(t)
		require.Eventually(t, func() bool { return reading.Load() == 1 }, 30*time.Second, time.Millisecond, version)
		e.Close()
		assert.Eventually(t, func() bool { return reading.Load() == 0 }, 30*time.Second, time.Millisecond, version)
		_ = s.Close()
	}
}
