//go:build anthropic

package anthropic

import (
	"bytes"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/provider"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// watching is how the transport watches a stream.
var watching = &transport.Stream{Token: isToken, Broken: broken}

// isToken reports whether an event holds something of the answer.
func isToken(data []byte) bool {
	v, err := pyval.ParseJSON(string(bytes.ToValidUTF8(data, []byte("\uFFFD"))))
	if err != nil {
		return false
	}
	switch provider.Text(v, "type") {
	case "content_block_delta":
		return true
	case "content_block_start":
		return provider.Text(provider.Get(v, "content_block"), "type") == "tool_use" // its name
	}
	return false
}

// A streamError is why a stream holds no whole answer.
type streamError struct {
	raw string
	// fault is the error that the server sent into the stream; nil where the
	// stream itself is the trouble.
	fault *provider.Fault
}

// broken says what is wrong with a stream that has ended.
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

// A stream collects a message.
type stream struct {
	message *pyval.Dict // nil before message_start
	blocks  []*part
	ended   bool
}

// A part is a content block, with the text of its parts.
type part struct {
	*pyval.Dict
	text  map[string]*strings.Builder
	input *strings.Builder // of a tool_use, as JSON
}

// statuses are those of the errors that come within a stream.
var statuses = map[string]int{
	"invalid_request_error": 400, "authentication_error": 401, "permission_error": 403, "not_found_error": 404,
	"request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504, "overloaded_error": 529,
}

// assemble makes of a stream's events the message that would have come in one
// piece. A stream is whole where its last event came, or a reason for which the
// model stopped.
func assemble(body string) (*pyval.Dict, *streamError) {
	s := &stream{}
	for data := range provider.Events(body) {
		v, err := pyval.ParseJSON(strings.ToValidUTF8(data, "\uFFFD"))
		event, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return nil, &streamError{raw: "the stream broke off: an event is no JSON object"}
		}
		if e := provider.Get(event, "error"); pyval.Truth(e) {
			fault := provider.FaultOf(e)
			if fault.Status == 0 {
				fault.Status = statuses[provider.Text(e, "type")]
			}
			return nil, &streamError{fault: fault, raw: data}
		}
		s.take(event)
	}
	switch {
	case s.message == nil:
		return nil, &streamError{raw: "the stream is empty"}
	case !s.ended && provider.Get(s.message, "stop_reason") == pyval.None:
		return nil, &streamError{raw: "the stream broke off: neither its last event nor a reason to stop came"}
	}
	return s.whole(), nil
}

func (s *stream) take(event *pyval.Dict) {
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

// maxBlocks bounds a message: a server could name any index.
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

// change takes the reason to stop, and the usage so far.
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

// whole is what was collected, in the form of a reply in one piece. An input
// that is no JSON stays the text that it is.
func (s *stream) whole() *pyval.Dict {
	content := pyval.NewList()
	for _, b := range s.blocks {
		if b == nil {
			continue
		}
		for field, text := range b.text {
			b.SetStr(field, pyval.Str(text.String()))
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
