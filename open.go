package bfcl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// An Opened is a model opened by its name. It is a [Model]: Run and Measure ask
// it as the command does, with retries, rate limits, and the prices and
// parameters of its entry in the catalogue.
type Opened struct {
	name    string
	options []Option

	mu      sync.Mutex // guards what is below
	adapter eval.Adapter
	closer  io.Closer
	mode    eval.Mode
}

var _ Model = (*Opened)(nil)

// Open opens a model by a name as for `bfcl run -model`: "openai:<id>",
// "responses:<id>", "command:<program>", "replay:<folder>", "heuristic",
// "oracle", or a name in the catalogue, such as "gpt-4.1-mini"; `bfcl models`
// lists these. Keys come from the environment. The model is not asked yet, but
// it is an error if something is missing, such as a key.
//
// The adapter bedrock, and Google's default credentials for Vertex AI, need the
// build tags bedrock and vertex.
func Open(name string, opts ...Option) (*Opened, error) {
	if strings.TrimSpace(name) == "" {
		return nil, errors.New("bfcl.Open: name a model, as in openai:<id>")
	}
	o := &Opened{name: name, options: opts}
	if _, err := o.plan(); err != nil {
		return nil, fmt.Errorf("bfcl.Open(%.200q): %w", name, inGo(err))
	}
	return o, nil
}

// plan checks that the model can be asked.
func (o *Opened) plan() (*suite.Plan, error) {
	c, err := configure(o.options)
	if err != nil {
		return nil, err
	}
	c.options.Model = o.name
	return suite.PlanOf(c.options, nil)
}

// Name returns the name that the model was opened by.
func (o *Opened) Name() string { return o.name }

// Generate asks the model once, with the tools as they are given. Models that
// answer from recordings or from the suite itself (replay, oracle) work only in
// Run and Measure.
func (o *Opened) Generate(ctx context.Context, req *Request) (*Response, error) {
	a, mode, err := o.open()
	if err != nil {
		return nil, err
	}
	posed, err := asked(req, mode)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	got, err := a.Generate(ctx, posed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.name, err)
	}
	m := got.AsMessage()
	resp := &Response{
		Text: m.Content, Reasoning: got.Reasoning, CutOff: got.CutOff, Served: got.Served,
		Usage: Usage{got.InputTokens, got.OutputTokens},
	}
	for _, c := range m.Calls {
		resp.Calls = append(resp.Calls, Call(c))
	}
	if m.Raw != nil {
		resp.Raw, err = pyval.AppendJSON(nil, m.Raw, pyval.JSONUnicode)
	}
	return resp, err
}

// open opens the adapter at the first request, and says in which mode it is asked.
func (o *Opened) open() (eval.Adapter, eval.Mode, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.adapter != nil {
		return o.adapter, o.mode, nil
	}
	p, err := o.plan()
	if err != nil {
		return nil, o.mode, inGo(err)
	}
	if p.Model.ByCase() {
		return nil, o.mode, fmt.Errorf("%s: this model answers by case, so it works only if it is given to Run or Measure directly", o.name)
	}
	o.mode = p.Model.Settings.Mode
	v, err := p.Visit()
	if err != nil {
		return nil, o.mode, err
	}
	o.adapter, o.closer = v.Engine.Adapter, v
	return o.adapter, o.mode, nil
}

// asked is a request as adapters take it.
func asked(req *Request, mode eval.Mode) (*eval.Request, error) {
	if req == nil {
		return nil, errors.New("the request is nil")
	}
	if mode == eval.Prompt && len(req.Tools) > 0 {
		return nil, errors.New("in prompt mode a request has no tools: describe them in a message, or open the model with bfcl.Mode(bfcl.FC)")
	}
	tools, err := documents(req.Tools)
	if err != nil {
		return nil, err
	}
	return &eval.Request{Mode: mode, Messages: posed(req.Messages), Tools: tools, Sent: tools}, nil
}

// document returns a tool as it is sent: its definition, or a document made of its fields.
func document(t Tool) (*pyval.Dict, error) {
	if t.Definition != nil {
		definition, err := pyval.ParseJSON(string(t.Definition))
		doc, ok := definition.(*pyval.Dict)
		if !ok {
			return nil, fmt.Errorf("its definition is not a JSON object: %w", cmp.Or(err, errNoObject))
		}
		return doc, nil
	}
	parameters, err := pyval.ParseJSON(string(t.Parameters))
	if _, ok := parameters.(*pyval.Dict); !ok {
		return nil, fmt.Errorf("its parameters are not a JSON Schema of an object: %w", cmp.Or(err, errNoObject))
	}
	return pyval.Object("name", pyval.Str(t.Name), "description", pyval.Str(t.Description), "parameters", parameters), nil
}

var errNoObject = errors.New("it is another JSON value")

// Close closes the model's connections and processes. If the model is asked
// again, it is opened again.
func (o *Opened) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closer == nil {
		return nil
	}
	closer := o.closer
	o.adapter, o.closer = nil, nil
	return closer.Close()
}
