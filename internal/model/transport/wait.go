package transport

import (
	"sync"
	"time"
)

// A Wait is what the server's requests for patience amount to at one moment.
type Wait struct {
	// Server is who asked for the longest, as host and port.
	Server string
	// Requests wait; 0 if none does.
	Requests int
	// Until is when the last of them is sent again, and Asked the longest
	// wait that the server asked for, which may be more than it gets.
	Until time.Time
	Asked time.Duration
}

// waits are the requests that wait because the server asked for it.
type waits struct {
	mu    sync.Mutex
	calls map[*call]Wait
}

// begin notes a wait; end takes it back.
func (w *waits) begin(c *call, wait, asked time.Duration) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[*call]Wait{}
	}
	w.calls[c] = Wait{Server: c.req.URL.Host, Until: time.Now().Add(wait), Asked: asked}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls, c)
	}
}

// Wait returns what the server makes requests wait for now.
func (t *Transport) Wait() Wait {
	t.waits.mu.Lock()
	defer t.waits.mu.Unlock()
	out := Wait{Requests: len(t.waits.calls)}
	for _, one := range t.waits.calls {
		if one.Asked > out.Asked || one.Asked == out.Asked && (out.Server == "" || one.Server < out.Server) {
			out.Server, out.Asked = one.Server, one.Asked
		}
		if one.Until.After(out.Until) {
			out.Until = one.Until
		}
	}
	if held := int(t.pace.held.Load()); held > 0 && out.Requests > 0 { // all wait, not these alone
		out.Requests += held
		if all := time.Now().Add(t.pace.rest()); all.After(out.Until) {
			out.Until = all
		}
	}
	return out
}
