package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/model/transport"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// An engine is a search engine behind an HTTP address. Its errors are
// infrastructure errors: temporary ones are retried a few times, others stop
// the run.
type engine struct {
	name   string
	client *http.Client
	// secret must not be shown; "" is none.
	secret string
	// refusal says what to do if the engine refuses all requests.
	refusal string
	// wait is the first wait between tries.
	wait time.Duration
}

const (
	engineTries   = 4
	engineTimeout = time.Minute
	maxReply      = 10 << 20
)

func newEngine(name, secret, refusal string) engine {
	// A redirect could take the key, which is in the address, elsewhere.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return engine{name: name, secret: secret, refusal: refusal, wait: time.Second, client: &http.Client{Timeout: engineTimeout, CheckRedirect: stay}}
}

// get retries if that may help, and returns the reply's body, whatever JSON it
// is.
func (e *engine) get(ctx context.Context, address string) ([]byte, error) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval = e.wait
	return backoff.Retry(ctx, func() ([]byte, error) { return e.once(ctx, address) },
		backoff.WithBackOff(waits), backoff.WithMaxTries(engineTries))
}

func (e *engine) once(ctx context.Context, address string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, backoff.Permanent(e.infra(transport.Connection, errors.New("the address is not a URL")))
	}
	req.Header.Set("Accept", "application/json")
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, e.connection(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return nil, e.connection(ctx, err)
	case len(body) > maxReply:
		return nil, backoff.Permanent(e.infra(transport.TooLarge, fmt.Errorf("the reply is longer than %d MB", maxReply>>20)))
	}
	return e.scrubbed(body), e.refused(resp, body)
}

// refused is the error that a reply's status or text reports.
func (e *engine) refused(resp *http.Response, body []byte) error {
	usedUp := strings.Contains(string(body[:min(len(body), 2000)]), "run out of searches")
	switch code := resp.StatusCode; {
	case usedUp:
		return backoff.Permanent(e.fatal("search_quota", code, "the account has no searches left", "use -resume once it has"))
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return backoff.Permanent(e.fatal(transport.Unauthorized, code, e.name+" refuses the request", e.refusal))
	case code == http.StatusTooManyRequests:
		// The tool itself waits for this, as upstream does.
		return backoff.Permanent(sim.Raise("HTTPError", "429 Too Many Requests"))
	case code >= 500:
		return e.infra(transport.ServerError, fmt.Errorf("HTTP %d", code))
	case code >= 300 && code < 400, code == http.StatusNotFound:
		return backoff.Permanent(e.infra("search", fmt.Errorf("HTTP %d: is the address right?", code)))
	}
	return nil
}

func (e *engine) infra(kind string, err error) error {
	return &eval.InfraError{Kind: kind, Err: fmt.Errorf("%s: %w", e.name, err)}
}

func (e *engine) fatal(kind string, status int, message, hint string) error {
	return &eval.InfraError{Kind: kind, Err: &transport.Error{Kind: kind, Status: status, Message: message, Hint: hint, Fatal: true}}
}

// connection is an error of the network without the address, which may hold a
// key.
func (e *engine) connection(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return backoff.Permanent(ctx.Err())
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	text := err.Error()
	if e.secret != "" {
		text = e.hider().Replace(text)
	}
	return e.infra(transport.Connection, errors.New(printable(text)))
}

func (e *engine) hider() *strings.Replacer {
	return strings.NewReplacer(e.secret, "[key]", url.QueryEscape(e.secret), "[key]")
}

// scrubbed is a reply without the key, in case an engine returns it: replies
// are recorded, and go to the model. A secret that is too short for a key may
// be an ordinary word.
func (e *engine) scrubbed(reply []byte) []byte {
	const shortest = 8
	if len(e.secret) < shortest {
		return reply
	}
	return []byte(e.hider().Replace(string(reply)))
}

// printable is a text on one line, escaped and capped.
func printable(s string) string {
	const most = 300
	s = strconv.Quote(s[:min(len(s), most)])
	return s[1 : len(s)-1]
}
