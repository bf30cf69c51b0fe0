package child

import (
	"strings"
	"sync"
)

// A Tail keeps the last bytes written to it.
type Tail struct {
	// Most is how many.
	Most int
	mu   sync.Mutex
	last []byte
}

// Write implements io.Writer; it never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p[max(0, len(p)-t.Most):]...)
	if over := len(t.last) - t.Most; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
	}
	return len(p), nil
}

// String returns the bytes as text.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.last))
}
