package suite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/catalog"
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

// Preview returns the first request that the plan's model would get for one of
// its cases. Nothing is sent or written.
func (p *Plan) Preview(ctx context.Context, cat *eval.Category, c *eval.Case) (*Preview, error) {
	if p.model.kind.Open == nil {
		return nil, built(p.options)
	}
	if !p.model.kind.Remote {
		return nil, fmt.Errorf("%s has no server, so there is no request to show", p.model.kind.Name)
	}
	taken := &capture{}
	s := &Suite{Plan: p, byID: map[string]*eval.Case{}, executes: map[string]bool{}, capture: taken}
	s.Dir = ""
	s.access.Key = catalog.Secret(cmp.Or(string(s.access.Key), "none")) // never sent
	s.access.Entry.KeyCommand = ""
	for _, step := range []func() error{s.openEngine, s.openAdapter, s.openLibrary, s.openRecall} {
		if err := step(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	err := s.previewed(ctx, cat, c)
	if first := taken.first; first != nil {
		return first, s.Close()
	}
	return nil, errors.Join(err, s.Close())
}

// previewed asks the first question of the case.
func (s *Suite) previewed(ctx context.Context, cat *eval.Category, c *eval.Case) error {
	if cat.MultiTurn() {
		_, err := s.converse(ctx, cat, c, 0, s.adapter.Generate)
		return err
	}
	req, err := s.pose(c, 0)
	if err == nil {
		_, err = s.adapter.Generate(ctx, req)
	}
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
