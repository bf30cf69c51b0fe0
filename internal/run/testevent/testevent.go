// Package testevent turns what a test binary prints into test events, as
// `go tool test2json` does: a JSON object a line, which gotestsum reads. It
// reads output of -test.v=test2json, where a control byte marks the lines of
// package testing. The command runs its own suite where there may be no go
// command to ask.
package testevent

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
	"unicode/utf8"
)

const (
	// marker begins the lines of package testing. Anywhere else it ends the
	// line before it: a test may print without a newline.
	marker = 0x16
	// longestLine is how long a line of package testing can be, end included.
	// A longer one is output.
	longestLine = 4096
	// longestOutput bounds the output in one event. gotestsum takes no line of
	// more than 64 KiB, and an escaped byte has six.
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

// A Converter takes a test's output and writes its events. It is not safe for
// concurrent use.
type Converter struct {
	out     io.Writer
	pkg     string
	started time.Time
	pending []byte // what is not a whole line yet
	seen    int    // how much of it has no end of a line
	cut     bool   // pending continues a line that was too long
	test    string // whose output comes
	// results are those of tests whose output may go on, outermost first.
	results []event
	err     error // of writing
}

// New writes the first event of a package's tests.
func New(out io.Writer, pkg string) *Converter {
	c := &Converter{out: out, pkg: pkg, started: time.Now(), pending: make([]byte, 0, longestLine)}
	c.write(event{Action: "start"})
	return c
}

// Write takes output in pieces of any size. It keeps accepting output if events
// cannot be written, so that the test does not end for that; Close returns the
// error.
func (c *Converter) Write(p []byte) (int, error) {
	all := len(p)
	for len(p) > 0 {
		n := min(len(p), longestLine-len(c.pending))
		c.pending, p = append(c.pending, p[:n]...), p[n:]
		c.lines()
	}
	return all, nil
}

// lines takes the whole lines out of what is pending.
func (c *Converter) lines() {
	rest := c.pending
	for n := lineEnd(rest, c.seen); n > 0; n = lineEnd(rest, 0) {
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

// lineEnd is the length of the first line, which ends behind seen bytes; 0 if
// there is no whole one.
func lineEnd(text []byte, seen int) int {
	for i := seen; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			return i + 1
		case text[i] == marker && i > 0:
			return i
		}
	}
	return 0
}

// wholeRunes is how much of a text does not end amid a rune.
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

// Close writes what is left and the event of the whole package. failed reports
// whether the process ended with an error.
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
	for len(text) > 0 {
		n := len(text)
		if n > longestOutput {
			n = wholeRunes(text[:longestOutput])
		}
		c.write(event{Action: "output", Output: string(text[:n])})
		text = text[n:]
	}
}

// write writes an event; an error is kept, and ends the writing.
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

// settle writes the results that were held back, down to a depth: output of
// their tests has ended.
func (c *Converter) settle(depth int) {
	c.test = ""
	for i := len(c.results) - 1; i >= depth; i-- {
		c.write(c.results[i])
		c.results = c.results[:i]
	}
}

// withoutEnd is a line without its newline.
func withoutEnd(line []byte) []byte {
	line, _ = bytes.CutSuffix(line, []byte("\n"))
	line, _ = bytes.CutSuffix(line, []byte("\r"))
	return line
}
