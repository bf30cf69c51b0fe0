package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// progressFile is where a test process writes its progress for the command that started it.
const progressFile = ".progress.json"

// Progress counts a run's cases. A nil Progress counts nothing.
type Progress struct {
	most int // most cases shown in flight; see NewProgress
	mu   sync.Mutex
	now  Snapshot
	wait func() transport.Wait
	stop chan struct{}
	done chan struct{}
}

// NewProgress returns a Progress for these categories, whose Name and Total are
// used. If dir is not empty, it writes a snapshot to that run folder every
// interval, for ReadProgress, until Close.
//
// More cases may be in progress than requests in flight: at most that many are
// shown as in flight; 0 shows all.
func NewProgress(categories []Count, most int, dir string, interval time.Duration) *Progress {
	p := &Progress{most: most, now: Snapshot{Started: time.Now()}}
	for _, c := range categories {
		p.now.Categories = append(p.now.Categories, Count{Name: c.Name, Total: c.Total})
		p.now.Total += c.Total
	}
	if dir != "" {
		p.stop, p.done = make(chan struct{}), make(chan struct{})
		go p.publish(filepath.Join(dir, progressFile), interval)
	}
	return p
}

func (p *Progress) publish(path string, interval time.Duration) {
	defer close(p.done)
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if data, err := json.Marshal(p.Snapshot()); err == nil {
			_ = record.WriteFile(path, data) // the next tick tries again
		}
		select {
		case <-tick.C:
		case <-p.stop:
			_ = os.Remove(path)
			return
		}
	}
}

// Snapshot returns the current state.
func (p *Progress) Snapshot() Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now
	now.Categories, now.Kinds = slices.Clone(now.Categories), maps.Clone(now.Kinds)
	now.Failures = slices.Clone(now.Failures)
	now.At = time.Now()
	if p.most > 0 {
		now.InFlight = min(now.InFlight, p.most)
	}
	if p.wait != nil {
		now.Wait = p.wait()
	}
	return now
}

// Close stops publishing.
func (p *Progress) Close() {
	if p != nil && p.stop != nil {
		close(p.stop)
		<-p.done
	}
}

// Watch sets the function that tells snapshots what requests are waiting for.
func (p *Progress) Watch(wait func() transport.Wait) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wait = wait
}

// change changes what is counted.
func (p *Progress) change(f func(now *Snapshot)) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	f(&p.now)
}

// sent counts refusals in a row; kind is "" for an answer.
func (p *Progress) sent(kind string) {
	p.change(func(now *Snapshot) {
		if now.Refusals++; kind == "" {
			now.Refusals = 0
		}
		now.Refusal = kind
	})
}

// finish counts the end of a case.
func (p *Progress) finish(cat *eval.Category, c *eval.Case, out *eval.Result) {
	p.change(func(now *Snapshot) {
		now.InFlight--
		if out.NotRun {
			return
		}
		now.add(out.Status)
		now.Category = cat.Name
		if i := slices.IndexFunc(now.Categories, func(c Count) bool { return c.Name == cat.Name }); i >= 0 {
			now.Categories[i].add(out.Status)
		}
		if out.Reused {
			now.Reused++
		}
		now.see(c.ID, out)
	})
}

// ReadProgress reads the snapshot that a running test process keeps in its run
// folder; ok is false if there is none.
func ReadProgress(dir string) (s Snapshot, ok bool) {
	data, err := plainfile.Read(filepath.Join(dir, progressFile), 1<<20)
	if err != nil {
		return s, false
	}
	return s, json.Unmarshal(data, &s) == nil
}

// A Tally counts cases that are done.
type Tally struct {
	Done   int `json:"done"`
	Passed int `json:"passed"`
	Failed int `json:"failed"`
	// Errors counts infrastructure errors, which are not the model's.
	Errors int `json:"errors"`
}

// A Count is the progress of a category.
type Count struct {
	Name  string `json:"name"`
	Total int    `json:"total"`
	Tally
}

// A Seen is a case that did not pass.
type Seen struct {
	ID string `json:"id"`
	// ErrorType is upstream's error type.
	ErrorType string `json:"error_type,omitempty"`
	// Reason is the beginning of the reason, as given by the judge or the
	// server.
	Reason string `json:"reason,omitempty"`
}

