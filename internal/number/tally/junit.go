package tally

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// A JUnitDocument is a JUnit file that was read.
type JUnitDocument struct {
	// Path is the file's path, for messages.
	Path string
	// Suites are the names of its test suites, as far as they have one.
	Suites []string
	// Cases are its test cases in the file's order.
	Cases []JUnitCase
}

// A JUnitReport is what a CI's test view shows.
type JUnitReport struct {
	XMLName xml.Name `xml:"testsuites"`
	// Name is the run's.
	Name string `xml:"name,attr"`
	counts
	// Suites are the suites, written in this order.
	Suites []JUnitSuite `xml:"testsuite"`

	// Time is when the run began, and Wall how long it took until it ended; zero if
	// it is not known.
	Time time.Time     `xml:"-"`
	Wall time.Duration `xml:"-"`
	// Properties describe the run; they are repeated in each suite because most
	// readers look only there.
	Properties JUnitProperties `xml:"-"`
}

// A JUnitSuite is a group of test cases.
type JUnitSuite struct {
	// Name is the suite's name, and the class of its cases when they are written.
	Name string `xml:"name,attr"`
	counts
	Time string `xml:"timestamp,attr,omitempty"`
	// File holds the cases' sources.
	File       string          `xml:"file,attr,omitempty"`
	Properties JUnitProperties `xml:"properties"`
	// Cases are the suite's cases, written in this order.
	Cases []JUnitCase `xml:"testcase"`
}

// A JUnitCase is one test case. It passed if it has no reason.
type JUnitCase struct {
	// Class is the classname; for gotestsum the Go package.
	Class string `xml:"classname,attr"`
	// Name is the test's full name, such as "TestBFCL/multiple/multiple_0".
	Name    string       `xml:"name,attr"`
	Seconds JUnitSeconds `xml:"time,attr"`
	// File and Line are the case's source; Line is 0 if there is none.
	File string `xml:"file,attr,omitempty"`
	Line int    `xml:"line,attr,omitempty"`
	// Properties are the attributes that the test set. They should be few: some
	// readers show them all.
	Properties JUnitProperties `xml:"properties"`
	Failure    *JUnitReason    `xml:"failure"`
	Error      *JUnitReason    `xml:"error"`
	Skipped    *JUnitReason    `xml:"skipped"`
}

// A JUnitReason says why a case did not pass: in one line, and in full.
type JUnitReason struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnitProperties are names with values.
type JUnitProperties []JUnitProperty

// A JUnitProperty is a name and its value.
type JUnitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// JUnitSeconds is a duration; 0 if a file's is none.
type JUnitSeconds float64

// Get returns the last value of a name; "" if there is none.
func (p JUnitProperties) Get(name string) (value string) {
	for _, one := range p {
		if one.Name == name {
			value = one.Value
		}
	}
	return value
}

type propertyList struct {
	List []JUnitProperty `xml:"property"`
}

// MarshalXML writes no element for none.
func (p JUnitProperties) MarshalXML(e *xml.Encoder, start xml.StartElement) error {
	if len(p) == 0 {
		return nil
	}
	return e.EncodeElement(propertyList{p}, start)
}

// UnmarshalXML implements xml.Unmarshaler.
func (p *JUnitProperties) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	var l propertyList
	err := d.DecodeElement(&l, &start)
	*p = append(*p, l.List...)
	return err
}

// MarshalText implements encoding.TextMarshaler.
func (s JUnitSeconds) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(s), 'f', 3, 64), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *JUnitSeconds) UnmarshalText(text []byte) error {
	*s = JUnitSeconds(min(number(string(text)), 1e9))
	return nil
}

// Reason returns why a case did not pass; nil if it did.
func (c *JUnitCase) Reason() *JUnitReason {
	for _, reason := range []*JUnitReason{c.Failure, c.Error, c.Skipped} {
		if reason != nil {
			return reason
		}
	}
	return nil
}

// Output is what the test printed, if it did not pass; gotestsum puts a skipped
// test's into the message.
func (c *JUnitCase) Output() string {
	if r := c.Reason(); r != nil {
		return cmp.Or(r.Text, r.Message)
	}
	return ""
}

type counts struct {
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Seconds  JUnitSeconds `xml:"time,attr"`
}

// add counts a case.
func (c *counts) add(one *JUnitCase) {
	c.Tests++
	switch c.Seconds += one.Seconds; {
	case one.Failure != nil:
		c.Failures++
	case one.Error != nil:
		c.Errors++
	case one.Skipped != nil:
		c.Skipped++
	}
}

