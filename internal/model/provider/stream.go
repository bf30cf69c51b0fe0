package provider

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Stream describes how a protocol sends a reply as server-sent events. The
// events are JSON objects.
type Stream struct {
	// Begin returns an Assembly for one reply.
	Begin func() Assembly
	// Token reports whether an event holds a part of the answer. The first such
	// event is the first token.
	Token func(event pyval.Value) bool
	// Done is the data of the last event if that is not an object, such as
	// "[DONE]"; "" otherwise.
	Done string
	// Statuses are HTTP statuses by the type of an error that comes as an
	// event, for errors without a status; may be nil.
	Statuses map[string]int
}

// An Assembly assembles one reply.
type Assembly interface {
	// Add adds the next event.
	Add(event *pyval.Dict)
	// Begun reports whether a reply has begun.
	Begun() bool
	// Ended reports whether the model had a reason to stop.
	Ended() bool
	// Closed reports whether the last event has come, and Counted whether the
	// usage of the whole reply has.
	Closed() bool
	Counted() bool
	// Reply returns the reply in the form that it has without streaming. An error
	// is the infrastructure's: the events are whole, but make no reply.
	Reply() (*pyval.Dict, error)
}

// Read returns the reply that the events of a body make.
func (s *Stream) Read(body string) (*pyval.Dict, error) {
	reply, err := s.assemble(body)
	switch {
	case err == nil:
		return reply, nil
	case err.fault != nil:
		return nil, err.fault.Infra()
	case err.odd != nil:
		return nil, err.odd
	}
	return nil, eval.Infra(transport.Body, "%s", err.text)
}

// reply reads a body, which may be a stream if s is not nil. It hides secrets, of
// a stream also those that came in pieces.
func (s *Stream) reply(body string, hide func(string) string) (*pyval.Dict, error) {
	body = hide(body)
	if s != nil && transport.IsEvents([]byte(body)) {
		reply, err := s.Read(body)
		if err != nil {
			return nil, err
		}
		if body, err = pyval.JSON(reply, pyval.JSONUnicode); err != nil { // impossible: it came from JSON
			return nil, eval.Infra("bad_reply", "the stream cannot be read: %w", err)
		}
		body = hide(body)
	}
	return parseReply(body)
}

// watch returns how the transport watches the stream, nil for a nil Stream.
func (s *Stream) watch() *transport.Stream {
	if s == nil {
		return nil
	}
	token := func(data []byte) bool {
		v, err := pyval.ParseJSON(string(bytes.ToValidUTF8(data, []byte("\uFFFD"))))
		return err == nil && s.Token(v)
	}
	return &transport.Stream{Token: token, Broken: s.broken}
}

// broken returns what is wrong with a stream that has ended. The transport
// tries again if that may help.
func (s *Stream) broken(body []byte) (status int, message string) {
	_, err := s.assemble(string(body))
	switch {
	case err == nil, err.odd != nil, err.fault != nil && err.fault.Status == 0: // Read reports it
		return 0, ""
	case err.fault != nil:
		return err.fault.Status, err.text
	}
	return 0, err.text
}

// A streamError says why a stream does not hold a complete reply.
type streamError struct {
	text string
	// fault is the error that the server sent as an event; nil if the stream
	// itself is broken.
	fault *Fault
	// odd is the error of a stream that came whole and makes no reply.
	odd error
}

// assemble makes a stream's events into the reply that would have come without
// streaming.
func (s *Stream) assemble(body string) (*pyval.Dict, *streamError) {
	a, done := s.Begin(), false
	for data := range Events(body) {
		if s.Done != "" && strings.TrimSpace(data) == s.Done {
			done = true
			break
		}
		data = strings.ToValidUTF8(data, "\uFFFD")
		v, err := pyval.ParseJSON(data)
		if err != nil { // some split an event into lines of data inside a string
			v, err = pyval.ParseJSON(strings.ReplaceAll(data, "\n", ""))
		}
		event, ok := v.(*pyval.Dict)
		if err != nil || !ok {
			return nil, &streamError{text: "the stream broke off: an event is not a JSON object"}
		}
		if e := Get(event, "error"); pyval.Truth(e) {
			f := FaultOf(e)
			f.Status = cmp.Or(f.Status, s.Statuses[Text(e, "type")])
			return nil, &streamError{fault: f, text: data}
		}
		a.Add(event)
	}
	if !a.Begun() {
		return nil, &streamError{text: "the stream is empty"}
	}
	reply, err := a.Reply()
	if !a.Ended() && !((done || a.Closed()) && a.Counted() && (err != nil || parses(reply))) {
		return nil, &streamError{text: "the stream broke off: it ends without a reason to stop"}
	}
	if err != nil {
		return nil, &streamError{odd: err}
	}
	return reply, nil
}

// parses reports whether the arguments of all calls in a reply are JSON.
func parses(v pyval.Value) bool {
	switch v := v.(type) {
	case *pyval.List:
		return !slices.ContainsFunc(v.Items, func(item pyval.Value) bool { return !parses(item) })
	case *pyval.Dict:
		for key, field := range v.All() {
			text, isText := field.(pyval.Str)
			switch name := pyval.Text(key); {
			case !parses(field):
				return false
			case isText && (name == "arguments" || name == "input"):
				if _, err := pyval.ParseJSON(string(text)); err != nil {
					return false
				}
			}
		}
	}
	return true
}

// Events returns the data of server-sent events: of each event its lines of
// data, joined. Lines end in LF, CR or both; comments, names and ids are
// skipped. A last event without its empty line counts too.
func Events(body string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var data []string
		for len(body) > 0 {
			var line string
			line, body = cutLine(body)
			if line == "" {
				if len(data) > 0 && !yield(strings.Join(data, "\n")) {
					return
				}
				data = data[:0]
				continue
			}
			if text, ok := strings.CutPrefix(line, "data:"); ok {
				data = append(data, strings.TrimPrefix(text, " "))
			} else if line == "data" {
				data = append(data, "")
			}
		}
		if len(data) > 0 {
			yield(strings.Join(data, "\n"))
		}
	}
}

// cutLine returns the first line of a text, without its end, and the rest.
func cutLine(text string) (line, rest string) {
	i := strings.IndexAny(text, "\r\n")
	if i < 0 {
		return text, ""
	}
	end := i + 1
	if text[i] == '\r' && end < len(text) && text[end] == '\n' {
		end++
	}
	return text[:i], text[end:]
}
