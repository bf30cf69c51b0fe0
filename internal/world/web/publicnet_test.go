package web_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/web"
)

func TestPublicnetHas(t *testing.T) {
	for _, ip := range []string{
		"127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "169.254.169.254",
		"192.0.2.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255", "168.63.129.16", "100.100.100.200",
		"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1",
		"64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "2001:db8::1", "::127.0.0.1", "fec0::1", "100::1", "192.0.0.192", "100.64.0.1",
	} {
		assert.False(t, web.Has(netip.MustParseAddr(ip)), ip)
	}
	for _, ip := range []string{"93.184.216.34", "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:2800:220:1::1", "::ffff:8.8.8.8"} {
		assert.True(t, web.Has(netip.MustParseAddr(ip)), ip)
	}
	assert.False(t, web.Has(netip.Addr{}))
}

func TestPublicnetControl(t *testing.T) {
	assert.NoError(t, web.Control("tcp", "93.184.216.34:443", nil))
	for _, address := range []string{"127.0.0.1:80", "[::1]:80", "100.100.100.200:80", "example.com:80", ""} {
		assert.ErrorIs(t, web.Control("tcp", address, nil), web.ErrClosed, address)
	}
}
