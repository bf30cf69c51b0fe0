package anthropic

import (
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
	ended   bool
	counted bool // at the end
}

// A part is a content block, with the text of its parts.
type part struct {
	*pyval.Dict
	text  map[string]*strings.Builder
	input *strings.Builder // of a tool_use, as JSON
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
			s.begin(provider.Count(event, "index"), d)
		}
	case "content_block_delta":
		if i := provider.Count(event, "index"); i < len(s.blocks) && s.blocks[i] != nil {
			s.blocks[i].add(provider.Get(event, "delta"))
		}
	case "message_delta":
		s.change(event)
	case "message_stop":
		s.ended = true
	}
}

// maxBlocks bounds the blocks of a message, since a server could send any
// index.
const maxBlocks = 10_000

func (s *stream) begin(i int, d *pyval.Dict) {
	if i >= maxBlocks {
		return
	}
	for len(s.blocks) <= i {
		s.blocks = append(s.blocks, nil)
	}
	s.blocks[i] = &part{Dict: d.Clone(), text: map[string]*strings.Builder{}, input: &strings.Builder{}}
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

func (b *part) add(delta pyval.Value) {
	kind := provider.Text(delta, "type")
	if kind == "input_json_delta" {
		b.input.WriteString(provider.Text(delta, "partial_json"))
		return
	}
	field := deltas[kind]
	if field == "" {
		return
	}
	if b.text[field] == nil {
		b.text[field] = &strings.Builder{}
		b.text[field].WriteString(provider.Text(b.Dict, field))
	}
	b.text[field].WriteString(provider.Text(delta, field))
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
func (s *stream) Reply() *pyval.Dict {
	content := pyval.NewList()
	for _, b := range s.blocks {
		if b == nil {
			continue
		}
		for _, field := range []string{"text", "thinking", "signature"} {
			if text := b.text[field]; text != nil {
				b.SetStr(field, pyval.Str(text.String()))
			}
		}
		if text := b.input.String(); text != "" {
			input, err := pyval.ParseJSON(text)
			if err != nil {
				input = pyval.Str(text)
			}
			b.SetStr("input", input)
		}
		content.Items = append(content.Items, b.Dict)
	}
	s.message.SetStr("content", content)
	return s.message
}
