package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Protocol is the part of an adapter that differs between providers. It is
// safe for concurrent use.
type Protocol interface {
	// Body returns the body of a request.
	Body(req *eval.Request) (*pyval.Dict, error)
	// Ask sends a body and reads the reply, an object that is not a fault.
	Ask(ctx context.Context, body *pyval.Dict) (reply *pyval.Dict, took Took, err error)
	// Read returns the answer in a reply. An error means that there is none.
	Read(reply *pyval.Dict) (Answer, error)
	// Close closes the connections that are not in use.
	Close() error
}

// A Took is how long a request took.
type Took struct {
	// Latency is the time of the last attempt only. First is the time to the
	// first token of a stream, 0 for a reply in one piece.
	Latency, First time.Duration
}

// An Answer is a reply in the suite's terms.
type Answer interface {
	// Result returns the answer as upstream's handler of the provider records
	// it.
	Result(mode eval.Mode) pyval.Value
	// Message returns the answer as the next request repeats it.
	Message() eval.Message
	// Usage returns the provider's count of tokens, and the text of the model's
	// reasoning.
	Usage() (input, output int, reasoning string)
	// Ended reports whether the token limit cut the answer off, and what else
	// is to be said of its end: see eval.Response.
	Ended() (cutOff bool, finish string)
}

// An Adapter asks one model over a Protocol. It is safe for concurrent use and
// can still be used after Close. Printing it shows no key.
type Adapter struct {
	Protocol
	name string
}

// NewAdapter makes an adapter. The name says which model is asked, and where.
func NewAdapter(p Protocol, format string, args ...any) *Adapter {
	return &Adapter{p, fmt.Sprintf(format, args...)}
}

// String names the model and where it is asked.
func (a *Adapter) String() string { return a.name }

// Format prints String whatever the verb.
func (a *Adapter) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, a.name) }

// Generate asks the model once.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	reply, took, err := a.ask(ctx, req)
	if resp := malformed(err); resp != nil {
		return resp, nil
	}
	if err != nil {
		return nil, err
	}
	answer, err := a.Read(reply)
	if err != nil {
		return nil, err
	}
	resp := &eval.Response{Result: answer.Result(req.Mode), Message: answer.Message(), Latency: took.Latency, TTFT: took.First}
	resp.InputTokens, resp.OutputTokens, resp.Reasoning = answer.Usage()
	resp.CutOff, resp.Finish = answer.Ended()
	resp.Served, resp.Fingerprint = Served(reply), Text(reply, "system_fingerprint")
	return resp, nil
}

// malformed returns the answer that a server reports that it could not read;
// nil for other errors. The server has thrown away what it does not tell.
func malformed(err error) *eval.Response {
	var e *transport.Error
	if !errors.As(err, &e) || e.Kind != transport.Malformed {
		return nil
	}
	return &eval.Response{Result: eval.TextResult(e.Said), Message: eval.Message{Role: "assistant", Content: e.Said}, Malformed: true}
}

// Served returns the model that a reply says it came from, in "model" or in
// Gemini's "modelVersion"; "" if it names none.
func Served(reply *pyval.Dict) string {
	return cmp.Or(Text(reply, "model"), Text(reply, "modelVersion"))
}

// A Learner is a Protocol that learns from some refusals how to write requests.
type Learner interface {
	// Learn reports whether a refused body should be written again.
	Learn(body *pyval.Dict, err error) (again bool)
	// Note returns what was learned, "" if nothing was.
	Note() string
}

// ask writes and sends a request. If the Protocol learns from a refusal, it
// does so once more.
func (a *Adapter) ask(ctx context.Context, req *eval.Request) (reply *pyval.Dict, took Took, err error) {
	body, err := a.Body(req)
	if err != nil {
		return nil, took, err
	}
	reply, took, err = a.Ask(ctx, body)
	if l, ok := a.Protocol.(Learner); ok && err != nil && l.Learn(body, err) {
		if body, err = a.Body(req); err != nil {
			return nil, took, err
		}
		return a.Ask(ctx, body)
	}
	return reply, took, err
}

// Learned returns what was learned from the server's refusals, "" if nothing
// was.
func (a *Adapter) Learned() string {
	if l, ok := a.Protocol.(Learner); ok {
		return l.Note()
	}
	return ""
}

// Facts returns what the server told about itself; nothing if it was not asked.
func (a *Adapter) Facts() server.Facts {
	if e, ok := a.Protocol.(interface{ Facts() server.Facts }); ok {
		return e.Facts()
	}
	return server.Facts{}
}

// Full returns an error for an answer to a prompt that the server has cut: see
// Endpoint.Full.
func (a *Adapter) Full(ctx context.Context, req *eval.Request, prompt int, ask bool) error {
	if e, ok := a.Protocol.(eval.Guard); ok {
		return e.Full(ctx, req, prompt, ask)
	}
	return nil
}

// Said is the part of a reply that is common to all providers. Answers embed
// it.
type Said struct {
	Calls           []eval.ToolCall
	Text, Reasoning string
	// Input and Output are the provider's counts of tokens.
	Input, Output int
	// CutOff says whether the token limit cut the answer off.
	CutOff bool
	// Finish names the end of an answer that a filter refused, or that ended for
	// an unknown reason.
	Finish string
}

// Ended returns CutOff and Finish.
func (s *Said) Ended() (cutOff bool, finish string) { return s.CutOff, s.Finish }

// Result returns the calls if there are any, else the text, as upstream's
// handlers record it. In prompt mode only text counts.
func (s *Said) Result(mode eval.Mode) pyval.Value {
	if len(s.Calls) > 0 && mode != eval.Prompt {
		return eval.CallsResult(s.Calls)
	}
	return eval.TextResult(s.Text)
}

// Usage returns the counts and the reasoning.
func (s *Said) Usage() (input, output int, reasoning string) {
	return s.Input, s.Output, s.Reasoning
}
