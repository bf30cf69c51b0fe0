package transport

import (
	"bytes"
	"io"
)

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
