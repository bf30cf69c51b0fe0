package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/say"
)

const (
	// maxAnswer bounds an answer, in bytes.
	maxAnswer = 10 << 20
	// farewell is how long a server may take to hear that a conversation is over.
	farewell = 2 * time.Second
	// mostRefusals is how many refused connections in a row show that the server is
	// gone.
	mostRefusals = 5
)

// Server makes an Adapter that asks a server on this machine. The rest is what
// follows "agent+http:" in an address, such as "//127.0.0.1:9000/turn". Agents
// elsewhere could not reach the tools, which are served on loopback only.
func Server(rest string, timeout time.Duration) (*Adapter, error) {
	address, err := url.Parse("http:" + rest)
	if err != nil {
		return nil, fmt.Errorf("the agent's address: %w", err)
	}
	host := address.Hostname()
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("the agent's address must be on this machine, as in agent+http://127.0.0.1:9000/turn, not %s: tools are served on loopback only", say.Quote(host, 100))
	}
	client, refusals := &http.Client{Transport: &http.Transport{}}, new(atomic.Int64)
	return &Adapter{timeout: timeout, peers: map[string]peer{}, open: func(e *eval.Endpoint) (peer, error) {
		return &server{client: client, url: address, history: e.History, refusals: refusals}, nil
	}}, nil
}

// A server is one conversation with the agent's server.
type server struct {
	client  *http.Client
	url     *url.URL
	history string
	// refusals counts the refused connections of all conversations in a row.
	refusals *atomic.Int64
}

// Said names the server.
func (s *server) Said() string { return "the server is " + s.url.Redacted() }

// Form says what the server must reply.
func (s *server) Form() string { return "the body of its reply must be one JSON object" }

// Ask posts a turn.
func (s *server) Ask(ctx context.Context, line []byte) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url.String(), bytes.NewReader(line))
	if err != nil {
		return "", eval.Infra("request", "%w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", s.lost(err)
	}
	s.refusals.Store(0)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", eval.Infra("exited", "the agent's server broke off its answer: %w", err)
	case len(body) > maxAnswer:
		return "", eval.Infra("flood", "the agent's server answered with more than %d MB", maxAnswer>>20)
	case resp.StatusCode != http.StatusOK:
		return "", eval.Infra("status", "the agent's server answered with status %s: %s", say.Quote(resp.Status, 100), say.Quote(string(body), 300))
	}
	return strings.TrimSpace(string(body)), nil
}

// lost returns the error of a question that got no reply, which ends the run if
// nobody listens any more.
func (s *server) lost(err error) error {
	n := int64(0)
	if errors.Is(err, syscall.ECONNREFUSED) {
		n = s.refusals.Add(1)
	}
	if n < mostRefusals {
		return eval.Infra("unreachable", "the agent's server cannot be reached: %w; is it running?", err)
	}
	return transport.AsInfra(&transport.Error{
		Kind: transport.CircuitOpen, Fatal: true,
		Message: fmt.Sprintf("the agent's server has refused %d connections in a row: %s", n, say.Plain(err.Error(), 300)),
		Hint:    "start it again; the same command with -resume continues the run",
	})
}

// End tells the server that the conversation is over, with DELETE; what it
// answers does not matter.
func (s *server) End() {
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	over := *s.url
	query := over.Query()
	query.Set("history", s.history)
	over.RawQuery = query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, over.String(), nil)
	if err != nil {
		return
	}
	if resp, err := s.client.Do(req); err == nil {
		_ = resp.Body.Close()
	}
	s.client.CloseIdleConnections()
}
