// Package mcptools speaks the Model Context Protocol for endpoints, by the
// official SDK.
//
//	mcptools  the server of an endpoint
//	bridge    an endpoint over standard input and output
package mcptools

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
