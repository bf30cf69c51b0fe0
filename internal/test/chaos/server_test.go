package chaos_test

import (
	"io"
	"math/rand/v2"
	"net/http"
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
