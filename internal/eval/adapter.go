package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Request asks a model for one answer.
type Request struct {
	// ID is the case's id and Trial its trial, from 0. Replaying adapters need
	// them; a model never sees them.
	ID    string
	Trial int
	// Turn and Step are the position in a multi-turn case's conversation, from
	// 0; a model never sees them either.
	Turn, Step int
	// Before is how many tokens the conversation's prompt before this one, which
	// this one continues, had; 0 if it is not known. Since is how many characters
	// have come to it; 0 if templates may leave some out.
	Before, Since int
	// Conversation reports whether more requests that begin like this one
	// follow, so that providers can be asked to cache it.
	Conversation bool
	// Messages are the conversation so far.
	Messages []Message
	// Tools are the documents of the functions that the model may call, under
	// the names that it must use.
	Tools []*pyval.Dict
	// Schemas keeps what an adapter makes of the Tools for later requests of the
	// conversation; may be nil.
	Schemas *Schemas
	// Sent are the Tools as a suite's owner wrote them, in the same order, with
	// schemas in JSON Schema; if set, the model is shown these.
	Sent []*pyval.Dict
	// Mode says how the answer must carry its calls.
	Mode Mode
	// Endpoint is where an Agent makes its calls; nil for models.
	Endpoint *Endpoint
	// Documented is how many characters the functions' documents have; 0 until
	// they are counted.
	Documented int
}

// Chars counts the characters of the messages and the functions' documents,
// without what a chat template adds.
func (r *Request) Chars() (n int) {
	for _, m := range r.Messages {
		n += utf8.RuneCountInString(m.Content)
		for _, call := range m.Calls {
			n += utf8.RuneCountInString(call.Name) + utf8.RuneCountInString(call.Arguments)
		}
	}
	if r.Documented == 0 {
		for _, tool := range r.Tools {
			r.Documented += utf8.RuneCountInString(pyval.Repr(tool))
		}
	}
	return n + r.Documented
}

// Shown returns the functions' documents as the model is shown them.
func (r *Request) Shown() *pyval.List {
	docs := r.Tools
	if r.Sent != nil {
		docs = r.Sent
	}
	list := &pyval.List{Items: make([]pyval.Value, len(docs))}
	for i, doc := range docs {
		list.Items[i] = doc
	}
	return list
}

// Schemas keeps what one adapter made of a conversation's tools: most steps have
// the same.
type Schemas struct {
	tools []*pyval.Dict
	made  *pyval.List
}

// Of returns what convert made of the same tools before, or makes now.
func (s *Schemas) Of(tools []*pyval.Dict, convert func() (*pyval.List, error)) (made *pyval.List, err error) {
	if s == nil {
		return convert()
	}
	if s.made == nil || !slices.Equal(s.tools, tools) {
		if made, err = convert(); err != nil {
			return nil, err
		}
		s.tools, s.made = tools, made
	}
	return s.made, nil
}

// MostPerToken is more characters than prompts with functions have for a token:
// recorded ones reach 7.5, and what comes to them in a conversation 4.3. Where it is more, a part of the prompt did not reach
// the model.
const MostPerToken = 12

// ShortPrompt begins a Response's Finish if its count of prompt tokens is less
// than the prompt must have.
const ShortPrompt = "short_prompt: "

// LaterChoice is a Response's Finish if the reply has calls only in a choice after
// the first, where no client looks.
const LaterChoice = "unknown: calls in a choice after the first"

// Short says why a count of prompt tokens is too small for the request; "" if it
// is not.
func (r *Request) Short(tokens int) string {
	switch {
	case tokens <= 0 || r.Endpoint != nil: // not told, or an agent's own prompt
		return ""
	case r.Step > 0 && !r.Grows(tokens):
		return "hardly longer than the step before"
	case r.Chars() > MostPerToken*tokens:
		return fmt.Sprintf("more than %d characters a token", MostPerToken)
	}
	return ""
}

// Grows reports whether a count of prompt tokens is as much larger than that of
// the prompt before as what has come to it needs.
func (r *Request) Grows(tokens int) bool {
	return r.Before == 0 || tokens > r.Before+r.Since/MostPerToken
}

