package endpoint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gobfcl/bfcl/internal/pyval"
	"github.com/gobfcl/bfcl/internal/transport"
	"github.com/gobfcl/bfcl/internal/version"
)

// An Endpoint is where one model is asked over one protocol. It is safe for
// concurrent use. It does not keep the key where it could be printed.
type Endpoint struct {
	url    *url.URL
	client *http.Client
	sign   func(http.Header)
	hide   func(string) string
	extra  []field
}

// New resolves a configuration; protocol is the last part of the address, such
// as "chat/completions".
func New(c *Config, protocol string) (*Endpoint, error) {
	if c.Model == "" {
		return nil, fmt.Errorf("no model is named")
	}
	u, err := resolve(c, protocol)
	if err != nil {
		return nil, err
	}
	extra, err := extraFields(c.Extra)
	if err != nil {
		return nil, err
	}
	carrier := c.Transport
	if carrier == nil {
		carrier = transport.New(transport.Options{Secrets: newHider(c, u)})
	}
	return &Endpoint{url: u, client: carrier.Client(), sign: signer(c, u), hide: newHider(c, u).hide, extra: extra}, nil
}

// signer writes the headers of a request.
func signer(c *Config, u *url.URL) func(http.Header) {
	key, headers, azure := c.Key, c.Headers.Clone(), isAzure(u.Hostname()) || c.APIVersion != ""
	return func(h http.Header) {
		h.Set("Content-Type", "application/json")
		h.Set("Accept", "application/json")
		h.Set("User-Agent", "bfcl/"+version.String())
		for name, values := range headers {
			h[http.CanonicalHeaderKey(name)] = values
		}
		switch {
		case key == "" || carriesKey(h):
		case azure:
			h.Set("Api-Key", key)
		default:
			h.Set("Authorization", "Bearer "+key)
		}
	}
}

// Official tells whether the server is OpenAI's own or Azure's: others may
// refuse fields that they do not know.
func (e *Endpoint) Official() bool { return isOpenAI(e.url.Hostname()) || isAzure(e.url.Hostname()) }

// String is the address without what is secret in it.
func (e *Endpoint) String() string { return redacted(e.url) }

// Close closes the connections that are not in use.
func (e *Endpoint) Close() { e.client.CloseIdleConnections() }

// Ask sends a body and reads the reply, an object that is no fault. Latency is
// the last attempt's alone.
func (e *Endpoint) Ask(ctx context.Context, body *pyval.Dict) (reply *pyval.Dict, latency time.Duration, err error) {
	data, err := e.encode(body)
	if err != nil {
		return nil, 0, err
	}
	ctx, meter := transport.WithMeter(ctx)
	text, err := e.post(ctx, data)
	if err != nil {
		return nil, 0, advise(transport.AsInfra(err))
	}
	reply, err = parseReply(e.hide(text))
	return reply, meter.Latency, err
}

// post sends a body once, as far as this package can see: retries, and the
// refusal of redirects, which would take headers with keys elsewhere, are the
// transport's.
func (e *Endpoint) post(ctx context.Context, data []byte) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url.String(), bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	e.sign(req.Header)
	resp, err := e.client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	reply, err := io.ReadAll(resp.Body)
	return string(reply), err
}

// advise adds a hint where a server refuses a field that can be left out.
func advise(err error) error {
	var refusal *transport.Error
	if !errors.As(err, &refusal) || refusal.Kind != transport.BadRequest || refusal.Hint != "" {
		return err
	}
	for _, name := range []string{"temperature", "max_completion_tokens", "max_tokens", "store", "reasoning_effort", "include"} {
		if strings.Contains(refusal.Message, name) {
			hinted := *refusal
			hinted.Hint = "the model's extra body fields can leave a field out: " + name + ": null"
			return transport.AsInfra(&hinted)
		}
	}
	return err
}
