package transport

import (
	"sync"
	"time"
)

// A Wait describes what requests are waiting for at one moment: that the server
// has asked for it, or that it is starting.
type Wait struct {
	// Server is the host and port of the server that asked for the longest wait.
	Server string
	// Starting says that the server is loading its model, or restarting; Until
	// is then when it is no longer waited for.
	Starting bool
	// Requests is how many requests wait.
	Requests int
	// Until is when the last of them is sent again. Asked is the longest wait
	// that the server asked for, which may be longer than the actual one.
	Until time.Time
	Asked time.Duration
}

// waits holds the requests that wait for the server.
type waits struct {
	mu    sync.Mutex
	calls map[*call]Wait
}

// begin adds a wait; end removes it.
func (w *waits) begin(c *call, wait Wait) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls == nil {
		w.calls = map[*call]Wait{}
	}
	wait.Server = c.req.URL.Host
	w.calls[c] = wait
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls, c)
	}
}

// Wait returns what requests are waiting for now.
func (t *Transport) Wait() Wait {
	t.waits.mu.Lock()
	defer t.waits.mu.Unlock()
	out := Wait{Requests: len(t.waits.calls)}
	for _, one := range t.waits.calls {
		out.Starting = out.Starting || one.Starting
		if one.Asked > out.Asked || one.Asked == out.Asked && (out.Server == "" || one.Server < out.Server) {
			out.Server, out.Asked = one.Server, one.Asked
		}
		if one.Until.After(out.Until) {
			out.Until = one.Until
		}
	}
	if held := int(t.pace.held.Load()); held > 0 && out.Requests > 0 { // all requests wait, not only these
		out.Requests += held
		if all := time.Now().Add(t.pace.rest()); all.After(out.Until) {
			out.Until = all
		}
	}
	return out
}
