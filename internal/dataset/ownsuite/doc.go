// Package ownsuite reads a user's own suite: a folder with a suite.yaml that
// names its tools, its categories and their weights, and with files of cases in
// the benchmark's JSON lines or in YAML.
//
//	Load      a folder to a Suite; all that is wrong with it, at once
//	Suite     categories with their cases, as the dataset loader takes them
//	Tools     function documents from JSON Schema, OpenAPI or MCP
//	Fault     what is wrong, with file and line
//
// It stands below package fixtures, which makes a dataset of a Suite.
package ownsuite

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/judge/match"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// File is the name of the file that makes a folder a suite.
const File = "suite.yaml"

// A Suite is a folder of a user's own categories.
type Suite struct {
	// Name and Description are for people.
	Name, Description string
	// Tools are all tools of the suite's tool files.
	Tools []Tool
	// Send is how models are shown them.
	Send Send
	// Categories are in the order of suite.yaml.
	Categories []*Category
	// Files are those that the suite was read from, as paths in its folder.
	Files []string
}

// Send says how models are shown a suite's tools.
type Send string

// The ways: as they are written, or with upstream's conversions and sentences.
const (
	Verbatim Send = "verbatim"
	AsBFCL   Send = "bfcl"
)

// A Category is one of a suite's.
type Category struct {
	// Category is how cases are decoded and judged.
	*eval.Category
	// Description is for people.
	Description string
	// Weight is what the category counts in the overall score.
	Weight float64
	// Line is where suite.yaml names it.
	Line int
	// Entries are its cases.
	Entries []Entry
}

// An Entry is a case as the dataset loader takes it.
type Entry struct {
	// Row is the case in the benchmark's form: id, question, function.
	Row *pyval.Dict
	// Sent are the tools of Row as they are written, where models see them so.
	Sent []*pyval.Dict
	// Answer is the possible answer; nil if the category has none. Where
	// Matched is set, Expect decides and Answer is an example.
	Answer  *pyval.List
	Matched bool
	// Expect is what is expected, with the lines where it stands; nil if the
	// category has no answers. Turns are those of a conversation on the suite's
	// own tools, Script its results.
	Expect *match.Whole
	Turns  match.Turns
	Script match.Script
	// File and Line say where the case stands.
	File string
	Line int
}

// A Tool is a function document with where it came from.
type Tool struct {
	// Name is the function's.
	Name string
	// Doc is in the benchmark's form.
	Doc *pyval.Dict
	// Written is the tool as its owner has it: name, description if there is
	// one, and parameters in JSON Schema. It is nil for one that stands in the
	// benchmark's form. OpenAPI's operations are written out in JSON Schema.
	Written *pyval.Dict
	// circle is where the schema refers to itself; "" if it does not.
	circle string
	// Lost is what of an operation no tool can express.
	Lost []string
	// File and Line say where the tool stands.
	File string
	Line int
}

// A Fault is something that is wrong in a file.
type Fault struct {
	File string
	// Line counts from 1; 0 if the whole file is meant.
	Line int
	// Msg says what is wrong and what to do.
	Msg string
}

// Error is "file:line: message".
func (f Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Msg
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Msg)
}

// Faults are all that is wrong with a suite.
type Faults []Fault

// Limits, so that a hostile or mistaken file ends in an error, quickly.
const (
	maxShown  = 20
	maxFaults = 1000
	maxText   = 64 << 20
	maxLines  = 1 << 30
)

// Error has a line for each fault, the first of them.
func (f Faults) Error() string {
	var lines []string
	for _, fault := range f[:min(len(f), maxShown)] {
		lines = append(lines, fault.Error())
	}
	if more := len(f) - maxShown; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more: `bfcl validate` lists them", more))
	}
	return strings.Join(lines, "\n")
}

// Is reports whether a folder is a suite.
func Is(files fs.FS) bool {
	info, err := fs.Stat(files, File)
	return err == nil && !info.IsDir()
}
