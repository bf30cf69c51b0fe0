package transport

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"sync"
)

// A flight is a request in flight that several callers may wait for. It goes on
// as long as one of them waits.
type flight struct {
	done   chan struct{}
	ctx    context.Context
	cancel context.CancelFunc

	// Guarded by flights.mu: how many callers wait, and whether any but the
	// sender ever did.
	guests int
	shared bool

	resp  *http.Response
	body  []byte
	err   error
	meter Meter
}

// flights are the shared requests in flight, by content.
type flights struct {
	mu    sync.Mutex
	byKey map[[sha256.Size]byte]*flight
}

// join waits for the reply to the identical request in flight. If there is none
// it sends the request.
func (fs *flights) join(t *Transport, req *http.Request, body []byte) (*http.Response, error) {
	key := contentKey(req, body)
	fs.mu.Lock()
	f, joined := fs.byKey[key]
	if !joined {
		f = fs.open(req.Context(), key)
	}
	f.guests++
	f.shared = f.shared || joined
	fs.mu.Unlock()

	if !joined {
		return fs.lead(f, key, t, req, body)
	}
	select {
	case <-f.done:
	case <-req.Context().Done():
		fs.leave(f, key)
		return nil, (&call{ctx: req.Context()}).ended()
	}
	return f.reply(req, true)
}

// open begins a flight with a context that no caller can cancel.
func (fs *flights) open(ctx context.Context, key [sha256.Size]byte) *flight {
	f := &flight{done: make(chan struct{})}
	f.ctx, f.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if fs.byKey == nil {
		fs.byKey = map[[sha256.Size]byte]*flight{}
	}
	fs.byKey[key] = f
	return f
}

// lead sends the request. If the sender is canceled meanwhile, it stays as long
// as others wait for the reply, but does not get it.
func (fs *flights) lead(f *flight, key [sha256.Size]byte, t *Transport, req *http.Request, body []byte) (*http.Response, error) {
	stay := context.AfterFunc(req.Context(), func() { fs.leave(f, key) })
	fs.send(f, key, t, req, body)
	if !stay() {
		return nil, (&call{ctx: req.Context()}).ended()
	}
	return f.reply(req, false)
}

func (fs *flights) send(f *flight, key [sha256.Size]byte, t *Transport, req *http.Request, body []byte) {
	defer f.cancel()
	defer close(f.done)
	defer fs.forget(f, key)
	f.err = errStopped // for the others, if this panics
	f.resp, f.err = newCall(t, req.WithContext(f.ctx), body, &f.meter).run()
	if f.err == nil {
		f.body, f.err = ReadAll(f.resp.Body)
	}
}

// leave takes a caller out of a flight, and ends the flight if it was the last.
func (fs *flights) leave(f *flight, key [sha256.Size]byte) {
	fs.mu.Lock()
	f.guests--
	abandoned := f.guests == 0
	if abandoned && fs.byKey[key] == f {
		delete(fs.byKey, key)
	}
	fs.mu.Unlock()
	if abandoned {
		f.cancel()
	}
}

func (fs *flights) forget(f *flight, key [sha256.Size]byte) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.byKey[key] == f {
		delete(fs.byKey, key)
	}
}

// reply returns a caller's own copy of the reply.
func (f *flight) reply(req *http.Request, joined bool) (*http.Response, error) {
	meter := meterOf(req.Context())
	*meter = f.meter
	if meter.Joined = joined; joined {
		noteJoined(req.Context())
	}
	if f.err != nil {
		return nil, f.err
	}
	resp := *f.resp
	resp.Request = req
	if f.shared {
		resp.Header = f.resp.Header.Clone()
	}
	resp.Body = NewPayload(f.body)
	return &resp, nil
}

// contentKey returns the same key for requests with the same method, address
// and body. Headers do not count, because SDKs put numbers of their own into
// them.
func contentKey(req *http.Request, body []byte) [sha256.Size]byte {
	h := sha256.New()
	_, _ = io.WriteString(h, req.Method+"\x00"+req.URL.String()+"\x00")
	_, _ = h.Write(body)
	return [sha256.Size]byte(h.Sum(nil))
}
