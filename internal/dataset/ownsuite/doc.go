// Package ownsuite reads a user's own suite: a folder with a suite.yaml that
// names its tools, its categories and their weights, and with files of cases in
// the benchmark's JSON lines or in YAML.
//
//	Load      a folder to a Suite, or to all of its faults
//	Suite     categories with their cases, as the dataset loader takes them
//	Tools     function documents from JSON Schema, OpenAPI or MCP
//	Fault     what is wrong, with file and line
//
// It is below package fixtures, which makes a dataset of a Suite.
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

// A Suite is what a user's own suite folder holds.
type Suite struct {
	// Name is for people.
	Name string
	// Tools are the tools of all the suite's tool files.
	Tools []Tool
	// Send is how models are shown the tools.
	Send Send
	// Categories are in the order of suite.yaml.
	Categories []*Category
	// Left are the operations of OpenAPI documents that no tool can express.
	Left []Left
	// Files are the files that the suite was read from, as paths in its folder.
	Files []string
}

// A Left is an operation that no tool can express.
type Left struct {
	Operation string `json:"operation"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	// Reason is why it was left out, the same for all operations of its kind.
	Reason string `json:"reason"`
}

// Send says how models are shown a suite's tools.
type Send string

// The values of Send: as the tools are written, or with upstream's conversions
// and sentences.
const (
	Verbatim Send = "verbatim"
	AsBFCL   Send = "bfcl"
)

// A Category is a category of a suite.
type Category struct {
	// The embedded Category says how cases are decoded and judged.
	*eval.Category
	// Weight is the category's weight in the overall score: its number of cases if
	// the suite gives no category a weight.
	Weight float64
	// Canary reports whether the possible answers are planted wrong ones, see
	// eval.Verdict.OfCanary. The Weight is then 0.
	Canary bool
	// Line is the line of the category in suite.yaml.
	Line int
	// Entries are the category's cases.
	Entries []Entry
}

// An Entry is a case in the form that the dataset loader takes.
type Entry struct {
	// Row is the case in the benchmark's form: id, question, function.
	Row *pyval.Dict
	// Sent are the tools of Row as they are written; nil if models see the
	// benchmark's form.
	Sent []*pyval.Dict
	// Answer is the possible answer; nil if the category has none. If Matched
	// is set, Expect decides and Answer is only an example.
	Answer  *pyval.List
	Matched bool
	// Expect is what is expected, with the lines of the file; nil if the
	// category has no answers. In a conversation on the suite's own tools,
	// Turns is what is expected of each turn and Script the results of calls.
	Expect *match.Whole
	Turns  match.Turns
	Script match.Script
	// File and Line are the case's place.
	File string
	Line int
}

// A Tool is a function document and its place in the suite.
type Tool struct {
	// Name is the function's name, and Original the name in its file, if the
	// suite gives it another.
	Name, Original string
	// Doc is the function document in the benchmark's form.
	Doc *pyval.Dict
	// Written is the tool as its owner wrote it: name, description if there is
	// one, and parameters in JSON Schema. An operation of OpenAPI is rewritten
	// in JSON Schema. Written is nil if the tool is in the benchmark's form.
	Written *pyval.Dict
	// circle is what the schema refers to within itself; "" if it does not.
	circle string
	// File and Line are the tool's place.
	File string
	Line int
}

// Renamed returns the tool under another name.
func (t Tool) Renamed(name string) Tool {
	t.Name, t.Original, t.Doc = name, t.Name, t.Doc.Clone()
	t.Doc.SetStr("name", pyval.Str(name))
	if t.Written != nil {
		t.Written = t.Written.Clone()
		t.Written.SetStr("name", pyval.Str(name))
	}
	return t
}

// A Fault is an error in a suite's file.
type Fault struct {
	File string
	// Line counts from 1; 0 means the whole file.
	Line int
	// Msg says what is wrong and what to do.
	Msg string
}

// Error returns "file:line: message".
func (f Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Msg
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Msg)
}

// Faults are all faults of a suite.
type Faults []Fault

// Limits, so that a hostile or broken file quickly ends in an error.
const (
	maxShown  = 20
	maxFaults = 1000
	maxText   = 64 << 20
	maxLines  = 1 << 30
)

// Error returns a line for each of the first faults, and the number of the
// others.
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
