package transport

import (
	"context"
	"sync/atomic"
	"time"
)

// A Meter counts what one request cost. It is filled in before the request
// returns; it serves one request at a time.
type Meter struct {
	// Latency is the time of the last attempt alone, from sending to the last
	// byte of the reply.
	Latency time.Duration
	// First is the time of the last attempt to the first token of a stream; 0
	// if the reply came as a whole, or nothing was watched for.
	First time.Duration
	// Attempts is how often the request was sent.
	Attempts int
	// Waited is the time spent in queues, pauses and between attempts.
	Waited time.Duration
	// Joined says that an identical request in flight gave the reply.
	Joined bool
}

type (
	meterKey  struct{}
	tokensKey struct{}
	sharedKey struct{}
)

// WithMeter lets the requests of a context be measured.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	return context.WithValue(ctx, meterKey{}, m), m
}

// WithTokens says how many tokens, of input and output, a request will about
// cost. Without it the number is guessed from the request's length. Either is
// put right by the usage that the reply states.
func WithTokens(ctx context.Context, tokens int) context.Context {
	return context.WithValue(ctx, tokensKey{}, tokens)
}

// WithSharing lets a request join an identical one that is in flight instead
// of being sent; joined then reports whether it did. Repeated trials of one case
// must not ask for it.
func WithSharing(ctx context.Context) (shared context.Context, joined func() bool) {
	var flag atomic.Bool
	return context.WithValue(ctx, sharedKey{}, &flag), flag.Load
}

func meterOf(ctx context.Context) *Meter {
	if m, ok := ctx.Value(meterKey{}).(*Meter); ok {
		return m
	}
	return &Meter{}
}

func isShared(ctx context.Context) bool {
	_, shared := ctx.Value(sharedKey{}).(*atomic.Bool)
	return shared
}

// noteJoined tells who asked for sharing that the reply is another request's.
func noteJoined(ctx context.Context) {
	if flag, ok := ctx.Value(sharedKey{}).(*atomic.Bool); ok {
		flag.Store(true)
	}
}

// outputGuess is what a call costs in output tokens when nobody knows.
const outputGuess = 200

// tokensOf is the charge of a request before its usage is known: four bytes
// make about one token.
func tokensOf(ctx context.Context, body []byte) int {
	if n, ok := ctx.Value(tokensKey{}).(int); ok && n > 0 {
		return n
	}
	return len(body)/4 + outputGuess
}
