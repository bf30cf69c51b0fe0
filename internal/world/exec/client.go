package exec

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Request is an HTTP request with placeholders where API keys belong.
type Request struct {
	// Case is the case that asks, if recorded answers are kept apart by case;
	// else "".
	Case string
	// Method is "GET".
	Method string
	// URL is final, query included.
	URL string
	// Header holds the headers beyond a client's own.
	Header map[string]string
	// Body is sent as it is; most often "".
	Body string
	// KeepRedirect returns redirects instead of following them.
	KeepRedirect bool
}

// A Response is an API's answer.
type Response struct {
	Status int
	Body   string
}

// A Client answers requests: from a recording, or by asking. It is safe for
// concurrent use. Errors are *eval.InfraError, or *pyval.Exception for what a
// recording says that Python's client raised.
type Client interface {
	Do(ctx context.Context, req Request) (Response, error)
}

// A Key is the key of an API.
type Key struct {
	// Variable is the environment variable that holds it.
	Variable string
	// Placeholder stands for it in requests and recordings, also with
	// "YOUR-" before it.
	Placeholder string
	// Host is the only host, with its subdomains, that ever gets the key.
	Host string
}

// Keys returns the keys that the functions and the REST category need.
func Keys() []Key {
	return []Key{rapidKey, exchangeKey, omdbKey, geocodeKey}
}

var (
	rapidKey    = Key{Variable: "RAPID_API_KEY", Placeholder: "RAPID-API-KEY", Host: "rapidapi.com"}
	exchangeKey = Key{Variable: "EXCHANGERATE_API_KEY", Placeholder: "EXCHANGERATE-API-KEY", Host: "exchangerate-api.com"}
	omdbKey     = Key{Variable: "OMDB_API_KEY", Placeholder: "OMDB-API-KEY", Host: "omdbapi.com"}
	geocodeKey  = Key{Variable: "GEOCODE_API_KEY", Placeholder: "GEOCODE-API-KEY", Host: "geocode.maps.co"}
)

// MissingKeys returns the environment variables that are not set although the
// given calls need them: functions by their name, REST calls by the
// placeholders they hold.
func MissingKeys(getenv func(string) string, calls ...string) []string {
	var missing []string
	for _, key := range Keys() {
		if getenv(key.Variable) == "" && slices.ContainsFunc(calls, func(call string) bool {
			name, _, _ := strings.Cut(strings.TrimSpace(call), "(")
			fn := Lookup(name)
			return fn != nil && fn.Key == key.Variable || strings.Contains(call, key.Placeholder)
		}) {
			missing = append(missing, key.Variable)
		}
	}
	return missing
}

// clip keeps messages about a model's text short.
func clip(s string) string {
	const most = 500
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

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

// A row is a line of a recording.
type row struct {
	ID      string            `json:"id,omitempty"`
	Method  string            `json:"method,omitempty"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
	Status  int               `json:"status,omitempty"`
	Body    *string           `json:"body,omitempty"`
	// Exception is what Python's client raised, instead of an answer.
	Exception *struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"exception,omitempty"`
}

// answer returns what a row says to its request.
func (r *row) answer(where string) (recorded, error) {
	switch {
	case r.URL == "":
		return recorded{}, errors.New("url is missing")
	case r.Exception != nil:
		return recorded{where: where, raised: &pyval.Exception{Class: cmp.Or(r.Exception.Type, "ConnectionError"), Msg: r.Exception.Message}}, nil
	case r.Status < 100 || r.Status > 999:
		return recorded{}, errors.New("status is missing or not an HTTP status")
	case r.Body == nil:
		return recorded{}, errors.New("body is missing")
	}
	return recorded{where: where, response: Response{r.Status, *r.Body}}, nil
}

func (r *Replay) addRow(where, line string) error {
	var of row
	err := json.Unmarshal([]byte(line), &of)
	var answer recorded
	if err == nil {
		answer, err = of.answer(where)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	if of.URL == otherURL {
		if r.other != nil {
			return fmt.Errorf("%s: the url %q is already at %s", where, otherURL, r.other.where)
		}
		r.other = &answer
		return nil
	}
	req := Request{Case: of.ID, URL: of.URL, Method: cmp.Or(of.Method, "GET"), Header: of.Headers}
	key := requestKey(req)
	if old, ok := r.answers[key]; ok {
		return fmt.Errorf("%s: the request of %s again: %s %q", where, old.where, req.Method, clip(req.URL))
	}
	r.answers[key] = answer
	return nil
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
		return Response{}, eval.Infra("unrecorded", "no recorded answer for %s %q", req.Method, clip(req.URL))
	case answer.raised != nil:
		return Response{}, answer.raised
	}
	return answer.response, nil
}
