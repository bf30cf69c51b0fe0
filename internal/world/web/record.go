package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// A Recorder is a web that writes down what another one answers, as JSON lines
// that OpenReplay reads. It answers from what it has recorded, so that a run
// sees what its replay will see. An existing recording is continued.
type Recorder struct {
	web  websearch.Web
	mu   sync.Mutex
	file *os.File
	seen recording
}

// NewRecorder records what a web answers into a file.
func NewRecorder(w websearch.Web, name string) (*Recorder, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fmt.Errorf("-search-record: %w", err)
	}
	seen, whole, err := readRecording(name, file)
	if err == nil {
		err = file.Truncate(whole) // the last line may have been torn by a kill
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("-search-record: %w", err), file.Close())
	}
	return &Recorder{web: w, file: file, seen: seen}, nil
}

// Close ends the recording.
func (r *Recorder) Close() error { return r.file.Close() }

// Search implements websearch.Web.
func (r *Recorder) Search(ctx context.Context, q websearch.Query) ([]byte, error) {
	keywords, err := pyval.JSON(orNone(q.Keywords), 0)
	region, other := pyval.JSON(orNone(q.Region), 0)
	if err := errors.Join(err, other); err != nil {
		return nil, eval.Infra("record", "recording a search: %w", err)
	}
	of := row{Search: json.RawMessage(keywords), Region: json.RawMessage(region)}
	a, err := r.answer(searchKey(q), of, func(a *answer) error {
		reply, err := r.web.Search(ctx, q)
		a.setBody(reply)
		return err
	})
	if err != nil {
		return nil, err
	}
	return a.reply()
}

// Fetch implements websearch.Web.
func (r *Recorder) Fetch(ctx context.Context, url string) (*websearch.Page, error) {
	a, err := r.answer(fetchKey(url), row{Fetch: &url}, func(a *answer) error {
		p, err := r.web.Fetch(ctx, url)
		if err == nil {
			a.URL, a.Status, a.Reason, a.ContentType = p.URL, p.Status, p.Reason, p.ContentType
			a.setBody(p.Body)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return a.page()
}

// answer returns the recorded answer to a request or, if there is none, the
// web's, which is then recorded. Infrastructure errors are not recorded, nor is
// a refusal that the tool waits out: the request is to be asked again.
func (r *Recorder) answer(key string, of row, ask func(*answer) error) (answer, error) {
	if a, ok := r.known(key); ok {
		return a, nil
	}
	err := ask(&of.answer)
	if e, ok := errors.AsType[*sim.Exception](err); ok && e.Msg != "429 Too Many Requests" {
		of.answer = answer{Exception: e.Class, Message: e.Msg}
	} else if err != nil {
		return answer{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if first, ok := r.seen[key]; ok {
		return first, nil
	}
	if err := say.EncodeJSON(r.file, of, ""); err != nil {
		return answer{}, eval.Infra("record", "recording a search: %w", err)
	}
	r.seen[key] = of.answer
	return of.answer, nil
}

func (r *Recorder) known(key string) (answer, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.seen[key]
	return a, ok
}

// setBody keeps text as it is and other bytes for base64.
func (a *answer) setBody(body []byte) {
	if utf8.Valid(body) {
		text := string(body)
		a.Body = &text
		return
	}
	a.Base64 = body
}
