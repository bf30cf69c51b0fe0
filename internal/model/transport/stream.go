package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// eventStream is the content type of server-sent events.
const eventStream = "text/event-stream"

// streamFactor is how many times longer than another reply a stream may be:
// each token comes in an envelope.
const streamFactor = 16

// A Stream says how to watch a reply that comes as server-sent events. The
// caller gets all of the reply in any case.
type Stream struct {
	// Token reports whether an event's data holds a part of the answer. The
	// first such event is the first token.
	Token func(data []byte) bool
	// Broken returns what is wrong with a stream that has ended, and the HTTP
	// status that the stream itself names. The message is "" if the stream is
	// complete.
	Broken func(body []byte) (status int, message string)
}

type streamKey struct{}

// WithStream returns a context whose replies are watched if they come as
// streams.
func WithStream(ctx context.Context, s *Stream) context.Context {
	return context.WithValue(ctx, streamKey{}, s)
}

func streamOf(ctx context.Context) *Stream {
	s, _ := ctx.Value(streamKey{}).(*Stream)
	return s
}

// isStream reports whether a reply comes as server-sent events.
func isStream(resp *http.Response) bool {
	return strings.HasPrefix(strings.ToLower(resp.Header.Get("Content-Type")), eventStream)
}

// IsEvents reports whether a body is server-sent events.
func IsEvents(body []byte) bool {
	body = bytes.TrimLeft(body, "\uFEFF\r\n")
	return slices.ContainsFunc([]string{"data:", "event:", "id:", "retry:", ":"}, func(field string) bool { return bytes.HasPrefix(body, []byte(field)) })
}

// watched returns a reply's body, which notes the time of its first token, and
// the most bytes that it may have.
func (c *call) watched(resp *http.Response, begin time.Time) (io.ReadCloser, int64) {
	most := c.t.options.MaxBody
	if !isStream(resp) {
		return resp.Body, most
	}
	if s := streamOf(c.ctx); s != nil && s.Token != nil {
		return &watch{ReadCloser: resp.Body, token: s.Token, first: func() { c.meter.First = time.Since(begin) }}, most * streamFactor
	}
	return resp.Body, most * streamFactor
}

// A watch reads a stream and looks at its lines until the first token.
type watch struct {
	io.ReadCloser
	token func(data []byte) bool
	first func()
	line  []byte
	done  bool
}

// maxLine bounds what a watch keeps of a line; a longer one is taken for a
// token.
const maxLine = 1 << 20

// Read implements io.Reader.
func (w *watch) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	for rest := p[:n]; len(rest) > 0 && !w.done; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			w.line = append(w.line, rest...)
			if len(w.line) > maxLine {
				w.stop()
			}
			break
		}
		w.line = append(w.line, rest[:end]...)
		rest = rest[end+1:]
		if data, ok := bytes.CutPrefix(w.line, []byte("data:")); ok && w.token(bytes.TrimSpace(data)) {
			w.stop()
		}
		w.line = w.line[:0]
	}
	return n, err
}

func (w *watch) stop() {
	w.done, w.line = true, nil
	w.first()
}

// streamFault returns what is wrong with a stream that has ended, nil if it is
// complete.
func (c *call) streamFault(h http.Header, body []byte) *fault {
	s := streamOf(c.ctx)
	if s == nil || s.Broken == nil {
		return nil
	}
	status, message := s.Broken(body)
	switch {
	case status != 0:
		return c.statusFault(status, h, []byte(message))
	case message != "":
		return &fault{retry: true, down: true, err: &Error{Kind: Body, Message: c.t.safe(c.req, message)}}
	}
	return nil
}
