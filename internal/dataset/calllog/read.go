package calllog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Limits, so that a hostile or broken file quickly ends in an error.
const (
	maxLine    = 32 << 20
	maxTools   = 8 << 20 // of all tools' JSON texts
	maxSkipped = 1000
)

// Read reads a log that has one JSON object a line.
func Read(in io.Reader, format Format) (*Log, error) {
	l := &Log{format: format, By: map[Format]int{}, shown: map[string]ownsuite.Tool{}, taken: map[string]int{}, seen: map[string]string{}}
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		text, err := plainfile.Line(lines, maxLine)
		if text == "" && errors.Is(err, io.EOF) {
			return l, nil
		}
		l.Lines++
		switch {
		case errors.Is(err, plainfile.ErrLong):
			l.skip("", err)
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("line %d: %w", l.Lines, err)
		default:
			l.line(text)
		}
	}
}

// IsLog reports whether a file looks like a log: the first of its lines that is
// JSON is a request with its response, or an export of spans.
func IsLog(in io.Reader) bool {
	lines := bufio.NewReaderSize(in, 1<<16)
	for range 5 {
		text, failed := plainfile.Line(lines, maxLine)
		v, err := pyval.ParseJSON(text)
		if row, _ := v.(*pyval.Dict); err == nil && row != nil {
			return isExport(row) || row.Has("request") && row.Has("response")
		}
		if failed != nil {
			break
		}
	}
	return false
}

func (l *Log) skip(in string, why error) {
	if l.Left++; len(l.Skipped) < maxSkipped {
		l.Skipped = append(l.Skipped, Skip{l.Lines, in, why.Error()})
	}
}

// line takes the exchanges of a line, or notes why it cannot.
func (l *Log) line(text string) {
	if text = strings.TrimSpace(text); text == "" {
		l.skip("", errors.New("the line is empty"))
		return
	}
	v, err := pyval.ParseJSON(text)
	row, isDict := v.(*pyval.Dict)
	switch {
	case err != nil:
		err = fmt.Errorf("not JSON: %w", err)
	case !isDict:
		err = errors.New("expected a JSON object with a request and a response")
	case isExport(row) && (l.format == Any || l.format == OTel):
		err = l.export(text)
	case l.format == OTel:
		err = errors.New("it is not an export of OpenTelemetry's spans")
	default:
		err = l.pair(row)
	}
	if err != nil {
		l.skip("", err)
	}
}

// pair takes a request with its response.
func (l *Log) pair(row *pyval.Dict) error {
	request, response := asDict(get(row, "request")), asDict(get(row, "response"))
	switch {
	case request == nil:
		return errors.New(`there is no "request" with messages`)
	case response == nil:
		return errors.New(`there is no "response"`)
	}
	e := exchange{format: l.format}
	if l.format == Any {
		e.format = Chat
		if response.Has("output") || !response.Has("choices") && request.Has("input") && !request.Has("messages") {
			e.format = Responses
		}
	}
	read := e.readChat
	if e.format == Responses {
		read = e.readResponses
	}
	if err := read(request, response); err != nil {
		return err
	}
	return l.take(&e, "")
}
