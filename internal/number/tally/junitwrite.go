package tally

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"
)

// A JUnitReport is what a CI's test view shows.
type JUnitReport struct {
	// Name is the run's.
	Name string
	// Time is when the run began, and Wall how long it took until it ended; zero if
	// it is not known.
	Time time.Time
	Wall time.Duration
	// Properties describe the run; they are repeated in each suite because most
	// readers look only there.
	Properties []JUnitProperty
	// Suites are the suites, written in this order.
	Suites []JUnitSuite
}

// A JUnitProperty is a name and its value.
type JUnitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// A JUnitSuite is a group of entries.
type JUnitSuite struct {
	// Name is the suite's name, and the class of its entries.
	Name string
	// File holds the entries' sources.
	File string
	// Entries are the suite's entries, written in this order.
	Entries []JUnitEntry
}

// A JUnitEntry is one test case.
type JUnitEntry struct {
	// Name is unique in its suite.
	Name string
	// Line is the line in the suite's file; 0 if there is none.
	Line int
	// Seconds is the time it took.
	Seconds float64
	// Properties should be few: some readers show them all.
	Properties []JUnitProperty
	// Outcome says which of failure, error and skipped is written.
	Outcome JUnitOutcome
	// Type and Message say in one line why the test did not pass, and Body in
	// full.
	Type, Message, Body string
}

// WriteJUnit writes the report. Characters that XML forbids become U+FFFD.
func WriteJUnit(out io.Writer, r *JUnitReport) error {
	all := suitesJunit{Name: r.Name}
	for _, s := range r.Suites {
		one := r.suite(s)
		all.add(one.counts)
		all.Suites = append(all.Suites, one)
	}
	if r.Wall > 0 {
		all.passed(secondsJunit(r.Wall.Seconds()))
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(out)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

type suitesJunit struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	counts
	Suites []junitSuite
}

// passed makes the time of all suites, whose cases ran side by side, the time that
// passed, and that of each its share.
func (s *suitesJunit) passed(wall secondsJunit) {
	for i := range s.Suites {
		if s.Seconds > 0 {
			s.Suites[i].Seconds *= wall / s.Seconds
		}
	}
	s.Seconds = wall
}

type junitSuite struct {
	XMLName xml.Name `xml:"testsuite"`
	Name    string   `xml:"name,attr"`
	counts
	Time       string      `xml:"timestamp,attr,omitempty"`
	File       string      `xml:"file,attr,omitempty"`
	Properties *properties `xml:"properties"`
	Cases      []testcase  `xml:"testcase"`
}

type counts struct {
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Seconds  secondsJunit `xml:"time,attr"`
}

func (c *counts) add(d counts) {
	c.Tests += d.Tests
	c.Failures += d.Failures
	c.Errors += d.Errors
	c.Skipped += d.Skipped
	c.Seconds += d.Seconds
}

type secondsJunit float64

func (s secondsJunit) String() string { return strconv.FormatFloat(float64(s), 'f', 3, 64) }

// MarshalText implements encoding.TextMarshaler.
func (s secondsJunit) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (r *JUnitReport) suite(s JUnitSuite) junitSuite {
	out := junitSuite{Name: s.Name, File: s.File, Properties: propertiesOf(r.Properties)}
	if !r.Time.IsZero() {
		out.Time = r.Time.UTC().Format(time.RFC3339)
	}
	for _, e := range s.Entries {
		c := counts{Tests: 1, Seconds: secondsJunit(e.Seconds)}
		one := testcase{Class: s.Name, Name: e.Name, Time: c.Seconds.String(), File: s.File, Properties: propertiesOf(e.Properties)}
		if e.Line > 0 {
			one.Line = strconv.Itoa(e.Line)
		}
		why := &reason{Type: e.Type, Message: e.Message, Text: e.Body}
		switch e.Outcome {
		case Failed:
			c.Failures, one.Failure = 1, why
		case Errored:
			c.Errors, one.Error = 1, why
		case Skipped:
			c.Skipped, one.Skipped = 1, why
		}
		out.add(c)
		out.Cases = append(out.Cases, one)
	}
	return out
}

// propertiesOf is nil for none, so that no element is written.
func propertiesOf(list []JUnitProperty) *properties {
	if len(list) == 0 {
		return nil
	}
	return &properties{list}
}
