// Package bfcl measures how well a language model calls functions, in the tests
// of the program that uses it. It is the Berkeley Function-Calling Leaderboard
// as a library: the same cases, verdicts, records and reports as the command
// bfcl has.
//
// A [Model] is your client in one method: messages and tools in, text or calls
// out. [Run] makes each case a subtest of your test:
//
//	func TestFunctionCalling(t *testing.T) {
//		bfcl.Run(t, myModel{client}, bfcl.Suite("testdata/suite"), bfcl.Gate("gate.yaml"))
//	}
//
// Without [Gate] each wrong answer is a failed subtest; with one the gate
// decides. [Measure] asks the same and returns a [Result], without a test.
// [Open] opens any model that the command knows by name.
//
// # What is asked
//
// Without options it is the starter suite, which is part of the package and
// needs no network. [Suite] names a folder of your own functions and cases;
// docs/own-suite.md says how to write one, and `bfcl init` begins one. [Dataset]
// names an official dataset that `bfcl fetch` has installed.
//
// # Three outcomes
//
// An answer passes or fails; what keeps a model from answering is an error, and
// never a wrong answer. A model returns an error for it: for a refused request,
// a broken connection, a timeout. Its case has no score, and a run with errors
// has none: [Resume] asks those cases again. A panic in a model is the error of
// its case. After twenty errors in a row the run ends.
//
// # What is written
//
// [RunDir] names the run folder: answers in upstream's result-file format, as
// soon as they are there, run.json, and at the end score.json and report.xml, a
// JUnit file. `bfcl report`, `score`, `compare`, `gate`, `failures` and `trace`
// read it. Without RunDir a test writes into its artifact folder, which go test
// keeps with -artifacts, and Measure into one that it removes.
//
// Importing the package registers no flags and starts nothing. It does not read
// models' keys until one is opened by name.
package bfcl

import (
	"context"
	"encoding/json"
)

// A Model answers requests. It is called from several goroutines at a time.
//
// An error means that there is no answer: the case is neither right nor wrong.
// What the model said, however broken, is a Response. A Model that does not
// return soon after its context is done is left behind.
type Model interface {
	Generate(ctx context.Context, req *Request) (*Response, error)
}

// A ModelFunc is a function that is a Model.
type ModelFunc func(ctx context.Context, req *Request) (*Response, error)

// Generate calls f.
func (f ModelFunc) Generate(ctx context.Context, req *Request) (*Response, error) { return f(ctx, req) }

// A Request asks for one answer. It is the model's own: it may be changed.
type Request struct {
	// Messages are the conversation so far. In prompt mode its first message
	// describes the functions.
	Messages []Message
	// Tools are the functions that the model may call; none in prompt mode.
	Tools []Tool
}

// The roles of a Message.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
	ToolRole  = "tool"
)

// A Message is one message of a conversation.
type Message struct {
	// Role is System, User, Assistant or ToolRole.
	Role string
	// Content is the message's text.
	Content string
	// Calls are those of an assistant's message.
	Calls []Call
	// CallID and Name are, in a tool's message, the call that it answers and
	// that call's function.
	CallID, Name string
	// Raw is the Raw of the Response that an assistant's message was.
	Raw json.RawMessage
}

// A Tool is a function that a model may call. A suite of your own shows it as it
// is written there, unless it says `send: bfcl`; the benchmark's datasets show it
// as upstream does.
type Tool struct {
	Name, Description string
	// Parameters is a JSON Schema, its keys in the suite's order.
	Parameters json.RawMessage
	// Definition is all of the tool as a JSON object: name, description,
	// parameters, and what else the suite has, such as strict.
	Definition json.RawMessage
}

// A Call is a function call of a model's.
type Call struct {
	// ID is the provider's name of the call, to which its result refers; "" if
	// it has none.
	ID string
	// Name is the function's name.
	Name string
	// Arguments is JSON text as the model wrote it, perhaps broken.
	Arguments string
}

// A Response is what a model answered: calls, or else text.
type Response struct {
	// Text is what the model said. It does not count if there are calls.
	Text string
	// Calls are the model's calls; none in prompt mode, in which they are text.
	Calls []Call
	// Reasoning is the text of what the model thought, for people.
	Reasoning string
	// Usage is the provider's count of tokens.
	Usage Usage
	// CutOff says that the limit of tokens ended the answer.
	CutOff bool
	// Served is the model that answered, by the server's own word; may be "".
	Served string
	// Raw comes back unchanged with this answer in later requests of the
	// conversation: a place for what a provider wants to see again,
	// such as signed reasoning.
	Raw json.RawMessage
}

// A Usage counts tokens; 0 if a count is not known.
type Usage struct {
	InputTokens, OutputTokens int
}
