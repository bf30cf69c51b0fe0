package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/plainfile"
)

// The kinds of an Error. They are the error kinds of records and reports.
const (
	Unauthorized  = "unauthorized"
	Quota         = "quota"
	ModelNotFound = "model_not_found"
	BadRequest    = "bad_request"
	RateLimited   = "rate_limited"
	ServerError   = "server_error"
	Timeout       = "timeout"
	Connection    = "connection"
	TLS           = "tls"
	Body          = "body"
	NotJSON       = "not_json"
	TooLarge      = "too_large"
	CircuitOpen   = "circuit_open"
	Canceled      = "canceled"
	// ContextFull: the prompt, or prompt and answer, do not fit in the context.
	ContextFull = "context_full"
	// Malformed: the server could not read what the model answered.
	Malformed = "malformed_call"
	// Unequipped: the server was started without what the requests need.
	Unequipped = "server_setup"
	// Loading: the server is loading the model.
	Loading = "loading"
)

// An Error says why a request got no usable reply, after all retries. None of
// its texts holds a key, and all are safe to print.
type Error struct {
	// Kind is one of the kinds above.
	Kind string
	// Status is the HTTP status, 0 if there was none or it does not matter.
	Status int
	// Message is the message of the provider or the network: one line, escaped
	// as in a Go string, and capped.
	Message string
	// Hint says what to do; "" if there is nothing to add.
	Hint string
	// Said is the model's answer where the server reports that it cannot read
	// it, without keys and capped, but not escaped; "" if the server does not
	// tell it.
	Said string
	// Fatal says that further requests will fail, too, so that the run should
	// stop.
	Fatal bool
	// Attempts is how often the request was sent.
	Attempts int

	cause error
}

// Error returns the status, the message, the number of attempts and the hint.
func (e *Error) Error() string {
	var parts []string
	if e.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP %d", e.Status))
	}
	if e.Message != "" {
		parts = append(parts, e.Message)
	}
	if len(parts) == 0 {
		parts = append(parts, e.Kind)
	}
	text := strings.Join(parts, ": ")
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (%d attempts)", e.Attempts)
	}
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Unwrap returns the cause if it is a plain error such as context.Canceled or
// syscall.ECONNREFUSED. Errors that may quote a URL or a header are dropped.
func (e *Error) Unwrap() error { return e.cause }

// IsFatal reports whether an error says that the run should stop.
func IsFatal(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Fatal
}

// AsInfra turns an error of a request into an eval.InfraError of the right kind.
// An *Error inside can still be found with errors.As; everything around it is
// dropped, because errors quote URLs, and some URLs hold keys.
func AsInfra(err error) error {
	var infra *eval.InfraError
	var own *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &infra):
		return err
	case errors.As(err, &own):
		return &eval.InfraError{Kind: own.Kind, Err: own}
	case errors.Is(err, context.Canceled):
		return &eval.InfraError{Kind: Canceled, Err: context.Canceled}
	case errors.Is(err, context.DeadlineExceeded):
		return &eval.InfraError{Kind: Timeout, Err: context.DeadlineExceeded}
	}
	return &eval.InfraError{Kind: "adapter", Err: errors.New(oneLine(maskPatterns(err.Error())))}
}

// A fault is what went wrong in one attempt.
type fault struct {
	err    *Error
	advice advice
	load   outcome
	// retry says that another attempt may succeed.
	retry bool
	// down says that the fault concerns the whole endpoint; unreachable says
	// that it may not be the endpoint of a model at all.
	down, unreachable bool
	// starting says that the server is loading, or restarting: it is waited for.
	starting bool
}

// statusFault returns the fault of a reply whose status is not a success.
func (c *call) statusFault(status int, h http.Header, body []byte) *fault {
	said := readComplaint(body)
	f := &fault{err: &Error{Status: status, Message: c.t.safe(c.req, said.text)}, advice: adviceOf(h)}
	if said.delay > 0 && !f.advice.asked {
		f.advice.wait, f.advice.asked = said.delay, true
	}
	if !f.err.Understand(said.code, said.text) {
		c.judge(f, said)
		return f
	}
	switch f.err.Kind {
	case Loading:
		f.starting, f.retry = true, true
	case Malformed:
		f.err.Said = c.t.scrub(c.req, cmp.Or(said.failed, f.err.Said))
	}
	return f
}

