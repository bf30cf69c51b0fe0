// Package calllog turns logs of model calls, requests with their responses, into
// cases of a user's own suite: the calls of a response are the possible answer,
// for a person to look over. It stands above package ownsuite, whose files it
// writes.
//
//	Read      lines of a log to a Log; what cannot be taken is told with a reason
//	Log       cases and the tools they show, each tool once
//	Files     the Log as the files of a suite
//
// One reader for each format makes an exchange of what is logged: chat
// completions, OpenAI's Responses, Anthropic's Messages, and spans of
// OpenTelemetry. What becomes of an exchange is the same for all.
//
// Of a line it takes messages, tools and calls and nothing else: neither
// headers nor whatever stands beside them reach a suite.
package calllog

import (
	"github.com/gobfcl/bfcl/internal/dataset/ownsuite"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Format is how a log writes a request and its response.
type Format string

// The formats.
const (
	Any       Format = "auto" // each line shows
	Chat      Format = "chat"
	Responses Format = "responses"
	Anthropic Format = "anthropic"
	OTel      Format = "otel"
)

// Formats are all of them.
var Formats = []Format{Any, Chat, Responses, Anthropic, OTel}

// A Case is one exchange of the log.
type Case struct {
	// Messages are the conversation before the response.
	Messages *pyval.List
	// Tools are the names of the tools that were shown.
	Tools []string
	// Calls are those of the response, each {function: arguments}; none if it
	// answered in text.
	Calls []*pyval.Dict
	// Line is where the log has it, and Place where in the line, if it holds
	// more than one exchange.
	Line  int
	Place string
}

// A Skip is an exchange that was not taken.
type Skip struct {
	Line   int    `json:"line"`
	Place  string `json:"place,omitempty"`
	Reason string `json:"reason"`
}

// A Log is what was read.
type Log struct {
	Cases []Case
	// Tools are in the order of their first mention, by the name that cases
	// have.
	Tools []ownsuite.Tool
	// Renamed counts tools that had the name of another, different one.
	Renamed int
	// Masked counts texts that looked like keys and were replaced.
	Masked int
	// Lines is how many lines the log has.
	Lines int
	// Left is how many exchanges were left out; Skipped are the first of them.
	Left    int
	Skipped []Skip
	// Other counts spans that are no calls of a model.
	Other int
	// Own counts cases whose requests showed the provider's own tools, too,
	// such as a search. The cases are without them.
	Own int
	// By counts the cases of each format.
	By map[Format]int

	format Format
	shown  map[string]shownTool // by the JSON of the request's tool
	size   int                  // of all of those
	parts  int                  // see ownsuite.Function
	names  map[string]string    // by the JSON of the suite's tool, with the first name
	taken  map[string]int       // names, with how many tools have had each
	seen   map[string]place     // cases by their JSON
	turns  map[string]*turn     // by the id of their response
	carry  int                  // how many bytes of what responses continue are copied at most
}

// A place is where an exchange stands.
type place struct {
	line int
	in   string
}
