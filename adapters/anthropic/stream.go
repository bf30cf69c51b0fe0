package anthropic

import (
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// streamed describes replies that come as streams of events.
var streamed = &provider.Stream{
	Begin: func() provider.Assembly { return &stream{} },
	Token: isToken,
	Statuses: map[string]int{
		"invalid_request_error": 400, "authentication_error": 401, "permission_error": 403, "not_found_error": 404,
		"request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529,
	},
}

// isToken reports whether an event holds a part of the answer.
func isToken(event pyval.Value) bool {
	switch provider.Text(event, "type") {
	case "content_block_delta":
		return true
	case "content_block_start":
		return provider.Text(provider.Get(event, "content_block"), "type") == "tool_use" // its name
	}
	return false
}

// A stream assembles a message from its events.
type stream struct {
	message *pyval.Dict // nil before message_start
	blocks  []*part
	at      map[int]*part // begun last with an index
	calls   provider.Calls
	ended   bool
	counted bool // at the end
}

// A part is a content block, with the text of its parts.
type part struct {
	*pyval.Dict
	text map[string]*strings.Builder
	call *provider.Call // of a tool_use
}

// Add adds an event.
func (s *stream) Add(event *pyval.Dict) {
	switch provider.Text(event, "type") {
	case "message_start":
		if m, ok := provider.Get(event, "message").(*pyval.Dict); ok {
			s.message = m.Clone()
		}
	case "content_block_start":
		if d, ok := provider.Get(event, "content_block").(*pyval.Dict); ok {
			s.begin(event, d)
		}
	case "content_block_delta":
		s.grow(event, provider.Get(event, "delta"))
	case "message_delta":
		s.change(event)
	case "message_stop":
		s.ended = true
	}
}

// begin begins a block. A call that the stream has begun already goes on.
func (s *stream) begin(event pyval.Value, d *pyval.Dict) {
	b := &part{Dict: d.Clone(), text: map[string]*strings.Builder{}}
	if provider.Text(d, "type") == "tool_use" {
		p := provider.Piece{Index: provider.Get(event, "index"), ID: provider.Text(d, "id"), Name: provider.Text(d, "name")}
		if input := provider.Get(d, "input"); pyval.Truth(input) { // {} stands for what is to come
			p.Read = input
		}
		b.call = s.calls.Add(p)
		if s.known(b.call) {
			return
		}
	}
	if s.at == nil {
		s.at = map[int]*part{}
	}
	s.at[provider.Count(event, "index")] = b
	s.blocks = append(s.blocks, b)
}

// known reports whether a call has its block, or needs none.
func (s *stream) known(c *provider.Call) bool {
	return c == nil || slices.ContainsFunc(s.blocks, func(b *part) bool { return b.call == c })
}

// grow adds a piece to its block.
func (s *stream) grow(event, delta pyval.Value) {
	kind := provider.Text(delta, "type")
	if kind == "input_json_delta" {
		call := s.calls.Add(provider.Piece{Index: provider.Get(event, "index"), Arguments: provider.Text(delta, "partial_json")})
		if !s.known(call) {
			s.blocks = append(s.blocks, &part{Dict: pyval.Object("type", pyval.Str("tool_use")), call: call})
		}
		return
	}
	field := deltas[kind]
	if field == "" {
		return
	}
	b := s.at[provider.Count(event, "index")]
	if b == nil || b.call != nil { // the index is wrong: the last block of its kind gets the piece
		b = nil
		for _, other := range s.blocks {
			if other.call == nil {
				b = other
			}
		}
	}
	if b == nil {
		b = &part{Dict: pyval.Object("type", pyval.Str(blockOf[field])), text: map[string]*strings.Builder{}}
		s.blocks = append(s.blocks, b)
	}
	b.add(field, provider.Text(delta, field))
}

// change stores the stop reason, and the usage so far.
func (s *stream) change(event *pyval.Dict) {
	if s.message == nil {
		return
	}
	if d, ok := provider.Get(event, "delta").(*pyval.Dict); ok {
		for key, v := range d.All() {
			s.message.SetStr(pyval.Text(key), v)
		}
	}
	now, ok := provider.Get(event, "usage").(*pyval.Dict)
	if !ok {
		return
	}
	s.counted = provider.Count(now, "output_tokens") > 0
	usage := pyval.NewDict(4)
	if before, ok := provider.Get(s.message, "usage").(*pyval.Dict); ok {
		usage = before.Clone()
	}
	for key, v := range now.All() {
		if v != pyval.None {
			usage.SetStr(pyval.Text(key), v)
		}
	}
	s.message.SetStr("usage", usage)
}

// deltas are the fields of a block that come in pieces, by the delta's type.
var deltas = map[string]string{"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}

// blockOf are the types of the blocks that have these fields.
var blockOf = map[string]string{"text": "text", "thinking": "thinking", "signature": "thinking"}

func (b *part) add(field, piece string) {
	if b.text[field] == nil {
		b.text[field] = &strings.Builder{}
		b.text[field].WriteString(provider.Text(b.Dict, field))
	}
	b.text[field].WriteString(piece)
}

// Begun reports whether the message has begun.
func (s *stream) Begun() bool { return s.message != nil }

// Ended reports whether a stop reason has come.
func (s *stream) Ended() bool {
	return s.message != nil && provider.Get(s.message, "stop_reason") != pyval.None
}

// Closed reports whether the last event has come.
func (s *stream) Closed() bool { return s.ended }

// Counted reports whether the usage at the end has come.
func (s *stream) Counted() bool { return s.counted }

// Reply returns the message as it would have come in one piece. A tool's input
// that is not JSON stays text.
func (s *stream) Reply() (*pyval.Dict, error) {
	if _, err := s.calls.Finish(); err != nil {
		return nil, err
	}
	content := pyval.NewList()
	for _, b := range s.blocks {
		for _, field := range []string{"text", "thinking", "signature"} {
			if text := b.text[field]; text != nil {
				b.SetStr(field, pyval.Str(text.String()))
			}
		}
		if b.call != nil {
			b.finish()
		}
		content.Items = append(content.Items, b.Dict)
	}
	s.message.SetStr("content", content)
	return s.message, nil
}

// finish puts the call into its block.
func (b *part) finish() {
	b.SetStr("id", pyval.Str(b.call.ID))
	b.SetStr("name", pyval.Str(b.call.Name))
	input := b.call.Arguments()
	if text, ok := input.(pyval.Str); ok && text != "" {
		if v, err := pyval.ParseJSON(string(text)); err == nil {
			input = v
		}
	}
	if input != pyval.Value(pyval.Str("")) {
		b.SetStr("input", input)
	}
}