// A Guard is an Adapter that may find out that an answer is none.
type Guard interface {
	// Full returns an error for an answer to a prompt of a number of tokens that the
	// server has cut. If ask is set, it may ask the server first, and wait.
	Full(ctx context.Context, req *Request, prompt int, ask bool) error
}

// A ToolCall is one call as the model wrote it.
type ToolCall struct {
	// ID is the provider's id of the call, to which the call's result refers;
	// "" if it gives none.
	ID string
	// Name is the function's name as the model saw it.
	Name string
	// Arguments is JSON text as the model wrote it, possibly broken.
	Arguments string
}

// A Response is a model's answer. Wrong and broken answers are Responses too;
// an error means that no answer was obtained.
type Response struct {
	// Result is the answer in the form of upstream's result files: a list of
	// {name: arguments as JSON text} for calls, a str for text. See CallsResult
	// and TextResult.
	Result pyval.Value
	// Message is the answer as a message of the conversation, for the next
	// request.
	Message Message
	// Reasoning is the text of the model's reasoning; "" if the provider shows
	// none.
	Reasoning string
	// Talk is the record of a whole conversation; nil for a single answer.
	Talk *Talk
	// Effort is what an agent took; nil for models.
	Effort *Effort
	// Cost is what the requests of the answer cost; of an adapter's response, what
	// the agent states. It has no requests if nothing is known.
	Cost Money
	// Served is the model that answered, as named by the server; "" if it names
	// none.
	Served string
	// Fingerprint is the server's word for its configuration, such as OpenAI's
	// system_fingerprint; "" if it gives none.
	Fingerprint string
	// CutOff reports whether the limit of tokens ended the answer or, in a
	// conversation, any of its answers.
	CutOff bool
	// Malformed reports whether the server could not read the calls of the answer
	// or, in a conversation, of any of its answers. Result is then the text that
	// the server tells, "" if it tells none.
	Malformed bool
	// Finish says that the answer, or one of the conversation, ended in a way to
	// be counted with the score: "filtered: " or "unknown: " and the server's
	// reason, or ShortPrompt and why. "" for others.
	Finish string
	// InputTokens and OutputTokens are the provider's own counts; 0 if it gives
	// none.
	InputTokens, OutputTokens int
	// Latency is the time of the request only, without queueing and retries.
	Latency time.Duration
	// TTFT is the time to the first token of an answer that came as a stream;
	// 0 for others.
	TTFT time.Duration
	// Entry is the line of a result file that the answer was read from, without
	// the inference log, and Log that log as a score file has it; nil and "" for an
	// answer that has just come.
	Entry *pyval.Dict
	Log   string
}

// Measured reports whether the token counts are there: a request has at least
// one token, and so has an answer that is not empty.
func (r *Response) Measured() bool {
	return r.InputTokens > 0 && (r.OutputTokens > 0 || Empty(r.Result))
}

// Empty reports whether a result has neither text nor calls.
func Empty(result pyval.Value) bool {
	switch v := result.(type) {
	case pyval.Str:
		return v == ""
	case *pyval.List:
		return len(v.Items) == 0
	}
	return result == nil || result == pyval.None
}

// AsMessage returns the answer as a message of the conversation: the adapter's
// own, or one made from the Result.
func (r *Response) AsMessage() Message {
	if r.Message.Role != "" {
		return r.Message
	}
	m := Message{Role: "assistant"}
	switch result := r.Result.(type) {
	case pyval.Str:
		m.Content = string(result)
	case *pyval.List:
		for _, item := range result.Items {
			call, _ := item.(*pyval.Dict)
			if call == nil {
				continue
			}
			for name, args := range call.All() {
				m.Calls = append(m.Calls, ToolCall{Name: pyval.Text(name), Arguments: pyval.Text(args)})
			}
		}
	}
	return m
}

