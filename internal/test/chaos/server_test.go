package chaos

import (
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// A Server gives the same question the same answer each time, if it answers.
// Whether the n-th request with a question meets a fault, and which, depends
// only on the seed, the question and n, so a seed has the same effect in
// whatever order requests come.
type Server struct {
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

// NewServer returns a Server that misbehaves in the given share of requests.
func NewServer(seed uint64, share float64) *Server {
	return &Server{seed: seed, share: share, asked: map[uint64]int{}, struck: map[string]int{}}
}

// ServeHTTP answers or meets a fault.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
func (s *Server) fate(question uint64) (f fault, struck bool) {
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
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Faults returns how often each fault was met, by name.
func (s *Server) Faults() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.struck)
}

// calm ends all faults, so that a run can be completed.
func (s *Server) calm() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = true
}
