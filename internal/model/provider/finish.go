package provider

import (
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/say"
)

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
