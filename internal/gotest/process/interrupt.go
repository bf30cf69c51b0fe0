package process

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
)

// handling counts those who handle signals now.
var handling atomic.Int32

// Interrupted returns a context that an interrupt or SIGTERM ends, until stop is
// called.
func Interrupted(ctx context.Context) (_ context.Context, stop func()) {
	handling.Add(1)
	ctx, quit := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	return ctx, sync.OnceFunc(func() { quit(); handling.Add(-1) })
}

// onInterrupt is what OnInterrupt was given.
var onInterrupt = func() {}

// OnInterrupt calls f at an interrupt or SIGTERM that nobody handles.
func OnInterrupt(f func()) {
	onInterrupt = f
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range signals {
			if handling.Load() == 0 {
				f()
			}
		}
	}()
}
