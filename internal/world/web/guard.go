package web

import (
	"context"
	"net"
	"strings"
	"time"
)

// A guard connects to hosts: to those on its list anywhere, to others only at
// public addresses.
type guard struct {
	allowed    map[string]bool
	free, kept net.Dialer
}

const dialTimeout = 10 * time.Second

func newGuard(allowed []string) *guard {
	g := &guard{allowed: map[string]bool{}, free: net.Dialer{Timeout: dialTimeout}, kept: net.Dialer{Timeout: dialTimeout, Control: Control}}
	for _, host := range allowed {
		if host = strings.Trim(strings.ToLower(strings.TrimSpace(host)), "[]"); host != "" {
			g.allowed[host] = true
		}
	}
	return g
}

func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if g.allowed[strings.ToLower(host)] || g.allowed[strings.ToLower(address)] {
		return g.free.DialContext(ctx, network, address)
	}
	return g.kept.DialContext(ctx, network, address)
}
