package provider

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/version"
)

// An Endpoint is the address of one model and one protocol. It is safe for
// concurrent use. It does not keep the key where it could be printed.
type Endpoint struct {
	url     *url.URL
	carrier *transport.Transport
	header  func() http.Header
	hide    func(string) string
	extra   *pyval.Dict
	model   string
	shown   string // the address without its secrets
	ceiling *ceiling
	room    *atomic.Int64 // the length of the last body: most are about as long
	// Stream reads replies that come as server-sent events; may be nil.
	Stream *Stream
}

// New makes the Endpoint of a configuration; protocol is the last part of the
// address, such as "chat/completions".
func New(c *Config, protocol string) (*Endpoint, error) {
	u, err := resolve(c, protocol)
	if err != nil {
		return nil, err
	}
	return endpoint(c, u, redacted(u), signed(c, u), transport.Options{})
}

// endpoint makes an Endpoint that is shown as an address, and whose requests have
// the headers h; o are the options of its transport if the configuration has none.
func endpoint(c *Config, u *url.URL, shown string, h http.Header, o transport.Options) (*Endpoint, error) {
	if c.Model == "" {
		return nil, fmt.Errorf("no model is named")
	}
	extra, err := extraFields(c.Extra)
	if err != nil {
		return nil, err
	}
	carrier := c.Transport
	if carrier == nil {
		o.Secrets = newHider(c, u)
		carrier = transport.New(o)
	}
	return &Endpoint{url: u, carrier: carrier, header: h.Clone, hide: hiding(c, u), extra: extra,
		model: c.Model, shown: shown, ceiling: &ceiling{}, room: &atomic.Int64{}}, nil
}

// plainHeader returns the headers that do not depend on the provider.
func plainHeader() http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	h.Set("User-Agent", "bfcl/"+version.String())
	return h
}

// signed returns the headers of every request.
func signed(c *Config, u *url.URL) http.Header {
	h := plainHeader()
	for name, values := range c.Headers.Clone() {
		h[http.CanonicalHeaderKey(name)] = values
	}
	switch {
	case c.Key == "" || h.Get("Authorization") != "" || h.Get("Api-Key") != "": // the headers hold a key of their own
	case IsToken(c.Key): // also one of Entra, for Azure
		h.Set("Authorization", "Bearer "+c.Key)
	case isAzure(u.Hostname()) || c.APIVersion != "":
		h.Set("Api-Key", c.Key)
	default:
		h.Set("Authorization", "Bearer "+c.Key)
	}
	if u.User != nil && h.Get("Authorization") == "" { // as HTTP clients do
		password, _ := u.User.Password()
		(&http.Request{Header: h}).SetBasicAuth(u.User.Username(), password)
	}
	return h
}

// Official reports whether the server is OpenAI's own or Azure's: others may
// refuse unknown fields.
func (e *Endpoint) Official() bool {
	return isAzure(e.Host()) || e.Host() == "api.openai.com" || strings.HasSuffix(e.Host(), ".api.openai.com")
}

// Host returns the server's host name.
func (e *Endpoint) Host() string { return strings.ToLower(e.url.Hostname()) }

// String returns the address without its secrets, and without the path of a
// provider's own protocol.
func (e *Endpoint) String() string { return e.shown }

// Close closes the connections that are not in use.
func (e *Endpoint) Close() error {
	e.carrier.CloseIdleConnections()
	return nil
}

// Ask sends a body and returns the reply, an object that is not a fault, and what it
// took; the caller says how many tokens the reply states.
func (e *Endpoint) Ask(ctx context.Context, body *pyval.Dict) (reply *pyval.Dict, took *transport.Meter, err error) {
	data, err := e.encode(body)
	if err != nil {
		return nil, took, err
	}
	ctx, took = transport.WithMeter(transport.WithStream(ctx, e.Stream.watch()))
	text, err := e.post(ctx, data)
	if err != nil {
		return nil, took, advise(transport.AsInfra(err))
	}
	reply, err = e.Stream.reply(text, e.hide)
	return reply, took, err
}

// post sends a body once, as far as this package can see: the transport
// retries, and it refuses redirects, which would send headers with keys
// elsewhere.
func (e *Endpoint) post(ctx context.Context, data []byte) (string, error) {
	req := http.Request{
		Method: http.MethodPost, URL: e.url, Host: e.url.Host, Header: e.header(),
		Body: transport.NewPayload(data), ContentLength: int64(len(data)),
	}
	resp, err := e.carrier.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	reply, err := transport.ReadAll(resp.Body)
	return string(reply), err
}

// hints say what to do if a server refuses a field. The first one with a word
// in the server's message counts.
var hints = []struct{ word, hint string }{
	{"reasoning_content", "repeat_reasoning in models.yaml sets whether the model gets its reasoning back"},
	{"reasoning_details", "repeat_reasoning in models.yaml sets whether the model gets its reasoning back"},
	{"temperature", leaveOut("temperature")},
	{"stream_options", leaveOut("stream_options")},
	{"stream", "stream in models.yaml, or -stream, sets whether answers come as streams"},
	{"store", leaveOut("store")},
	{"reasoning_effort", leaveOut("reasoning_effort")},
	{"include", leaveOut("include")},
}

func leaveOut(name string) string {
	return "to leave the field out, set " + name + ": null in the model's extra body fields"
}

// advise adds a hint to the error of a server that refuses a field.
func advise(err error) error {
	var refusal *transport.Error
	if !errors.As(err, &refusal) || refusal.Kind != transport.BadRequest || refusal.Hint != "" {
		return err
	}
	if field := tokensField(refusal.Message); field != "" {
		hinted := *refusal
		hinted.Hint = "set max_tokens_field: " + field + " in models.yaml"
		return transport.AsInfra(&hinted)
	}
	for _, h := range hints {
		if strings.Contains(refusal.Message, h.word) {
			hinted := *refusal
			hinted.Hint = h.hint
			return transport.AsInfra(&hinted)
		}
	}
	return err
}

var (
	// limits are the fields that limit an answer.
	limits = pattern.Of(`max_(completion_)?tokens`)
	// unknownField matches a refusal of a field, not of its value.
	unknownField = pattern.Of(`(?i)unsupported param|is not supported|unknown|unrecognized|not permitted|extra_forbidden|unexpected|not allowed`)
)

// tokensField returns the field that should limit an answer instead of the one
// that a refusal names first, "" if it names none.
func tokensField(message string) string {
	if !unknownField().MatchString(message) {
		return ""
	}
	switch limits().FindString(message) {
	case "max_tokens":
		return "max_completion_tokens"
	case "max_completion_tokens":
		return "max_tokens"
	}
	return ""
}
