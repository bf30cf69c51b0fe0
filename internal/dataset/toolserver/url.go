package toolserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// URL asks a server at an address for its tools, over streamable HTTP. Headers are
// sent with each request to that server, and to no other.
func URL(ctx context.Context, address string, headers http.Header, limits Limits) (*Listing, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the address must begin with http:// or https://")
	}
	l := limits.settled()
	ctx, cancel := context.WithTimeout(ctx, l.Timeout)
	defer cancel()
	base := http.DefaultTransport.(*http.Transport).Clone()
	defer base.CloseIdleConnections()
	h := newHeard(l.Bytes)
	client := &http.Client{Transport: &listener{base, h, u.Host, headers}, CheckRedirect: sameHost}
	out, err := list(ctx, &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: client, MaxRetries: -1, DisableStandaloneSSE: true}, h, l)
	if err != nil && ctx.Err() == nil && !h.overrun() {
		err = fmt.Errorf("no MCP server at this address that speaks streamable HTTP: %w", err)
	}
	return out, err
}

// sameHost follows no redirect to another host, which would get the headers.
func sameHost(req *http.Request, via []*http.Request) error {
	const most = 5
	switch {
	case req.URL.Host != via[0].URL.Host:
		return errors.New("the server redirects to another host: use that address instead")
	case len(via) > most:
		return fmt.Errorf("the server redirects more than %d times", most)
	}
	return nil
}

// A listener records what a server answers, and adds the headers.
type listener struct {
	next    http.RoundTripper
	heard   *heard
	host    string
	headers http.Header
}

func (t *listener) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Host == t.host && len(t.headers) > 0 {
		req = req.Clone(req.Context())
		for name, values := range t.headers {
			req.Header[name] = values
		}
	}
	resp, err := t.next.RoundTrip(req)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{t.heard.reader(resp.Body), resp.Body}
	}
	return resp, err
}
