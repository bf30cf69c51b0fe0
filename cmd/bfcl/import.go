package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/dataset/calllog"
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/say"
)

// A logImport makes a suite of logged requests and responses.
type logImport struct {
	*app
	dir, format string
	asJSON      bool
}

func (l *logImport) run(name string) error {
	format := calllog.Format(l.format)
	if !slices.Contains(calllog.Formats, format) {
		var known []string
		for _, f := range calllog.Formats {
			known = append(known, string(f))
		}
		return misuse.Errorf("--format: unknown format %q%s (use %s)", l.format, say.Hint(l.format, known), strings.Join(known, ", "))
	}
	in := l.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return misuse.Mark(err)
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	log, err := calllog.Read(in, format)
	if err != nil {
		return err
	}
	return l.write(log)
}

func (l *logImport) write(log *calllog.Log) error {
	l.tellSkipped(log)
	if len(log.Cases) == 0 {
		return fmt.Errorf("no line makes a case%s: nothing was written", passedOver(log))
	}
	names, files, err := log.Files(filepath.Base(filepath.Clean(l.dir)))
	if err != nil {
		return err
	}
	if err := ownsuite.WriteNew(l.dir, names, files); err != nil {
		return err
	}
	if l.asJSON {
		return writeJSON(l.out, map[string]any{
			"lines": log.Lines, "cases": len(log.Cases), "formats": log.By, "tools": len(log.Tools), "renamed": log.Renamed,
			"masked": log.Masked, "left_out": log.Left, "skipped": append([]calllog.Skip{}, log.Skipped...),
			"other_spans": log.Other, "files": names,
		})
	}
	fmt.Fprint(l.out, logSummary(log))
	folder := shellWord(asFolder(l.dir))
	fmt.Fprintf(l.out, "Check the answers in %s, then run: %s validate %s\n", say.Printable(filepath.Join(l.dir, "cases"), 300), program(), folder)
	return nil
}

// logSummary says how many lines of a log became cases, and what was changed.
func logSummary(log *calllog.Log) string {
	var formats []string
	for _, f := range calllog.Formats {
		if n := log.By[f]; n > 0 {
			formats = append(formats, fmt.Sprintf("%d %s", n, f))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s) from %s, with %s; %d left out%s\n", say.Cases(len(log.Cases)), strings.Join(formats, ", "),
		say.Count(log.Lines, "line", "lines"), say.Count(len(log.Tools), "tool", "tools"), log.Left, passedOver(log))
	for _, note := range []struct {
		n               int
		one, many, what string
	}{
		{log.Renamed, "tool", "tools", "renamed: another tool had the same name"},
		{log.Masked, "text", "texts", "replaced: looked like a key"},
	} {
		if note.n > 0 {
			fmt.Fprintf(&b, "%s %s\n", say.Count(note.n, note.one, note.many), note.what)
		}
	}
	return b.String()
}

// passedOver counts the spans that are not model calls.
func passedOver(log *calllog.Log) string {
	if log.Other == 0 {
		return ""
	}
	return ", and " + say.Count(log.Other, "span", "spans") + " without a model call"
}

// tellSkipped prints the lines that were left out, with the reason.
func (a *app) tellSkipped(log *calllog.Log) {
	const most = 20
	for i, s := range log.Skipped {
		if i == most {
			fmt.Fprintf(a.err, "bfcl: and %d more left out\n", log.Left-most)
			return
		}
		where := fmt.Sprintf("line %d", s.Line)
		if s.Place != "" {
			where += ", " + s.Place
		}
		fmt.Fprintf(a.err, "bfcl: %s left out: %s\n", where, say.Printable(s.Reason, 300))
	}
}
