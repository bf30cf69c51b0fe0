package calllog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Limits, so that a hostile or broken file quickly ends in an error.
const (
	maxLine    = 32 << 20
	maxTools   = 8 << 20  // of all tools' JSON texts
	maxCarried = 64 << 20 // of conversations that requests continue by an id
	maxSkipped = 1000
)

var errNoLine = errors.New("the line is longer than 32 MB")

// Read reads a log that has one JSON value a line, or one that is a single
// value.
func Read(in io.Reader, format Format) (*Log, error) { return read(in, format, maxCarried) }

func read(in io.Reader, format Format, carry int) (*Log, error) {
	l := &Log{
		format: format, carry: carry, By: map[Format]int{}, shown: map[string]shownTool{}, names: map[string]string{}, taken: map[string]int{},
		seen: map[string]place{}, turns: map[string]*turn{},
	}
	lines := bufio.NewReaderSize(in, 1<<16)
	first, err := readLine(lines)
	if opens(first) {
		rest, document, failed := document(first, lines)
		if failed != nil {
			return nil, failed
		}
		if document != nil {
			l.Lines = 1
			l.entries(document)
			return l, nil
		}
		lines = bufio.NewReaderSize(rest, 1<<16)
	}
	for ; first != "" || err == nil || errors.Is(err, errNoLine); first, err = readLine(lines) {
		l.Lines++
		if errors.Is(err, errNoLine) {
			l.skip("", err)
			continue
		}
		l.line(first)
	}
	if !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: %w", l.Lines, err)
	}
	return l, nil
}

// IsLog reports whether a file looks like a log: one of its first lines, or the
// whole file, is a request with its response, or a span.
func IsLog(in io.Reader) bool {
	lines := bufio.NewReaderSize(in, 1<<16)
	for i := range 5 {
		text, failed := readLine(lines)
		v, err := pyval.ParseJSON(text)
		if i == 0 && opens(text) {
			_, v, err = document(text, lines)
		}
		switch {
		case err == nil && v != nil:
			return isEntry(v)
		case failed != nil:
			return false
		}
	}
	return false
}

func isEntry(v pyval.Value) bool {
	if all, _ := v.(*pyval.List); all != nil && len(all.Items) > 0 {
		v = all.Items[0]
	}
	row, _ := v.(*pyval.Dict)
	if row == nil {
		return false
	}
	_, _, err := halves(row)
	return err == nil || spansOf(row) != nil
}

// opens reports whether a line is only the beginning of a value.
func opens(line string) bool {
	switch strings.TrimSpace(line) {
	case "{", "[", "[{":
		return true
	}
	return false
}

// document returns the value that the whole file is, if it is one over several
// lines. Otherwise the value is nil, and again reads what followed the first
// line.
func document(first string, more io.Reader) (again io.Reader, v pyval.Value, err error) {
	var b strings.Builder
	if _, err := io.Copy(&b, io.LimitReader(more, 2*maxLine)); err != nil {
		return nil, nil, err
	}
	if v, err := pyval.ParseJSON(first + b.String()); err == nil {
		return nil, v, nil
	}
	return io.MultiReader(strings.NewReader(b.String()), more), nil, nil
}

// readLine reads a line of bounded length; a longer one is skipped with an
// error.
func readLine(in *bufio.Reader) (string, error) {
	var b strings.Builder
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if long = long || b.Len()+len(part) > maxLine; !long {
			b.Write(part)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long && (err == nil || errors.Is(err, io.EOF)):
			return "", errNoLine
		default:
			return b.String(), err
		}
	}
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
	if err != nil {
		l.skip("", fmt.Errorf("not JSON: %w", err))
		return
	}
	l.entries(v)
}

// entries takes the exchanges of a value: one, or a list of them.
func (l *Log) entries(v pyval.Value) {
	list, _ := v.(*pyval.List)
	if list == nil || len(list.Items) == 0 {
		l.entry(v, "")
		return
	}
	for i, item := range list.Items {
		l.entry(item, fmt.Sprintf("entry %d", i+1))
	}
}

func (l *Log) entry(v pyval.Value, in string) {
	row, ok := v.(*pyval.Dict)
	if !ok {
		l.skip(in, errors.New("expected a JSON object with a request and a response"))
		return
	}
	if l.format == Any || l.format == OTel {
		if spans := spansOf(row); spans != nil {
			l.spans(spans, in)
			return
		}
	}
	if err := l.pair(row, in); err != nil {
		l.skip(in, err)
	}
}

// pair takes a request with its response.
func (l *Log) pair(row *pyval.Dict, in string) error {
	if l.format == OTel {
		return errors.New("it is not an OpenTelemetry span")
	}
	request, response, err := halves(row)
	if err != nil {
		return err
	}
	format := l.format
	if format == Any {
		if format, err = formatOf(request, response); err != nil {
			return err
		}
	}
	e := exchange{format: format}
	switch format {
	case Responses:
		err = e.readResponses(request, response, l)
	case Anthropic:
		err = e.readAnthropic(request, response)
	default:
		err = e.readChat(request, response)
	}
	if err != nil {
		return err
	}
	return l.take(&e, in)
}
