// Package transport is the one http.RoundTripper under every provider's SDK.
// Infrastructure ends here: a request is answered with a whole, decoded reply
// or with an *Error that says what went wrong.
//
//	admit   breaker open? -> in-flight limit -> pause -> requests and tokens per minute
//	send    one attempt with its own timeout; the reply is read to its last byte
//	retry   faults that may pass: exponential backoff with jitter, or what the server asked for
//	learn   429 and 503 shrink the in-flight limit, full success grows it
//	stop    a wrong key or an endpoint that is down ends the run with one message
//
// SDKs sit on Client with their own retries switched off. One Transport
// serves one endpoint: its limits and its breaker are the endpoint's.
package transport
