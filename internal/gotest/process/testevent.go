package process

import (
	"encoding/json"
	"io"
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
