package web

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// closed are the networks that are not the public internet: IANA's registries
// of special-purpose addresses, networks that embed IPv4 addresses in IPv6, and
// cloud hosts with public addresses.
var closed = prefixes(`
	0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
	192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
	198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
	168.63.129.16/32
	2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`)

// open6 is the global unicast part of IPv6.
var open6 = netip.MustParsePrefix("2000::/3")

func prefixes(list string) (out []netip.Prefix) {
	for text := range strings.FieldsSeq(list) {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

// Has reports whether an address is on the public internet.
func Has(ip netip.Addr) bool {
	if ip = ip.Unmap().WithZone(""); !ip.IsValid() || ip.Is6() && !open6.Contains(ip) {
		return false
	}
	for _, p := range closed {
		if p.Contains(ip) {
			return false
		}
	}
	return true
}

// ErrClosed is the only error that a model sees, so that it does not learn what
// a name resolves to.
var ErrClosed = errors.New("this address is not on the public internet and is not fetched")

// Control checks, as net.Dialer.Control, the address that a connection is
// about to go to, whatever name it was resolved from.
func Control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !Has(at.Addr()) {
		return ErrClosed
	}
	return nil
}

// A guard connects to hosts: to those on its list anywhere, to others only at
// public addresses.
type guard struct {
	allowed    map[string]bool
	free, kept net.Dialer
}

const dialTimeout = 10 * time.Second

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
