package openai

import (
	"cmp"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// streamed describes replies that come as streams of chunks.
var streamed = &provider.Stream{
	Begin: func() provider.Assembly { return &stream{} },
	Token: isToken,
	Done:  "[DONE]",
}

// isToken reports whether a chunk holds a part of the answer. Most streams
// begin with a chunk that only names the role.
func isToken(chunk pyval.Value) bool {
	for _, choice := range provider.Items(chunk, "choices") {
		delta := provider.Get(choice, "delta")
		for _, key := range []string{"content", "reasoning_content", "reasoning", "reasoning_details", "tool_calls", "function_call", "refusal"} {
			if pyval.Truth(provider.Get(delta, key)) {
				return true
			}
		}
	}
	return false
}

// A stream assembles the first choice from its chunks.
type stream struct {
	began   bool
	message message
	finish  pyval.Value
	failure pyval.Value // of the choice
	usage   pyval.Value
	model   string
}

// Add adds a chunk.
func (s *stream) Add(chunk *pyval.Dict) {
	s.began = true
	s.model = cmp.Or(s.model, provider.Text(chunk, "model"))
	if u := provider.Get(chunk, "usage"); u != pyval.None {
		s.usage = u
	}
	for _, choice := range provider.Items(chunk, "choices") {
		if provider.Count(choice, "index") > 0 {
			continue
		}
		if u := provider.Get(choice, "usage"); u != pyval.None && s.usage == nil { // where Moonshot puts it
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

// Begun reports whether a chunk has come.
func (s *stream) Begun() bool { return s.began }

// Ended reports whether a finish reason has come.
func (s *stream) Ended() bool { return s.finish != nil }

// Closed reports whether the last event has come: it is no object.
func (s *stream) Closed() bool { return false }

// Counted reports whether the usage has come, as it does at the end.
func (s *stream) Counted() bool { return provider.Count(s.usage, "completion_tokens") > 0 }

// Reply returns the completion as it would have come in one piece.
func (s *stream) Reply() (*pyval.Dict, error) {
	message, err := s.message.whole()
	if err != nil {
		return nil, err
	}
	choice := pyval.Object("message", message)
	if s.finish != nil {
		choice.SetStr("finish_reason", s.finish)
	}
	if s.failure != nil {
		choice.SetStr("error", s.failure)
	}
	reply := pyval.Object("choices", pyval.NewList(choice))
	if !s.began {
		reply = pyval.Object("choices", pyval.NewList())
	}
	if s.model != "" {
		reply.SetStr("model", pyval.Str(s.model))
	}
	if s.usage != nil {
		reply.SetStr("usage", s.usage)
	}
	return reply, nil
}
