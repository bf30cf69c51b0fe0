package provider

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
)

const (
	// peekTime is the longest that a server may take to tell about itself: one that
	// does one thing at a time first answers what it is asked.
	peekTime = 30 * time.Second
	// peekBody is the most that is read of it, in bytes.
	peekBody = 4 << 20
)

// Peek asks the endpoint's server once for another path, below the server's
// root, with a body if it is not nil. It returns what it tells, nil if it has
// nothing there, and whether it replied: nothing depends on it, so that it neither
// retries nor counts as a fault of the server.
func (e *Endpoint) Peek(ctx context.Context, path string, body []byte) (told []byte, replied bool) {
	ctx, cancel := context.WithTimeout(ctx, peekTime)
	defer cancel()
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	at := *e.url
	at.Path, at.RawPath = path, ""
	req, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(body))
	if err != nil {
		return nil, false
	}
	req.Header = e.header()
	resp, err := e.carrier.Once(req)
	if err != nil {
		return nil, false
	}
	defer func() { _ = resp.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(resp.Body, peekBody))
	if err != nil || resp.StatusCode >= http.StatusInternalServerError { // which says nothing of the path
		return nil, false
	}
	if resp.StatusCode != http.StatusOK {
		return nil, true
	}
	return []byte(e.hide(string(said))), true
}

// leastPrompt is the shortest prompt, in tokens, after which a server is asked
// about its context: a question with a function is longer.
const leastPrompt = 150

// A ceiling knows the context of a server that cuts prompts without saying so.
type ceiling struct {
	mu      sync.Mutex
	settled bool
	facts   server.Facts
	// looking is closed when the look under way has ended; nil if none is. After
	// one that settled nothing, none begins before next.
	looking chan struct{}
	next    time.Time
	pause   time.Duration
}

const (
	firstPause = time.Second
	mostPause  = time.Minute
)

// look waits for the look under way, or for a new one.
func (c *ceiling) look(ctx context.Context, e *Endpoint) {
	c.mu.Lock()
	if c.settled || c.looking == nil && time.Now().Before(c.next) {
		c.mu.Unlock()
		return
	}
	if c.looking == nil {
		c.looking = make(chan struct{})
		go c.settle(context.WithoutCancel(ctx), e, c.looking)
	}
	ended := c.looking
	c.mu.Unlock()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// settle looks once.
func (c *ceiling) settle(ctx context.Context, e *Endpoint, ended chan struct{}) {
	defer close(ended)
	facts, settled := server.Look(ctx, e.Peek, e.model)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.facts, c.settled, c.looking = facts, settled, nil
	c.pause = min(max(2*c.pause, firstPause), mostPause)
	c.next = time.Now().Add(c.pause)
}

// Facts returns what the endpoint's server told about itself when it answered a
// prompt of some length; nothing before that.
func (e *Endpoint) Facts() server.Facts {
	e.ceiling.mu.Lock()
	defer e.ceiling.mu.Unlock()
	return e.ceiling.facts
}

// Full returns an error for an answer to a prompt that the server cut: a prompt
// that fills the context lost its beginning, with the functions; one that is hardly
// longer than what it continues lost earlier messages. If ask is set, Full asks a
// server that has not said whether it cuts prompts, and may wait until the model is
// loaded.
func (e *Endpoint) Full(ctx context.Context, req *eval.Request, prompt int, ask bool) error {
	if prompt < leastPrompt || e.url.Scheme != "http" { // no server that a user started
		return nil
	}
	if ask {
		e.ceiling.look(ctx, e)
	}
	facts := e.Facts()
	if !facts.Cuts || facts.Context == 0 {
		return nil
	}
	if !req.Grows(prompt) {
		return eval.Infra(transport.ContextFull, "the prompt has %d tokens, though the one that it continues had %d already: %s leaves out earlier messages that do not fit in its context of %d tokens; set OLLAMA_CONTEXT_LENGTH, or num_ctx in the model's Modelfile", prompt, req.Before, facts.Kind, facts.Context)
	}
	if prompt < facts.Context {
		return nil
	}
	return eval.Infra(transport.ContextFull, "the prompt fills the context of %d tokens, and %s cuts what does not fit from its beginning, functions first: set OLLAMA_CONTEXT_LENGTH, or num_ctx in the model's Modelfile", facts.Context, facts.Kind)
}
