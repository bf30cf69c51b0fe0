package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/record"
)

// progressFile is where a run in a test process writes its progress for the
// command that started it.
const progressFile = ".progress.json"

// Progress counts a run's cases. A nil Progress counts nothing.
type Progress struct {
	most int // most cases shown in flight; see NewProgress
	mu   sync.Mutex
	now  Snapshot
	of   map[string]int // index of each category in now, by name
	wait func() Wait
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
	p := &Progress{most: most, now: Snapshot{Started: time.Now()}, of: map[string]int{}}
	for _, c := range categories {
		p.of[c.Name] = len(p.now.Categories)
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
	now := p.now.clone()
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

// pay counts what a request cost.
func (p *Progress) pay(cost eval.Money) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Cost = p.now.Cost.Plus(cost)
}

// finish counts the end of a case.
func (p *Progress) finish(cat *eval.Category, c *eval.Case, out *eval.Result) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.InFlight--
	if out.NotRun {
		return
	}
	p.now.add(&p.now.Tally, out.Status)
	p.now.Category = cat.Name
	if i, ok := p.of[cat.Name]; ok {
		p.now.add(&p.now.Categories[i].Tally, out.Status)
	}
	if out.Reused {
		p.now.Reused++
	}
	p.now.see(c.ID, cat.Name, out)
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
