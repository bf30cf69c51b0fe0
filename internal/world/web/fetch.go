package web

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
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

	"github.com/andybalholm/brotli"

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
	g := &guard{allowed: map[string]bool{}, free: net.Dialer{Timeout: dialTimeout}, kept: net.Dialer{Timeout: dialTimeout, Control: Control}}
	for _, host := range allowed {
		if host = strings.Trim(strings.ToLower(strings.TrimSpace(host)), "[]"); host != "" {
			g.allowed[host] = true
		}
	}
	return &Fetcher{
		transport: &http.Transport{
			DialContext: g.dial, ForceAttemptHTTP2: true, DisableCompression: true,
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
	var large *http.MaxBytesError
	switch {
	case errors.Is(err, ErrClosed):
		return sim.Raise("ConnectionError", ErrClosed.Error())
	case errors.As(err, &large):
		return sim.Raise("ContentDecodingError", fmt.Sprintf("the page is larger than %d MB", maxBody>>20))
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

var errEncoding = errors.New("the page could not be decompressed")

// readBody reads and decompresses a body. Neither what comes nor what it
// expands to is ever held beyond the limit.
func readBody(body io.Reader, encodings []string) ([]byte, error) {
	r := capped(body)
	names := strings.FieldsFunc(strings.ToLower(strings.Join(encodings, ",")), func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
	const most = 3
	if len(names) > most {
		return nil, errEncoding
	}
	for i := len(names) - 1; i >= 0; i-- {
		decoded, err := decoder(names[i], r)
		if err != nil {
			return nil, decoding(err)
		}
		r = capped(decoded)
	}
	out, err := io.ReadAll(r)
	if err != nil && len(names) > 0 {
		err = decoding(err)
	}
	return out, err
}

// decoding keeps the errors that are not about the compression.
func decoding(err error) error {
	var large *http.MaxBytesError
	var timeout interface{ Timeout() bool }
	if errors.As(err, &large) || errors.As(err, &timeout) { // a connection that failed
		return err
	}
	return fmt.Errorf("%w: %w", errEncoding, err)
}

func decoder(name string, r io.Reader) (io.Reader, error) {
	switch name {
	case "identity":
		return r, nil
	case "gzip", "x-gzip":
		return gzip.NewReader(r)
	case "br":
		return brotli.NewReader(r), nil
	case "deflate":
		in := bufio.NewReader(r)
		head, err := in.Peek(2)
		if err == nil && head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
			return zlib.NewReader(in)
		}
		return flate.NewReader(in), nil
	}
	return r, nil // an unknown name: requests leaves the body as it is
}

func capped(r io.Reader) io.Reader { return http.MaxBytesReader(nil, io.NopCloser(r), maxBody) }
