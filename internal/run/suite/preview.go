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

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// A Preview is a request as it would be sent to the model.
type Preview struct {
	// Method and URL are the request's.
	Method, URL string
	// Body is the body that would be sent.
	Body []byte
}

// PlanPreview is NewPlan for a model whose requests are shown and not sent: it
// needs no key.
func PlanPreview(o Options) (*Plan, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	m, err := resolve(o)
	if err != nil {
		return nil, err
	}
	m.keyless = true
	m.entry.KeyCommand = ""
	return plan(o, m)
}

// withKeys returns an environment in which every key is set.
func withKeys(env catalog.Environment) catalog.Environment {
	return func(name string) (string, bool) {
		value, ok := env(name)
		if value != "" {
			return value, ok
		}
		for _, end := range []string{"KEY", "TOKEN", "SECRET"} {
			if strings.HasSuffix(name, end) {
				return "none", true
			}
		}
		return value, ok
	}
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
			switch {
			case cat.LongContext:
				bytes *= perTurn * written * lengthen * float64(len(c.Turns))
			case cat.MultiTurn():
				bytes *= perTurn * written * float64(len(c.Turns))
			default:
				bytes += frame
			}
			sum += bytes / engine.BytesPerToken(cat)
		}
	}
	return p.Run.Trials * int(sum), all
}

// Preview returns the first request that the plan's model would get for one of
// its cases. Nothing is sent or written.
func (p *Plan) Preview(ctx context.Context, cat *eval.Category, c *eval.Case) (*Preview, error) {
	switch {
	case p.model.missing != nil:
		return nil, p.model.missing
	case !p.model.kind.Remote:
		return nil, fmt.Errorf("%s has no server, so there is no request to show", p.model.kind.Name)
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
	m, err := p.openModel(reach{capture: taken}, open)
	if err != nil {
		return err
	}
	library, err := p.openLibrary(open)
	if err != nil {
		return err
	}
	loop, err := p.loop(m, p.Settings, library)
	if err != nil {
		return err
	}
	before, err := p.conversations()
	if err != nil {
		return err
	}
	e := &engine.Engine{Settings: p.Settings, Adapter: m.adapter}
	l := &leader{loop: loop, recall: p.schedule(before, e, library)}
	e.Leader = l
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
