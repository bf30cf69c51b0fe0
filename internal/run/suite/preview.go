package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/server"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// A Visit is a plan's model that is asked questions of one's own, in the way in
// which a run would ask them. It needs no run folder, and nothing is recorded.
type Visit struct {
	// Adapter asks the model.
	Adapter eval.Adapter

	plan    *Plan
	model   *opened
	leader  *leader
	engine  *engine.Engine
	closers closers
}

// Visit opens the plan's model.
func (p *Plan) Visit() (*Visit, error) {
	v, err := &Visit{plan: p, engine: &engine.Engine{Settings: p.Settings, Ledger: p.Looked, Admitted: p.Model.Kind.Remote}}, error(nil)
	v.engine.Budget.Prices = p.Model.Access.Entry.Prices
	if v.model, err = p.openModel(v.engine, nil, nil, &v.closers); err == nil {
		v.Adapter, v.engine.Adapter = v.model.adapter, v.model.adapter
		v.leader, err = p.leader(v.model, p.Settings, nil)
	}
	if err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

// Ask asks one question: a case of a single turn.
func (v *Visit) Ask(ctx context.Context, c *eval.Case) (*eval.Response, error) {
	posed, err := v.leader.pose(c, 0)
	if err != nil {
		return nil, err
	}
	resp, err := v.engine.Generate(ctx, posed)
	if g, ok := v.Adapter.(eval.Guard); ok && err == nil {
		err = g.Full(ctx, posed, resp.InputTokens, true)
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// Facts returns what the model's server tells about itself; nothing for models
// without one.
func (v *Visit) Facts(ctx context.Context) server.Facts {
	cfg := v.plan.adapterConfig()
	cfg.Transport = v.model.transport
	return adapters.Facts(ctx, cfg)
}

// Close closes what the model uses.
func (v *Visit) Close() error { return v.closers.Close() }

// A PromptSize is how long the first prompt of a case is, in characters, without what
// a chat template adds.
type PromptSize struct {
	Category string
	Chars    int
}

// Prompts returns the sizes of the first prompts of the cases.
func (s *Selection) Prompts() (out []PromptSize) {
	for _, part := range s.Parts {
		for _, c := range part.Cases {
			req := &eval.Request{Tools: c.Tools}
			if len(c.Turns) > 0 {
				req.Messages = c.Turns[0]
			}
			out = append(out, PromptSize{part.Category.Name, req.Chars()})
		}
	}
	return out
}

// What requests hold besides the messages and the functions' documents, and what
// becomes of them in a conversation, as measured over V4 with gpt-oss-120b's
// answers.
const (
	frame    = 240 // bytes around one question
	perTurn  = 2.8 // requests of a turn
	written  = 0.9 // bytes a character: schemas are shorter, and results are added
	lengthen = 1.5 // by the results of long contexts
)

// InputTokens estimates how many tokens the plan's requests have as JSON. Agentic
// categories, of which nothing was measured, are not counted; all reports whether
// there are none.
func (p *Plan) InputTokens() (tokens int, all bool) {
	sum := 0.0
	all = true
	for _, part := range p.Parts {
		cat := part.Category
		if strings.HasPrefix(cat.Group, eval.GroupAgentic) {
			all = false
			continue
		}
		for _, c := range part.Cases {
			bytes := float64(eval.Pose(c, 0, p.Settings).Chars())
			switch turns := float64(len(c.Turns)); {
			case cat.LongContext:
				bytes *= perTurn * written * lengthen * turns
			case cat.MultiTurn():
				bytes *= perTurn * written * turns
			default:
				bytes += frame
			}
			sum += bytes / engine.BytesPerToken(cat)
		}
	}
	return p.Run.Trials * int(sum), all
}

// A Preview is a request as it would be sent to the model.
type Preview struct {
	// Method and URL are the request's.
	Method, URL string
	// Body is the body that would be sent.
	Body []byte
}

// Preview returns the first request that the plan's model would get for one of
// its cases. Nothing is sent or written.
func (p *Plan) Preview(ctx context.Context, cat *eval.Category, c *eval.Case) (*Preview, error) {
	if p.Model.missing == nil && !p.Model.Kind.Remote {
		return nil, fmt.Errorf("%s has no server, so there is no request to show", p.Model.Kind.Name)
	}
	taken, open := &capture{}, &closers{}
	err := p.ask(ctx, taken, cat, c, open)
	if first := taken.first; first != nil {
		return first, open.Close()
	}
	return nil, errors.Join(err, open.Close())
}

// ask asks the first question of a case.
func (p *Plan) ask(ctx context.Context, taken *capture, cat *eval.Category, c *eval.Case, open *closers) error {
	m, err := p.openModel(nil, nil, taken, open)
	if err != nil {
		return err
	}
	library, err := p.openLibrary(open)
	if err != nil {
		return err
	}
	l, err := p.leader(m, p.Settings, library)
	if err != nil {
		return err
	}
	before, err := p.conversations()
	if err != nil {
		return err
	}
	l.recall = p.schedule(before, &engine.Engine{Settings: p.Settings, Adapter: m.adapter, Leader: l}, library)
	_, err = l.Lead(ctx, cat, c, 0, m.adapter.Generate)
	l.recall.Close()
	return err
}

// A capture keeps the first request and answers each with an error.
type capture struct {
	mu    sync.Mutex
	first *Preview
}

func (t *capture) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close()
	}
	address := *req.URL
	address.RawQuery = "" // the query may hold a key
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == nil && req.Method == http.MethodPost && !strings.HasSuffix(address.Path, "/tokenize") {
		t.first = &Preview{Method: req.Method, URL: address.Redacted(), Body: body}
	}
	const refused = `{"error": {"message": "a preview sends nothing"}}`
	return &http.Response{
		StatusCode: http.StatusBadRequest, Status: "400 Bad Request", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader([]byte(refused))),
		ContentLength: int64(len(refused)), Request: req,
	}, nil
}
