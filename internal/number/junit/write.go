package junit

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A Report is what a CI's test view shows.
type Report struct {
	// Name is the run's.
	Name string
	// Time is when the run began; zero if it is not known.
	Time time.Time
	// Properties describe the run; they are repeated in each suite because most
	// readers look only there.
	Properties []Property
	// Suites are the suites, written in this order.
	Suites []Suite
}

// A Property is a name and its value.
type Property struct{ Name, Value string }

// A Suite is a group of entries.
type Suite struct {
	// Name is the suite's name, and the class of its entries.
	Name string
	// File holds the entries' sources.
	File string
	// Entries are the suite's entries, written in this order.
	Entries []Entry
}

// An Entry is one test case.
type Entry struct {
	// Name is unique in its suite.
	Name string
	// Line is the line in the suite's file; 0 if there is none.
	Line int
	// Seconds is the time it took.
	Seconds float64
	// Properties should be few: some readers show them all.
	Properties []Property
	// Outcome says which of failure, error and skipped is written.
	Outcome Outcome
	// Type and Message say in one line why the test did not pass, and Body in
	// full.
	Type, Message, Body string
}

// Write writes the report. Characters that XML forbids become U+FFFD.
func Write(out io.Writer, r *Report) error {
	w := &writer{out: bufio.NewWriterSize(out, 1<<16)}
	var all counts
	for _, s := range r.Suites {
		all.add(count(s))
	}
	w.raw(`<?xml version="1.0" encoding="UTF-8"?>` + "\n<testsuites")
	w.attr("name", r.Name)
	w.counts(all)
	w.raw(">\n")
	for _, s := range r.Suites {
		w.suite(r, s)
	}
	w.raw("</testsuites>\n")
	return w.out.Flush()
}

type counts struct {
	tests, failures, errors, skipped int
	seconds                          float64
}

func count(s Suite) counts {
	var c counts
	for _, e := range s.Entries {
		c.tests++
		c.seconds += e.Seconds
		switch e.Outcome {
		case Failed:
			c.failures++
		case Errored:
			c.errors++
		case Skipped:
			c.skipped++
		}
	}
	return c
}

func (c *counts) add(d counts) {
	c.tests += d.tests
	c.failures += d.failures
	c.errors += d.errors
	c.skipped += d.skipped
	c.seconds += d.seconds
}

// A writer keeps the first error inside its bufio.Writer, for Flush.
type writer struct{ out *bufio.Writer }

func (w *writer) raw(s string) { _, _ = w.out.WriteString(s) }

func (w *writer) attr(name, value string) {
	w.raw(" " + name + `="`)
	w.escape(value, true)
	w.raw(`"`)
}

func (w *writer) counts(c counts) {
	w.attr("tests", strconv.Itoa(c.tests))
	w.attr("failures", strconv.Itoa(c.failures))
	w.attr("errors", strconv.Itoa(c.errors))
	w.attr("skipped", strconv.Itoa(c.skipped))
	w.attr("time", seconds(c.seconds))
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

func (w *writer) suite(r *Report, s Suite) {
	w.raw("  <testsuite")
	w.attr("name", s.Name)
	w.counts(count(s))
	if !r.Time.IsZero() {
		w.attr("timestamp", r.Time.UTC().Format(time.RFC3339))
	}
	if s.File != "" {
		w.attr("file", s.File)
	}
	w.raw(">\n")
	w.properties("    ", r.Properties)
	for _, e := range s.Entries {
		w.entry(s, e)
	}
	w.raw("  </testsuite>\n")
}

func (w *writer) properties(indent string, list []Property) {
	if len(list) == 0 {
		return
	}
	w.raw(indent + "<properties>\n")
	for _, p := range list {
		w.raw(indent + "  <property")
		w.attr("name", p.Name)
		w.attr("value", p.Value)
		w.raw("/>\n")
	}
	w.raw(indent + "</properties>\n")
}

func (w *writer) entry(s Suite, e Entry) {
	w.raw("    <testcase")
	w.attr("classname", s.Name)
	w.attr("name", e.Name)
	w.attr("time", seconds(e.Seconds))
	if s.File != "" {
		w.attr("file", s.File)
	}
	if e.Line > 0 {
		w.attr("line", strconv.Itoa(e.Line))
	}
	if e.Outcome == Passed && len(e.Properties) == 0 {
		w.raw("/>\n")
		return
	}
	w.raw(">\n")
	w.properties("      ", e.Properties)
	w.reason(e)
	w.raw("    </testcase>\n")
}

func (w *writer) reason(e Entry) {
	element := map[Outcome]string{Failed: "failure", Errored: "error", Skipped: "skipped"}[e.Outcome]
	if element == "" {
		return
	}
	w.raw("      <" + element)
	if e.Type != "" {
		w.attr("type", e.Type)
	}
	w.attr("message", e.Message)
	w.raw(">")
	w.escape(e.Body, false)
	w.raw("</" + element + ">\n")
}

var escapes = map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;"}

// attributeEscapes escapes characters that a reader's attribute normalization
// would turn into spaces.
var attributeEscapes = map[rune]string{'"': "&quot;", '\n': "&#10;", '\t': "&#9;", '\r': "&#13;"}

func (w *writer) escape(s string, attribute bool) {
	if !strings.ContainsFunc(s, func(r rune) bool { return special(r, attribute) }) {
		w.raw(s)
		return
	}
	for _, r := range s {
		switch text, ok := escapes[r]; {
		case ok:
			w.raw(text)
		case attribute && attributeEscapes[r] != "":
			w.raw(attributeEscapes[r])
		case r == '\r':
			w.raw("&#13;")
		case !legal(r):
			w.raw("\uFFFD")
		default:
			_, _ = w.out.WriteRune(r)
		}
	}
}

func special(r rune, attribute bool) bool {
	return escapes[r] != "" || r == '\r' || attribute && attributeEscapes[r] != "" || !legal(r) || r == utf8.RuneError
}

// legal reports whether a character is a Char of XML 1.0.
func legal(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return true
	case r < 0x20, r >= 0xD800 && r <= 0xDFFF, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return true
}
