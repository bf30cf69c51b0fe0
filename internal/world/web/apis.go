package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

const maxAnswer = 16 << 20 // of an API

// APIs answer the requests of executable and REST categories by asking the
// public APIs. A key replaces its placeholder only in requests to the API it
// belongs to, since a model chooses the URLs of the REST category.
type APIs struct {
	getenv func(string) string
	client *http.Client
}

// NewAPIs makes APIs whose keys come from getenv, most often os.Getenv. It
// refuses addresses that are not public unless allowPrivate.
func NewAPIs(getenv func(string) string, allowPrivate bool) *APIs {
	dialer := &net.Dialer{Timeout: 20 * time.Second}
	if !allowPrivate {
		dialer.Control = Control
	}
	transport := &http.Transport{DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4}
	return &APIs{getenv: getenv, client: &http.Client{Transport: transport, Timeout: wholeTimeout, CheckRedirect: keyless}}
}

type keepRedirect struct{}

// keyless follows redirects as Python's client does, but sends no key to
// another host, or to the same host over another protocol.
func keyless(req *http.Request, via []*http.Request) error {
	if req.Context().Value(keepRedirect{}) != nil {
		return http.ErrUseLastResponse
	}
	if len(via) >= 30 {
		return errors.New("exceeded 30 redirects")
	}
	req.Header.Del("Referer") // Go's, which may hold a key; Python's client sends none
	if req.URL.Host != via[0].URL.Host || req.URL.Scheme != via[0].URL.Scheme {
		for name := range via[0].Header {
			req.Header.Del(name)
		}
	}
	return nil
}

// Do implements exec.Client.
func (c *APIs) Do(ctx context.Context, req exec.Request) (exec.Response, error) {
	if req.KeepRedirect {
		ctx = context.WithValue(ctx, keepRedirect{}, true)
	}
	httpReq, err := c.request(ctx, req)
	if err != nil {
		return exec.Response{}, err
	}
	resp, err := c.client.Do(httpReq)
	if err != nil {
		return exec.Response{}, c.trouble(ctx, req, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return exec.Response{}, c.trouble(ctx, req, err)
	case len(body) > maxAnswer:
		return exec.Response{}, c.trouble(ctx, req, errors.New("the answer is too long"))
	}
	return exec.Response{Status: resp.StatusCode, Body: strings.ToValidUTF8(string(body), "\uFFFD")}, nil
}

func (c *APIs) request(ctx context.Context, req exec.Request) (*http.Request, error) {
	target, err := url.Parse(req.URL)
	if err != nil {
		return nil, c.trouble(ctx, req, err)
	}
	fill, missing := c.filler(target.Hostname())
	var needs []string
	use := func(s string) string {
		for _, key := range missing {
			if strings.Contains(s, key.Placeholder) {
				needs = append(needs, key.Variable)
			}
		}
		return fill.Replace(s)
	}
	httpReq, err := http.NewRequestWithContext(ctx, req.Method, use(req.URL), strings.NewReader(req.Body))
	if err != nil {
		return nil, c.trouble(ctx, req, err)
	}
	for name, value := range req.Header {
		httpReq.Header.Set(name, use(value))
	}
	if len(needs) > 0 {
		return nil, eval.Infra("missing_key", "%s is not set: no request to %s", needs[0], target.Hostname())
	}
	return httpReq, nil
}

// filler replaces the placeholders of the keys that a host may see; missing
// are those of them that are not set.
func (c *APIs) filler(host string) (fill *strings.Replacer, missing []exec.Key) {
	var pairs []string
	for _, key := range exec.Keys() {
		if host != key.Host && !strings.HasSuffix(host, "."+key.Host) {
			continue
		}
		value := c.getenv(key.Variable)
		if value == "" {
			missing = append(missing, key)
			continue
		}
		pairs = append(pairs, "YOUR-"+key.Placeholder, value, key.Placeholder, value)
	}
	return strings.NewReplacer(pairs...), missing
}

// trouble is an infrastructure error without a key in it.
func (c *APIs) trouble(ctx context.Context, req exec.Request, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return eval.Infra("network", "%s %.500q: %.500s", req.Method, c.Scrub(req.URL), c.Scrub(err.Error()))
}

// Scrub replaces keys with their placeholders.
func (c *APIs) Scrub(s string) string {
	for _, key := range exec.Keys() {
		if value := c.getenv(key.Variable); len(value) > 3 {
			s = strings.ReplaceAll(s, value, key.Placeholder)
			s = strings.ReplaceAll(s, url.QueryEscape(value), key.Placeholder)
		}
	}
	return s
}
