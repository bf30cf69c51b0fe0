package chaos_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// A server gives the same question the same answer each time, if it answers.
// Whether the n-th request with a question meets a fault, and which, depends
// only on the seed, the question and n, so a seed has the same effect in
// whatever order requests come.
type server struct {
	seed  uint64
	share float64 // share of requests that meet a fault

	mu       sync.Mutex
	asked    map[uint64]int
	requests int
	struck   map[string]int
	quiet    bool
}

// latency is the time the model takes to answer.
const latency = 5 * time.Millisecond

// newServer returns a server that misbehaves in the given share of requests.
func newServer(seed uint64, share float64) *server {
	return &server{seed: seed, share: share, asked: map[uint64]int{}, struck: map[string]int{}}
}

// ServeHTTP answers or meets a fault.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	reply, err := answer(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	time.Sleep(latency)
	if f, ok := s.fate(hash(body)); ok {
		f.strike(w, reply)
		return
	}
	whole("application/json", reply)(w, nil)
}

// fate returns the fault that a request meets, if any.
func (s *server) fate(question uint64) (f fault, struck bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	n := s.asked[question]
	s.asked[question]++
	random := rand.New(rand.NewPCG(s.seed, question+uint64(n)))
	if s.quiet || random.Float64() >= s.share {
		return f, false
	}
	f = pick(random)
	s.struck[f.name]++
	return f, true
}

// Requests returns the number of requests so far.
func (s *server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// calm ends all faults, so that a run can be completed.
func (s *server) calm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = true
}

// A question is what the model sees of a request.
type question struct {
	Model    string
	Messages json.RawMessage
	Tools    []struct {
		Function struct {
			Name       string
			Parameters schema
		}
	}
}

type schema struct {
	Type       string
	Properties map[string]schema
	Required   []string
}

