// Package toolserver asks a live MCP server for its tools: a program that it
// starts, or an address. The server is not trusted: what it sends, how much,
// and how long it takes are bounded, and a program is ended with all that it
// started.
//
//	Command   a program that speaks over its standard input and output
//	URL       a server behind an address
package toolserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/version"
)

// A Listing is what a server reports about its tools.
type Listing struct {
	// Server is the server's own name and version.
	Server string
	// Tools are as the server wrote them, with the keys in its order.
	Tools *pyval.List
}

// Limits bound a server. Zero fields have defaults.
type Limits struct {
	// Timeout bounds the whole exchange.
	Timeout time.Duration
	// Bytes is how much the server may send.
	Bytes int64
	// Tools is how many tools it may have.
	Tools int
	// Grace is how long a program may take to end by itself once its input is
	// closed.
	Grace time.Duration
}

const (
	usualTimeout = time.Minute
	usualBytes   = 32 << 20
	usualTools   = 5000
	usualGrace   = 2 * time.Second
)

func (l Limits) settled() Limits {
	return Limits{cmp.Or(l.Timeout, usualTimeout), cmp.Or(l.Bytes, usualBytes), cmp.Or(l.Tools, usualTools), cmp.Or(l.Grace, usualGrace)}
}

// list asks for all tools over a transport. What the server sends is also
// recorded, because the SDK does not keep the order of keys.
func list(ctx context.Context, transport mcp.Transport, h *heard, l Limits) (*Listing, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "bfcl", Version: version.String()}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, h.explain(ctx, err)
	}
	defer func() { _ = session.Close() }()
	out := &Listing{}
	if info := session.InitializeResult(); info != nil && info.ServerInfo != nil {
		out.Server = strings.TrimSpace(info.ServerInfo.Name + " " + info.ServerInfo.Version)
	}
	var names []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return nil, h.explain(ctx, err)
		}
		if names = append(names, tool.Name); len(names) > l.Tools {
			return nil, fmt.Errorf("the server has more than %d tools", l.Tools)
		}
	}
	if len(names) == 0 {
		return nil, errors.New("the server has no tools")
	}
	out.Tools = h.tools()
	if err := same(out.Tools, names); err != nil {
		return nil, err
	}
	return out, nil
}

// same returns an error if the recorded tools are not those that the SDK read.
func same(tools *pyval.List, names []string) error {
	if len(tools.Items) != len(names) {
		return fmt.Errorf("the server listed %d tools, but %d could be read", len(names), len(tools.Items))
	}
	for i, item := range tools.Items {
		d, _ := item.(*pyval.Dict)
		if d == nil {
			return fmt.Errorf("tool %d is not an object", i+1)
		}
		if name, _ := d.GetStr("name"); name != pyval.Value(pyval.Str(names[i])) {
			return fmt.Errorf("tool %d of the server's list is %s, but the SDK read %s", i+1, say.Quote(pyval.Repr(name), 80), say.Quote(names[i], 80))
		}
	}
	return nil
}

var errTooMuch = errors.New("the server sent too much")

// A heard records all that a server sent.
type heard struct {
	mu    sync.Mutex
	text  strings.Builder
	left  int64
	over  bool
	limit int64
}

func newHeard(limit int64) *heard { return &heard{left: limit, limit: limit} }

// reader records what is read from r, and ends if that is too much.
func (h *heard) reader(r io.Reader) io.Reader { return &ear{h, r} }

type ear struct {
	*heard
	from io.Reader
}

func (e *ear) Read(p []byte) (int, error) {
	n, err := e.from.Read(p)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left -= int64(n); e.left < 0 {
		e.over = true
		return 0, errTooMuch
	}
	e.text.Write(p[:n])
	return n, err
}

func (h *heard) overrun() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.over
}

// tools returns the tools in the server's answers, in their order.
func (h *heard) tools() *pyval.List {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := &pyval.List{}
	for line := range strings.SplitSeq(h.text.String(), "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "data:")) // as in an event
		if !strings.HasPrefix(line, "{") {
			continue
		}
		v, err := pyval.ParseJSON(line)
		message, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			continue
		}
		out.Items = append(out.Items, message.Child("result").List("tools")...)
	}
	return out
}

// explain returns the true cause of an error.
func (h *heard) explain(ctx context.Context, err error) error {
	switch {
	case h.overrun():
		return fmt.Errorf("the server sent more than %d MB", h.limit>>20)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errors.New("the server did not answer in time; give it more with --timeout")
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}
