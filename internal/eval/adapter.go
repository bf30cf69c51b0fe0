package eval

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Request asks a model for one answer.
type Request struct {
	// ID is the case's id and Trial its trial, from 0. A model never sees
	// them; replaying adapters need them.
	ID    string
	Trial int
	// Turn and Step are where in its conversation a multi-turn case is, from
	// 0; a model never sees them either.
	Turn, Step int
	// Conversation reports whether more requests follow which begin as this one
	// does: providers can be asked to keep what they have read.
	Conversation bool
	// Messages are the conversation so far.
	Messages []Message
	// Tools are the function documents the model may call, with the names
	// it is to use.
	Tools []*pyval.Dict
	// Sent are the Tools as a suite's owner wrote them, in their order, with
	// schemas in JSON Schema: a model is shown these if they are there.
	Sent []*pyval.Dict
	// Mode says how the answer is to carry its calls.
	Mode Mode
	// Endpoint is where an Agent makes its calls; nil for models.
	Endpoint *Endpoint
}

// A ToolCall is one call as the model wrote it.
type ToolCall struct {
	// ID is the provider's own name of the call, to which the call's result
	// refers; "" if it gives none.
	ID string
	// Name is the function's name as the model saw it.
	Name string
	// Arguments is JSON text, possibly broken: a model wrote it.
	Arguments string
}

// A Response is a model's answer. Wrong and broken answers are Responses too;
// an error beside it means that no answer was obtained.
type Response struct {
	// Result is the answer in upstream's result-file form: a list of
	// {name: arguments as JSON text} for calls, a str for text. See
	// CallsResult and TextResult.
	Result pyval.Value
	// Message is the answer as a message of the conversation, for the next
	// request.
	Message Message
	// Reasoning is the text of what the model thought; "" if the provider
	// shows none.
	Reasoning string
	// Talk is the account of a whole conversation; nil for a single answer.
	Talk *Talk
	// Effort is what an agent took; nil for models.
	Effort *Effort
	// Cost is the answer's price in dollars by the agent's own word; 0 if it
	// says nothing.
	Cost float64
	// Served is the model that answered, by the server's own word; "" if it
	// names none.
	Served string
	// CutOff reports whether the limit of tokens ended the answer, of a
	// conversation any of its answers.
	CutOff bool
	// Shared reports whether the answer came with that to an equal request, which
	// alone was sent and paid for.
	Shared bool
	// InputTokens and OutputTokens are the provider's own counts; 0 if it gives
	// none.
	InputTokens, OutputTokens int
	// Latency is the time of the request alone, without queueing and
	// retries.
	Latency time.Duration
	// TTFT is the time to the first token of an answer that came as a stream;
	// 0 for others.
	TTFT time.Duration
}

// AsMessage returns the answer as a message of the conversation: the adapter's
// own, else one made of the Result.
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

// A Talk is the account of a multi-turn case, step by step: what upstream
// writes beside the result. The outer index is the turn, the inner the step.
type Talk struct {
	InputTokens, OutputTokens [][]int
	// Latency is of each request alone.
	Latency [][]time.Duration
	// TTFT is each request's time to the first token; 0 if the answer came
	// in one piece.
	TTFT [][]time.Duration
	// Reasoning holds "" for a step that shows none.
	Reasoning [][]string
	// Log is upstream's inference_log.
	Log *pyval.List
	// Memory is what the case's memory holds in the end, a *pyval.Dict; nil if
	// it has none. It is not part of the record.
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

// An Adapter speaks to one model over one wire protocol. It is safe for
// concurrent use. Generate's error means that infrastructure failed; a bad
// answer is a Response.
type Adapter interface {
	Generate(ctx context.Context, req *Request) (*Response, error)
}

// A Whole adapter answers a multi-turn case with a single Response that holds
// all its turns, as replaying ones do; others are led through it step by step.
type Whole interface {
	AnswersWhole() bool
}

// AnswersWhole reports whether an adapter answers multi-turn cases as a whole.
func AnswersWhole(a Adapter) bool {
	w, ok := a.(Whole)
	return ok && w.AnswersWhole()
}

// A Moded adapter knows the mode of its model; others are asked in FC mode.
type Moded interface {
	Mode() Mode
}

// ModeOf returns the mode in which an adapter's answers are to be read.
func ModeOf(a Adapter) Mode {
	if m, ok := a.(Moded); ok && m.Mode() != "" {
		return m.Mode()
	}
	return FC
}

// ErrNoAnswer is the cause of an InfraError where a replayed run holds no
// answer for a case.
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

// Infra makes an InfraError.
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
// writes them as text itself. The zero Manner gives tools in their field and
// all results of a step in one user message.
type Manner struct {
	// SystemPrompt puts the function documents into a system prompt; there
	// are no tools then.
	SystemPrompt bool
	// MoreAsText describes functions that come later only in a user message.
	MoreAsText bool
	// ToolMessages gives each result back in a tool message of its own, whose
	// Name is the call's text.
	ToolMessages bool
}

// A Mannered adapter has a Manner of its own.
type Mannered interface {
	Manner() Manner
}
