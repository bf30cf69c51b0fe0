// Package bfcl measures how well a language model calls functions, in the tests
// of the program that uses it. It is the Berkeley Function-Calling Leaderboard
// as a library: it has the same cases, verdicts, records and reports as the
// command bfcl.
//
// A [Model] is your client in one method: messages and tools in, text or calls
// out. [Run] makes each case a subtest of your test:
//
//	func TestFunctionCalling(t *testing.T) {
//		bfcl.Run(t, myModel{client}, bfcl.Suite("testdata/suite"), bfcl.Gate("gate.yaml"))
//	}
//
// Without [Gate], each wrong answer is a failed subtest; with it, the gate
// decides. [Measure] asks the same cases and returns a [Result], without a
// test. [Open] opens any model that the command knows by name.
//
// # What is asked
//
// Without options the cases are those of the starter suite, which is part of
// the package and needs no network. [Suite] names a folder with your own
// functions and cases; docs/own-suite.md says how to write one, and `bfcl init`
// creates one to start from. [Dataset] names an official dataset that `bfcl
// fetch` has installed.
//
// # Three outcomes
//
// An answer passes or fails. If something keeps a model from answering, such as
// a refused request, a broken connection or a timeout, that is an error, and
// never a wrong answer; the model returns an error for it. Neither the case nor the
// run has a score then: [Resume] asks such cases again. A panic in a model is an
// error of its case. After twenty errors in a row the run ends.
//
// # What is written
//
// [RunDir] names the run folder. It gets the answers, as soon as they come, in
// upstream's result-file format; run.json; and at the end score.json and
// report.xml, a JUnit file. The commands `bfcl report`, `score`, `compare`,
// `gate`, `failures` and `trace` read it. Without RunDir, a test writes to its
// artifact folder, which go test keeps with -artifacts, and Measure to a
// temporary folder.
//
// Importing the package registers no flags and starts nothing. It does not read
// models' keys until a model is opened by name.
package bfcl

import (
	"context"
	"encoding/json"

	"github.com/gobfcl/bfcl/internal/judge/match"
)

// A Model answers requests. It is called from several goroutines at the same
// time.
//
// An error means that there is no answer: the case is neither right nor wrong.
// Whatever the model said, however broken, is a Response. If Generate does not
// return soon after its context is done, the call is abandoned.
type Model interface {
	Generate(ctx context.Context, req *Request) (*Response, error)
}

// A ModelFunc is a function that implements Model.
type ModelFunc func(ctx context.Context, req *Request) (*Response, error)

// Generate calls f.
func (f ModelFunc) Generate(ctx context.Context, req *Request) (*Response, error) { return f(ctx, req) }

// A Request asks for one answer. The model may change it.
type Request struct {
	// Messages are the conversation so far. In prompt mode the first message
	// describes the functions.
	Messages []Message
	// Tools are the functions that the model may call; nil in prompt mode.
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
	// Calls are the calls of an assistant's message.
	Calls []Call
	// CallID and Name are set in a tool's message: the id of the call that it
	// answers, and the name of that call's function.
	CallID, Name string
	// Raw is the Raw of the Response that became this assistant's message.
	Raw json.RawMessage
}

// A Tool is a function that a model may call. The tools of a suite of your own
// are as written there, unless the suite says `send: bfcl`; those of the
// benchmark's datasets are as upstream sends them.
type Tool struct {
	Name, Description string
	// Parameters is a JSON Schema, with its keys in the suite's order.
	Parameters json.RawMessage
	// Definition is the whole tool as a JSON object: name, description,
	// parameters, and whatever else the suite has, such as strict.
	Definition json.RawMessage
}

// A Call is a function call that a model makes.
type Call struct {
	// ID is the id that the provider gave the call, to which its result refers;
	// "" if it has none.
	ID string
	// Name is the function's name.
	Name string
	// Arguments is JSON text as the model wrote it, which may be broken.
	Arguments string
}

// A Response is what a model answered: calls or text.
type Response struct {
	// Text is what the model said. It is ignored if there are calls.
	Text string
	// Calls are the model's calls; nil in prompt mode, in which calls are part
	// of Text.
	Calls []Call
	// Reasoning is the text of the model's reasoning, for people to read.
	Reasoning string
	// Usage is the number of tokens, as the provider counts them.
	Usage Usage
	// CutOff reports whether the token limit ended the answer.
	CutOff bool
	// Served is the model that answered, as the server names it; may be "".
	Served string
	// Raw is passed unchanged with this answer in later requests of the
	// conversation. It is a place for what a provider needs to get back, such
	// as signed reasoning.
	Raw json.RawMessage
}

// A Usage counts tokens; a count is 0 if it is not known.
type Usage struct {
	InputTokens, OutputTokens int
}

// Match gives a function of yours a name for use in the cases of a suite: an
// argument written as {func: name} is right if f returns nil. f gets the
// argument as JSON; its error says what is wrong with it. f may be called from
// several goroutines at the same time. If it panics, the case is an error, and not
// a wrong answer.
//
// Call Match once for each name, before the first run, as in an init function
// or in TestMain. It panics if the name is taken or not a valid name. In
// programs that do not have the function, such as the command bfcl, cases that
// use it are errors.
func Match(name string, f func(argument json.RawMessage) error) {
	if err := match.Register(name, f); err != nil {
		panic("bfcl.Match: " + err.Error())
	}
}
