package transport

import (
	"context"
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

// outputGuess is the number of output tokens of a request if it is not known.
const outputGuess = 200

// tokensOf returns the charge for a request before its usage is known: four
// bytes make about one token.
func tokensOf(body []byte) int { return len(body)/4 + outputGuess }