// Write writes the report into a file atomically. Characters that XML forbids
// become U+FFFD.
func (r *JUnitReport) Write(path string) error {
	var b bytes.Buffer
	if err := WriteJUnit(&b, r); err != nil {
		return err
	}
	if err := record.WriteFile(path, b.Bytes()); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// WriteJUnit writes the report.
func WriteJUnit(out io.Writer, r *JUnitReport) error {
	all := &JUnitReport{Name: r.Name}
	for _, s := range r.Suites {
		if s.Properties = r.Properties; !r.Time.IsZero() {
			s.Time = r.Time.UTC().Format(time.RFC3339)
		}
		s.Cases = slices.Clone(s.Cases)
		for i := range s.Cases {
			c := &s.Cases[i]
			c.Class, c.File = s.Name, s.File
			s.add(c)
			all.add(c)
		}
		all.Suites = append(all.Suites, s)
	}
	if wall := JUnitSeconds(r.Wall.Seconds()); wall > 0 { // the cases ran side by side: each suite has its share of the time that passed
		for i := range all.Suites {
			if all.Seconds > 0 {
				all.Suites[i].Seconds *= wall / all.Seconds
			}
		}
		all.Seconds = wall
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

// ReadJUnitFile reads a JUnit file.
func ReadJUnitFile(path string) (*JUnitDocument, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	file, err := ReadJUnit(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	file.Path = path
	return file, nil
}

// maxFile bounds how much XML is read: a hundred times what 5,000 cases need.
const maxFile = 1 << 30

// ReadJUnit reads JUnit XML. It skips unknown elements.
func ReadJUnit(in io.Reader) (*JUnitDocument, error) {
	buffered := bufio.NewReader(io.LimitReader(in, maxFile))
	head, _ := buffered.Peek(4)
	if err := record.UTF8(string(head)); err != nil {
		return nil, err
	}
	file, decoder, rooted := &JUnitDocument{}, xml.NewDecoder(buffered), false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && rooted {
			return file, nil
		}
		if start, ok := token.(xml.StartElement); ok {
			switch name := start.Name.Local; {
			case name == "testsuites" || name == "testsuite":
				rooted = true
				for _, a := range start.Attr {
					if name == "testsuite" && a.Name.Local == "name" {
						file.Suites = append(file.Suites, a.Value)
					}
				}
			case !rooted:
				return nil, fmt.Errorf("not a JUnit file: its root element is <%s>, not <testsuites>", say.Printable(name, 200))
			case name == "testcase":
				file.Cases = append(file.Cases, JUnitCase{})
				err = decoder.DecodeElement(&file.Cases[len(file.Cases)-1], &start)
			default:
				err = decoder.Skip()
			}
		}
		if err != nil {
			return nil, notXML(decoder, err)
		}
	}
}

func notXML(decoder *xml.Decoder, err error) error {
	line, column := decoder.InputPos()
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		err = errors.New(syntax.Msg)
	}
	if errors.Is(err, io.EOF) || err.Error() == "unexpected EOF" { // as encoding/xml says it
		return fmt.Errorf("incomplete JUnit file: it ends at line %d (was the run that wrote it killed?)", line)
	}
	return fmt.Errorf("not a JUnit file: line %d, column %d: %s", line, column, say.Printable(err.Error(), 200))
}

// margin is how far package testing indents what a test logs or prints; the lines
// after the first of a logged message are indented twice.
const margin = "    "

var (
	// framework matches the lines of package testing; what a test logs is indented.
	framework = pattern.Of(`^(=== (RUN|PAUSE|CONT|NAME|ATTR) |--- (FAIL|SKIP|PASS): )`)
	// placed matches "file.go:12: " and the line of a case's dataset file.
	placed = pattern.Of(`^(?:[A-Za-z]:)?[^:" ]+\.(?:go|jsonl?|ya?ml):\d+: `)
)

// logged returns what the test itself logged: its output without the lines and the
// indentation of package testing, and without the "file.go:12:" that it, or the
// suite, puts before each message.
func (c *JUnitCase) logged() string {
	var lines []string
	message := 0 // where the lines after the first of a message begin
	for line := range strings.SplitSeq(c.Output(), "\n") {
		words, indented := strings.CutPrefix(line, margin)
		place := placed().FindString(words)
		switch {
		case framework().MatchString(line):
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
