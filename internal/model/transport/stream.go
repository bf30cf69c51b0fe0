package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// eventStream is the content type of server-sent events.
const eventStream = "text/event-stream"

// streamFactor is how much longer than another reply a stream may be: each
// token travels in an envelope.
const streamFactor = 16

// A Stream is how a reply that comes as server-sent events is watched. The
// caller gets the whole of it in any case.
type Stream struct {
	// Token reports whether an event's data holds something of the answer:
	// the first such event is the first token.
	Token func(data []byte) bool
	// Broken says what is wrong with a stream that has ended, and the HTTP
	// status that it states; "" if it is whole.
	Broken func(body []byte) (status int, message string)
}

type streamKey struct{}

// WithStream lets the replies of a context that come as streams be watched.
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

// watched is a reply's body whose first token stops a clock, and the longest
// that it may be.
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

// A watch looks at the lines of a stream until the first token.
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

// Read reads and looks.
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

// streamFault is what is wrong with a stream that has ended.
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

// lastUsage is the last event of a stream that states what it cost.
func lastUsage(body []byte) []byte {
	for len(body) > 0 {
		start := bytes.LastIndexByte(body, '\n') + 1
		if data, ok := bytes.CutPrefix(body[start:], []byte("data:")); ok && bytes.Contains(data, []byte(`"usage"`)) && usage(data) > 0 {
			return data
		}
		body = body[:max(start-1, 0)]
	}
	return nil
}
