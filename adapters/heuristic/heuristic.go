// Package heuristic answers without a model: word overlap picks the function,
// patterns fill the arguments. It is a small, honest baseline: it sees only
// what a model sees, is deterministic, and gives a new user a real run with
// real failures before any key is set.
//
//	word     the words of questions and documents, and which function they mean
//	mention  what of a question may become an argument
//	fill     which mention becomes which argument
//	agent    looking things up on the web and in a memory
package heuristic

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pose/prompt"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// Bounds on what is looked at, so that a hostile question costs little.
const (
	maxQuestion = 8 << 10
	maxDoc      = 4 << 10
	maxResult   = 256 << 10
	maxDepth    = 6
	maxTools    = 256
	maxCalls    = 16
)

const (
	// refusal is the answer if no function fits.
	refusal = "None of the functions fits the question."
	// finished is the answer to the results of its own calls.
	finished = "Done."
	// resultMark begins the results of calls in prompt mode.
	resultMark = "[{'role': 'tool'"
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
	result := reply(readTools(req.Tools), req)
	return &eval.Response{Result: result, Latency: time.Since(begin)}, nil
}

func reply(tools []*tool, req *eval.Request) pyval.Value {
	question := questionOf(req.Messages)
	results := resultsOf(req.Messages)
	if a := agentWith(tools, req.Mode, question); a != nil {
		return a.answer(results)
	}
	if len(results) > 0 {
		return eval.TextResult(finished)
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
	for _, sentence := range sentences(question) {
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

// isResult reports whether a message holds the results of calls. It looks at
// the role, and for prompt mode at the beginning of the user's message.
func isResult(m eval.Message) bool {
	return m.Role == "tool" || m.Role == "user" && strings.HasPrefix(m.Content, resultMark)
}

// questionOf returns the user's last question.
func questionOf(messages []eval.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == "user" && !isResult(m) {
			return clip(m.Content, maxQuestion)
		}
	}
	return ""
}

// resultsOf returns the results of the calls since the last question.
func resultsOf(messages []eval.Message) (out []string) {
	for _, m := range messages {
		switch {
		case m.Role == "tool":
			out = append(out, clip(m.Content, maxResult))
		case isResult(m):
			out = append(out, listedResult(clip(m.Content, maxResult)))
		case m.Role == "user":
			out = nil
		}
	}
	return out
}

// listedResult returns the last result of a list that prompt mode sends.
func listedResult(text string) string {
	v, err := pycall.Literal(text)
	list, ok := v.(*pyval.List)
	if err != nil || !ok || len(list.Items) == 0 {
		return ""
	}
	row, _ := list.Items[len(list.Items)-1].(*pyval.Dict)
	return textField(row, "content")
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
