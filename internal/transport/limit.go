package transport

import (
	"container/list"
	"context"
	"sync"
)

// An outcome is what an attempt says about the server's load.
type outcome uint8

const (
	neutral    outcome = iota // nothing: an error that is not about load
	served                    // the server took the request
	overloaded                // the server refused it for load
)

// mostPatience bounds how rarely a limit that is known is tried again.
const mostPatience = 4

// A limit is the number of requests that may be in flight. It finds the
// server's capacity by itself: each refusal says "one too many" and takes one
// off; success at the limit adds one per round, or doubles per round while the
// size is below half of the last one known to be too much. A size that is
// refused again and again is tried ever more rarely.
type limit struct {
	mu        sync.Mutex
	size      float64
	max       int
	threshold float64 // below it the size doubles per round
	falling   bool    // refused, and nothing served since
	refused   int     // the size at the last refusal
	patience  float64 // rounds of success for one step up
	inFlight  int
	queue     list.List // of chan struct{}, closed when admitted
}

func newLimit(start, most int) *limit {
	return &limit{size: float64(min(start, most)), max: most, threshold: float64(most), patience: 1}
}

// acquire waits for a place, first come first served, until the context or
// stop ends.
func (l *limit) acquire(ctx context.Context, stop <-chan struct{}) error {
	l.mu.Lock()
	if l.queue.Len() == 0 && l.inFlight < int(l.size) {
		l.inFlight++
		l.mu.Unlock()
		return nil
	}
	admitted := make(chan struct{})
	place := l.queue.PushBack(admitted)
	l.mu.Unlock()

	select {
	case <-admitted:
		return nil
	case <-ctx.Done():
	case <-stop:
	}
	l.leave(place)
	if err := ctx.Err(); err != nil {
		return err
	}
	return errStopped
}

// leave gives up a place in the queue; if it was admitted meanwhile, the slot
// goes to the next.
func (l *limit) leave(place *list.Element) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-place.Value.(chan struct{}):
		l.inFlight--
		l.admit()
	default:
		l.queue.Remove(place)
	}
}

// release ends an attempt and learns from it.
func (l *limit) release(o outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch o {
	case overloaded:
		l.shrink()
	case served:
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

// shrink takes one off what is in flight, which may be less than the limit.
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
}

func (l *limit) admit() {
	for l.inFlight < int(l.size) && l.queue.Len() > 0 {
		first := l.queue.Front()
		l.queue.Remove(first)
		l.inFlight++
		close(first.Value.(chan struct{}))
	}
}

func (l *limit) state() (inFlight, waiting, size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inFlight, l.queue.Len(), int(l.size)
}
