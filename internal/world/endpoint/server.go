package endpoint

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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

// serve makes the endpoint's server. Each endpoint has handlers of its own, so
// that no session of one is known to another. The SDK has one handler for
// versions with sessions and one for those without.
func (e *Endpoint) serve() {
	e.server = mcp.NewServer(implementation(), serverOptions())
	e.server.AddReceivingMiddleware(e.receive)
	handler := func(stateless bool) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return e.server }, &mcp.StreamableHTTPOptions{
			MaxRequestBodyBytes: maxBody, Stateless: stateless,
		})
	}
	with, without := handler(false), handler(true)
	e.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(versionHeader) >= sessionless {
			without.ServeHTTP(w, r)
			return
		}
		with.ServeHTTP(w, r)
	})
}

// receive answers calls itself, those of unknown tools too: they are the
// agent's mistakes, and get the same answer as a model's.
func (e *Endpoint) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := req.(*mcp.CallToolRequest); ok && method == callMethod {
			return e.answer(ctx, call.Params), nil
		}
		if method == initializeMethod || method == discoverMethod { // a client has the one or the other
			e.mu.Lock()
			e.clients++
			e.mu.Unlock()
		}
		result, err := next(ctx, method, req)
		if list, ok := result.(*mcp.ListToolsResult); ok && err == nil && method == listMethod {
			e.order(list.Tools)
		}
		return result, err
	}
}

func (e *Endpoint) answer(ctx context.Context, params *mcp.CallToolParamsRaw) *mcp.CallToolResult {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, cancel)()
	arguments := string(params.Arguments)
	if arguments == "" || arguments == "null" {
		arguments = noArguments
	}
	text, failed := e.call(ctx, params.Name, arguments)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}
}

// order puts tools in the order in which they were shown; the SDK sorts them by
// name.
func (e *Endpoint) order(tools []*mcp.Tool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	slices.SortStableFunc(tools, func(a, b *mcp.Tool) int { return cmp.Compare(e.shown[a.Name], e.shown[b.Name]) })
}

// unreached is the handler of all tools: receive answers before it.
func unreached(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	panic("a call went past the endpoint")
}
