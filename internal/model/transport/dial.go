package transport

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/gobfcl/bfcl/internal/plainfile"
)

// A dialer opens a connection.
type dialer = func(ctx context.Context, network, address string) (net.Conn, error)

// dial connects, within the time that a working server needs.
var dial dialer = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext

// Dials is how many connections are opened at once if files are few. DialFiles
// is the most files that opening one takes besides its own: for the lookup of a
// host, and for a second address that is tried at the same time as the first.
const (
	Dials     = 4
	DialFiles = 3
)

// fewAtOnce returns a dialer that opens at most a given number of connections
// at once.
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

// fewFiles returns a hint for when no more connections can be opened.
func fewFiles() string {
	n, ok := plainfile.OpenLimit()
	if !ok {
		return "close other programs, or lower -concurrency"
	}
	return fmt.Sprintf("this process may open %d files (ulimit -n): raise that, or lower -concurrency", n)
}