func hash(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, part := range parts {
		_, _ = h.Write(part)
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

// answer returns the model's answer, always the same for the same question: a
// call of one of the tools more often than not, and else a text.
func answer(body []byte) ([]byte, error) {
	var q question
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	n := hash(q.Messages, []byte(q.Model))
	message := map[string]any{"role": "assistant", "content": fmt.Sprintf("None of them fits: %x.", n)}
	if len(q.Tools) > 0 && n%5 < 3 {
		tool := q.Tools[n/5%uint64(len(q.Tools))].Function
		arguments, err := json.Marshal(value(tool.Parameters, n))
		if err != nil {
			return nil, err
		}
		message["tool_calls"] = []any{map[string]any{
			"id": fmt.Sprintf("call_%x", n), "type": "function",
			"function": map[string]any{"name": tool.Name, "arguments": string(arguments)},
		}}
	}
	return json.Marshal(map[string]any{
		"id": "x", "object": "chat.completion", "created": 1, "model": q.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": "stop"}},
		"usage":   map[string]int{"prompt_tokens": int(1 + n%1000), "completion_tokens": int(1 + n%100)},
	})
}

// value returns a value that a schema allows.
func value(s schema, n uint64) any {
	switch s.Type {
	case "object":
		out := map[string]any{}
		for _, name := range s.Required {
			out[name] = value(s.Properties[name], n)
		}
		return out
	case "array":
		return []any{}
	case "integer":
		return n % 100
	case "number":
		return float64(n%1000) / 8
	case "boolean":
		return n%2 == 0
	default:
		return fmt.Sprintf("note_%d", n%10)
	}
}

// requestTimeout is how long the client waits for a reply.
const requestTimeout = 3 * time.Second

// A fault is a way for a server to misbehave. It gets the reply that was due
// and decides what to send.
type fault struct {
	name   string
	weight int
	strike func(w http.ResponseWriter, reply []byte)
}

// stall is longer than a request of a trial may take.
const stall = requestTimeout + time.Second

var faults = []fault{
	{"429", 16, status(http.StatusTooManyRequests, "", "")},
	{"429 with a wait", 16, status(http.StatusTooManyRequests, "Retry-After-Ms", "15")},
	{"429 with a date of a clock that is off", 12, offClock},
	{"429 with an invalid wait", 12, status(http.StatusTooManyRequests, "Retry-After", "soon")},
	{"500", 16, status(http.StatusInternalServerError, "", "")},
	{"502 with a page", 12, page},
	{"503 with a wait", 12, status(http.StatusServiceUnavailable, "Retry-After", "0")},
	{"529", 8, status(529, "", "")},
	{"error with status 200", 8, whole("application/json", []byte(`{"error": {"message": "overloaded", "code": 503}}`))},
	{"connection closed", 16, func(w http.ResponseWriter, _ []byte) { hangUp(w, "", false) }},
	{"connection reset", 16, func(w http.ResponseWriter, _ []byte) { hangUp(w, "", true) }},
	{"no HTTP", 8, func(w http.ResponseWriter, _ []byte) { hangUp(w, "220 mail.example ESMTP\r\n", false) }},
	{"body cut", 16, cut},
	{"chunks cut", 16, cutChunks},
	{"JSON broken", 16, func(w http.ResponseWriter, reply []byte) { whole("application/json", reply[:len(reply)/2])(w, nil) }},
	{"empty body", 12, whole("application/json", nil)},
	{"page with status 200", 12, whole("text/html", []byte("<html><title>Sign in</title></html>"))},
	{"broken stream", 12, whole("text/event-stream", []byte("data: {\"choices\": [{\"delta\": {\"content\": \"No\"}}]}\n\ndata: {\"cho"))},
	{"no choices", 1, whole("application/json", []byte(`{"choices": [], "usage": {}}`))},
	{"compressed wrongly", 8, func(w http.ResponseWriter, reply []byte) {
		w.Header().Set("Content-Encoding", "gzip")
		whole("application/json", reply)(w, nil)
	}},
	{"an abort", 1, endedFor("abort")},
	{"a byte order mark", 8, func(w http.ResponseWriter, reply []byte) {
		whole("application/json", append([]byte("\ufeff"), reply...))(w, nil)
	}},
	{"slow body", 12, slow(100 * time.Millisecond)},
	{"body that stalls", 1, slow(stall)},
}

func pick(random *rand.Rand) fault {
	total := 0
	for _, f := range faults {
		total += f.weight
	}
	n := random.IntN(total)
	for _, f := range faults {
		if n -= f.weight; n < 0 {
			return f
		}
	}
	panic("unreachable")
}

func status(code int, header, value string) func(http.ResponseWriter, []byte) {
	return func(w http.ResponseWriter, _ []byte) {
		if header != "" {
			w.Header().Set(header, value)
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, `{"error": {"message": "trouble %d"}}`, code)
	}
}

func whole(contentType string, body []byte) func(http.ResponseWriter, []byte) {
	return func(w http.ResponseWriter, _ []byte) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	}
}

func page(w http.ResponseWriter, _ []byte) {
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = fmt.Fprint(w, "<html><body><h1>502 Bad Gateway</h1></body></html>")
}

// endedFor ends an answer for another reason, as servers do when they shut down.
func endedFor(reason string) func(http.ResponseWriter, []byte) {
	return func(w http.ResponseWriter, reply []byte) {
		whole("application/json", bytes.ReplaceAll(reply, []byte(`"stop"`), []byte(`"`+reason+`"`)))(w, nil)
	}
}

// offClock asks to wait until a date, from a clock that is years off.
func offClock(w http.ResponseWriter, reply []byte) {
	now := time.Now().UTC().Add(-3 * 365 * 24 * time.Hour)
	if len(reply)%2 == 0 {
		now = now.Add(6 * 365 * 24 * time.Hour)
	}
	w.Header().Set("Date", now.Format(http.TimeFormat))
	status(http.StatusTooManyRequests, "Retry-After", now.Format(http.TimeFormat))(w, nil)
}

// hangUp sends something that is not HTTP, or nothing, and hangs up.
func hangUp(w http.ResponseWriter, text string, reset bool) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	_, _ = fmt.Fprint(conn, text)
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func cut(w http.ResponseWriter, reply []byte) {
	hangUp(w, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		len(reply), reply[:len(reply)*2/3]), false)
}

func cutChunks(w http.ResponseWriter, reply []byte) {
	half := reply[:len(reply)/2]
	hangUp(w, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n",
		len(half), half), false)
}

// slow sends the whole reply, with a pause in it.
func slow(pause time.Duration) func(http.ResponseWriter, []byte) {
	return func(w http.ResponseWriter, reply []byte) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply[:len(reply)/2])
		_ = http.NewResponseController(w).Flush()
		time.Sleep(pause)
		_, _ = w.Write(reply[len(reply)/2:])
	}
}
