package provider

import (
	"strconv"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/say"
)

// A Fault is an error that a server reports in a reply with a status of
// success. Replies with a status of failure are the transport's errors.
type Fault struct {
	// Status is the HTTP status in the reply itself, or 0.
	Status int
	// Code is the provider's code for it, such as "rate_limit_exceeded".
	Code string
	// Message is the provider's message.
	Message string
}

// faultIn returns the fault in a reply, nil if there is none: {"error": ...},
// as in the replies of routers such as OpenRouter and in failed Responses, or
// {"object": "error", ...}.
func faultIn(reply *pyval.Dict) *Fault {
	if e := Get(reply, "error"); pyval.Truth(e) {
		return FaultOf(e)
	}
	if Text(reply, "object") == "error" {
		return FaultOf(reply)
	}
	return nil
}

// FaultOf reads an error object, or any other value as a message.
func FaultOf(e pyval.Value) *Fault {
	f := &Fault{Message: textOf(Get(e, "message")), Code: Text(e, "type")}
	if f.Message == "" {
		f.Message = textOf(e)
	}
	for _, key := range []string{"status", "code"} {
		code := textOf(Get(e, key))
		if n, err := strconv.Atoi(code); err == nil && n >= 300 && n <= 599 {
			f.Status = n
		} else if code != "" {
			f.Code = code
		}
	}
	return f
}

func textOf(v pyval.Value) string {
	switch v := v.(type) {
	case pyval.NoneType:
		return ""
	case pyval.Str:
		return string(v)
	}
	text, _ := pyval.JSON(v, pyval.JSONUnicode)
	return text
}

// Infra returns the fault as the transport's own error, so that callers need
// not know how it was reported.
func (f *Fault) Infra() error {
	e := &transport.Error{Kind: transport.KindOf(f.Status, f.Code), Status: f.Status, Message: "the server reports an error"}
	if f.Code != "" {
		e.Message += " (" + quote(f.Code) + ")"
	}
	if f.Message != "" {
		e.Message += ": " + quote(f.Message)
	}
	if e.Understand(f.Code, f.Message) {
		return transport.AsInfra(e)
	}
	// 403 is also how routers refuse a single request.
	e.Fatal = f.Status != 403 && (e.Kind == transport.Unauthorized || e.Kind == transport.Quota)
	return transport.AsInfra(e)
}

// quote returns a server's text, quoted and capped.
func quote(s string) string { return say.Quote(s, 500) }

// A Finish is what a server's reason for ending an answer means.
type Finish uint8

const (
	// Unknown is a reason that is in no table. What came is judged, and the
	// reason is named under the score.
	Unknown Finish = iota
	// Answered means that the model had finished.
	Answered
	// CutOff means that a limit of tokens ended the answer.
	CutOff
	// Filtered means that a filter refused the answer, or a part of it. What it
	// left is judged, as upstream does.
	Filtered
	// Aborted means that the server gave up: what came is no answer.
	Aborted
	// TimedOut is Aborted because the server ran out of time.
	TimedOut
)

// Finishes is a protocol's table of reasons. A reply without a reason is an
// answer.
type Finishes map[string]Finish

// ChatFinishes are the reasons of chat and text completions: OpenAI's, those of
// servers with the same protocol, and those that routers pass through.
var ChatFinishes = Finishes{
	"": Answered, "stop": Answered, "tool_calls": Answered, "function_call": Answered,
	"tool_call": Answered, "tool_use": Answered, "end_turn": Answered, "stop_sequence": Answered, "eos": Answered, "eos_token": Answered,
	"STOP": Answered, "COMPLETE": Answered, "TOOL_CALL": Answered,
	"length": CutOff, "model_length": CutOff, "max_tokens": CutOff, "MAX_TOKENS": CutOff, "model_context_window_exceeded": CutOff,
	"content_filter": Filtered, "sensitive": Filtered, "refusal": Filtered, "safety": Filtered, "SAFETY": Filtered,
	"abort": Aborted, "aborted": Aborted, "error": Aborted, "cancelled": Aborted, "canceled": Aborted, "ERROR": Aborted,
	"insufficient_system_resource": Aborted, "network_error": Aborted,
	"timeout": TimedOut, "TIMEOUT": TimedOut,
}

// End notes why a server ended the answer. An error means that it is none.
func (s *Said) End(table Finishes, reason string) error {
	const most = 60
	switch table[reason] {
	case Answered:
	case CutOff:
		s.CutOff = true
	case Filtered:
		s.Finish = "filtered: " + reason
	case Aborted:
		return eval.Infra(transport.ServerError, "the server ended the answer with the reason %s", quote(reason))
	case TimedOut:
		return eval.Infra(transport.Timeout, "the server ran out of time before it had finished the answer: %s", quote(reason))
	default:
		s.Finish = "unknown: " + say.Plain(reason, most)
	}
	return nil
}
