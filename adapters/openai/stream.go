package openai

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// done is the last event's data.
const done = "[DONE]"

// watching is how the transport watches a stream: for the first token, and for
// whether it came to its end.
var watching = &transport.Stream{Token: isToken, Broken: broken}

// isToken reports whether a chunk holds something of the answer. Most begin
// with one that names the role and holds nothing.
func isToken(data []byte) bool {
	v, err := pyval.ParseJSON(string(bytes.ToValidUTF8(data, []byte("\uFFFD"))))
	if err != nil {
		return false
	}
	for _, choice := range provider.Items(v, "choices") {
		delta := provider.Get(choice, "delta")
		for _, key := range []string{"content", "reasoning_content", "reasoning", "reasoning_details", "tool_calls", "function_call", "refusal"} {
			if pyval.Truth(provider.Get(delta, key)) {
				return true
			}
		}
	}
	return false
}

// broken says what is wrong with a stream that has ended. The transport asks
// again where that may help.
func broken(body []byte) (status int, message string) {
	_, err := assemble(string(body))
	switch {
	case err == nil, err.fault != nil && err.fault.Status == 0: // read once more, by streamed
		return 0, ""
	case err.fault != nil:
		return err.fault.Status, err.raw
	}
	return 0, err.raw
}

// A streamError is why a stream holds no whole answer.
type streamError struct {
	raw string
	// fault is the error that the server sent into the stream; nil if the
	// stream itself is the trouble.
	fault *provider.Fault
}

// assemble makes of a stream's chunks the completion that would have come in
// one piece. A stream is whole where its last event came, or a reason for which
// the model stopped.
func assemble(body string) (*pyval.Dict, *streamError) {
	s := &stream{}
	for data := range provider.Events(body) {
		if strings.TrimSpace(data) == done {
			s.ended = true
			break
		}
		v, err := pyval.ParseJSON(strings.ToValidUTF8(data, "\uFFFD"))
		chunk, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return nil, &streamError{raw: "the stream broke off: an event is no JSON object"}
		}
		if e := provider.Get(chunk, "error"); pyval.Truth(e) {
			return nil, &streamError{fault: provider.FaultOf(e), raw: data}
		}
		s.take(chunk)
	}
	switch {
	case !s.began && !s.ended:
		return nil, &streamError{raw: "the stream is empty"}
	case !s.ended && s.finish == nil:
		return nil, &streamError{raw: "the stream broke off: neither its last event nor a reason to stop came"}
	}
	return s.completion(), nil
}

// A stream collects the chunks of the first choice.
type stream struct {
	began, ended bool
	message      message
	finish       pyval.Value
	failure      pyval.Value // of the choice
	usage        pyval.Value
	model        string
}

func (s *stream) take(chunk *pyval.Dict) {
	s.began = true
	s.model = cmp.Or(s.model, provider.Text(chunk, "model"))
	if u := provider.Get(chunk, "usage"); u != pyval.None {
		s.usage = u
	}
	for _, choice := range provider.Items(chunk, "choices") {
		if provider.Count(choice, "index") > 0 {
			continue
		}
		if u := provider.Get(choice, "usage"); u != pyval.None && s.usage == nil { // Moonshot's place for it
			s.usage = u
		}
		if f := provider.Get(choice, "finish_reason"); f != pyval.None && f != pyval.Str("") {
			s.finish = f
		}
		if e := provider.Get(choice, "error"); pyval.Truth(e) {
			s.failure = e
		}
		delta, ok := provider.Get(choice, "delta").(*pyval.Dict)
		if !ok { // some servers end with the whole message
			delta, _ = provider.Get(choice, "message").(*pyval.Dict)
		}
		if delta != nil {
			s.message.add(delta)
		}
	}
}

// completion is what was collected, in the form of a reply in one piece.
func (s *stream) completion() *pyval.Dict {
	choice := provider.Object("message", s.message.whole())
	if s.finish != nil {
		choice.SetStr("finish_reason", s.finish)
	}
	if s.failure != nil {
		choice.SetStr("error", s.failure)
	}
	reply := provider.Object("choices", pyval.NewList(choice))
	if !s.began {
		reply = provider.Object("choices", pyval.NewList())
	}
	if s.model != "" {
		reply.SetStr("model", pyval.Str(s.model))
	}
	if s.usage != nil {
		reply.SetStr("usage", s.usage)
	}
	return reply
}

// streamed reads a body that came as a stream.
func streamed(body string) (*pyval.Dict, error) {
	reply, err := assemble(body)
	switch {
	case err == nil:
		return reply, nil
	case err.fault != nil:
		return nil, err.fault.Infra()
	}
	return nil, eval.Infra(transport.Body, "%s", err.raw)
}
