package command

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
)

// A Config says which program to ask, and how.
type Config struct {
	// Command is the program and its arguments, with quotes as in a shell.
	Command string
	// Processes is how many copies may run at the same time; 1 if it is not
	// positive. Each serves one request at a time.
	Processes int
	// Timeout bounds one request, including the program's start; 0 means that
	// only the caller's context does.
	Timeout time.Duration
}

// An Adapter asks a program. It must be closed.
type Adapter struct {
	program *Program
	timeout time.Duration
	slots   chan *process // a nil slot has no process yet
	lastID  atomic.Int64
	closed  context.Context
	close   context.CancelFunc
	once    sync.Once
}

// New checks that the program exists. It is started by the first request.
func New(cfg Config) (*Adapter, error) {
	program, err := Find(cfg.Command)
	if err != nil {
		return nil, err
	}
	n := max(cfg.Processes, 1)
	a := &Adapter{program: program, timeout: cfg.Timeout, slots: make(chan *process, n)}
	a.closed, a.close = context.WithCancel(context.Background())
	for range n {
		a.slots <- nil
	}
	return a, nil
}

// Generate asks the first process that is free. A process that broke the
// protocol, was late or was interrupted in the middle of an answer is killed;
// the next request gets a new one.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id := strconv.FormatInt(a.lastID.Add(1), 10)
	line, err := requestLine(id, req)
	if err != nil {
		return nil, err
	}
	p, err := a.take(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { a.slots <- p }()
	if err := a.program.breaker.err(); err != nil {
		return nil, err
	}

	begin := time.Now()
	answer, err := a.ask(ctx, &p, line)
	latency := time.Since(begin)
	if a.closed.Err() == nil { // else it was ended by Close
		err = a.program.learn(p, err)
	}
	var resp *eval.Response
	if err == nil {
		resp, err = parseAnswer(answer, id, req.Mode)
	}
	if err != nil {
		if p != nil && eval.InfraKind(err) != "program" {
			p.kill()
			p = nil
		}
		return nil, err
	}
	resp.Latency = latency
	return resp, nil
}

func (a *Adapter) take(ctx context.Context) (*process, error) {
	select {
	case <-a.closed.Done():
		return nil, errClosed()
	default:
	}
	select {
	case p := <-a.slots:
		return p, nil
	case <-a.closed.Done():
		return nil, errClosed()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func errClosed() error { return eval.Infra("closed", "the adapter has been closed") }

// ask sends a line to the slot's process, which it starts if there is none. A
// program may also end after an answer: then it is started again, once.
func (a *Adapter) ask(ctx context.Context, slot **process, line []byte) (string, error) {
	limited, cancel := a.limit(ctx)
	defer cancel()
	for {
		if *slot == nil {
			p, err := start(a.program.args, nil)
			if err != nil {
				return "", err
			}
			*slot = p
		}
		answer, err := (*slot).ask(limited, line)
		if errors.Is(err, errRetired) {
			(*slot).kill()
			*slot = nil
			continue // a new process has served nothing, so it cannot retire
		}
		if limited.Err() != nil && errors.Is(err, limited.Err()) {
			err = a.interrupted(ctx, *slot)
		}
		return answer, err
	}
}

// limit returns the context of one request.
func (a *Adapter) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithCancel(ctx)
	free := context.CancelFunc(func() {})
	if a.timeout > 0 {
		limited, free = context.WithTimeout(limited, a.timeout)
	}
	detach := context.AfterFunc(a.closed, cancel)
	return limited, func() { detach(); free(); cancel() }
}

// interrupted returns the reason why a request was given up.
func (a *Adapter) interrupted(ctx context.Context, p *process) error {
	switch {
	case a.closed.Err() != nil:
		return errClosed()
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return eval.Infra("timeout", "the program did not answer within %v and was stopped; give it more time with -request-timeout, and make sure that it flushes its output after each line; %s", a.timeout, p.said())
}

// Close stops all processes and waits for them. Requests under way fail.
func (a *Adapter) Close() error {
	a.once.Do(func() {
		a.close()
		var wg sync.WaitGroup
		for range cap(a.slots) {
			if p := <-a.slots; p != nil {
				wg.Go(p.end)
			}
		}
		wg.Wait()
	})
	return nil
}
