// Package heuristic answers without a model: word overlap picks the function,
// patterns fill the arguments. It is an honest baseline. It sees what a model
// sees and nothing else, is deterministic, and gives a new user real failures
// to look at before any key is set.
//
//	token    the question's words, numbers and marks
//	mention  what may become an argument: number, date, name, quoted text, ...
//	param    what a function document says of a parameter
//	pick     which function, if any
//	fill     which mention becomes which argument
//	rate     how well a mention suits a parameter
//	plan     how many calls
//	search   the web, where a case has tools for it
//	memory   what is written down and looked up, where a case has a memory
//	write    calls as JSON, Python text, or Java and JavaScript source
package heuristic

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
)

// Bounds on what is looked at, so that a hostile question costs little.
const (
	maxQuestion = 8 << 10
	maxDoc      = 4 << 10
	maxDepth    = 6
	maxTools    = 256
	maxCalls    = 16
)

// refusal is the answer where no function fits.
const refusal = "None of the functions fits the question."

// finished is the answer to the results of its own calls: it makes no second
// attempt.
const finished = "Done."

// resultMark is how the results of calls begin in prompt mode.
const resultMark = "[{'role': 'tool'"

// An Adapter is the baseline. It has no state.
type Adapter struct{}

// New makes a baseline.
func New() *Adapter { return &Adapter{} }

// Generate answers the request in its mode.
func (a *Adapter) Generate(ctx context.Context, req *eval.Request) (*eval.Response, error) {
	begin := time.Now()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	tools := readTools(req.Tools)
	if s := searchWith(tools, req); s != nil {
		return &eval.Response{Result: s.answer(req.Messages), Latency: time.Since(begin)}, nil
	}
	if n := notebookWith(tools, req); n != nil {
		return &eval.Response{Result: n.answer(req.Messages), Latency: time.Since(begin)}, nil
	}
	if answered(req.Messages) {
		return &eval.Response{Result: eval.TextResult(finished), Latency: time.Since(begin)}, nil
	}
	calls := plan(readQuestion(questionText(req.Messages)), tools)
	result := eval.TextResult(refusal)
	if len(calls) > 0 {
		result = write(calls, dialectOf(tools), req.Mode)
	}
	return &eval.Response{Result: result, Latency: time.Since(begin)}, nil
}

// answered reports whether the last message brings results of calls: by its
// role, or in prompt mode by the beginning of the list that the user sends.
func answered(messages []eval.Message) bool {
	if len(messages) == 0 {
		return false
	}
	last := messages[len(messages)-1]
	return last.Role == "tool" || strings.HasPrefix(last.Content, resultMark)
}

// questionText is the last user message, or its beginning.
func questionText(messages []eval.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == "user" {
			return clip(messages[i].Content, maxQuestion)
		}
	}
	return ""
}

// clip is the beginning of a text, cut between characters.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
