package transport

import (
	"context"
	"crypto/sha256"
	"io"
	"net/http"
	"sync"
)

// A flight is a request in flight that several callers wait for. It goes on
// as long as one of them does.
type flight struct {
	done   chan struct{}
	cancel context.CancelFunc
	guests int // under flights.mu

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

// join waits for the identical request in flight, which it sends where there
// is none.
func (fs *flights) join(t *Transport, req *http.Request, body []byte) (*http.Response, error) {
	key := contentKey(req, body)
	fs.mu.Lock()
	f, joined := fs.byKey[key]
	if !joined {
		f = fs.start(t, req, body, key)
	}
	f.guests++
	fs.mu.Unlock()

	select {
	case <-f.done:
	case <-req.Context().Done():
		fs.leave(f, key)
		return nil, (&call{ctx: req.Context()}).ended()
	}
	meter := meterOf(req.Context())
	*meter = f.meter
	meter.Joined = joined
	return f.reply(req)
}

// start sends a request on nobody's own context.
func (fs *flights) start(t *Transport, req *http.Request, body []byte, key [sha256.Size]byte) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(req.Context()))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	if fs.byKey == nil {
		fs.byKey = map[[sha256.Size]byte]*flight{}
	}
	fs.byKey[key] = f
	own := req.Clone(ctx)
	go func() {
		defer cancel()
		f.resp, f.err = newCall(t, own, body, &f.meter).run()
		if f.err == nil {
			f.body, f.err = ReadAll(f.resp.Body)
		}
		fs.forget(f, key)
		close(f.done)
	}()
	return f
}

// leave ends a flight that nobody waits for any longer.
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

// reply is a caller's own copy of the reply.
func (f *flight) reply(req *http.Request) (*http.Response, error) {
	if f.err != nil {
		return nil, f.err
	}
	resp := *f.resp
	resp.Request = req
	resp.Header = f.resp.Header.Clone()
	resp.Body = NewPayload(f.body)
	return &resp, nil
}

// contentKey tells requests apart by what they ask; headers, in which SDKs
// put numbers of their own, do not count.
func contentKey(req *http.Request, body []byte) [sha256.Size]byte {
	h := sha256.New()
	_, _ = io.WriteString(h, req.Method+"\x00"+req.URL.String()+"\x00")
	_, _ = h.Write(body)
	return [sha256.Size]byte(h.Sum(nil))
}
