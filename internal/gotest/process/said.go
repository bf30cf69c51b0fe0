package process

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/say"
)

// LastWords returns the last lines that the test printed, taken from its events: the
// message of a crash. They are safe for a terminal.
func LastWords(path string) string {
	var said Tail
	for line := range bytes.Lines(endOf(path)) {
		var event struct{ Action, Output string }
		if json.Unmarshal(line, &event) == nil && event.Action == "output" && !strings.HasPrefix(event.Output, "=== ") {
			_, _ = said.Write([]byte(event.Output))
		}
	}
	return said.String()
}

// endOf is the end of a file, as far as it can be read.
func endOf(path string) []byte {
	const size = 256 << 10
	file, err := plainfile.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err == nil && info.Size() > size {
		_, _ = file.Seek(-size, io.SeekEnd)
	}
	data, _ := io.ReadAll(io.LimitReader(file, size))
	return data
}

// A Tail keeps the end of what is written to it.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

const longestTail = 32 << 10

// Write keeps the last bytes.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if over := len(t.text) - longestTail; over > 0 {
		t.text = append(t.text[:0], t.text[over:]...)
	}
	return len(p), nil
}

// String returns the tail, safe for a terminal.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(string(t.text)), "\n") {
		if line = strings.ReplaceAll(line, "\t", "  "); strings.TrimSpace(line) != "" {
			lines = append(lines, "  "+say.Printable(line, 500))
		}
	}
	const most = 60
	if over := len(lines) - most; over > 0 {
		lines = append([]string{fmt.Sprintf("  … %d earlier lines", over)}, lines[over:]...)
	}
	return strings.Join(lines, "\n")
}
