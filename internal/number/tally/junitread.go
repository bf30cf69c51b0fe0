package tally

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/gobfcl/bfcl/internal/record"
)

// maxFile bounds how much XML is read: a hundred times what 5,000 cases need.
const maxFile = 1 << 30

// A JUnitOutcome is how a test case ended.
type JUnitOutcome uint8

// The outcomes. JUnit has no "passed": a test case passed if it has no other
// outcome.
const (
	Passed JUnitOutcome = iota
	Failed
	Errored
	Skipped
)

// A JUnitCase is one testcase element.
type JUnitCase struct {
	// Class is the classname; for gotestsum the Go package.
	Class string
	// Name is the test's full name, such as "TestBFCL/multiple/multiple_0".
	Name string
	// Seconds is the test's duration.
	Seconds float64
	// Properties are the attributes that the test set.
	Properties map[string]string
	// Outcome is how the test ended.
	Outcome JUnitOutcome
	// Output is what the test printed, if it did not pass.
	Output string
}

// A JUnitDocument is one JUnit file.
type JUnitDocument struct {
	// Path is the file's path, for messages.
	Path string
	// Suites are the names of its test suites.
	Suites []string
	// Cases are its test cases in the file's order.
	Cases []JUnitCase
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

// ReadJUnit reads JUnit XML. It skips unknown elements.
func ReadJUnit(in io.Reader) (*JUnitDocument, error) {
	file := &JUnitDocument{}
	buffered := bufio.NewReader(io.LimitReader(in, maxFile))
	head, _ := buffered.Peek(4)
	if err := record.UTF8(string(head)); err != nil {
		return nil, err
	}
	decoder := xml.NewDecoder(buffered)
	depth, rooted := 0, false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && rooted && depth == 0 {
			return file, nil
		}
		if err != nil {
			return nil, notXML(decoder, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			if !rooted && !isRoot(token.Name.Local) {
				return nil, fmt.Errorf("not a JUnit file: its root element is <%s>, not <testsuites>", quoted(token.Name.Local))
			}
			rooted = true
			ended, err := file.element(decoder, token)
			if err != nil {
				return nil, notXML(decoder, err)
			}
			if ended {
				depth--
			}
		case xml.EndElement:
			depth--
		}
	}
}

func isRoot(name string) bool { return name == "testsuites" || name == "testsuite" }

// cutOff is the error message of encoding/xml for XML that ends too early.
const cutOff = "unexpected EOF"

func notXML(decoder *xml.Decoder, err error) error {
	line, column := decoder.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		err = errors.New(syntax.Msg)
	}
	if errors.Is(err, io.EOF) || err.Error() == cutOff {
		return fmt.Errorf("incomplete JUnit file: it ends at line %d (was the run that wrote it killed?)", line)
	}
	return fmt.Errorf("not a JUnit file: line %d, column %d: %s", line, column, quoted(err.Error()))
}

// quoted escapes characters that must not reach a terminal.
func quoted(s string) string {
	const longest = 200
	if len(s) > longest {
		s = s[:longest]
	}
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}

// element reads one element; ended reports whether it also read the element's
// end.
func (f *JUnitDocument) element(decoder *xml.Decoder, start xml.StartElement) (ended bool, err error) {
	switch start.Name.Local {
	case "testsuites":
		return false, nil
	case "testsuite":
		f.Suites = append(f.Suites, attribute(start, "name"))
		return false, nil
	case "testcase":
		var c testcase
		if err := decoder.DecodeElement(&c, &start); err != nil {
			return false, err
		}
		f.Cases = append(f.Cases, c.read())
		return true, nil
	}
	return true, decoder.Skip()
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// A testcase is the element, to read and to write.
type testcase struct {
	Class      string      `xml:"classname,attr"`
	Name       string      `xml:"name,attr"`
	Time       string      `xml:"time,attr"`
	File       string      `xml:"file,attr,omitempty"`
	Line       string      `xml:"line,attr,omitempty"`
	Properties *properties `xml:"properties"`
	Failure    *reason     `xml:"failure"`
	Error      *reason     `xml:"error"`
	Skipped    *reason     `xml:"skipped"`
}

type properties struct {
	List []JUnitProperty `xml:"property"`
}

type reason struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (c testcase) read() JUnitCase {
	out := JUnitCase{Class: c.Class, Name: c.Name}
	if s, err := strconv.ParseFloat(c.Time, 64); err == nil && s >= 0 && s < 1e9 {
		out.Seconds = s
	}
	if c.Properties != nil {
		out.Properties = make(map[string]string, len(c.Properties.List))
		for _, p := range c.Properties.List {
			out.Properties[p.Name] = p.Value
		}
	}
	switch {
	case c.Failure != nil:
		out.Outcome, out.Output = Failed, c.Failure.text()
	case c.Error != nil:
		out.Outcome, out.Output = Errored, c.Error.text()
	case c.Skipped != nil:
		out.Outcome, out.Output = Skipped, c.Skipped.text()
	}
	return out
}

// text returns the element's text; gotestsum puts a skipped test's output into
// the message.
func (r *reason) text() string {
	if r.Text != "" {
		return r.Text
	}
	return r.Message
}