// notJSON returns the fault of a success whose body is not a model's reply.
func (c *call) notJSON(resp *http.Response, body []byte) *fault {
	text := "the reply is not JSON: "
	switch encoding := resp.Header.Get("Content-Encoding"); {
	case len(body) == 0:
		text = "the reply is empty"
	case encoding != "" && encoding != "identity": // another attempt would be paid for, too
		return &fault{down: true, err: &Error{Kind: NotJSON, Status: resp.StatusCode, Fatal: !c.t.breaker.hasAnswered(),
			Message: c.t.safe(c.req, "the reply is compressed with "+encoding+", which was not asked for"), Hint: "make the server or its proxy send replies plain or with gzip"}}
	default:
		page := string(body[:min(len(body), errorBodyCap)])
		if text += pageText(page); pageStart().MatchString(page) && loginPage().MatchString(page) {
			return &fault{down: true, err: &Error{Kind: Unauthorized, Status: resp.StatusCode, Fatal: true,
				Message: c.t.safe(c.req, "a login page answers instead of the API: "+pageText(page)), Hint: "log in there, or give the address of the API itself as the base URL (" + c.endpoint() + ")"}}
		}
	}
	return &fault{retry: true, down: true, unreachable: true, err: &Error{Kind: NotJSON, Status: resp.StatusCode,
		Message: c.t.safe(c.req, text), Hint: "check that the base URL is the address of an API (" + c.endpoint() + ")"}}
}

// bodyFault returns the fault of a reply that broke off.
func (c *call) bodyFault(ctx context.Context, err error) *fault {
	switch {
	case errors.Is(err, errTooLarge):
		return &fault{err: &Error{Kind: TooLarge, Message: fmt.Sprintf("the reply is longer than %d bytes", c.t.options.MaxBody)}}
	case ctx.Err() != nil:
		return c.late()
	}
	return &fault{retry: true, down: true, err: &Error{Kind: Body, cause: plainCause(err),
		Message: c.t.safe(c.req, "the reply broke off: "+err.Error())}}
}

// networkFault returns the fault of an attempt without a reply.
func (c *call) networkFault(ctx context.Context, err error) *fault {
	if ctx.Err() != nil {
		return c.late()
	}
	var own *Error
	if errors.As(err, &own) { // of a base that signs
		return &fault{err: own}
	}
	e := &Error{Kind: Connection, Message: c.t.safe(c.req, networkText(err)), cause: plainCause(err)}
	if plainfile.Exhausted(err) { // not the server's fault; with fewer requests in flight there is room
		e.Hint = "close other programs, or lower -concurrency"
		if n, ok := plainfile.OpenLimit(); ok {
			e.Hint = fmt.Sprintf("this process may open %d files (ulimit -n): raise that, or lower -concurrency", n)
		}
		return &fault{err: e, retry: true, load: overloaded}
	}
	if misconfiguredTLS(err) {
		e.Kind, e.Fatal = TLS, !c.t.breaker.hasAnswered()
		e.Hint = "check the certificate and the scheme of " + c.endpoint() + "; SSL_CERT_FILE adds certificate authorities"
		return &fault{err: e, down: true}
	}
	f := &fault{err: e, retry: true, down: true, unreachable: true}
	host := c.req.URL.Hostname()
	ip := net.ParseIP(host)
	local := host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate()) // this machine, or in its network
	f.starting = local && errors.Is(err, syscall.ECONNREFUSED) && c.t.breaker.hasAnswered()
	return f
}

// neverSent reports whether an error came before the server had the request.
func neverSent(err error) bool {
	var op *net.OpError
	var own *Error
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &own) || err != nil && (plainfile.Exhausted(err) || misconfiguredTLS(err))
}

// late returns the fault of an attempt that ran out of time, its own or the
// caller's.
func (c *call) late() *fault {
	if c.ctx.Err() != nil {
		return &fault{err: c.ended()}
	}
	return &fault{retry: true, down: true, load: overloaded, err: &Error{Kind: Timeout, cause: context.DeadlineExceeded,
		Message: "no complete reply within " + c.t.options.Timeout.String(), Hint: "give it more time with -request-timeout"}}
}

func misconfiguredTLS(err error) bool {
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var authority x509.UnknownAuthorityError
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &authority) ||
		strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// networkText returns an error's text without the addresses of the two ends if
// they change from attempt to attempt, so that equal faults have equal texts.
func networkText(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Op != "dial" && op.Err != nil {
		return op.Op + ": " + op.Err.Error()
	}
	if errors.Is(err, io.EOF) {
		return "the server closed the connection without a reply"
	}
	return err.Error()
}

// plainCause returns the part of an error that quotes no text of others.
func plainCause(err error) error {
	var number syscall.Errno
	switch {
	case errors.As(err, &number):
		return number
	case errors.Is(err, io.ErrUnexpectedEOF):
		return io.ErrUnexpectedEOF
	case errors.Is(err, io.EOF):
		return io.EOF
	}
	return nil
}
