package tally

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// margin is how far package testing indents what a test logs; the lines after
// a message's first are indented twice.
const margin = "    "

// JUnitLog returns what the test itself logged: its output without the lines and the
// indentation of package testing, and without the "file.go:12:" that it, or the
// suite, puts before each message.
func JUnitLog(output string) string {
	var lines []string
	for line := range strings.SplitSeq(output, "\n") {
		if !framework(line) {
			lines = append(lines, ownWords(line))
		}
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
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

func ownWords(line string) string {
	words, indented := strings.CutPrefix(line, margin)
	if !indented {
		return line
	}
	if rest, more := strings.CutPrefix(words, margin); more {
		return strings.TrimRight(rest, " ")
	}
	return withoutPlace(words)
}

// placed matches "file.go:12: " and the line of a case's dataset file.
var placed = pattern.Of(`^(?:[A-Za-z]:)?[^:" ]+\.(?:go|jsonl?|ya?ml):\d+: `)

// withoutPlace removes a file and a line.
func withoutPlace(words string) string { return words[len(placed().FindString(words)):] }
