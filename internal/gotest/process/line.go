package process

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// The words of package testing that begin a line. Those after === say what
// happens to a test, those after --- how it ended.
var (
	happens = []string{"RUN  ", "PAUSE", "CONT ", "NAME ", "PASS ", "FAIL ", "SKIP ", "ATTR ", "ARTIFACTS"}
	ends    = []string{"PASS", "FAIL", "SKIP", "BENCH"}
)

const indent = "    "

// line handles a whole line: one of package testing, or output.
func (c *Converter) line(line []byte) {
	if line[0] != marker {
		c.print(line)
		return
	}
	line = line[1:]
	switch text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"); {
	case text == "PASS", text == "FAIL", strings.HasPrefix(text, "FAIL\t"):
		c.settle(0)
		c.print(line)
	case text == "=== NAME":
		c.settle(0)
	case strings.HasPrefix(text, "=== ") && c.happened(line, text[len("=== "):]):
	case c.ended(line):
	default:
		c.print(line)
	}
}

// happened handles a line about what happens to a test.
func (c *Converter) happened(line []byte, text string) bool {
	if !slices.ContainsFunc(happens, func(word string) bool { return strings.HasPrefix(text, word+" ") }) {
		return false
	}
	word, name, _ := strings.Cut(text, " ")
	e := event{Action: strings.ToLower(word)}
	name = strings.TrimSpace(name)
	switch word {
	case "ATTR":
		var rest string
		name, rest, _ = strings.Cut(name, " ")
		e.Key, e.Value, _ = strings.Cut(rest, " ")
	case "ARTIFACTS":
		name, e.Path, _ = strings.Cut(name, " ")
	}
	c.settle(0)
	c.test = name
	switch word {
	case "NAME": // only says which test the output is from
	case "PAUSE": // a paused test prints nothing
		c.print(line)
		c.write(e)
	default:
		c.write(e)
		c.print(line)
	}
	return true
}

// ended handles a line with a test's result. An indented line is about a
// subtest of the test before it, and indented output is from such a subtest,
// too.
func (c *Converter) ended(line []byte) bool {
	text, depth := line, 0
	for bytes.HasPrefix(text, []byte(indent)) {
		text, depth = text[len(indent):], depth+1
	}
	word, rest, _ := strings.Cut(strings.TrimPrefix(string(text), "--- "), ": ")
	if !bytes.HasPrefix(text, []byte("--- ")) || !slices.Contains(ends, word) {
		if depth > 0 && depth <= len(c.results) {
			c.test = c.results[depth-1].Test
		}
		return false
	}
	if depth > len(c.results) {
		return false
	}
	e := event{Action: strings.ToLower(word)}
	name, took, ok := strings.Cut(strings.TrimSpace(rest), " (") // "TestName (0.01s)"
	took, seconds := strings.CutSuffix(took, "s)")
	if f, err := strconv.ParseFloat(took, 64); ok && seconds && err == nil {
		e.Elapsed = &f
	}
	e.Test = name
	c.settle(depth)
	c.test = e.Test
	c.results = append(c.results, e)
	c.print(line)
	return true
}
