package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
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
