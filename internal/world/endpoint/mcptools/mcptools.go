// Package mcptools speaks the Model Context Protocol for endpoints, by the
// official SDK.
//
//	mcptools  the server of an endpoint
//	bridge    an endpoint over standard input and output
package mcptools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobfcl/bfcl/internal/version"
	"github.com/gobfcl/bfcl/internal/world/endpoint"
)

func init() { endpoint.Speak(newServer) }

// maxBody bounds a request, in bytes.
const maxBody = 4 << 20

// The protocol's methods that are not left to the SDK alone.
const (
	callMethod       = "tools/call"
	listMethod       = "tools/list"
	initializeMethod = "initialize"
	discoverMethod   = "server/discover"
)

const (
	versionHeader = "Mcp-Protocol-Version"
	// sessionless is the first version of the protocol without sessions.
	// Versions are dates, so they can be compared as texts.
	sessionless = "2026-07-28"
)

// A server is the server of an endpoint. Each has handlers of its own, so that
// no session of one is known to another. The SDK has one handler for versions
// with sessions and one for those without.
type server struct {
	endpoint      *endpoint.Endpoint
	tools         *mcp.Server
	with, without http.Handler
}

func newServer(e *endpoint.Endpoint) endpoint.Server {
	s := &server{endpoint: e, tools: mcp.NewServer(implementation(), serverOptions())}
	s.tools.AddReceivingMiddleware(s.receive)
	handler := func(stateless bool) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.tools }, &mcp.StreamableHTTPOptions{
			MaxRequestBodyBytes: maxBody, Stateless: stateless,
		})
	}
	s.with, s.without = handler(false), handler(true)
	return s
}

// ServeHTTP handles a client's request.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(versionHeader) >= sessionless {
		s.without.ServeHTTP(w, r)
		return
	}
	s.with.ServeHTTP(w, r)
}

// Show adds a tool. The SDK panics if it refuses a schema.
func (s *server) Show(t endpoint.Tool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", endpoint.ErrShown, p)
		}
	}()
	s.tools.AddTool(&mcp.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema}, unreached)
	return nil
}

// Close ends the clients' sessions.
func (s *server) Close() {
	for session := range s.tools.Sessions() {
		_ = session.Close()
	}
}

// receive answers calls itself, those of unknown tools too: they are the
// agent's mistakes, and get the same answer as a model's.
func (s *server) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && method == callMethod {
			text, failed := s.endpoint.Call(ctx, call.Params.Name, string(call.Params.Arguments))
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}, nil
		}
		if method == initializeMethod || method == discoverMethod { // a client has the one or the other
			s.endpoint.Connected()
		}
		result, err := next(ctx, method, req)
		if list, ok := result.(*mcp.ListToolsResult); ok && err == nil && method == listMethod { // in the order in which they were shown; the SDK sorts them by name
			slices.SortStableFunc(list.Tools, func(a, b *mcp.Tool) int { return cmp.Compare(s.endpoint.Place(a.Name), s.endpoint.Place(b.Name)) })
		}
		return result, err
	}
}

// unreached is the handler of all tools: receive answers before it.
func unreached(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	panic("a call went past the endpoint")
}

// Bridge serves the tools of an endpoint elsewhere over a transport such as
// standard input and output, for agents that only start servers. It ends when
// the client or the context does.
func Bridge(ctx context.Context, url, token string, transport mcp.Transport) error {
	b := &bridge{server: mcp.NewServer(implementation(), serverOptions()), shown: map[string]bool{}}
	client := mcp.NewClient(implementation(), &mcp.ClientOptions{
		ToolListChangedHandler: func(ctx context.Context, _ *mcp.ToolListChangedRequest) { _ = b.update(ctx) },
	})
	carrier := &http.Client{Transport: tokened(token)}
	remote, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: carrier}, nil)
	if err != nil {
		return fmt.Errorf("the tools cannot be reached: %w", err)
	}
	defer func() { _ = remote.Close() }()
	b.mu.Lock()
	b.remote = remote
	b.mu.Unlock()
	if err := b.update(ctx); err != nil {
		return fmt.Errorf("the tools cannot be listed: %w", err)
	}
	b.server.AddReceivingMiddleware(b.receive)
	err = b.server.Run(ctx, transport)
	if ctx.Err() != nil || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.ErrClosedPipe) {
		return nil
	}
	return err
}

// A bridge forwards requests for tools.
type bridge struct {
	remote *mcp.ClientSession
	server *mcp.Server

	mu    sync.Mutex
	shown map[string]bool
}

// update makes the bridge's tools those of the endpoint, and notifies its
// client.
func (b *bridge) update(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.remote == nil { // a notice before the session is known; the first update follows
		return nil
	}
	list, err := b.remote.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	for _, t := range list.Tools {
		if !b.shown[t.Name] {
			b.shown[t.Name] = true
			b.server.AddTool(t, unreached)
		}
	}
	return nil
}

// receive forwards requests for tools. The bridge answers all others itself.
func (b *bridge) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch req := req.(type) {
		case *mcp.CallToolRequest:
			return b.remote.CallTool(ctx, &mcp.CallToolParams{Name: req.Params.Name, Arguments: req.Params.Arguments})
		case *mcp.ListToolsRequest:
			list, err := b.remote.ListTools(ctx, nil)
			if err != nil {
				return nil, err
			}
			out := &mcp.ListToolsResult{Tools: slices.Clone(list.Tools)}
			keepNothing(ctx, req, &out.Cacheable)
			return out, nil
		}
		return next(ctx, method, req)
	}
}

func implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: "bfcl", Version: version.String()}
}

func serverOptions() *mcp.ServerOptions {
	return &mcp.ServerOptions{
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		SetCacheable: keepNothing,
	}
}

// keepNothing marks lists as private and not to be cached: the next turn may
// have more tools. Clients of the newest version refuse a list without these
// fields.
func keepNothing(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
	*c = mcp.Cacheable{CacheScope: "private"}
}

// tokened adds a token to requests.
type tokened string

// RoundTrip sends a request with the token.
func (t tokened) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(t))
	return http.DefaultTransport.RoundTrip(r)
}
