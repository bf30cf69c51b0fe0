package exec

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Recorder is a Client that asks another one and writes down the answers, in
// the format that Replay reads. Keys are written as their placeholders.
type Recorder struct {
	client Client
	scrub  func(string) string
	mu     sync.Mutex
	out    io.Writer
	seen   map[string]bool
}

// NewRecorder records what a client answers, after scrub has replaced keys with
// placeholders.
func NewRecorder(client Client, scrub func(string) string, out io.Writer) *Recorder {
	return &Recorder{client: client, scrub: scrub, out: out, seen: map[string]bool{}}
}

// Do implements Client. A request that is asked again is answered again but
// recorded once.
func (r *Recorder) Do(ctx context.Context, req Request) (Response, error) {
	answer, err := r.client.Do(ctx, req)
	if err != nil {
		return answer, err
	}
	answer.Body = strings.ToValidUTF8(r.scrub(answer.Body), "\uFFFD")
	r.mu.Lock()
	defer r.mu.Unlock()
	key := requestKey(req)
	if r.seen[key] {
		return answer, nil
	}
	if err := r.write(req, answer); err != nil {
		return answer, eval.Infra("record", "recording %q: %w", clip(req.URL), err)
	}
	r.seen[key] = true
	return answer, nil
}

func (r *Recorder) write(req Request, answer Response) error {
	headers := map[string]string{}
	for name, value := range req.Header {
		if !slices.Contains(defaultHeaders, name) {
			headers[name] = r.scrub(value)
		}
	}
	return say.EncodeJSON(r.out, row{ID: req.Case, Method: req.Method, URL: r.scrub(req.URL), Headers: headers, Status: answer.Status, Body: &answer.Body}, "")
}
