package transport

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/gobfcl/bfcl/internal/kit/openfile"
)

// A dialer opens a connection.
type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// dial connects, for no longer than a server in working order needs.
var dial dialer = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext

// Dials is how many connections are opened at once where files are few, and
// DialFiles the most that one takes meanwhile besides its own: the look-up of a
// host, and a second address that is tried beside the first.
const (
	Dials     = 4
	DialFiles = 3
)

// fewAtOnce opens no more than so many connections at once.
func fewAtOnce(connect dialer, n int) dialer {
	places := make(chan struct{}, n)
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		defer func() { <-places }()
		return connect(ctx, network, address)
	}
}

// fewFiles tells what to do where no further connection can be opened.
func fewFiles() string {
	n, ok := openfile.Limit()
	if !ok {
		return "close other programs, or lower -concurrency"
	}
	return fmt.Sprintf("this process may open %d files (ulimit -n): raise that, or lower -concurrency", n)
}
