package mcptools

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobfcl/bfcl/internal/version"
)

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