// A Talk is the record of a multi-turn case, step by step: what upstream writes
// with the result. The outer index is the turn, the inner one the step.
type Talk struct {
	InputTokens, OutputTokens [][]int
	// Latency is the time of each request only.
	Latency [][]time.Duration
	// TTFT is each request's time to the first token; 0 if the answer came
	// in one piece.
	TTFT [][]time.Duration
	// Reasoning holds "" for a step that shows none.
	Reasoning [][]string
	// Log is upstream's inference_log.
	Log *pyval.List
	// Memory is the content of the case's memory at the end, a *pyval.Dict; nil
	// if it has none. It is not part of the record.
	Memory pyval.Value
}

// MeanTTFT returns the mean time to the first token of a conversation's
// requests that came as streams; 0 if none did.
func MeanTTFT(turns [][]time.Duration) time.Duration {
	sum, n := time.Duration(0), time.Duration(0)
	for _, turn := range turns {
		for _, d := range turn {
			if d > 0 {
				sum += d
				n++
			}
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// CallsResult returns the Result of a function-calling answer.
func CallsResult(calls []ToolCall) pyval.Value {
	list := &pyval.List{Items: make([]pyval.Value, len(calls))}
	for i, call := range calls {
		item := pyval.NewDict(1)
		item.SetStr(call.Name, pyval.Str(call.Arguments))
		list.Items[i] = item
	}
	return list
}

// TextResult returns the Result of an answer in text.
func TextResult(text string) pyval.Value { return pyval.Str(text) }

// An Adapter talks to one model over one wire protocol. It is safe for
// concurrent use. An error of Generate means that infrastructure failed; a bad
// answer is a Response.
type Adapter interface {
	Generate(ctx context.Context, req *Request) (*Response, error)
}

// An Ask puts one request to a model.
type Ask = func(ctx context.Context, req *Request) (*Response, error)

// A Whole is an adapter that answers a multi-turn case with a single Response
// for all turns, as replaying ones do; others are led through it step by step.
type Whole interface {
	AnswersWhole() bool
}

// AnswersWhole reports whether an adapter answers multi-turn cases as a whole.
func AnswersWhole(a Adapter) bool {
	w, ok := a.(Whole)
	return ok && w.AnswersWhole()
}

// A Moded is an adapter that knows the mode of its model; others are asked in
// FC mode.
type Moded interface {
	Mode() Mode
}

// ModeOf returns the mode in which an adapter's answers are read.
func ModeOf(a Adapter) Mode {
	if m, ok := a.(Moded); ok && m.Mode() != "" {
		return m.Mode()
	}
	return FC
}

// ErrNoAnswer is the cause of an InfraError if a replayed run has no answer for
// a case.
var ErrNoAnswer = errors.New("no recorded answer")

// An InfraError is trouble that kept a model from answering: a timeout, a
// broken stream, a program that died. Kind is a short word for tables.
type InfraError struct {
	Kind string
	Err  error
}

// Error returns the kind and the cause.
func (e *InfraError) Error() string { return fmt.Sprintf("%s: %v", e.Kind, e.Err) }

// Unwrap returns the cause.
func (e *InfraError) Unwrap() error { return e.Err }

// Infra returns an InfraError with a kind and a cause.
func Infra(kind string, format string, args ...any) error {
	return &InfraError{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// InfraKind returns the kind of an error that Generate returned: an
// InfraError's own, or "canceled", "timeout" or "adapter".
func InfraKind(err error) string {
	var infra *InfraError
	switch {
	case errors.As(err, &infra):
		return infra.Kind
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "adapter"
}

// A Manner is how a model is led through conversations by an adapter that
// writes them as text itself. The zero Manner passes tools in their own field
// and all results of a step in one user message.
type Manner struct {
	// SystemPrompt puts the function documents into a system prompt, instead of
	// tools.
	SystemPrompt bool
	// MoreAsText describes functions that are added later only in a user
	// message.
	MoreAsText bool
	// ToolMessages returns each result in its own tool message, with the call's
	// text as its Name.
	ToolMessages bool
}

// A Mannered is an adapter with its own Manner.
type Mannered interface {
	Manner() Manner
}
