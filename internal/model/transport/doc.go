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
