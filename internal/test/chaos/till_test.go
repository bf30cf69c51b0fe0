package chaos_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// tokens are those of each reply of a till: 100 in, 10 out.
const tokens = 110

// usages are what a till's reply says of its tokens: all of them, or less.
var usages = map[string]string{
	"":                `, "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}`,
	"reasoning apart": `, "usage": {"prompt_tokens": 100, "completion_tokens": 2, "total_tokens": 110, "completion_tokens_details": {"reasoning_tokens": 8}}`,
	"reasoning only":  `, "usage": {"prompt_tokens": 100, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 8}}`,
	"none":            ``,
	"null":            `, "usage": null`,
	"texts":           `, "usage": {"prompt_tokens": "100", "completion_tokens": "10"}`,
	"other names":     `, "usage": {"input_tokens": 100, "output_tokens": 10}`,
	"half":            `, "usage": {"prompt_tokens": null, "completion_tokens": 10}`,
}

// A till is a server that counts: what it is asked for, and what it charges for
// that.
type till struct {
	*httptest.Server

	questions map[string]string // the ids of cases by their questions

	mu       sync.Mutex
	draw     *rand.Rand
	price    float64 // of a million tokens
	usage    string
	encoding string
	cuts     float64 // the share of replies that break off
	refuses  float64 // the share of requests that are refused
	requests int
	broken   int // of the replies
	inFlight int
	// hides: the list of models lacks the till's, so that a look asks a question.
	hides bool
	// charged and paid are by the ids of the cases, or look.
	charged map[string]int
	paid    map[string]float64
	// stopAt is the number of the request at which reached is closed, and all
	// replies wait for thaw; 0 is none.
	stopAt  int
	reached chan struct{}
	thaw    chan struct{}
	// dead: what is asked now does not count.
	dead bool
}

func newTill(t testing.TB, seed uint64, names ...string) *till {
	s := &till{questions: map[string]string{}, draw: rand.New(rand.NewPCG(seed, 52)), price: 100, charged: map[string]int{}, paid: map[string]float64{}}
	starter := testkit.Must(fixtures.Open("starter", ""))(t)
	for _, name := range names {
		cases := testkit.Must(starter.Cases(categories.Find(name)))(t)
		for _, c := range cases {
			s.questions[c.Question()] = c.ID
		}
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// look is what questions of no case count as.
const look = "look"

// idOf returns the case that a request is about.
func (s *till) idOf(body []byte) string {
	var q struct {
		Messages []struct{ Role, Content string }
	}
	_ = json.Unmarshal(body, &q)
	for _, m := range q.Messages {
		if id := s.questions[m.Content]; m.Role == "user" && id != "" {
			return id
		}
		if m.Content == "Hi" {
			return look
		}
	}
	return "?"
}

func (s *till) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet { // which costs nothing
		id := "m"
		if s.hides {
			id = "another"
		}
		_, _ = fmt.Fprintf(w, `{"object": "list", "data": [{"id": %q, "object": "model"}]}`, id)
		return
	}
	s.mu.Lock()
	if s.dead { // the process that asks should be
		s.mu.Unlock()
		return
	}
	s.requests++
	s.inFlight++
	fate, usage, encoding := s.draw.Float64(), usages[s.usage], s.encoding
	refused, cut := fate < s.refuses, fate >= s.refuses && fate < s.refuses+s.cuts
	if !refused {
		id := s.idOf(body)
		s.charged[id]++
		s.paid[id] += tokens * s.price / 1e6
		if cut {
			s.broken++
		}
	}
	if s.stopAt > 0 && s.requests == s.stopAt {
		close(s.reached)
	}
	thaw := s.thaw
	frozen := s.stopAt > 0 && s.requests >= s.stopAt
	s.mu.Unlock()
	if frozen {
		<-thaw
	}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.inFlight--
	}()
	text := `{"model": "m", "choices": [{"message": {"role": "assistant", "content": "no"}, "finish_reason": "stop"}]` + usage + `}`
	switch {
	case refused:
		w.Header().Set("Retry-After", "0")
		http.Error(w, `{"error": {"message": "slow down"}}`, http.StatusTooManyRequests)
	case cut:
		w.Header().Set("Content-Length", "4000")
		_, _ = io.WriteString(w, text[:40])
	default:
		if encoding != "" {
			w.Header().Set("Content-Encoding", encoding)
			text = "\x1b\x00\x01" + strings.ToUpper(text)
		}
		_, _ = io.WriteString(w, text)
	}
}

// A count is what a till has charged, in all and for some cases.
func (s *till) count() (requests int, paid map[string]float64, charged map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, maps.Clone(s.paid), maps.Clone(s.charged)
}

// set changes how the till answers from now on.
func (s *till) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// stop makes the till fall silent at the n-th request from now.
func (s *till) stop(n int) (reached <-chan struct{}, goOn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopAt, s.reached, s.thaw = s.requests+n, make(chan struct{}), make(chan struct{})
	thaw := s.thaw
	return s.reached, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stopAt = 0
		close(thaw)
	}
}

// waiting returns the number of requests without a reply.
func (s *till) waiting() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inFlight
}

// catalogue returns the text of a models.yaml with the till's model m.
func (s *till) catalogue() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	prices := ""
	if s.price > 0 {
		prices = fmt.Sprintf("\n    prices: {input: %g, output: %[1]g}", s.price)
	}
	return fmt.Sprintf("models:\n  m:\n    adapter: openai\n    id: m\n    base_url: %s/v1%s\n", s.URL, prices)
}
