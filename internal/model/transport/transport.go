// Package transport is the one http.RoundTripper under every adapter.
// Infrastructure ends here: the result of a request is a complete, decoded
// reply or an *Error that says what went wrong.
//
//	admit   breaker open? -> in-flight limit -> pause -> requests and tokens per minute
//	send    one attempt with its own timeout; the reply is read to its last byte
//	retry   faults that may pass: exponential backoff with jitter, or what the server asked for
//	learn   429 and 503 shrink the in-flight limit, full success grows it
//	stop    a wrong key or an endpoint that is down ends the run with one message
//
// One Transport serves one endpoint: its limits and its breaker are the
// endpoint's.
package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Options say how a Transport behaves. The zero value of each field means its
// default.
type Options struct {
	// RPM and TPM are the user's budgets of requests and tokens per minute; 0
	// means no limit.
	RPM, TPM int
	// MaxInFlight is the most requests in flight. If it is set, the adaptive
	// limit also begins there, because the user vouches for it. By default the
	// limit begins at 8 and may grow to 512.
	MaxInFlight int
	// MaxConnections is the most connections, and so requests in flight, that
	// the system has room for; 0 means no bound.
	MaxConnections int
	// Timeout bounds one attempt, from sending to the last byte; 10 minutes.
	Timeout time.Duration
	// MaxBody is the longest reply in bytes, decompressed; 10 MB.
	MaxBody int64
	// MaxElapsed bounds the attempts of one request and the waits between them,
	// without queues; 15 minutes. Requests that are signed with a date must be
	// signed in Base, which sees every attempt.
	MaxElapsed time.Duration
	// MaxTries bounds the attempts at a request that meets faults other than
	// rate limits; 10.
	MaxTries int
	// RetryWait is the first wait between attempts; half a second. It doubles
	// up to half a minute, and each wait is varied by up to half.
	RetryWait time.Duration
	// StartWait is how long a server that loads its model, or a local one that
	// has answered before and now refuses connections, is waited for; 10
	// minutes.
	StartWait time.Duration
	// BreakAfter is how many attempts of several requests must fail in a row
	// before the endpoint counts as down, and BreakSpan is for how long none
	// may have succeeded; 20 and a minute.
	BreakAfter int
	BreakSpan  time.Duration
	// Secrets are texts that must never appear in an error, such as keys. The
	// keys in the headers and query parameters of requests need not be listed.
	Secrets []string
	// MoreSecrets returns further secrets, which may change; may be nil.
	MoreSecrets func() []string
	// KeyName is the environment variable that the key comes from, for
	// messages.
	KeyName string
	// Proxy chooses the proxy of a request; http.ProxyFromEnvironment.
	Proxy func(*http.Request) (*url.URL, error)
	// Base sends the attempts; by default a connection pool of its own.
	Base http.RoundTripper
	// May returns nil if a request may be sent now. It is called before each
	// attempt, once the request has its place, and may wait. An error ends the
	// request and can be found with errors.As.
	May func(context.Context) error
	// Sending is called when an attempt is sent, with the host of its proxy, and
	// what it returns when the attempt has ended; may be nil.
	Sending func(ctx context.Context, proxy string) func(End)
	// Stood returns for how long the process has stood still; may be nil.
	Stood func() time.Duration
	// Wrap wraps the RoundTripper that sends the attempts, and so sees each
	// attempt; may be nil.
	Wrap func(http.RoundTripper) http.RoundTripper
}

const (
	firstInFlight = 8
	mostInFlight  = 512
)

func (o Options) withDefaults() Options {
	setDefault(&o.Timeout, 10*time.Minute)
	setDefault(&o.MaxBody, 10<<20)
	setDefault(&o.MaxElapsed, 15*time.Minute)
	setDefault(&o.MaxTries, 10)
	setDefault(&o.RetryWait, 500*time.Millisecond)
	setDefault(&o.StartWait, 10*time.Minute)
	setDefault(&o.BreakAfter, 20)
	setDefault(&o.BreakSpan, time.Minute)
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	if o.May == nil {
		o.May = func(context.Context) error { return nil }
	}
	if o.Sending == nil {
		o.Sending = func(context.Context, string) func(End) { return func(End) {} }
	}
	if o.Stood == nil {
		o.Stood = func() time.Duration { return 0 }
	}
	return o
}

func setDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}

// A Transport sends requests to one endpoint. The result of each is a complete
// reply or an *Error. It is safe for concurrent use.
type Transport struct {
	options Options
	base    http.RoundTripper
	// beside has connections of its own: those of base may all be in use, each for
	// as long as an answer takes.
	beside  http.RoundTripper
	limit   *limit
	pace    pace
	breaker *breaker
	waits   waits
}

