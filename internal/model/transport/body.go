package transport

import (
	"bytes"
	"io"
)

// A Payload is the body of a request or a reply that is available as a whole.
// It saves the copies that reading it would make.
type Payload struct {
	bytes.Reader
	bytes []byte
}

// NewPayload makes a Payload of bytes, which must not change any more.
func NewPayload(data []byte) *Payload {
	b := &Payload{bytes: data}
	b.Reset(data)
	return b
}

// Close implements io.Closer.
func (b *Payload) Close() error { return nil }

// ReadAll reads what is left of a body. It must not be changed.
func ReadAll(body io.Reader) ([]byte, error) {
	if b, ok := body.(*Payload); ok {
		left := b.bytes[len(b.bytes)-b.Len():]
		b.Reset(nil)
		return left, nil
	}
	return io.ReadAll(body)
}
