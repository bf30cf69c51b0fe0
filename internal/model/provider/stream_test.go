package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// words is the Assembly of a protocol of the tests: an event holds a word, or
// the reason to stop.
type words struct {
	said        []string
	begun, over bool
}

func (w *words) Add(event *pyval.Dict) {
	w.begun = true
	if text := Text(event, "word"); text != "" {
		w.said = append(w.said, text)
	}
	w.over = w.over || Text(event, "stop") != ""
}

func (w *words) Begun() bool { return w.begun }

func (w *words) Ended() bool { return w.over }

func (w *words) Closed() bool { return slices.Contains(w.said, "closed") }

func (w *words) Counted() bool { return slices.Contains(w.said, "counted") }

func (w *words) Reply() (*pyval.Dict, error) {
	return pyval.Object("text", pyval.Str(strings.Join(w.said, " "))), nil
}

func wordStream() *Stream {
	return &Stream{
		Begin:    func() Assembly { return &words{} },
		Token:    func(event pyval.Value) bool { return Text(event, "word") != "" },
		Done:     "[DONE]",
		Statuses: map[string]int{"busy": 429},
	}
}

// TestStream: what a stream makes is the reply in one piece, or trouble of the
// infrastructure; the transport asks again for what it is told of.
func TestStream(t *testing.T) {
	const hello = "data: {\"word\": \"Hello\"}\n\n"
	for _, c := range []struct {
		name, body, want string // the reply, or part of the error
		kind             string // of the error
		status           int    // that the transport is told
		told             bool   // of any trouble
	}{
		{"a reason to stop", hello + "data: {\"word\": \"you\"}\n\ndata: {\"stop\": \"end\"}\n\n", "Hello you", "", 0, false},
		{"the last event", hello + "data: {\"word\": \"counted\"}\n\ndata:  [DONE] \n\ndata: not read\n\n", "Hello counted", "", 0, false},
		{"a last event that is an object", hello + "data: {\"word\": \"counted\"}\n\ndata: {\"word\": \"closed\"}\n\n", "Hello counted closed", "", 0, false},
		{"the last event without usage", hello + "data: [DONE]\n\n", "without a reason to stop", transport.Body, 0, true},
		{"the last event alone", "data: [DONE]\n\n", "the stream is empty", transport.Body, 0, true},
		{"bytes that are not UTF-8", "data: {\"word\": \"\xff\", \"stop\": \"end\"}\n\n", "\uFFFD", "", 0, false},
		{"cut between events", hello, "ends without a reason to stop", transport.Body, 0, true},
		{"cut in an event", hello + `data: {"word": "y`, "not a JSON object", transport.Body, 0, true},
		{"an event that is a list", hello + "data: []\n\n", "not a JSON object", transport.Body, 0, true},
		{"nothing", ": ping\n\n", "the stream is empty", transport.Body, 0, true},
		{"an error with a status", hello + `data: {"error": {"code": 503, "message": "later"}}`, "later", transport.ServerError, 503, true},
		{"an error by its type", hello + `data: {"error": {"type": "busy", "message": "later"}}`, "later", transport.RateLimited, 429, true},
		{"an error without either", hello + `data: {"error": "later"}`, "later", transport.ServerError, 0, false},
	} {
		s := wordStream()
		status, message := s.watch().Broken([]byte(c.body))
		assert.Equal(t, c.status, status, c.name)
		assert.Equal(t, c.told, message != "", "%s: %q", c.name, message)
		reply, err := s.Read(c.body)
		if c.kind != "" {
			require.ErrorContains(t, err, c.want, c.name)
			assert.Equal(t, c.kind, eval.InfraKind(err), c.name)
			continue
		}
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, Text(reply, "text"), c.name)
	}
}

func TestStreamToken(t *testing.T) {
	token := wordStream().watch().Token
	assert.True(t, token([]byte(`{"word": "Hello"}`)))
	for _, data := range []string{`{"role": "assistant"}`, `{"word": "`, `[DONE]`, "\xff", ""} {
		assert.False(t, token([]byte(data)), "%q", data)
	}
	assert.Nil(t, (*Stream)(nil).watch(), "without a stream, nothing is watched")
}

// FuzzStream: no stream panics, and each gives a reply or an error.
func FuzzStream(f *testing.F) {
	f.Add("data: {\"word\": \"Hello\"}\n\ndata: [DONE]\n\n")
	f.Add("data: {\"error\": {\"type\": \"busy\"}}\r\r: c\ndata\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		s := wordStream()
		reply, err := s.Read(body)
		if (reply == nil) == (err == nil) {
			t.Fatalf("Read gave %v and %v", reply, err)
		}
		s.broken([]byte(body))
		s.isToken([]byte(body))
	})
}
