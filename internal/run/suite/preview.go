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

// Visit opens the plan's model to be asked questions of one's own, in the way in
// which a run would ask them. There is no run folder, and nothing is recorded.
func (p *Plan) Visit() (*Suite, error) {
	s := p.begin()
	s.Engine.Ledger = p.Looked
	if err := s.openModel(nil, nil); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Ask asks one question: a case of a single turn.
func (s *Suite) Ask(ctx context.Context, c *eval.Case) (*eval.Response, error) {
	posed, err := s.model.pose(c, 0)
	if err != nil {
		return nil, err
	}
	resp, err := s.Engine.Generate(ctx, posed)
	if g, ok := s.model.adapter.(eval.Guard); ok && err == nil {
		err = g.Full(ctx, posed, resp.InputTokens, true)
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// Facts returns what the model's server tells about itself; nothing for models
// without one.
func (s *Suite) Facts(ctx context.Context) server.Facts {
	cfg := s.Plan.Model.config(s.Plan.Dataset, s.Plan.options)
	cfg.Transport = s.model.transport
	return adapters.Facts(ctx, cfg)
}

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

// InputTokens estimates how many tokens the requests for the cases have as JSON.
// Agentic categories, of which nothing was measured, are not counted; all reports
// whether there are none.
func (s *Selection) InputTokens(settings eval.Settings) (tokens int, all bool) {
	sum := 0.0
	all = true
	for _, part := range s.Parts {
		cat := part.Category
		if strings.HasPrefix(cat.Group, eval.GroupAgentic) {
			all = false
			continue
		}
		for _, c := range part.Cases {
			bytes := float64(eval.Pose(c, 0, settings).Chars())
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
	return s.Trials * int(sum), all
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
	shown := *p
	shown.options.Exec, shown.options.SearchRecord = Replay, ""
	taken := &capture{}
	s := shown.begin()
	before, err := p.conversations()
	if err == nil {
		err = s.openModel(nil, taken)
	}
	if err == nil {
		err = s.openWorld(before)
	}
	if err == nil { // the first question
		_, err = s.model.Lead(ctx, cat, c, 0, s.model.adapter.Generate)
	}
	err = errors.Join(err, s.Close())
	if taken.first != nil {
		return taken.first, nil
	}
	return nil, err
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
