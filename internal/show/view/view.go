// Package view serves a page on loopback that lists all runs below a folder,
// follows those in progress, and shows the report of those that a reader
// chooses. It reads run folders and writes nothing.
package view

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/run/engine"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/show/report"
)

//go:embed view.html.tmpl view.js view.css
var files embed.FS

var pages = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(files, "view.html.tmpl")) })

// Options choose the runs that are shown. Both are required.
type Options struct {
	// Root is the folder of the runs.
	Root string
	// Report makes the page of runs from their folders.
	Report func(dirs []string) ([]byte, error)
}

// A Server shows the runs below a folder. It is safe for concurrent use.
type Server struct {
	o     Options
	token string

	mu sync.Mutex // one report at a time: two would take twice the memory
}

// New returns a server.
func New(o Options) *Server { return &Server{o: o, token: rand.Text()} }

// Open listens on a free port of loopback and serves until the context ends. It
// returns the address, which cannot be guessed.
func (s *Server) Open(ctx context.Context) (url string, wait func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	wait = func() error {
		err := <-done
		stop()
		if errors.Is(err, http.ErrServerClosed) {
			return nil
		}
		return err
	}
	return fmt.Sprintf("http://%s/%s/", listener.Addr(), s.token), wait, nil
}

// policy allows only this server's own files.
const policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Handler serves the pages below the token's path, and only if the request's host
// is a name of loopback: a page of another site whose name points here gets
// nothing.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for path, handle := range map[string]http.HandlerFunc{
		"{$}": s.list("list"), "runs": s.list("runs"), "page": s.page, "live": s.live,
		"view.js":  file("text/javascript", embedded("view.js")),
		"view.css": file("text/css", ":root{color-scheme:light;"+report.Light+"}\n@media (prefers-color-scheme:dark){:root{color-scheme:dark;"+report.Dark+"}}\n"+embedded("view.css")),
	} {
		mux.HandleFunc("GET /"+s.token+"/"+path, handle)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if ip := net.ParseIP(strings.Trim(host, "[]")); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
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

func embedded(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(text)
}

func file(kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = w.Write([]byte(text))
	}
}

// write executes a template into the answer.
func write(w http.ResponseWriter, status int, name string, data any) {
	var b strings.Builder
	if err := pages().ExecuteTemplate(&b, name, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
	_, _ = w.Write([]byte(b.String()))
}

// list serves the page of all runs, or the part of it that changes.
func (s *Server) list(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		runs, more, err := Runs(s.o.Root, time.Now())
		v := listOf(say.Printable(s.o.Root, 300), runs)
		v.More = more
		if err != nil {
			v.Trouble = say.Printable(err.Error(), 500)
		}
		write(w, http.StatusOK, name, v)
	}
}

// chosen returns the runs that a request names, in its order, if the list has them.
func (s *Server) chosen(r *http.Request) ([]Run, error) {
	runs, _, err := Runs(s.o.Root, time.Now())
	if err != nil {
		return nil, err
	}
	byID := map[string]Run{}
	for _, one := range runs {
		byID[one.ID] = one
	}
	var out []Run
	for _, id := range r.URL.Query()["id"] {
		one, known := byID[id]
		if !known {
			return nil, errors.New("this run is not there any more: go back to the list")
		}
		out = append(out, one)
	}
	if len(out) == 0 {
		return nil, errors.New("choose a run in the list first")
	}
	return out, nil
}

// page serves the report of the chosen runs, or the progress of one that runs.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	runs, err := s.chosen(r)
	if err == nil && len(runs) == 1 && runs[0].State == Running {
		s.progress(w, "follow", &runs[0])
		return
	}
	var page []byte
	if err == nil {
		page, err = s.report(runs)
	}
	if err != nil {
		write(w, http.StatusUnprocessableEntity, "trouble", say.Printable(err.Error(), 4000))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page) // it states its own policy
}

// report makes a page.
func (s *Server) report(runs []Run) ([]byte, error) {
	dirs := make([]string, len(runs))
	for i := range runs {
		dirs[i] = runs[i].Dir
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o.Report(dirs)
}

// live serves the progress of a run, or that it has ended.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	runs, err := s.chosen(r)
	if err != nil || runs[0].State != Running {
		w.WriteHeader(http.StatusGone) // the page loads itself again
		return
	}
	s.progress(w, "now", &runs[0])
}

func (s *Server) progress(w http.ResponseWriter, name string, run *Run) {
	now, _ := engine.ReadProgress(run.Dir)
	write(w, http.StatusOK, name, progressOf(run, now, time.Now()))
}

// A list is what the page of all runs shows.
type list struct {
	Root, Trouble string
	Runs          []line
	More          bool
	States        []state
}

// A line is a run in the list.
type line struct {
	Run
	Date, Text, Interval string
	// Bar is the score as a bar, Err its interval.
	Bar, Err string
}

// A state is a filter with the number of its runs.
type state struct {
	Name  string
	Count int
}

func listOf(root string, runs []Run) list {
	v := list{Root: root}
	count := map[string]int{}
	for _, r := range runs {
		count[r.State]++
		one := line{Run: r, Text: "–"}
		if !r.When.IsZero() {
			one.Date = r.When.UTC().Format("2006-01-02 15:04")
		}
		if r.Scored {
			one.Text, one.Interval = fmt.Sprintf("%.2f", r.Score), fmt.Sprintf("%.1f–%.1f", r.Low, r.High)
			one.Bar, one.Err = fmt.Sprintf("%.1f", r.Score), fmt.Sprintf("M%.1f 6H%.1f", r.Low, r.High)
		}
		v.Runs = append(v.Runs, one)
	}
	for _, name := range []string{Running, Complete, Part, Refused} {
		if count[name] > 0 {
			v.States = append(v.States, state{name, count[name]})
		}
	}
	return v
}
