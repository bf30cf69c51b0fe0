package command

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// tailSize is how much of a program's standard error is kept for messages.
const tailSize = 4 << 10

// A tail is a writer that keeps the last bytes written.
type tail struct {
	mu   sync.Mutex
	last []byte
}

// Write implements io.Writer; it never fails.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	if n > tailSize {
		p = p[n-tailSize:]
	}
	if over := len(t.last) + len(p) - tailSize; over > 0 {
		t.last = append(t.last[:0], t.last[over:]...)
	}
	t.last = append(t.last, p...)
	return n, nil
}

// String returns a clause for an error message: the end of standard error.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.last))
	if text == "" {
		return "standard error is empty"
	}
	return "standard error ends with " + strconv.Quote(text)
}

// quoteCap bounds a program's text in messages.
const quoteCap = 300

// quote returns a program's text for a message, escaped and capped.
func quote(text string) string {
	if len(text) <= quoteCap {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%q... (%d bytes)", text[:quoteCap], len(text))
}
