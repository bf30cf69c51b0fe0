package main

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/kit/plainfile"
	"github.com/gobfcl/bfcl/internal/kit/safe"
)

// lastWords is the last lines that the test printed, taken from its events: the
// message of a crash. They are safe for a terminal.
func lastWords(path string) string {
	const most = 25
	var lines []string
	for line := range bytes.Lines(endOf(path)) {
		var event struct{ Action, Output string }
		if json.Unmarshal(line, &event) != nil || event.Action != "output" {
			continue
		}
		text := strings.TrimRight(strings.ReplaceAll(event.Output, "\t", "  "), "\r\n")
		if text != "" && !strings.HasPrefix(text, "=== ") {
			lines = append(lines, "  "+safe.Printable(text, 500))
		}
	}
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
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
