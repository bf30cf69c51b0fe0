package transport

import (
	"context"
	"sync/atomic"
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
	// Joined says that an identical request in flight gave the reply.
	Joined bool
}

type (
	meterKey  struct{}
	sharedKey struct{}
)

// WithMeter returns a context whose requests are measured, and their Meter.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{}
	return context.WithValue(ctx, meterKey{}, m), m
}

// WithSharing returns a context whose request may join an identical one in
// flight instead of being sent; joined reports whether it did. Repeated trials
// of one case must not use it.
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

// noteJoined notes in a context of WithSharing that the reply is another
// request's.
func noteJoined(ctx context.Context) {
	if flag, ok := ctx.Value(sharedKey{}).(*atomic.Bool); ok {
		flag.Store(true)
	}
}

// outputGuess is the number of output tokens of a request if it is not known.
const outputGuess = 200

// tokensOf returns the charge for a request before its usage is known: four
// bytes make about one token.
func tokensOf(body []byte) int { return len(body)/4 + outputGuess }
