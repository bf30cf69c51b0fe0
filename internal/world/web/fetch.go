package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/websearch"
)

// Limits of a fetch. Upstream has only the first, of 30 redirects, and the
// second.
const (
	maxRedirects  = 5
	headerTimeout = 20 * time.Second
	wholeTimeout  = time.Minute
	maxBody       = 10 << 20 // compressed and decompressed
	maxURL        = 8 << 10
)

// headers are upstream's: those of a browser.
var headers = [][2]string{
	{"User-Agent", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Safari/537.36"},
	{"Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"},
	{"Accept-Language", "en-US,en;q=0.9"},
	{"Accept-Encoding", "gzip, deflate, br"},
	{"Connection", "keep-alive"},
	{"Upgrade-Insecure-Requests", "1"},
	{"Referer", "https://www.google.com/"},
	{"Sec-Fetch-Site", "same-origin"},
	{"Sec-Fetch-Mode", "navigate"},
	{"Sec-Fetch-User", "?1"},
	{"Sec-Fetch-Dest", "document"},
}

// A Fetcher fetches pages from live servers. It goes through no proxy, since a
// proxy would look names up itself, past the guard.
type Fetcher struct {
	transport *http.Transport
	whole     time.Duration
}

// NewFetcher makes a Fetcher that fetches from public addresses and from the
// hosts allowed.
func NewFetcher(allowed []string) *Fetcher {
	return &Fetcher{
		transport: &http.Transport{
			DialContext: newGuard(allowed).dial, ForceAttemptHTTP2: true, DisableCompression: true,
			TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: headerTimeout, MaxResponseHeaderBytes: 1 << 20,
			MaxIdleConnsPerHost: 2, IdleConnTimeout: 30 * time.Second,
		},
		whole: wholeTimeout,
	}
}

// Close drops idle connections.
func (f *Fetcher) Close() error {
	f.transport.CloseIdleConnections()
	return nil
}

// Fetch implements websearch.Web. What goes wrong is an exception, which the
// model sees, unless ctx ended.
func (f *Fetcher) Fetch(ctx context.Context, address string) (*websearch.Page, error) {
	within, cancel := context.WithTimeout(ctx, f.whole)
	defer cancel()
	p, err := f.fetch(within, address)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return p, err
}

func (f *Fetcher) fetch(ctx context.Context, address string) (*websearch.Page, error) {
	req, err := request(ctx, address)
	if err != nil {
		return nil, err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{Transport: f.transport, CheckRedirect: redirect, Jar: jar}
	resp, err := client.Do(req)
	if err != nil {
		return nil, raised(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := readBody(resp.Body, resp.Header.Values("Content-Encoding"))
	if err != nil {
		return nil, raised(err)
	}
	return &websearch.Page{
		URL: shown(resp.Request.URL), Status: resp.StatusCode, Reason: reason(resp),
		ContentType: resp.Header.Get("Content-Type"), Body: body,
	}, nil
}

func request(ctx context.Context, address string) (*http.Request, error) {
	if len(address) > maxURL {
		return nil, sim.Raise("InvalidURL", "the URL is too long")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || req.URL.Host == "" {
		return nil, sim.Raise("InvalidURL", "Invalid URL "+pyval.Repr(pyval.Str(address)))
	}
	for _, h := range headers {
		req.Header.Set(h[0], h[1])
	}
	return req, nil
}

func redirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxRedirects:
		return sim.Raise("TooManyRedirects", fmt.Sprintf("Exceeded %d redirects.", maxRedirects))
	case req.URL.Scheme != "http" && req.URL.Scheme != "https":
		return sim.Raise("InvalidSchema", "No connection adapters were found for "+pyval.Repr(pyval.Str(shown(req.URL))))
	}
	return nil
}

// shown is an address as requests writes it.
func shown(u *url.URL) string {
	if u.Path == "" {
		whole := *u
		whole.Path = "/"
		u = &whole
	}
	return u.String()
}

// reason is the text of the status line.
func reason(resp *http.Response) string {
	_, text, _ := strings.Cut(resp.Status, " ")
	if text == "" && resp.ProtoMajor >= 2 { // which sends none
		return http.StatusText(resp.StatusCode)
	}
	return text
}

// raised is what a model sees of an error. It reveals nothing about this
// machine or its network.
func raised(err error) error {
	if e, ok := errors.AsType[*sim.Exception](err); ok {
		return e
	}
	var timeout net.Error
	var name *net.DNSError
	switch {
	case errors.Is(err, ErrClosed):
		return sim.Raise("ConnectionError", ErrClosed.Error())
	case errors.Is(err, errTooLarge):
		return sim.Raise("ContentDecodingError", errTooLarge.Error())
	case errors.As(err, &name) && !name.IsTimeout:
		return sim.Raise("ConnectionError", "Name or service not known")
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return sim.Raise("ReadTimeout", "Read timed out. (read timeout=20)")
	case errors.Is(err, errEncoding):
		return sim.Raise("ContentDecodingError", errEncoding.Error())
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return sim.Raise("ChunkedEncodingError", "Connection broken before the whole page had come")
	case strings.Contains(err.Error(), "certificate"), strings.Contains(err.Error(), "tls:"):
		return sim.Raise("SSLError", "the server's certificate could not be verified")
	case strings.Contains(err.Error(), "unsupported protocol scheme"):
		return sim.Raise("InvalidSchema", "No connection adapters were found for this address")
	}
	return sim.Raise("ConnectionError", "the connection failed")
}
