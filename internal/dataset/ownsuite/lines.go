package ownsuite

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A line is one line of a JSON-lines file.
type line struct {
	id  string
	row *pyval.Dict
	at  int
}

// lines reads a JSON-lines file.
func (l *loader) lines(file string, from int) ([]line, bool) {
	all, ok := l.text(file, File, from, maxLines)
	if !ok {
		return nil, false
	}
	var out []line
	before := len(l.faults)
	at := 0
	for one := range strings.SplitSeq(strings.TrimSuffix(all, "\n"), "\n") {
		at++
		row, err := Row(pyval.ParseJSON, one, "")
		if err != nil {
			l.fault(file, at, "%v", err)
			continue
		}
		id, _ := row.Text("id")
		out = append(out, line{id, row, at})
	}
	return out, len(l.faults) == before
}

// Row reads a line of a JSON-lines file; hint follows what is said of broken JSON.
func Row(parse func(string) (pyval.Value, error), one, hint string) (*pyval.Dict, error) {
	v, err := parse(one)
	var syntax *pyval.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("invalid JSON at column %d: %s%s", syntax.Column, syntax.Msg, hint)
	case err != nil:
		return nil, fmt.Errorf("invalid JSON: %w%s", err, hint)
	}
	row, ok := v.(*pyval.Dict)
	if !ok {
		return nil, fmt.Errorf("expected a JSON object, got %s", pyval.ATypeName(v))
	}
	return row, nil
}

// lineCases reads cases in the benchmark's form and, if the kind has answers,
// the file of answers, which has the same ids.
func (l *loader) lineCases(p *part, file, answerFile string) {
	rows, ok := l.lines(file, p.casesAt)
	if !ok {
		return
	}
	answers := map[string]line{}
	if p.Answers() {
		given, ok := l.lines(answerFile, p.casesAt)
		if !ok {
			return
		}
		for _, a := range given {
			if first, dup := answers[a.id]; dup {
				l.fault(answerFile, a.at, "the answer %s is already on line %d", quote(a.id), first.at)
			}
			answers[a.id] = a
		}
	}
	for _, row := range rows {
		if l.newID(file, row.at, row.id) {
			l.lineCase(p, file, row, answers, answerFile)
		}
		delete(answers, row.id)
	}
	for _, left := range slices.SortedFunc(maps.Values(answers), func(a, b line) int { return a.at - b.at }) {
		l.fault(answerFile, left.at, "the answer %s has no question in %s", quote(left.id), file)
	}
}

func (l *loader) lineCase(p *part, file string, row line, answers map[string]line, answerFile string) {
	entry := Entry{Row: row.row, File: l.path(file), Line: row.at}
	if p.Answers() {
		given, ok := answers[row.id]
		if !ok {
			l.fault(file, row.at, "case %s has no answer in %s", quote(row.id), answerFile)
			return
		}
		truth, _ := given.row.GetStr("ground_truth")
		if entry.Answer, ok = truth.(*pyval.List); !ok {
			l.fault(answerFile, given.at, `answer %s: "ground_truth" is missing or not a list`, quote(row.id))
			return
		}
	}
	if !row.row.Has("function") && !p.MultiTurn() {
		if named, _ := row.row.GetStr("tools"); named != nil && named.Kind() != pyval.KindList {
			l.fault(file, row.at, `"tools" is not a list of names`)
		}
		var names []string
		for _, name := range row.row.List("tools") {
			names = append(names, pyval.Text(name))
		}
		row.row.SetStr("function", l.shown(p, file, row.at, names, &entry))
	}
	p.Entries = append(p.Entries, entry)
}
