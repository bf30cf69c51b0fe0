package junit

import "strings"

// margin is how far package testing indents what a test logs; the lines after
// a message's first are indented twice.
const margin = "    "

// Log returns what the test itself logged: its output without the lines and the
// indentation of package testing, and without the "file.go:12:" that it puts
// before each message.
func Log(output string) string {
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

// withoutPlace removes "file.go:12: ".
func withoutPlace(words string) string {
	place, text, ok := strings.Cut(words, ": ")
	file, line, numbered := strings.Cut(place, ".go:")
	if !ok || !numbered || strings.ContainsAny(file, " \t") || strings.Trim(line, "0123456789") != "" {
		return words
	}
	return text
}
