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
	answer := recorded{where: where}
	req, err := pyval.Try(func() Request { return readRow(row, &answer) })
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if req.URL == otherURL {
		if r.other != nil {
			return fmt.Errorf("%s: the url %q is already at %s", where, otherURL, r.other.where)
		}
		r.other = &answer
		return nil
	}
	key := requestKey(req)
	if old, ok := r.answers[key]; ok {
		return fmt.Errorf("%s: the request of %s again: %s %q", where, old.where, req.Method, clip(req.URL))
	}
	r.answers[key] = answer
	return nil
}

func complain(format string, args ...any) { pyval.Check(fmt.Errorf(format, args...)) }

// readRow reads a row, or complains.
func readRow(row *pyval.Dict, answer *recorded) Request {
	req := Request{URL: field(row, "url"), Method: "GET", Header: headersOf(row)}
	if row.Has("method") {
		req.Method = field(row, "method")
	}
	if row.Has("id") {
		req.Case = field(row, "id")
	}
	if row.Has("exception") {
		raised := row.Child("exception")
		if raised == nil || !raised.Has("message") {
			complain("exception is not an object with a message")
		}
		answer.raised = &pyval.Exception{Class: "ConnectionError", Msg: field(raised, "message")}
		if raised.Has("type") {
			answer.raised.Class = field(raised, "type")
		}
		return req
	}
	answer.response.Body = field(row, "body")
	v, _ := row.GetStr("status")
	n, ok := v.(pyval.Int)
	status, small := n.Int64()
	if !ok || !small || status < 100 || status > 999 {
		complain("status is missing or not an HTTP status")
	}
	answer.response.Status = int(status)
	return req
}

// field is a text that must be there.
func field(row *pyval.Dict, name string) string {
	text, ok := row.Text(name)
	switch {
	case !row.Has(name):
		complain("%s is missing", name)
	case !ok:
		complain("%s is not a text", name)
	}
	return text
}

func headersOf(row *pyval.Dict) map[string]string {
	if !row.Has("headers") {
		return nil
	}
	d := row.Child("headers")
	if d == nil {
		complain("headers are not an object")
	}
	out := make(map[string]string, d.Len())
	for name, value := range d.All() {
		if value.Kind() != pyval.KindStr {
			complain("header %s is not a text", pyval.Repr(name))
		}
		out[pyval.Text(name)] = pyval.Text(value)
	}
	return out
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
