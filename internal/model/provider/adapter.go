package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Protocol is the part of an adapter that differs between providers.
type Protocol struct {
	// Name is the adapter's.
	Name string
	// Body returns the body of a request.
	Body func(a *Adapter, req *eval.Request) (*pyval.Dict, error)
	// Read returns the answer in a reply that is not a fault. An error means that
	// there is none.
	Read func(reply *pyval.Dict) (*Said, error)
	// Stream reads replies that come as server-sent events; may be nil.
	Stream *Stream
}

// An Adapter asks one model over a Protocol. It is safe for concurrent use and
// can still be used after Close. Printing it shows no key.
type Adapter struct {
	*Endpoint
	// Reasoning learns from some refusals how to write requests; may be nil.
	*Reasoning
	// Config is without address, key and headers.
	Config   Config
	protocol Protocol
	name     string
}

// Adapter makes an adapter of a configuration and its endpoint, or returns the
// error that there was in making that.
func (p Protocol) Adapter(c Config, to *Endpoint, err error) (*Adapter, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	to.Stream = p.Stream
	c.Key, c.Headers, c.BaseURL = "", nil, "" // an Adapter may be printed
	return &Adapter{Endpoint: to, Config: c, protocol: p, name: fmt.Sprintf("%s %q at %s", p.Name, c.Model, to)}, nil
}

// String names the model and where it is asked.
func (a *Adapter) String() string { return a.name }

// Format prints String whatever the verb.
func (a *Adapter) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, a.name) }

// Body returns the body of a request.
func (a *Adapter) Body(req *eval.Request) (*pyval.Dict, error) { return a.protocol.Body(a, req) }

// Read returns the answer in a reply.
func (a *Adapter) Read(reply *pyval.Dict) (*Said, error) { return a.protocol.Read(reply) }

// Generate asks the model once.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	reply, took, err := a.ask(ctx, req)
	var refusal *transport.Error
	if errors.As(err, &refusal) && refusal.Kind == transport.Malformed { // what the server does not tell is lost
		return &eval.Response{Result: eval.TextResult(refusal.Said), Message: eval.Message{Role: "assistant", Content: refusal.Said}, Malformed: true}, nil
	}
	if err != nil {
		return nil, err
	}
	answer, err := a.Read(reply)
	if err != nil {
		return nil, err
	}
	took.Used(answer.Input, answer.Output)
	resp := &eval.Response{
		Result: answer.Result(req.Mode), Message: answer.Message(), Reasoning: answer.Reasoning, Latency: took.Latency, TTFT: took.First,
		InputTokens: answer.Input, OutputTokens: answer.Output, CutOff: answer.CutOff, Finish: answer.Finish,
	}
	resp.Served, resp.Fingerprint = Served(reply), Text(reply, "system_fingerprint")
	return resp, nil
}

// Served returns the model that a reply says it came from, in "model" or in
// Gemini's "modelVersion"; "" if it names none.
func Served(reply *pyval.Dict) string {
	return cmp.Or(Text(reply, "model"), Text(reply, "modelVersion"))
}

// ask writes and sends a request. If a refusal teaches it something, it does so
// once more.
func (a *Adapter) ask(ctx context.Context, req *eval.Request) (reply *pyval.Dict, took *transport.Meter, err error) {
	body, err := a.Body(req)
	if err != nil {
		return nil, took, err
	}
	reply, took, err = a.Ask(ctx, body)
	if err != nil && a.Learn(body, err) {
		if body, err = a.Body(req); err != nil {
			return nil, took, err
		}
		return a.Ask(ctx, body)
	}
	return reply, took, err
}

// Said is what a reply says, in the suite's terms.
type Said struct {
	Calls           []eval.ToolCall
	Text, Reasoning string
	// Raw is the message as the next request repeats it, such as with signatures.
	Raw pyval.Value
	// Listed says that there is a list of calls, even an empty one, and Null that
	// the text is null. Upstream records both of Chat Completions.
	Listed, Null bool
	// Input and Output are the provider's counts of tokens.
	Input, Output int
	// CutOff says whether the token limit cut the answer off.
	CutOff bool
	// Finish names the end of an answer that a filter refused, or that ended for
	// an unknown reason.
	Finish string
}

// Result returns the calls if there are any, else the text, as upstream's
// handlers record it. In prompt mode only text counts. In an answer with neither,
// null and the empty list stay what they are. Some servers send an empty list
// together with a text, which upstream then loses.
func (s *Said) Result(mode eval.Mode) pyval.Value {
	switch {
	case mode != eval.Prompt && (len(s.Calls) > 0 || s.Listed && s.Text == ""):
		return eval.CallsResult(s.Calls)
	case s.Null && s.Text == "":
		return pyval.None
	}
	return eval.TextResult(s.Text)
}

// Message returns the answer as the next request may repeat it.
func (s *Said) Message() eval.Message {
	return eval.Message{Role: "assistant", Content: s.Text, Calls: s.Calls, Raw: s.Raw}
}
