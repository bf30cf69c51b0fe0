// Package watch serves a page on loopback that follows a run in progress and
// becomes its report at the end.
package watch

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

// patience is the time after which a report that could not be made is tried
// again.
const patience = 3 * time.Second

// Options say what is watched. Dir is required.
type Options struct {
	// Dir is the run folder.
	Dir string
	// Name is the run's name for people, such as its model.
	Name string
	// Report makes the page of a run that has ended from the run's folder.
	Report func(dir string) ([]byte, error)
	// Every is how often the run is looked at; 0 is half a second.
	Every time.Duration
}

// silence is the time without progress after which a run is considered dead. A
// run writes its progress several times a second.
const silence = 15 * time.Second

// A Server shows one run at a time. It is safe for concurrent use.
type Server struct {
	o     Options
	token string

	mu      sync.Mutex
	dir     string
	name    string
	began   bool          // progress was seen in dir
	page    []byte        // the report of the run that ended
	err     error         // why there is none yet
	tried   time.Time     // when it was last tried to make one
	changed chan struct{} // closed when what is shown changes

	last    engine.Snapshot
	lastAt  time.Time // when last changed
	watched int       // pages that are open
}

// New returns a server; Follow or Options.Dir says what it shows.
func New(o Options) *Server {
	if o.Every <= 0 {
		o.Every = 500 * time.Millisecond
	}
	return &Server{o: o, token: rand.Text(), dir: o.Dir, name: o.Name, changed: make(chan struct{})}
}

// Follow shows another run from now on.
func (s *Server) Follow(dir, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dir, s.name = dir, name
	s.began, s.page, s.err = false, nil, nil
	s.last, s.lastAt, s.tried = engine.Snapshot{}, time.Now(), time.Time{}
	s.change()
}

// change wakes the pages. The caller holds mu.
func (s *Server) change() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// Open listens on a free port of loopback and serves until the context ends. It
// returns the page's address, which cannot be guessed.
func (s *Server) Open(ctx context.Context) (url string, wait func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("the page that follows the run: %w", err)
	}
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan error, 2)
	looked := make(chan struct{})
	go func() {
		defer close(looked)
		s.look(ctx)
	}()
	go func() { done <- server.Serve(listener) }()
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	wait = func() error {
		err := <-done
		stop()
		<-looked
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	}
	return fmt.Sprintf("http://%s/%s/", listener.Addr(), s.token), wait, nil
}

// Handler serves the page and its events below the token's path, and only if
// the request's host is a name of loopback: a page of another site whose name
// points here gets nothing.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /"+s.token+"/{$}", s.index)
	mux.HandleFunc("GET /"+s.token+"/events", s.events)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "this page is served on loopback only", http.StatusForbidden)
			return
		}
		head := w.Header()
		head.Set("Cache-Control", "no-store")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		mux.ServeHTTP(w, r)
	})
}

// look reads the run's progress until the context ends.
func (s *Server) look(ctx context.Context) {
	tick := time.NewTicker(s.o.Every)
	defer tick.Stop()
	for {
		s.once(time.Now())
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// once looks at the run.
func (s *Server) once(at time.Time) {
	s.mu.Lock()
	dir := s.dir
	s.mu.Unlock()
	now, there := engine.ReadProgress(dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir != s.dir {
		return // another run meanwhile
	}
	if there && !now.At.Equal(s.last.At) {
		s.last, s.lastAt, s.began = now, at, true
	}
	switch silent := at.Sub(s.lastAt) > silence; {
	case there && !silent:
		s.page, s.err, s.tried = nil, nil, time.Time{}
		s.change()
	case s.page == nil && at.Sub(s.tried) >= patience && (silent || s.written()):
		s.tried = at
		s.end()
	}
}

// written reports whether the run that was seen has written its verdicts: an
// older file may be an earlier run's. The caller holds mu.
func (s *Server) written() bool {
	info, err := os.Stat(filepath.Join(s.dir, tally.JUnitFile))
	return err == nil && info.ModTime().After(s.last.Started)
}

// Finish makes the report of a run that the caller knows to have ended.
func (s *Server) Finish() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.began = true
	s.end()
	return s.err
}

// Ended reports whether the run's report is ready.
func (s *Server) Ended() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.page != nil
}

// end makes the report of a run that has ended. The caller holds mu.
func (s *Server) end() {
	dir := s.dir
	s.mu.Unlock()
	page, err := s.o.Report(dir)
	s.mu.Lock()
	if dir != s.dir {
		return
	}
	s.page, s.err = page, err
	s.change()
}
