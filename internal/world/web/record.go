package web

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
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
	seen *recording
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
	a, err := r.answer(searchKey(q), func() (answer, error) {
		reply, err := r.web.Search(ctx, q)
		return answer{reply: reply}, err
	}, func(row *pyval.Dict) {
		row.SetStr("search", orNone(q.Keywords))
		row.SetStr("region", orNone(q.Region))
	})
	return a.reply, err
}

// Fetch implements websearch.Web.
func (r *Recorder) Fetch(ctx context.Context, url string) (*websearch.Page, error) {
	a, err := r.answer(fetchKey(url), func() (answer, error) {
		p, err := r.web.Fetch(ctx, url)
		return answer{page: p}, err
	}, func(row *pyval.Dict) { row.SetStr("fetch", pyval.Str(url)) })
	return a.page, err
}

// answer is the recorded answer to a request or, if there is none, the web's,
// which is then recorded. Infrastructure errors are not recorded: the request
// is to be asked again.
func (r *Recorder) answer(key string, ask func() (answer, error), describe func(row *pyval.Dict)) (answer, error) {
	if a, ok := r.known(key); ok {
		return a, a.err()
	}
	a, err := ask()
	if e, ok := errors.AsType[*sim.Exception](err); ok {
		a.raised = e
	} else if err != nil {
		return a, err
	}
	if passing(a.raised) {
		return a, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if first, ok := r.seen.answers[key]; ok {
		return first, first.err()
	}
	row := pyval.NewDict(6)
	describe(row)
	a.write(row)
	line, err := pyval.JSON(row, 0)
	if err == nil {
		_, err = r.file.WriteString(line + "\n")
	}
	if err != nil {
		return a, eval.Infra("record", "recording a search: %w", err)
	}
	r.seen.answers[key] = a
	return a, a.err()
}

// passing reports whether a refusal is one that the tool waits out.
func passing(e *sim.Exception) bool { return e != nil && e.Msg == "429 Too Many Requests" }

func (r *Recorder) known(key string) (answer, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	a, ok := r.seen.answers[key]
	return a, ok
}

// An answer is the answer to a search or a fetch.
type answer struct {
	reply  []byte
	page   *websearch.Page
	raised *sim.Exception
}

func (a answer) err() error {
	if a.raised == nil {
		return nil
	}
	return a.raised
}

func (a answer) write(row *pyval.Dict) {
	switch {
	case a.raised != nil:
		row.SetStr("exception", pyval.Str(a.raised.Class))
		row.SetStr("message", pyval.Str(a.raised.Msg))
	case a.page == nil:
		writeBody(row, a.reply)
	default:
		row.SetStr("url", pyval.Str(a.page.URL))
		row.SetStr("status", pyval.MakeInt(int64(a.page.Status)))
		row.SetStr("reason", pyval.Str(a.page.Reason))
		row.SetStr("content_type", pyval.Str(a.page.ContentType))
		writeBody(row, a.page.Body)
	}
}

// writeBody writes text as it is and other bytes in base64.
func writeBody(row *pyval.Dict, body []byte) {
	if utf8.Valid(body) {
		row.SetStr("body", pyval.Str(body))
		return
	}
	row.SetStr("base64", pyval.Str(base64.StdEncoding.EncodeToString(body)))
}
