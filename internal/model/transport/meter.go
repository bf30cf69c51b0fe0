package transport

import (
	"context"
	"sync"
	"time"
)

// A Meter measures what one request cost. It is filled in before the request
// returns, and is for one request at a time.
type Meter struct {
	// Latency is the time of the last attempt only, from sending to the last
	// byte of the reply.
	Latency time.Duration
	// First is the time of the last attempt to the first token of a stream; 0
	// if the reply did not come as a stream, or streams were not watched.
	First time.Duration
	// Attempts is how often the request was sent.
	Attempts int
	// Waited is the time spent in queues, pauses and between attempts.
	Waited time.Duration
}

type meterKey struct{}

// WithMeter returns a context whose requests are measured, and their Meter.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	return context.WithValue(ctx, meterKey{}, m), m
}

func meterOf(ctx context.Context) *Meter {
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		return m
	}
	return &Meter{}
}

// bytesPerToken is how many bytes of a request's body make a token if nothing is
// known of the request.
const bytesPerToken = 4.5

// A Scale tells how many tokens the body of a request makes before the reply says
// it: by the replies to requests of its kind.
type Scale struct {
	kind *Scale // that a conversation is of; nil if this is a kind

	mu            sync.Mutex
	tokens, bytes float64
}

// NewScale returns the Scale of a kind of requests, with how many bytes make a
// token as long as there is no reply.
func NewScale(bytesPerToken float64) *Scale { return &Scale{tokens: 1, bytes: bytesPerToken} }

// Conversation returns the Scale of one conversation of the kind, whose steps
// resemble the step before.
func (s *Scale) Conversation() *Scale { return &Scale{kind: s} }

// guess returns how many tokens a number of bytes makes.
func (s *Scale) guess(bytes int) int {
	if s == nil {
		return int(float64(bytes) / bytesPerToken)
	}
	s.mu.Lock()
	tokens, of := s.tokens, s.bytes
	s.mu.Unlock()
	if of == 0 {
		return s.kind.guess(bytes)
	}
	return int(float64(bytes) * tokens / of)
}

// learn notes how many tokens a number of bytes made.
func (s *Scale) learn(bytes, tokens int) {
	if s == nil || bytes == 0 || tokens == 0 {
		return
	}
	s.mu.Lock()
	if s.kind != nil {
		s.tokens, s.bytes = 0, 0
	}
	s.tokens, s.bytes = s.tokens+float64(tokens), s.bytes+float64(bytes)
	s.mu.Unlock()
	s.kind.learn(bytes, tokens)
}

type scaleKey struct{}

// WithScale returns a context whose requests are charged by a Scale.
func WithScale(ctx context.Context, s *Scale) context.Context {
	return context.WithValue(ctx, scaleKey{}, s)
}

func scaleOf(ctx context.Context) *Scale {
	s, _ := ctx.Value(scaleKey{}).(*Scale)
	return s
}
