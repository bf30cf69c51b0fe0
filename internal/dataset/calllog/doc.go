// Package calllog turns a log of chat completions, requests with their
// responses, into cases of a user's own suite: the calls of a response are the
// possible answer, for a person to look over. It stands above package ownsuite,
// whose files it writes.
//
//	Read      lines of a log to a Log; what cannot be taken is told with a reason
//	Log       cases and the tools they show, each tool once
//	Files     the Log as the files of a suite
//
// Of a line it takes messages, tools and calls and nothing else: neither
// headers nor whatever stands beside them reach a suite.
package calllog

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// Limits, so that a hostile or mistaken file ends in an error, quickly.
const (
	maxLine    = 32 << 20
	maxTools   = 8 << 20 // of all tools, written out
	maxSkipped = 1000
)

// A Case is one line of the log.
type Case struct {
	// Messages are the conversation before the response.
	Messages *pyval.List
	// Tools are the names of the tools that were shown.
	Tools []string
	// Calls are those of the response, each {function: arguments}; none where
	// it answered in text.
	Calls []*pyval.Dict
	// Line is where the log has it.
	Line int
}

// A Skip is a line that was not taken.
type Skip struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

// A Log is what was read.
type Log struct {
	Cases []Case
	// Tools are in the order of their first mention, by the name that cases
	// have.
	Tools []*pyval.Dict
	// Renamed counts tools that had the name of another, different one.
	Renamed int
	// Masked counts texts that looked like keys and were replaced.
	Masked int
	// Lines is how many lines the log has; Skipped are those not taken.
	Lines   int
	Skipped []Skip

	names map[string]string // a tool's JSON to its name
	size  int               // of all of those
	taken map[string]int    // names, with how many tools have had each
	seen  map[string]int    // cases by their JSON
}

var errNoLine = errors.New("the line is longer than 32 MB")

// Read reads a log of one JSON object a line.
func Read(in io.Reader) (*Log, error) {
	l := &Log{names: map[string]string{}, taken: map[string]int{}, seen: map[string]int{}}
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		text, err := readLine(lines)
		if text == "" && errors.Is(err, io.EOF) {
			return l, nil
		}
		l.Lines++
		switch {
		case errors.Is(err, errNoLine):
			l.skip(err)
		case err != nil && !errors.Is(err, io.EOF):
			return nil, fmt.Errorf("line %d: %w", l.Lines, err)
		default:
			if err := l.line(text); err != nil {
				l.skip(err)
			}
		}
	}
}

// readLine reads a line of bounded length; of a longer one nothing is kept.
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

func (l *Log) skip(why error) {
	if len(l.Skipped) < maxSkipped {
		l.Skipped = append(l.Skipped, Skip{l.Lines, why.Error()})
	}
}

// line takes one line, or says why not.
func (l *Log) line(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("the line is empty")
	}
	v, err := pyval.ParseJSON(text)
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	row, ok := v.(*pyval.Dict)
	if !ok {
		return errors.New("a JSON object with request and response is expected")
	}
	request, response, err := exchange(row)
	if err != nil {
		return err
	}
	messages, err := l.messages(request)
	if err != nil {
		return err
	}
	calls, err := l.calls(response)
	if err != nil {
		return err
	}
	for _, v := range append([]*pyval.Dict{request}, calls...) {
		if err := writable(v); err != nil {
			return err
		}
	}
	shown, err := l.tools(request)
	if err != nil {
		return err
	}
	if err := renameCalls(calls, shown); err != nil {
		return err
	}
	c := Case{Messages: messages, Calls: calls, Line: l.Lines}
	for _, s := range shown {
		c.Tools = append(c.Tools, s.name)
	}
	key := pyval.Repr(messages) + strings.Join(c.Tools, ",")
	if first := l.seen[key]; first > 0 {
		return fmt.Errorf("the same question with the same tools stands in line %d", first)
	}
	l.seen[key] = l.Lines
	l.Cases = append(l.Cases, c)
	return nil
}

// longestKey is what a key may take, escaped, in the YAML of a suite.
const longestKey = 1000

// writable says why a value cannot stand in a file of a suite.
func writable(v pyval.Value) error {
	switch v := v.(type) {
	case pyval.Str:
		if !utf8.ValidString(string(v)) {
			return errors.New("a text holds half of a surrogate pair, which no file of a suite can")
		}
	case *pyval.List:
		for _, item := range v.Items {
			if err := writable(item); err != nil {
				return err
			}
		}
	case *pyval.Dict:
		for key, item := range v.All() {
			if n := len(yamlText(pyval.Text(key))); n > longestKey {
				return fmt.Errorf("a key of %d characters is longer than a suite's file can hold (%d)", n, longestKey)
			}
			if err := errors.Join(writable(key), writable(item)); err != nil {
				return err
			}
		}
	}
	return nil
}

// A shownTool is a tool of a request: its name there, and the suite's.
type shownTool struct{ was, name string }

// renameCalls gives calls the suite's names of their functions.
func renameCalls(calls []*pyval.Dict, shown []shownTool) error {
	for i, call := range calls {
		key, arguments := call.At(0)
		found := false
		for _, s := range shown {
			if s.was == pyval.Text(key) {
				renamed := pyval.NewDict(1)
				renamed.SetStr(s.name, arguments)
				calls[i], found = renamed, true
			}
		}
		if !found {
			return fmt.Errorf("the response calls %.80q, which is not among the request's tools", pyval.Text(key))
		}
	}
	return nil
}

// tools are the request's, each added to the log once.
func (l *Log) tools(request *pyval.Dict) ([]shownTool, error) {
	var list []pyval.Value
	for _, key := range []string{"tools", "functions"} {
		given, _ := request.GetStr(key)
		if items, ok := given.(*pyval.List); ok {
			list = append(list, items.Items...)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the request shows no tools")
	}
	var out []shownTool
	for i, item := range list {
		doc, err := ownsuite.Function(item)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i+1, err)
		}
		doc = l.masked(doc).(*pyval.Dict)
		was, _ := doc.GetStr("name")
		name, err := l.tool(doc)
		if err != nil {
			return nil, err
		}
		out = append(out, shownTool{pyval.Text(was), name})
	}
	return out, nil
}

// tool is the name of a tool in the log. Another tool of the same name gets a
// number after it.
func (l *Log) tool(doc *pyval.Dict) (string, error) {
	key := pyval.Repr(doc)
	if name, ok := l.names[key]; ok {
		return name, nil
	}
	if l.size += len(key); l.size > maxTools {
		return "", fmt.Errorf("the tools of the log are larger than %d MB together", maxTools>>20)
	}
	was, _ := doc.GetStr("name")
	name := pyval.Text(was)
	for l.taken[name] > 0 {
		l.taken[pyval.Text(was)]++
		name = fmt.Sprintf("%s_%d", pyval.Text(was), l.taken[pyval.Text(was)])
	}
	if name != pyval.Text(was) {
		l.Renamed++
		doc = doc.Clone()
		doc.SetStr("name", pyval.Str(name))
	}
	l.names[key], l.taken[name] = name, 1
	l.Tools = append(l.Tools, doc)
	return name, nil
}
