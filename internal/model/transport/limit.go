package transport

import (
	"container/list"
	"context"
	"sync"
)

// An outcome is what an attempt shows about the server's load.
type outcome uint8

const (
	neutral    outcome = iota // nothing: an error that is not about load
	served                    // the server took the request
	overloaded                // the server refused it because of its load
)

const (
	// mostPatience bounds how rarely a known limit is tried again.
	mostPatience = 4
	// tolerated is the share of refusals up to which those at a proven level
	// are taken for chance, and horizon is over how many outcomes it is
	// measured.
	tolerated = 0.1
	horizon   = 50
)

// A limit is the number of requests that may be in flight. It finds the
// server's capacity by itself: each refusal takes one off; success at the limit
// adds one per round, or doubles the size per round while it is below half of
// the last one known to be too much. A size that is refused again and again is
// tried more and more rarely. An occasional refusal of a size that was served
// before says nothing about the capacity.
type limit struct {
	mu        sync.Mutex
	size      float64
	max       int
	threshold float64 // below it the size doubles per round
	falling   bool    // after a refusal, until a request is served
	refused   int     // the size at the last refusal
	patience  float64 // rounds of success for one step up
	proven    int     // the most in flight with which a request was served
	share     float64 // the share of refusals among the last outcomes
	inFlight  int
	queue     list.List // of *waiter
}

// A waiter waits for a place.
type waiter struct {
	admitted chan struct{} // closed when the waiter has one
	level    int
}

func newLimit(start, most int) *limit {
	return &limit{size: float64(min(start, most)), max: most, threshold: float64(most), patience: 1}
}

// acquire waits for a place, first come first served, until the context or stop
// ends. It returns how many requests are then in flight, to be passed to
// release.
func (l *limit) acquire(ctx context.Context, stop <-chan struct{}) (level int, err error) {
	l.mu.Lock()
	if l.queue.Len() == 0 && l.inFlight < int(l.size) {
		defer l.mu.Unlock()
		l.inFlight++
		return l.inFlight, nil
	}
	w := &waiter{admitted: make(chan struct{})}
	place := l.queue.PushBack(w)
	l.mu.Unlock()

	select {
	case <-w.admitted:
		return w.level, nil
	case <-ctx.Done():
	case <-stop:
	}
	l.leave(place)
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return 0, errStopped
}

// leave gives up a place in the queue. If the waiter was admitted meanwhile,
// the slot goes to the next one.
func (l *limit) leave(place *list.Element) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-place.Value.(*waiter).admitted:
		l.inFlight--
		l.admit()
	default:
		l.queue.Remove(place)
	}
}

// release ends an attempt and learns from it.
func (l *limit) release(o outcome, level int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch o {
	case overloaded:
		l.share += (1 - l.share) / horizon
		if level > l.proven || l.share > tolerated {
			l.shrink()
		}
	case served:
		l.share -= l.share / horizon
		l.proven = max(l.proven, level)
		l.falling = false
		if l.inFlight >= int(l.size) {
			l.grow()
		}
	case neutral:
	}
	l.inFlight--
	l.admit()
}

func (l *limit) grow() {
	step := 1 / (l.size * l.patience)
	if l.size < l.threshold {
		step = 1
	}
	l.size = min(l.size+step, float64(l.max))
	if int(l.size) > l.refused {
		l.patience = 1
	}
}

// shrink sets the limit to one less than what is in flight, which may be less
// than the limit.
func (l *limit) shrink() {
	l.size = min(l.size, float64(l.inFlight)+0.5)
	if !l.falling {
		l.falling = true
		l.threshold = max(l.size/2, 1)
	}
	if int(l.size) == l.refused {
		l.patience = min(l.patience*2, mostPatience)
	}
	l.refused = int(l.size)
	l.size = max(l.size-1, 1)
	l.proven = min(l.proven, int(l.size))
}

func (l *limit) admit() {
	for l.inFlight < int(l.size) && l.queue.Len() > 0 {
		first := l.queue.Front()
		l.queue.Remove(first)
		l.inFlight++
		w := first.Value.(*waiter)
		w.level = l.inFlight
		close(w.admitted)
	}
}

func (l *limit) crowd() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inFlight
}
