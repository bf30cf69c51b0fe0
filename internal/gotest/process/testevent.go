package process

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// marker begins the lines of package testing. Elsewhere it ends the line
	// before it, because a test may print without a newline.
	marker = 0x16
	// escape stands before a byte of a test's log that has a meaning here, and
	// errorBegins and errorEnds around the text of an error, from Go 1.27 on.
	escape      = 0x1b
	errorBegins = 0x0f
	errorEnds   = 0x0e
	// longestLine is the longest line of package testing, in bytes, with its
	// end. A longer one is output.
	longestLine = 4096
	// longestOutput is the most output in one event, in bytes. gotestsum does
	// not read lines longer than 64 KiB, and an escaped byte takes six.
	longestOutput = 1024
)

// An event is a line of JSON as test2json writes it.
type event struct {
	Time    time.Time
	Action  string
	Package string   `json:",omitempty"`
	Test    string   `json:",omitempty"`
	Elapsed *float64 `json:",omitempty"`
	Output  string   `json:",omitempty"`
	Key     string   `json:",omitempty"`
	Value   string   `json:",omitempty"`
	Path    string   `json:",omitempty"`
}

// A Converter reads a test's output and writes its events. It is not safe for
// concurrent use.
type Converter struct {
	out     io.Writer
	pkg     string
	started time.Time
	pending []byte // not yet a whole line
	seen    int    // how much of it is known to have no line end
	escaped bool   // the byte after what was seen is escaped
	cut     bool   // pending continues a line that was too long
	test    string // the test that output is from
	// results are the results of tests that may still have output, outermost
	// first.
	results []event
	kept    bool  // the first byte of the next output is escaped
	err     error // of writing
}

// New returns a Converter for a package's tests and writes the first event.
func New(out io.Writer, pkg string) *Converter {
	c := &Converter{out: out, pkg: pkg, started: time.Now(), pending: make([]byte, 0, longestLine)}
	c.write(event{Action: "start"})
	return c
}

// Write takes output in pieces of any size. It goes on if events cannot be
// written, so that this does not end the test; Close returns the error.
func (c *Converter) Write(p []byte) (int, error) {
	all := len(p)
	for len(p) > 0 {
		n := min(len(p), longestLine-len(c.pending))
		c.pending, p = append(c.pending, p[:n]...), p[n:]
		c.lines()
	}
	return all, nil
}

// lines handles the whole lines in pending.
func (c *Converter) lines() {
	rest := c.pending
	for n := c.lineEnd(rest, c.seen); n > 0; n = c.lineEnd(rest, 0) {
		if c.cut {
			c.print(rest[:n])
		} else {
			c.line(rest[:n])
		}
		c.cut, rest = false, rest[n:]
	}
	if len(rest) == longestLine {
		n := wholeRunes(rest)
		c.print(rest[:n])
		c.cut, rest = true, rest[n:]
	}
	c.pending = c.pending[:copy(c.pending, rest)]
	c.seen = len(c.pending)
}

// lineEnd returns the length of the first line, if seen bytes are known to have
// no line end; 0 if there is no whole line. As in test2json an escape before a
// newline is about the next line's first byte.
func (c *Converter) lineEnd(text []byte, seen int) int {
	for i := seen; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\n':
			return i + 1
		case c.escaped:
			c.escaped = false
		case escapes && b == escape:
			c.escaped = true
		case b == marker && i > 0:
			return i
		}
	}
	return 0
}

// wholeRunes returns how much of a text does not end inside a rune.
func wholeRunes(text []byte) int {
	for n := len(text) - 1; n >= 0 && n >= len(text)-utf8.UTFMax; n-- {
		if utf8.RuneStart(text[n]) {
			if utf8.FullRune(text[n:]) {
				break
			}
			return n
		}
	}
	return len(text)
}

// Close writes the rest of the output and the event of the whole package.
// failed reports whether the process ended with an error.
func (c *Converter) Close(failed bool) error {
	c.print(c.pending)
	c.pending = nil
	action := "pass"
	if failed {
		action = "fail"
	}
	c.test = ""
	took := time.Since(c.started).Round(time.Millisecond).Seconds()
	c.write(event{Action: action, Elapsed: &took})
	return c.err
}

// print writes output of the current test.
func (c *Converter) print(text []byte) {
	if escapes {
		text = c.unescaped(text)
	}
	for len(text) > 0 {
		n := len(text)
		if n > longestOutput {
			n = wholeRunes(text[:longestOutput])
		}
		c.write(event{Action: "output", Output: string(text[:n])})
		text = text[n:]
	}
}

// unescaped removes in place what package testing adds to output.
func (c *Converter) unescaped(text []byte) []byte {
	plain := text[:0]
	for _, b := range text {
		switch {
		case c.kept:
			c.kept = false
		case b == escape:
			c.kept = true
			continue
		case b == errorBegins, b == errorEnds:
			continue
		}
		plain = append(plain, b)
	}
	return plain
}

// write writes an event. After an error, which is kept, it writes nothing.
func (c *Converter) write(e event) {
	if c.err != nil {
		return
	}
	e.Time, e.Package = time.Now(), c.pkg
	if e.Test == "" {
		e.Test = c.test
	}
	line, err := json.Marshal(e)
	if err == nil {
		_, err = c.out.Write(append(line, '\n'))
	}
	c.err = err
}

// settle writes the results held back down to a depth: no more output of their tests can come.
func (c *Converter) settle(depth int) {
	c.test = ""
	for i := len(c.results) - 1; i >= depth; i-- {
		c.write(c.results[i])
		c.results = c.results[:i]
	}
}

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
