package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/plainfile"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/record"
)

// progressFile is where a run in a test process tells the command that
// started it how far it is.
const progressFile = ".progress.json"

// A Snapshot is the state of a run at one moment.
type Snapshot struct {
	Total    int `json:"total"`
	Done     int `json:"done"`
	Passed   int `json:"passed"`
	Failed   int `json:"failed"`
	Errors   int `json:"errors"`
	Reused   int `json:"reused"`
	InFlight int `json:"in_flight"`
	// Cost is in dollars, of the answers of this run alone; 0 where no
	// price is known.
	Cost    float64   `json:"cost"`
	Started time.Time `json:"started"`
	// Wait is what the server makes requests wait for.
	Wait Wait `json:"wait,omitzero"`
}

// A Wait is a server's request for patience, such as Retry-After.
type Wait struct {
	Server   string        `json:"server"`
	Requests int           `json:"requests"`
	Until    time.Time     `json:"until"`
	Asked    time.Duration `json:"asked"`
}

// shortWait is not worth a word.
const shortWait = 5 * time.Second

// text is the wait for people at a moment; "" where it is short or over.
func (w Wait) text(at time.Time) string {
	if w.Requests == 0 || w.Asked < shortWait || !w.Until.After(at) {
		return ""
	}
	return fmt.Sprintf("  %d waiting until %s: %s asks for %s", w.Requests, w.Until.Local().Format(time.TimeOnly), safe.Plain(w.Server, 100), w.Asked.Round(time.Second))
}

// Progress counts a run's cases. A nil Progress counts nothing.
type Progress struct {
	most int // see NewProgress
	mu   sync.Mutex
	now  Snapshot
	wait func() Wait
	stop chan struct{}
	done chan struct{}
}

// NewProgress counts towards total cases. With a run folder it writes a
// snapshot there every interval, for ReadProgress, until Close.
//
// At most so many cases are shown as in flight where more are begun than may
// ask at once; 0 shows all.
func NewProgress(total, most int, dir string, interval time.Duration) *Progress {
	p := &Progress{most: most, now: Snapshot{Total: total, Started: time.Now()}}
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

// Snapshot is the state now.
func (p *Progress) Snapshot() Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now
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

// Watch lets snapshots say what the server makes requests wait for.
func (p *Progress) Watch(wait func() Wait) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wait = wait
}

func (p *Progress) start() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.InFlight++
}

// pay counts what a reply cost.
func (p *Progress) pay(cost float64) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Cost += cost
}

func (p *Progress) finish(out Outcome) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.InFlight--
	if out.NotRun {
		return
	}
	p.now.Done++
	switch out.Status {
	case eval.Pass:
		p.now.Passed++
	case eval.Fail:
		p.now.Failed++
	default:
		p.now.Errors++
	}
	if out.Reused {
		p.now.Reused++
	}
}

// ReadProgress reads the snapshot a running test process left in its run
// folder; ok is false where there is none.
func ReadProgress(dir string) (s Snapshot, ok bool) {
	data, err := plainfile.Read(filepath.Join(dir, progressFile), 1<<20)
	if err != nil {
		return s, false
	}
	return s, json.Unmarshal(data, &s) == nil
}

// Text is the snapshot as a line for people, at a moment.
func (s Snapshot) Text(at time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d/%d", s.Done, s.Total)
	if judged := s.Passed + s.Failed; judged > 0 {
		fmt.Fprintf(&b, "  %.1f%% passed", 100*float64(s.Passed)/float64(judged))
	}
	if s.Errors > 0 {
		fmt.Fprintf(&b, "  %d infrastructure errors", s.Errors)
	}
	fmt.Fprintf(&b, "  %d in flight", s.InFlight)
	if s.Cost > 0 {
		fmt.Fprintf(&b, "  $%.2f", s.Cost)
	}
	b.WriteString(s.Wait.text(at))
	elapsed := at.Sub(s.Started).Seconds()
	if asked := s.Done - s.Reused; asked > 0 && elapsed > 0 {
		rate := float64(asked) / elapsed
		left := time.Duration(float64(s.Total-s.Done) / rate * float64(time.Second))
		fmt.Fprintf(&b, "  %.1f/s  %s left", rate, left.Round(time.Second))
	}
	return b.String()
}
