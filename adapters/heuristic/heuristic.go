// Package heuristic answers without a model: word overlap picks the function,
// patterns fill the arguments. It is a small, honest baseline: it sees only
// what a model sees, is deterministic, and gives a new user a real run with
// real failures before any key is set. It calls functions for single questions;
// in a conversation it answers in words.
//
//	word     the words of questions and documents, and which function they mean
//	mention  what of a question may become an argument
//	fill     which mention becomes which argument
package heuristic

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// Bounds on what is looked at, so that a hostile question costs little.
const (
	maxQuestion = 8 << 10
	maxDoc      = 4 << 10
	maxDepth    = 6
	maxTools    = 256
	maxCalls    = 16
)

const (
	// refusal is the answer if no function fits.
	refusal = "None of the functions fits the question."
	// single is the answer in a conversation.
	single = "I answer single questions only."
)

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
	return &eval.Response{Result: reply(req), Latency: time.Since(begin)}, nil
}

func reply(req *eval.Request) pyval.Value {
	if req.Conversation {
		return eval.TextResult(single)
	}
	var tools []*tool
	for _, doc := range req.Tools[:min(len(req.Tools), maxTools)] {
		tools = append(tools, &tool{doc: doc, name: textField(doc, "name"), schema: doc.Child("parameters")})
	}
	question := ""
	for _, m := range req.Messages {
		if m.Role == "user" { // the last one counts
			question = clip(m.Content, maxQuestion)
		}
	}
	calls := plan(question, tools)
	if len(calls) == 0 {
		return eval.TextResult(refusal)
	}
	return decode.Calls(calls, languageOf(tools), req.Mode, prompt.Default)
}

// plan returns one call, or one for each sentence if several sentences give
// complete calls.
func plan(question string, tools []*tool) []decode.Call {
	var calls []decode.Call
	for _, sentence := range sentenceEnd().Split(question, -1) {
		if t := pick(sentence, tools); t != nil && len(calls) < maxCalls {
			if c, complete := fill(t, sentence); complete {
				calls = append(calls, c)
			}
		}
	}
	if len(calls) > 1 {
		return calls
	}
	t := pick(question, tools)
	if t == nil {
		return nil
	}
	c, _ := fill(t, question)
	return []decode.Call{c}
}

// clip returns the beginning of a text, cut between characters.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}
