package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

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
