package exec

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// maxLine bounds one line of a recording.
const maxLine = 64 << 20

// otherURL in a row stands for every request that no other row answers. A
// recording with such a row is a world of its own, like that of the starter
// suite: what is not in it does not exist, and asking for it is the model's
// mistake. Without it, a request that was not recorded is an infrastructure
// error.
const otherURL = "*"

// A Replay is a Client that answers from a recording and sends nothing.
type Replay struct {
	answers map[string]recorded
	other   *recorded // see otherURL
}

type recorded struct {
	response Response
	raised   *pyval.Exception
	where    string
}

// OpenReplay reads recordings.
func OpenReplay(files ...string) (*Replay, error) {
	r := &Replay{answers: map[string]recorded{}}
	for _, name := range files {
		if err := r.addFile(name); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// addFile reads a regular file and nothing else: a result folder may name the
// file, and reading a pipe or a device might never end.
func (r *Replay) addFile(name string) error {
	file, err := plainfile.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	return r.Add(name, file)
}

// Add reads a recording: one JSON object per line with url, status and body,
// and optionally method, headers, id of a case, and exception instead of status
// and body. Rows with an id answer only that case, and only under the same
// headers. A malformed or repeated row is an error that names the line.
func (r *Replay) Add(name string, in io.Reader) error {
	if r.answers == nil {
		r.answers = map[string]recorded{}
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		if err := r.addRow(fmt.Sprintf("%s:%d", name, n), lines.Text()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, n, err)
	}
	return nil
}

func (r *Replay) addRow(where, line string) error {
	v, err := pyval.ParseJSON(line)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	row, ok := v.(*pyval.Dict)
	if !ok {
		return fmt.Errorf("%s: expected a JSON object, got %s", where, pyval.TypeName(v))
	}
	req, answer, err := parseRow(row)
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if req.URL == otherURL {
		return r.setOther(where, answer)
	}
	key := requestKey(req)
	if old, ok := r.answers[key]; ok {
		return fmt.Errorf("%s: the request of %s again: %s %q", where, old.where, req.Method, clip(req.URL))
	}
	answer.where = where
	r.answers[key] = answer
	return nil
}

func (r *Replay) setOther(where string, answer recorded) error {
	if r.other != nil {
		return fmt.Errorf("%s: the url %q is already at %s", where, otherURL, r.other.where)
	}
	answer.where = where
	r.other = &answer
	return nil
}

func parseRow(row *pyval.Dict) (Request, recorded, error) {
	var answer recorded
	req := Request{Method: "GET"}
	fields := rowReader{row: row}
	fields.text("url", &req.URL, true)
	fields.text("method", &req.Method, false)
	fields.text("id", &req.Case, false)
	req.Header = fields.headers()
	if raised, ok := row.GetStr("exception"); ok {
		answer.raised = fields.exception(raised)
		return req, answer, fields.err
	}
	fields.text("body", &answer.response.Body, true)
	answer.response.Status = fields.status()
	return req, answer, fields.err
}

// A rowReader keeps the first error of a row.
type rowReader struct {
	row *pyval.Dict
	err error
}

func (r *rowReader) complain(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *rowReader) text(name string, to *string, required bool) {
	v, ok := r.row.GetStr(name)
	s, isText := v.(pyval.Str)
	switch {
	case !ok && required:
		r.complain("%s is missing", name)
	case ok && !isText:
		r.complain("%s is not a text", name)
	case ok:
		*to = string(s)
	}
}

func (r *rowReader) headers() map[string]string {
	v, ok := r.row.GetStr("headers")
	if !ok {
		return nil
	}
	d, ok := v.(*pyval.Dict)
	if !ok {
		r.complain("headers are not an object")
		return nil
	}
	out := make(map[string]string, d.Len())
	for name, value := range d.All() {
		if value.Kind() != pyval.KindStr {
			r.complain("header %s is not a text", pyval.Repr(name))
		}
		out[pyval.Text(name)] = pyval.Text(value)
	}
	return out
}

func (r *rowReader) status() int {
	v, _ := r.row.GetStr("status")
	n, ok := v.(pyval.Int)
	status, small := n.Int64()
	if !ok || !small || status < 100 || status > 999 {
		r.complain("status is missing or not an HTTP status")
	}
	return int(status)
}

func (r *rowReader) exception(v pyval.Value) *pyval.Exception {
	d, ok := v.(*pyval.Dict)
	if !ok || !d.Has("message") {
		r.complain("exception is not an object with a message")
		return nil
	}
	class, msg := "ConnectionError", ""
	inner := rowReader{row: d}
	inner.text("type", &class, false)
	inner.text("message", &msg, true)
	if inner.err != nil {
		r.complain("exception: %v", inner.err)
	}
	return &pyval.Exception{Class: class, Msg: msg}
}

// defaultHeaders are those that Python's client always sends; recordings leave
// them out.
var defaultHeaders = []string{"User-Agent", "Accept-Encoding", "Accept", "Connection"}

// requestKey distinguishes requests by method and URL, and within a case also
// by headers.
func requestKey(req Request) string {
	parts := []string{req.Method, req.URL}
	if req.Case != "" {
		parts = append(parts, req.Case)
		var headers []string
		for name, value := range req.Header {
			if !slices.Contains(defaultHeaders, name) {
				headers = append(headers, name+": "+value)
			}
		}
		slices.Sort(headers)
		parts = append(parts, headers...)
	}
	return unprefixed(strings.Join(parts, "\x00"))
}

// unprefixed writes the placeholders of keys in one way.
func unprefixed(text string) string {
	if !strings.Contains(text, "YOUR-") {
		return text
	}
	for _, k := range Keys() {
		text = strings.ReplaceAll(text, "YOUR-"+k.Placeholder, k.Placeholder)
	}
	return text
}

// Do implements Client.
func (r *Replay) Do(ctx context.Context, req Request) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, err
	}
	answer, ok := r.answers[requestKey(req)]
	if !ok && req.Case != "" {
		req.Case = ""
		answer, ok = r.answers[requestKey(req)]
	}
	if !ok && r.other != nil {
		answer, ok = *r.other, true
	}
	switch {
	case !ok:
		return Response{}, unrecorded(req)
	case answer.raised != nil:
		return Response{}, answer.raised
	}
	return answer.response, nil
}
