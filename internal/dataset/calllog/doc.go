// Package calllog turns logs of model calls, requests with their responses, into
// cases of a user's own suite: the calls of a response are the possible answer,
// for a person to check. It is above package ownsuite, whose files it writes.
//
//	Read      lines of a log to a Log; what cannot be taken is listed with a reason
//	Log       cases and the tools they show, each tool once
//	Files     the Log as the files of a suite
//
// One reader for each format makes an exchange of a line: a chat completion, one
// of OpenAI's Responses, or an export of OpenTelemetry's spans. An exchange is
// then handled in the same way for all formats.
//
// Only messages, tools and calls are taken from a line: headers and other fields
// never reach a suite.
package calllog

import (
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Format is how a log writes a request and its response.
type Format string

// The formats.
const (
	Any       Format = "auto" // found for each line
	Chat      Format = "chat"
	Responses Format = "responses"
	OTel      Format = "otel"
)

// Formats lists all formats.
var Formats = []Format{Any, Chat, Responses, OTel}

// A Case is one exchange of the log, as a case of a suite.
type Case struct {
	// Messages are the conversation before the response.
	Messages *pyval.List
	// Tools are the names of the tools that were shown.
	Tools []string
	// Calls are the response's calls, each {function: arguments}; empty if it
	// answered in text.
	Calls []*pyval.Dict
	// Line is the exchange's line in the log, and Place its place in that line
	// if the line holds more than one.
	Line  int
	Place string
}

// A Skip is an exchange that was left out.
type Skip struct {
	Line   int    `json:"line"`
	Place  string `json:"place,omitempty"`
	Reason string `json:"reason"`
}

// A Log is what was read from a log: the cases, their tools and what was left
// out.
type Log struct {
	Cases []Case
	// Tools are in the order in which the cases first show them, under the
	// names that the cases use.
	Tools []ownsuite.Tool
	// Renamed counts tools that were renamed because a different one has their
	// name.
	Renamed int
	// Masked counts texts that looked like keys and were replaced.
	Masked int
	// Lines is the number of lines in the log.
	Lines int
	// Left is the number of exchanges that were left out; Skipped lists the
	// first of them.
	Left    int
	Skipped []Skip
	// Other counts spans that are not model calls.
	Other int
	// By counts the cases of each format.
	By map[Format]int

	format Format
	shown  map[string]ownsuite.Tool // by the JSON of the request's tool, and of the suite's
	size   int                      // of those JSON texts, in bytes
	parts  int                      // see ownsuite.Function
	taken  map[string]int           // names, with how many tools have had each
	seen   map[string]string        // the places of cases, by their JSON
}
