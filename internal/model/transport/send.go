package transport

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// errTooLarge means that a reply is longer than Options.MaxBody.
var errTooLarge = errors.New("too large")

// errorBodyCap is how many bytes of an error's body are read.
const errorBodyCap = 64 << 10

// send sends the request once and reads the reply to its end.
func (c *call) send(ctx context.Context) (*http.Response, *fault) {
	begin := time.Now()
	c.meter.First = 0
	resp, err := c.t.base.RoundTrip(replay(c.req.WithContext(ctx), c.body))
	if c.charged = !neverSent(err); err != nil {
		return nil, c.networkFault(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode/100 != 2 {
		c.charged = false
		body, _ := readBody(resp, errorBodyCap)
		return nil, c.statusFault(resp.StatusCode, resp.Header, body)
	}
	watched, most := c.watched(resp, begin)
	resp.Body = watched
	body, err := readBody(resp, most)
	if err != nil {
		return nil, c.bodyFault(ctx, err)
	}
	if f := c.contentFault(resp, body); f != nil {
		return nil, f
	}
	c.settle(resp.Header)
	return whole(resp, body), nil
}

// readBody reads at most the given number of decompressed bytes. It returns
// what was read before an error together with the error.
func readBody(resp *http.Response, most int64) ([]byte, error) {
	var in io.Reader = resp.Body
	if strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") && !resp.Uncompressed && resp.ContentLength != 0 {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		in = unzipped
		resp.Header.Del("Content-Encoding")
	}
	var buf bytes.Buffer
	if n := resp.ContentLength; n > 0 && n <= 1<<20 {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(io.LimitReader(in, most+1))
	if int64(buf.Len()) > most {
		return buf.Bytes()[:most], errTooLarge
	}
	return bytes.TrimPrefix(buf.Bytes(), []byte("\uFEFF")), err
}

// contentFault returns the fault of a reply of status 2xx, nil if it has none:
// gateways send pages, and some send errors.
func (c *call) contentFault(resp *http.Response, body []byte) *fault {
	if isStream(resp) || streamOf(c.ctx) != nil && IsEvents(body) { // whatever it calls itself
		return c.streamFault(resp.Header, body)
	}
	if resp.StatusCode == http.StatusNoContent || c.req.Method == http.MethodHead {
		return nil
	}
	if !json.Valid(body) {
		return c.notJSON(resp, body)
	}
	if status := errorStatus(body); status != 0 {
		return c.statusFault(status, resp.Header, body)
	}
	return nil
}

// settle lets the reader of the reply say what it cost, and passes on what its
// headers say is left.
func (c *call) settle(h http.Header) {
	if c.t.pace.tokens != nil {
		c.meter.used = func(prompt, answer int) {
			scaleOf(c.ctx).learn(len(c.body), prompt)
			if all := prompt + answer; all > 0 {
				c.t.pace.tokens.correct(all - c.tokens)
			}
		}
	}
	a := adviceOf(h)
	c.t.pace.served(a.wait, a.asked && a.usedUp)
}

// whole returns the reply with its body in memory.
func whole(resp *http.Response, body []byte) *http.Response {
	resp.Body = NewPayload(body)
	resp.ContentLength = int64(len(body))
	resp.TransferEncoding = nil
	if resp.Header.Get("Content-Length") != "" {
		resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return resp
}

// A Payload is the body of a request or a reply that is available as a whole.
// ReadAll does not copy it.
type Payload struct {
	bytes.Reader
	bytes []byte
}

// NewPayload makes a Payload from bytes, which must not change afterwards.
func NewPayload(data []byte) *Payload {
	b := &Payload{bytes: data}
	b.Reset(data)
	return b
}

// Close implements io.Closer.
func (b *Payload) Close() error { return nil }

// ReadAll reads the rest of a body. The result must not be changed.
func ReadAll(body io.Reader) ([]byte, error) {
	if b, ok := body.(*Payload); ok {
		left := b.bytes[len(b.bytes)-b.Len():]
		b.Reset(nil)
		return left, nil
	}
	return io.ReadAll(body)
}
