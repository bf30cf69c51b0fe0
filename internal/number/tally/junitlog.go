package tally

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// margin is how far package testing indents what a test logs or prints; the lines
// after the first of a logged message are indented twice.
const margin = "    "

// JUnitLog returns what the test itself logged: its output without the lines and the
// indentation of package testing, and without the "file.go:12:" that it, or the
// suite, puts before each message.
func JUnitLog(output string) string {
	var lines []string
	message := 0 // where the lines after the first of a message begin
	for line := range strings.SplitSeq(output, "\n") {
		words, indented := strings.CutPrefix(line, margin)
		place := placed().FindString(words)
		switch {
		case framework(line):
		case indented && place == "":
			lines = append(lines, strings.TrimRight(words, " "))
		default:
			cutSecond(lines[message:])
			if indented {
				words = words[len(place):]
			}
			lines = append(lines, words)
			message = len(lines)
		}
	}
	cutSecond(lines[message:])
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// cutSecond cuts the second margin off the lines after a message's first. What the
// suite writes has none, but lines that are indented less.
func cutSecond(lines []string) {
	for _, line := range lines {
		if line != "" && !strings.HasPrefix(line, margin) {
			return
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, margin)
	}
}

// framework matches the lines of package testing; what a test logs is indented.
func framework(line string) bool {
	for _, start := range []string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "=== ATTR ", "--- FAIL: ", "--- SKIP: ", "--- PASS: "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}

// placed matches "file.go:12: " and the line of a case's dataset file.
var placed = pattern.Of(`^(?:[A-Za-z]:)?[^:" ]+\.(?:go|jsonl?|ya?ml):\d+: `)
