package exec

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
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
	if _, err := io.WriteString(r.out, r.row(req, answer)); err != nil {
		return answer, eval.Infra("record", "recording %q: %w", clip(req.URL), err)
	}
	r.seen[key] = true
	return answer, nil
}

func (r *Recorder) row(req Request, answer Response) string {
	row := pyval.NewDict(6)
	if req.Case != "" {
		row.SetStr("id", pyval.Str(req.Case))
	}
	row.SetStr("method", pyval.Str(req.Method))
	row.SetStr("url", pyval.Str(r.scrub(req.URL)))
	headers := pyval.NewDict(len(req.Header))
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		if slices.Contains(defaultHeaders, name) {
			continue
		}
		headers.SetStr(name, pyval.Str(r.scrub(req.Header[name])))
	}
	row.SetStr("headers", headers)
	row.SetStr("status", number(int64(answer.Status)))
	row.SetStr("body", pyval.Str(answer.Body))
	line, err := pyval.JSON(row, 0)
	if err != nil { // a row holds nothing that JSON cannot
		line = fmt.Sprintf("{%q: %q}", "error", err)
	}
	return line + "\n"
}
