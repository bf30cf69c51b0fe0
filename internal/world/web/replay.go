package web

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// maxRow bounds one line of a recording: a page in base64.
const maxRow = 64 << 20

// A recording is the answers to requests by their keys.
type recording struct{ answers map[string]answer }

func searchKey(q websearch.Query) string {
	return "search\x00" + pyval.Repr(orNone(q.Keywords)) + "\x00" + pyval.Repr(orNone(q.Region))
}

func fetchKey(url string) string { return "fetch\x00" + url }

// A Replayer is a web that answers from a recording and sends nothing.
type Replayer struct{ *recording }

// OpenReplay reads a recording.
func OpenReplay(name string) (*Replayer, error) {
	file, err := os.Open(name)
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
	return a.reply, err
}

// Fetch implements websearch.Web.
func (r *Replayer) Fetch(ctx context.Context, url string) (*websearch.Page, error) {
	a, err := r.find(ctx, fetchKey(url), "fetch of", url)
	return a.page, err
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
	return a, a.err()
}

// readRecording reads the lines of a recording and returns where the last whole
// one ends: one without a line break was torn.
func readRecording(name string, in io.Reader) (*recording, int64, error) {
	r := &recording{map[string]answer{}}
	lines := bufio.NewReader(in)
	var whole int64
	for n := 1; ; n++ {
		line, err := readLine(lines)
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

func readLine(in *bufio.Reader) (string, error) {
	var b strings.Builder
	for {
		part, err := in.ReadSlice('\n')
		b.Write(part)
		switch {
		case b.Len() > maxRow:
			return "", errors.New("the line is too long")
		case !errors.Is(err, bufio.ErrBufferFull):
			return b.String(), err
		}
	}
}

func (r *recording) add(line string) error {
	v, err := pyval.ParseJSON(line)
	row, ok := v.(*pyval.Dict)
	if err != nil || !ok {
		return errors.New("this is not a JSON object")
	}
	key := ""
	keywords, isSearch := row.GetStr("search")
	url, isFetch := row.Text("fetch")
	switch {
	case isSearch:
		region, _ := row.GetStr("region")
		key = searchKey(websearch.Query{Keywords: keywords, Region: region})
	case isFetch:
		key = fetchKey(url)
	default:
		return errors.New(`neither "search" nor "fetch" is there`)
	}
	if _, again := r.answers[key]; again {
		return errors.New("this request is already on an earlier line")
	}
	a, err := readAnswer(row, isSearch)
	r.answers[key] = a
	return err
}

func readAnswer(row *pyval.Dict, search bool) (a answer, err error) {
	if class, ok := row.Text("exception"); ok {
		message, _ := row.Text("message")
		a.raised = sim.Raise(class, message)
		return a, nil
	}
	body, err := readRowBody(row)
	if err != nil || search {
		a.reply = body
		return a, err
	}
	status, _ := row.GetStr("status")
	n, ok := status.(pyval.Int)
	code, small := n.Int64()
	if !ok || !small || code < 100 || code > 999 {
		return a, errors.New(`"status" is missing or not an HTTP status`)
	}
	p := &websearch.Page{Status: int(code), Body: body}
	p.URL, _ = row.Text("url")
	p.Reason, _ = row.Text("reason")
	p.ContentType, _ = row.Text("content_type")
	a.page = p
	return a, nil
}

func readRowBody(row *pyval.Dict) ([]byte, error) {
	if body, ok := row.Text("body"); ok {
		return []byte(body), nil
	}
	encoded, ok := row.Text("base64")
	if !ok {
		return nil, errors.New(`neither "body" nor "base64" nor "exception" is there`)
	}
	body, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, errors.New(`"base64" is not base64`)
	}
	return body, nil
}
