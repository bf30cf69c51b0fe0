package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"sync"

	"github.com/gobfcl/bfcl/internal/kit/safe"
)

// A view is what `bfcl play --attach` gets first: a case and its current state.
// A line for each call follows.
type view struct {
	Case  string                     `json:"case"`
	Turns []string                   `json:"turns"`
	State map[string]json.RawMessage `json:"state"`
}

// viewers are the connections that follow the calls of a case.
type viewers struct {
	mu  sync.Mutex
	all map[chan []byte]bool
}

// waiting is how many calls a viewer may be behind.
const waiting = 1024

// join adds a viewer; leave removes it.
func (v *viewers) join() (lines <-chan []byte, leave func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.all == nil {
		v.all = map[chan []byte]bool{}
	}
	c := make(chan []byte, waiting)
	v.all[c] = true
	return c, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.all, c)
	}
}

// tell sends a call to all viewers. The channel of a viewer that does not keep up
// is closed.
func (v *viewers) tell(call played) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.all) == 0 {
		return
	}
	line := lineOf(call)
	for c := range v.all {
		select {
		case c <- line:
		default:
			close(c)
			delete(v.all, c)
		}
	}
}

func lineOf(v any) []byte {
	var b bytes.Buffer
	_ = safe.EncodeJSON(&b, v, "")
	return b.Bytes()
}

// onceField in a view's query asks for the state only, without the calls.
const onceField = "once"

// view serves a case's state, and its calls as they arrive.
func (s *serving) view(one *served) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock() // no call between the state and the first line
		first := view{Case: one.c.ID, Turns: one.turns(), State: map[string]json.RawMessage{}}
		if one.env != nil {
			first.State = statesOf(one.env, "")
		}
		lines, leave := one.viewers.join()
		s.mu.Unlock()
		defer leave()
		flush := http.NewResponseController(w).Flush
		w.Header().Set("Content-Type", "application/jsonl")
		if _, err := w.Write(lineOf(first)); err != nil || flush() != nil || r.URL.Query().Has(onceField) {
			return
		}
		for {
			select {
			case line, ok := <-lines:
				if !ok {
					return
				}
				if _, err := w.Write(line); err != nil || flush() != nil {
					return
				}
			case <-r.Context().Done():
				return
			}
		}
	})
}
