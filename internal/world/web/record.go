package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
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

// maxRow bounds one line of a recording: a page in base64.
const maxRow = 64 << 20

// A recording is the answers to requests by their keys.
type recording map[string]answer

// A row is a line of a recording: a search or a fetch, and its answer.
type row struct {
	Search json.RawMessage `json:"search,omitempty"`
	Region json.RawMessage `json:"region,omitempty"`
	Fetch  *string         `json:"fetch,omitempty"`
	answer
}

// An answer is a page, or the reply of a search engine, which has only a body,
// or an exception.
type answer struct {
	URL         string  `json:"url,omitempty"`
	Status      int     `json:"status,omitempty"`
	Reason      string  `json:"reason,omitempty"`
	ContentType string  `json:"content_type,omitempty"`
	Body        *string `json:"body,omitempty"`
	Base64      []byte  `json:"base64,omitempty"` // a body that is not UTF-8
	Exception   string  `json:"exception,omitempty"`
	Message     string  `json:"message,omitempty"`
}

func (a answer) err() error {
	if a.Exception == "" {
		return nil
	}
	return sim.Raise(a.Exception, a.Message)
}

func (a answer) body() []byte {
	if a.Body != nil {
		return []byte(*a.Body)
	}
	return a.Base64
}

// reply returns the answer to a search.
func (a answer) reply() ([]byte, error) { return a.body(), a.err() }

// page returns the answer to a fetch.
func (a answer) page() (*websearch.Page, error) {
	if err := a.err(); err != nil {
		return nil, err
	}
	return &websearch.Page{URL: a.URL, Status: a.Status, Reason: a.Reason, ContentType: a.ContentType, Body: a.body()}, nil
}

func searchKey(q websearch.Query) string {
	return "search\x00" + pyval.Repr(orNone(q.Keywords)) + "\x00" + pyval.Repr(orNone(q.Region))
}

func fetchKey(url string) string { return "fetch\x00" + url }

// A Replayer is a web that answers from a recording and sends nothing.
type Replayer struct{ answers recording }

// OpenReplay reads a recording.
func OpenReplay(name string) (*Replayer, error) {
	file, err := plainfile.Open(name)
	if err != nil {
		return nil, fmt.Errorf("-search=replay: %w", err)
	}
	defer func() { _ = file.Close() }()
	r, _, err := readRecording(name, file)
	if err != nil {
		return nil, fmt.Errorf("-search=replay: %w", err)
	}
	return &Replayer{r}, nil
}

// Search implements websearch.Web.
func (r *Replayer) Search(ctx context.Context, q websearch.Query) ([]byte, error) {
	a, err := r.find(ctx, searchKey(q), "search for", pyval.Text(orNone(q.Keywords)))
	if err != nil {
		return nil, err
	}
	return a.reply()
}

// Fetch implements websearch.Web.
func (r *Replayer) Fetch(ctx context.Context, url string) (*websearch.Page, error) {
	a, err := r.find(ctx, fetchKey(url), "fetch of", url)
	if err != nil {
		return nil, err
	}
	return a.page()
}

func (r *Replayer) find(ctx context.Context, key, what, of string) (answer, error) {
	a, ok := r.answers[key]
	switch {
	case ctx.Err() != nil:
		return a, ctx.Err()
	case !ok:
		const most = 200
		return a, eval.Infra("unrecorded", "the recording has no %s %q: record the run again with -search-record", what, of[:min(len(of), most)])
	}
	return a, nil
}

// readRecording reads the lines of a recording and returns where the last whole
// one ends: one without a line break was torn.
func readRecording(name string, in io.Reader) (recording, int64, error) {
	r := recording{}
	lines := bufio.NewReader(in)
	var whole int64
	for n := 1; ; n++ {
		line, err := plainfile.Line(lines, maxRow)
		switch {
		case errors.Is(err, io.EOF):
			return r, whole, nil
		case err != nil:
			return nil, 0, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		whole += int64(len(line))
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := r.add(line); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
}

func (r recording) add(line string) error {
	var of row
	if err := json.Unmarshal([]byte(line), &of); err != nil {
		return fmt.Errorf("this is not a JSON object of a recording: %w", err)
	}
	key := ""
	switch {
	case of.Search != nil:
		key = searchKey(websearch.Query{Keywords: parsed(of.Search), Region: parsed(of.Region)})
	case of.Fetch != nil:
		key = fetchKey(*of.Fetch)
	default:
		return errors.New(`neither "search" nor "fetch" is there`)
	}
	if _, again := r[key]; again {
		return errors.New("this request is already on an earlier line")
	}
	r[key] = of.answer
	switch {
	case of.Exception != "":
	case of.Body == nil && of.Base64 == nil:
		return errors.New(`neither "body" nor "base64" nor "exception" is there`)
	case of.Search == nil && (of.Status < 100 || of.Status > 999):
		return errors.New(`"status" is missing or not an HTTP status`)
	}
	return nil
}

// parsed returns the value of a field; nil if it is not there.
func parsed(text json.RawMessage) pyval.Value {
	v, _ := pyval.ParseJSON(string(text)) // only an empty text is not JSON
	return v
}