// New makes a Transport.
func New(o Options) *Transport {
	o = o.withDefaults()
	start, most := o.MaxInFlight, o.MaxInFlight
	if most <= 0 {
		start, most = firstInFlight, mostInFlight
	}
	connect := dial
	if n := o.MaxConnections; n > 0 && n < most {
		start, most, connect = min(start, n), n, fewAtOnce(dial, Dials)
	}
	t := &Transport{
		options: o,
		base:    o.Base,
		limit:   newLimit(start, most),
		pace:    pace{requests: newBucket(o.RPM, 1), tokens: newBucket(o.TPM, 10)},
		breaker: newBreaker(o.BreakAfter, o.BreakSpan),
	}
	if t.beside = t.base; t.base == nil {
		t.base, t.beside = newBase(o.Proxy, most, connect), newBase(o.Proxy, Beside, connect)
	}
	if o.Wrap != nil {
		t.base, t.beside = o.Wrap(t.base), o.Wrap(t.beside)
	}
	return t
}

// newBase returns a connection pool that keeps as many connections as there may
// be requests in flight, and never has more.
func newBase(proxy func(*http.Request) (*url.URL, error), most int, connect dialer) *http.Transport {
	return &http.Transport{
		Proxy:                 proxy,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          most,
		MaxIdleConnsPerHost:   most,
		MaxConnsPerHost:       most,
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
		DialContext:           connect,
	}
}

// CloseIdleConnections closes the connections that are not in use.
func (t *Transport) CloseIdleConnections() {
	for _, of := range []http.RoundTripper{t.base, t.beside} {
		if of, ok := of.(interface{ CloseIdleConnections() }); ok {
			of.CloseIdleConnections()
		}
	}
}

// RoundTrip returns a complete reply with a status of 2xx, or an *Error.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := requestBody(req)
	if err != nil {
		return nil, &Error{Kind: BadRequest, Message: t.safe(req, "read the request: "+err.Error())}
	}
	if e := t.unsendable(req); e != nil {
		return nil, e
	}
	return newCall(t, req, body, meterOf(req.Context())).run()
}

// Beside is how many connections there are for what is asked beside the model.
const Beside = 4

// Once sends a request that does not ask the model, as it is, without retries,
// queues and counts, and on connections of its own. The reply may have any status,
// and a redirect is not followed.
func (t *Transport) Once(req *http.Request) (*http.Response, error) { return t.beside.RoundTrip(req) }

func requestBody(req *http.Request) ([]byte, error) {
	switch own := req.Body.(type) {
	case nil:
		return nil, nil
	case *Payload:
		return own.bytes, nil
	}
	var buf bytes.Buffer
	if n := req.ContentLength; n > 0 && n < 64<<20 {
		buf.Grow(int(n) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(req.Body)
	return buf.Bytes(), errors.Join(err, req.Body.Close())
}

// unsendable returns an error for settings with which no request can be sent.
func (t *Transport) unsendable(req *http.Request) *Error {
	if req.URL.Scheme != "http" && req.URL.Scheme != "https" || req.URL.Host == "" {
		return &Error{Kind: BadRequest, Fatal: true, Message: t.safe(req, "the base URL is not an http or https address: "+req.URL.Redacted()),
			Hint: "give it as http://host:port/v1"}
	}
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		if strings.ContainsAny(strings.Join(req.Header[name], ""), "\r\n\x00") {
			return &Error{Kind: BadRequest, Fatal: true, Message: "the header " + oneLine(name) + " holds a line break",
				Hint: "check " + t.keyName() + " and the headers for stray line breaks"}
		}
	}
	return nil
}

func (t *Transport) keyName() string {
	if t.options.KeyName == "" {
		return "the API key"
	}
	return t.options.KeyName
}

// safe returns a text as it may appear in an Error: without keys, on one line,
// and capped.
func (t *Transport) safe(req *http.Request, text string) string {
	return oneLine(t.scrub(req, text))
}

// scrub masks the keys of the request and of the Transport in a text.
func (t *Transport) scrub(req *http.Request, text string) string {
	return scrubbed(text, append(Secrets(req.Header, req.URL), t.secrets()...))
}

// secrets returns the secrets that are known now.
func (t *Transport) secrets() []string {
	if t.options.MoreSecrets == nil {
		return t.options.Secrets
	}
	return slices.Concat(t.options.Secrets, t.options.MoreSecrets())
}

// Scrub masks the Transport's secrets, and whatever looks like a key, in a text
// that is to be shown.
func (t *Transport) Scrub(text string) string { return scrubbed(text, t.secrets()) }

// replay returns a copy of the request for one attempt.
func replay(req *http.Request, body []byte) *http.Request {
	if req.Body == nil {
		return req
	}
	req.ContentLength = int64(len(body))
	if len(body) == 0 {
		req.Body = http.NoBody
		return req
	}
	// net/http knows this kind of body, and writes it together with the header.
	req.Body = io.NopCloser(bytes.NewReader(body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return req
}

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
