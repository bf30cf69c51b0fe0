package watch

import (
	_ "embed" // the page
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/number/stat"
	"github.com/gobfcl/bfcl/internal/run/engine"
)

//go:embed page.html.tmpl
var source string

var page = template.Must(template.New("page").Parse(source))

// heartbeat keeps proxies and browsers from giving up a quiet connection.
const heartbeat = 15 * time.Second

// A view is what the page shows at one moment.
type view struct {
	Name, State string
	// Bad marks a state that needs attention.
	Bad        bool
	Wait       string
	Done       int
	Total      int
	Share      float64 // share of cases that are done, in percent
	Right      string
	Facts      []fact
	Categories []row
	Kinds      []fact
	Failures   []engine.Seen
	Slowest    []engine.Seen
}

type fact struct{ Name, Value string }

// A row is a category's line.
type row struct {
	engine.Count
	// Share is the share of cases that are done, in percent.
	Share float64
	// Right, Low and High are percentages of the judged cases; Right is -1 if
	// there are none.
	Right, Low, High float64
}

// view is what the page shows now; ended reports whether the report is ready.
func (s *Server) view(at time.Time) (v view, ended bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v = view{Name: safe.Plain(s.name, 200)}
	now := s.last
	switch {
	case s.page != nil:
		return v, true
	case s.err != nil && s.began:
		v.State, v.Bad = "The run has stopped, but its report could not be made: "+safe.Plain(s.err.Error(), 2000), true
	case !s.began && s.err != nil:
		v.State = "Waiting for the run to begin. There is no report yet: " + safe.Plain(s.err.Error(), 2000)
		return v, false
	case !s.began:
		v.State = "Waiting for the run to begin."
		return v, false
	case at.Sub(s.lastAt) > silence/3:
		v.State, v.Bad = fmt.Sprintf("No progress for %v.", at.Sub(s.lastAt).Round(time.Second)), true
	default:
		v.State = now.Text(at)
	}
	v.fill(now, at)
	return v, false
}

func (v *view) fill(now engine.Snapshot, at time.Time) {
	v.Done, v.Total, v.Share = now.Done, now.Total, percent(now.Done, now.Total)
	if judged := now.Passed + now.Failed; judged > 0 {
		i := stat.Wilson(now.Passed, judged, stat.Z95)
		v.Right = fmt.Sprintf("%.1f%% (%.1f to %.1f)", percent(now.Passed, judged), 100*i.Low, 100*i.High)
	}
	v.Facts = facts(now, at)
	for _, c := range now.Categories {
		r := row{Count: c, Share: percent(c.Done, c.Total), Right: -1}
		if judged := c.Passed + c.Failed; judged > 0 {
			i := stat.Wilson(c.Passed, judged, stat.Z95)
			r.Right, r.Low, r.High = percent(c.Passed, judged), 100*i.Low, 100*i.High
		}
		v.Categories = append(v.Categories, r)
	}
	for _, kind := range slices.Sorted(maps.Keys(now.Kinds)) {
		v.Kinds = append(v.Kinds, fact{kind, fmt.Sprint(now.Kinds[kind])})
	}
	v.Failures, v.Slowest = now.Failures, now.Slowest
}

func facts(now engine.Snapshot, at time.Time) []fact {
	out := []fact{
		{"errors", fmt.Sprint(now.Errors)},
		{"in flight", fmt.Sprint(now.InFlight)},
		{"running for", at.Sub(now.Started).Round(time.Second).String()},
	}
	if rate := now.Rate(at); rate > 0 {
		out = append(out, fact{"rate", fmt.Sprintf("%.1f per second", rate)}, fact{"time left, about", now.Left(at).String()})
	}
	if now.Cost > 0 {
		out = append(out, fact{"cost so far", fmt.Sprintf("$%.2f", now.Cost)}, fact{"total cost, about", fmt.Sprintf("$%.2f", now.Projected())})
	}
	if now.Reused > 0 {
		out = append(out, fact{"recorded earlier", fmt.Sprint(now.Reused)})
	}
	return out
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// index is the page: the report once the run has ended.
func (s *Server) index(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	report := s.page
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if report != nil {
		_, _ = w.Write(report)
		return
	}
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	v, _ := s.view(time.Now())
	_ = page.Execute(w, v)
}

// events sends what the page shows whenever it changes, as server-sent events,
// until the report is ready.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := http.NewResponseController(w)
	s.open(1)
	defer s.open(-1)
	var shown string
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		v, ended := s.view(time.Now())
		text := ": \n\n"
		if ended {
			text = "event: ended\ndata: {}\n\n"
		} else if body := fragment(v); body != shown {
			shown = body
			data, _ := json.Marshal(body) // a string
			text = "data: " + string(data) + "\n\n"
		}
		if _, err := fmt.Fprint(w, text); err != nil || send.Flush() != nil || ended {
			return
		}
		select {
		case <-changed:
		case <-beat.C:
		case <-r.Context().Done():
			return
		}
	}
}

// fragment is the part of the page that changes.
func fragment(v view) string {
	var b strings.Builder
	_ = page.ExecuteTemplate(&b, "now", v) // into memory
	return b.String()
}

// open adds n to the number of open pages.
func (s *Server) open(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watched += n
	s.change()
}

// Settle waits until all open pages have been sent the report, or a time has
// passed.
func (s *Server) Settle(most time.Duration) {
	deadline := time.After(most)
	for {
		s.mu.Lock()
		left, changed := s.watched, s.changed
		s.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			return
		}
	}
}
