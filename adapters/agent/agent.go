package agent

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A peer answers the turns of one conversation, one at a time.
type peer interface {
	Ask(ctx context.Context, line []byte) (answer string, err error)
	// Said returns a clause that says what is known of a peer that gives no
	// answer.
	Said() string
	// Form returns a clause that says what an answer must look like.
	Form() string
	End()
}

// An Adapter asks agents. It must be closed.
type Adapter struct {
	open    func(*eval.Endpoint) (peer, error)
	timeout time.Duration
	lastID  atomic.Int64

	mu    sync.Mutex
	peers map[string]peer // by history
}

// Generate sends a turn to the agent and waits for the text that ends it. An
// agent that gave no answer is not asked again in its conversation.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if req.Endpoint == nil {
		return nil, eval.Infra("adapter", "an agent needs an endpoint for its calls, and this request has none")
	}
	p, err := a.peer(req.Endpoint)
	if err != nil {
		return nil, err
	}
	id := strconv.FormatInt(a.lastID.Add(1), 10)
	line, err := turnLine(id, req)
	if err != nil {
		return nil, err
	}
	limited, cancel := ctx, context.CancelFunc(func() {})
	if a.timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, a.timeout)
	}
	defer cancel()
	begin := time.Now()
	answer, err := p.Ask(limited, line)
	if err != nil {
		if errors.Is(limited.Err(), context.DeadlineExceeded) && a.timeout > 0 {
			return nil, eval.Infra("timeout", "the agent did not answer a turn within %v; give it more time with -request-timeout; %s", a.timeout, p.Said())
		}
		return nil, err
	}
	resp, err := parseAnswer(answer, id, p.Form())
	if err != nil {
		return nil, err
	}
	resp.Latency = time.Since(begin)
	return resp, nil
}

// peer returns the peer of a conversation, which the first turn opens.
func (a *Adapter) peer(e *eval.Endpoint) (peer, error) {
	a.mu.Lock()
	p := a.peers[e.History]
	a.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := a.open(e)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.peers[e.History] = p
	return p, nil
}

// Release ends a conversation and all that the agent runs for it.
func (a *Adapter) Release(history string) {
	a.mu.Lock()
	p := a.peers[history]
	delete(a.peers, history)
	a.mu.Unlock()
	if p != nil {
		p.End()
	}
}

// Close ends all conversations.
func (a *Adapter) Close() error {
	a.mu.Lock()
	peers := a.peers
	a.peers = map[string]peer{}
	a.mu.Unlock()
	var wg sync.WaitGroup
	for _, p := range peers {
		wg.Go(p.End)
	}
	wg.Wait()
	return nil
}

var _ eval.Agent = (*Adapter)(nil)