// A Snapshot is the state of a run at one moment.
type Snapshot struct {
	Total int `json:"total"`
	Tally
	Reused   int `json:"reused"`
	InFlight int `json:"in_flight"`
	// Cost is what this process has paid; 0 dollars if no prices are known.
	Cost    eval.Money `json:"cost"`
	Started time.Time  `json:"started"`
	// At is when the snapshot was taken.
	At time.Time `json:"at"`
	// Category is the category of the case that finished last.
	Category string `json:"category,omitempty"`
	// Categories are in the order of the run.
	Categories []Count `json:"categories,omitempty"`
	// Kinds counts infrastructure errors by their type.
	Kinds map[string]int `json:"kinds,omitempty"`
	// Failures are the last cases that failed or ended in an error, the newest
	// first.
	Failures []Seen `json:"failures,omitempty"`
	// Wait is what requests are waiting for because the server said so.
	Wait transport.Wait `json:"wait,omitzero"`
	// Refusals counts attempts that failed since the last answer; Refusal is the
	// kind of the last.
	Refusals int    `json:"refusals,omitempty"`
	Refusal  string `json:"refusal,omitempty"`
}

const (
	mostFailures  = 20
	mostKinds     = 50
	longestReason = 300 // characters
	shownRefusals = 10  // fewer are everyday
)

func (t *Tally) add(status eval.Status) {
	t.Done++
	switch status {
	case eval.Pass:
		t.Passed++
	case eval.Fail:
		t.Failed++
	case eval.Error:
		t.Errors++
	}
}

// see records a case that did not pass.
func (s *Snapshot) see(id string, out *eval.Result) {
	if out.Status == eval.Pass {
		return
	}
	one := Seen{ID: id, ErrorType: out.ErrorType, Reason: reason(out)}
	s.Failures = slices.Insert(s.Failures, 0, one)
	s.Failures = s.Failures[:min(mostFailures, len(s.Failures))]
	if out.Status != eval.Error {
		return
	}
	if s.Kinds == nil {
		s.Kinds = map[string]int{}
	}
	if _, known := s.Kinds[one.ErrorType]; known || len(s.Kinds) < mostKinds {
		s.Kinds[one.ErrorType]++
	}
}

// reason returns the beginning of the reason why a case did not pass.
func reason(out *eval.Result) string {
	switch detail := out.Detail.(type) {
	case *pyval.List:
		if len(detail.Items) > 0 {
			return say.Plain(pyval.Text(detail.Items[0]), longestReason)
		}
	case pyval.Str:
		return say.Plain(string(detail), longestReason)
	}
	if out.Err != nil {
		return say.Plain(out.Err.Error(), longestReason)
	}
	return ""
}

// Rate returns the number of cases answered per second, from the start until
// at; 0 if it is not known.
func (s Snapshot) Rate(at time.Time) float64 {
	elapsed := at.Sub(s.Started).Seconds()
	if elapsed > 0 {
		return float64(s.Done-s.Reused) / elapsed
	}
	return 0
}

// Left estimates how long the rest of the run takes, at the rate until at; 0 if
// it is not known.
func (s Snapshot) Left(at time.Time) time.Duration {
	if rate := s.Rate(at); rate > 0 {
		return time.Duration(float64(s.Total-s.Done) / rate * float64(time.Second)).Round(time.Second)
	}
	return 0
}

// Projected estimates the cost of the whole run in dollars, if the remaining
// cases cost as much as those asked so far; 0 if it is not known.
func (s Snapshot) Projected() float64 {
	asked := s.Done - s.Reused
	if asked <= 0 {
		return 0
	}
	return s.Cost.Dollars * float64(s.Total-s.Reused) / float64(asked)
}

// Text returns the snapshot as a line for people, as of the time at. The least
// important part comes last.
func (s Snapshot) Text(at time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d", s.Done, s.Total)
	if judged := s.Passed + s.Failed; judged > 0 {
		fmt.Fprintf(&b, "  %.1f%% passed", 100*float64(s.Passed)/float64(judged))
	}
	if s.Errors > 0 {
		b.WriteString("  " + say.Count(s.Errors, "error", "errors"))
	}
	if s.Cost.Dollars > 0 {
		fmt.Fprintf(&b, "  %s of about $%.2f", s.Cost.Text(2), s.Projected())
	}
	if text := s.Wait.Text(at); text != "" {
		b.WriteString("  " + text)
	}
	if s.Refusals >= shownRefusals {
		fmt.Fprintf(&b, "  %d refused in a row: %s", s.Refusals, s.Refusal)
	}
	fmt.Fprintf(&b, "  %d in flight", s.InFlight)
	if rate := s.Rate(at); rate > 0 {
		fmt.Fprintf(&b, "  %.1f/s  %v left", rate, s.Left(at))
	}
	if s.Category != "" {
		b.WriteString("  " + say.Plain(s.Category, 60))
	}
	return b.String()
}
